import MapModel

/// A clockwise rotation in pixels, y down.
struct SymbolRotation {
  let cosine: Double
  let sine: Double

  /// Creates a rotation by clockwise degrees; none for an angle that is not finite.
  init(_ degrees: Double) {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(rest.isFinite ? (rest < 0 ? rest + 360 : rest) : 0)
  }

  /// Creates the rotation from the direction to the right to that of a vector, which must have a length.
  init(x: Double, y: Double) {
    let length = (x * x + y * y).squareRoot()
    (cosine, sine) = length > 0 ? (x / length, y / length) : (1, 0)
  }

  private init(cosine: Double, sine: Double) { (self.cosine, self.sine) = (cosine, sine) }

  func applied(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (x * cosine - y * sine, x * sine + y * cosine)
  }

  /// Returns this rotation after another one.
  func after(_ other: SymbolRotation) -> SymbolRotation {
    SymbolRotation(
      cosine: cosine * other.cosine - sine * other.sine, sine: sine * other.cosine + cosine * other.sine)
  }

  /// The rotation by 180 degrees more.
  var reversed: SymbolRotation { SymbolRotation(cosine: -cosine, sine: -sine) }
  /// The rotation by 90 degrees less.
  var upright: SymbolRotation { SymbolRotation(cosine: sine, sine: -cosine) }
}
