extension Envelope {
  /// Which worlds data of this extent lie in: 0 from -180° to 180°, 1 east of it and -1 west of it.
  ///
  /// Data on the antimeridian itself are in world 0 alone, as are those in a reference without worlds.
  ///
  /// - Source: ours; data that are cut nowhere go on past 180°, farther than one and a half turns none do.
  public var worldsReached: ClosedRange<Int> {
    guard !isEmpty, let half = Self.worldWidth(of: spatialReference).map({ $0 / 2 }) else { return 0...0 }
    return (xMin < -half ? -1 : 0)...(xMax > half ? 1 : 0)
  }

  /// The envelope so many worlds farther east, in a reference that has worlds; itself in any other.
  ///
  /// Error: rounding of the sides.
  public func moved(worlds: Int, of reference: SpatialReference?) -> Envelope {
    guard worlds != 0, let width = Self.worldWidth(of: reference) else { return self }
    return moved(east: Double(worlds) * width)
  }

  /// The envelope moved by whole worlds, see ``moved(x:by:)``.
  package func moved(east shift: Double) -> Envelope {
    guard shift != 0 else { return self }
    return Envelope(
      xMin: Self.moved(x: xMin, by: shift), yMin: yMin, xMax: Self.moved(x: xMax, by: shift), yMax: yMax,
      spatialReference: spatialReference)
  }

  /// How far the world goes in x before it repeats; nil in a reference where it does not.
  package static func worldWidth(of reference: SpatialReference?) -> Double? {
    switch reference {
    case .some(.wgs84): 360
    case .some(.webMercator): 2 * WebMercator.halfWorld
    default: nil
    }
  }

  /// An x moved by whole worlds.
  ///
  /// A decimal of nine places in degrees, or six in metres, becomes the one that would be written in the other world, so
  /// that 275.1 and -84.9 degrees are equal.
  ///
  /// - Error: one rounding.
  package static func moved(x: Double, by shift: Double) -> Double {
    let sum = x + shift
    let scale = abs(shift) < 1e6 ? 1e9 : 1e6
    let decimal = (sum * scale).rounded() / scale
    return abs(decimal - sum) <= max(x.ulp, sum.ulp, abs(shift) < 1e6 ? 0 : shift.ulp) ? decimal : sum
  }
}
