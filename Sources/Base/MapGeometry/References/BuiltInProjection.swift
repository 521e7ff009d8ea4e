/// A projection between the built-in spatial references, from a table's coordinates to those of a map.
package enum BuiltInProjection: Hashable, Sendable {
  /// The coordinates are those of the map.
  case none
  /// From degrees to Web Mercator.
  case fromDegrees
  /// From Web Mercator to degrees.
  case toDegrees

  /// Creates the projection from the spatial reference in which a map shows a table to that of the map.
  package init(from reference: SpatialReference?, to map: SpatialReference?) {
    self =
      switch (reference, map) {
      case (.some(.wgs84), .some(.webMercator)): .fromDegrees
      case (.some(.webMercator), .some(.wgs84)): .toDegrees
      default: .none
      }
  }

  /// Returns a point in the spatial reference of the map.
  package func point(x: Double, y: Double) -> (x: Double, y: Double) {
    switch self {
    case .none: (x, y)
    case .fromDegrees: (WebMercator.x(longitude: x), Self.finiteY(latitude: y))
    case .toDegrees: (WebMercator.longitude(x: x), WebMercator.latitude(y: y))
    }
  }

  /// Returns an envelope in the spatial reference of the map, without that reference.
  package func envelope(_ envelope: Envelope) -> Envelope {
    guard self != .none, !envelope.isEmpty else { return envelope }
    let (low, high) = (point(x: envelope.xMin, y: envelope.yMin), point(x: envelope.xMax, y: envelope.yMax))
    return Envelope(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y)
  }

  /// Returns Web Mercator's y for a latitude; finite also at the poles.
  ///
  /// The poles, which Web Mercator cannot show, are put far outside the world square, so that rings stay closed.
  private static func finiteY(latitude: Double) -> Double {
    let y = WebMercator.y(latitude: latitude)
    return y.isFinite ? y : (latitude < 0 ? -16 : 16) * WebMercator.halfWorld
  }
}
