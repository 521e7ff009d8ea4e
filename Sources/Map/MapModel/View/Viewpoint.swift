public import MapGeometry

/// The part of a map to show: a centre and scale, or a geometry to fit.
public struct Viewpoint: Hashable, Sendable {
  /// The two forms of a viewpoint.
  public enum Target: Hashable, Sendable {
    /// A centre and a scale denominator.
    case center(Point, scale: Double)
    /// A geometry whose envelope must fit the view.
    case boundingGeometry(Envelope)
  }

  /// The centre and scale, or the geometry to fit.
  public let target: Target
  /// The counter-clockwise rotation of the image in degrees, 0 ..< 360; NaN keeps the current rotation.
  ///
  /// It is the compass heading of the image's top edge.
  ///
  /// - Source: the ArcGIS Maps SDK. A web map's `rotation` runs the other way: SDK = (360 − JSON) mod 360.
  public let rotation: Double

  /// Creates a viewpoint from a centre and a scale denominator.
  public init(center: Point, scale: Double, rotation: Double = .nan) {
    target = .center(center, scale: scale)
    self.rotation = Self.normalized(rotation)
  }

  /// Creates a viewpoint from a centre in degrees and a scale denominator.
  public init(latitude: Double, longitude: Double, scale: Double, rotation: Double = .nan) {
    self.init(
      center: Point(latitude: latitude, longitude: longitude), scale: scale, rotation: rotation)
  }

  /// Creates a viewpoint from a centre in degrees and a zoom, as maps of vector tiles count it.
  ///
  /// At zoom 0, the world is 512 view pixels wide, and each further zoom doubles it. The scale is that of Web Mercator.
  public init(latitude: Double, longitude: Double, zoom: Double, rotation: Double = .nan) {
    self.init(
      latitude: latitude, longitude: longitude, scale: Self.scale(ofZoom: zoom), rotation: rotation)
  }

  /// Returns the scale denominator of a zoom in Web Mercator.
  ///
  /// - Source: 512 pixels around the equator at zoom 0, with 96 pixels per inch and 39.37 inches per metre.
  package static func scale(ofZoom zoom: Double) -> Double { 295_828_763.795_777_5 * power(2, -zoom) }

  /// Creates a viewpoint from a geometry to fit.
  public init(boundingGeometry: any Geometry, rotation: Double = .nan) {
    target = .boundingGeometry(boundingGeometry.extent)
    self.rotation = Self.normalized(rotation)
  }

  /// The form of a viewpoint.
  public enum Kind: String, Hashable, Sendable {
    /// A centre and a scale.
    case centerAndScale
    /// A geometry to fit.
    case boundingGeometry
  }

  /// The form of the viewpoint.
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

  /// The scale denominator; NaN for a geometry to fit.
  public var targetScale: Double {
    switch target {
    case .center(_, let scale): scale
    case .boundingGeometry: .nan
    }
  }

  /// Returns whether two viewpoints show the same; a rotation of NaN equals NaN.
  public static func == (first: Viewpoint, second: Viewpoint) -> Bool {
    first.target == second.target && first.turn == second.turn
  }

  /// Hashes the values that are compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(target)
    hasher.combine(turn)
  }

  /// The rotation, with nil instead of NaN, which does not equal itself.
  private var turn: Double? { rotation.isNaN ? nil : rotation }

  private static func normalized(_ angle: Double) -> Double {
    guard angle.isFinite else { return .nan }
    let remainder = angle.truncatingRemainder(dividingBy: 360)
    let turn = remainder < 0 ? remainder + 360 : remainder
    // A tiny negative angle is rounded up to 360.
    return turn == 360 ? 0 : turn
  }
}
