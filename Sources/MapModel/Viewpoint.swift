public import MapGeometry

/// What a map is asked to show: a centre and scale, or a geometry to fit.
public struct Viewpoint: Hashable, Sendable {
  /// The two ways to say it.
  public enum Target: Hashable, Sendable {
    /// A centre, and the N of 1:N.
    case center(Point, scale: Double)
    /// A geometry whose envelope must fit the view.
    case boundingGeometry(Envelope)
  }

  /// What to show.
  public let target: Target
  /// Counter-clockwise turn of the picture in degrees, which is the compass heading of its top edge, 0 ..< 360; NaN
  /// keeps the current turn.
  ///
  /// - Source: the SDK. A web map's `rotation` runs the other way: SDK = (360 − JSON) mod 360.
  public let rotation: Double

  /// A centre and a scale.
  public init(center: Point, scale: Double, rotation: Double = .nan) {
    target = .center(center, scale: scale)
    self.rotation = Self.normalized(rotation)
  }

  /// A centre in degrees and a scale.
  public init(latitude: Double, longitude: Double, scale: Double, rotation: Double = .nan) {
    self.init(
      center: Point(latitude: latitude, longitude: longitude), scale: scale, rotation: rotation)
  }

  /// A geometry to fit.
  public init(boundingGeometry: any Geometry, rotation: Double = .nan) {
    target = .boundingGeometry(boundingGeometry.extent)
    self.rotation = Self.normalized(rotation)
  }

  /// Which of the two ways a viewpoint says it.
  public enum Kind: String, Hashable, Sendable {
    /// A centre and a scale.
    case centerAndScale
    /// A geometry to fit.
    case boundingGeometry
  }

  /// Which of the two ways it says it.
  public var kind: Kind {
    switch target {
    case .center: .centerAndScale
    case .boundingGeometry: .boundingGeometry
    }
  }

  /// The centre, or the envelope to fit.
  public var targetGeometry: any Geometry {
    switch target {
    case .center(let point, _): point
    case .boundingGeometry(let envelope): envelope
    }
  }

  /// The N of 1:N; NaN for a geometry to fit.
  public var targetScale: Double {
    switch target {
    case .center(_, let scale): scale
    case .boundingGeometry: .nan
    }
  }

  /// True for viewpoints that show the same; two that keep the current turn do.
  public static func == (first: Viewpoint, second: Viewpoint) -> Bool {
    first.target == second.target && first.turn == second.turn
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(target)
    hasher.combine(turn)
  }

  /// NaN is not equal to itself.
  private var turn: Double? { rotation.isNaN ? nil : rotation }

  private static func normalized(_ angle: Double) -> Double {
    guard angle.isFinite else { return .nan }
    let remainder = angle.truncatingRemainder(dividingBy: 360)
    let turn = remainder < 0 ? remainder + 360 : remainder
    // A tiny negative angle rounds up to 360 itself.
    return turn == 360 ? 0 : turn
  }
}
