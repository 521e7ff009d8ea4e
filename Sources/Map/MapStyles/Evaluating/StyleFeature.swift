/// The kinds of geometries in tiles.
package enum StyleGeometryKind: UInt8, Hashable, Sendable {
  case unknown, point, line, polygon

  /// The name in expressions.
  package var name: String {
    switch self {
    case .unknown: "Unknown"
    case .point: "Point"
    case .line: "LineString"
    case .polygon: "Polygon"
    }
  }

  /// Creates the kind with a name of GeoJSON, of single geometries or of many.
  package init(name: String) {
    switch name {
    case "Point", "MultiPoint": self = .point
    case "LineString", "MultiLineString": self = .line
    case "Polygon", "MultiPolygon": self = .polygon
    default: self = .unknown
    }
  }
}

/// A feature for which an expression is evaluated.
package struct StyleFeature: Sendable {
  /// The id; null for none.
  package var id: StyleValue
  /// The kind of the geometry; nil for none.
  package var kind: StyleGeometryKind?
  /// The properties.
  package var properties: StyleObject
  /// The state that `feature-state` reads.
  package var state: StyleObject
  /// The points, lines or rings in units of the tile; nil for none.
  package var parts: [[StylePoint]]?
  /// The tile; nil for none.
  package var tile: StyleTile?

  /// Creates a feature.
  package init(
    id: StyleValue = .null, kind: StyleGeometryKind? = nil, properties: StyleObject = StyleObject(),
    state: StyleObject = StyleObject(), parts: [[StylePoint]]? = nil, tile: StyleTile? = nil
  ) {
    (self.id, self.kind, self.properties, self.state) = (id, kind, properties, state)
    (self.parts, self.tile) = (parts, tile)
  }
}

/// The values that an expression may ask for besides the feature.
package struct StyleContext: Hashable, Sendable {
  /// The zoom.
  package var zoom: Double
  /// The style's state.
  package var state: StyleObject
  /// The names of the images that there are; nil when that is not known.
  package var images: Set<String>?
  /// The density of a heat map from 0 to 1.
  package var heatmapDensity = 0.0
  /// The height of the ground in metres.
  package var elevation = 0.0
  /// The progress along a line from 0 to 1.
  package var lineProgress = 0.0
  /// The value so far of a cluster.
  package var accumulated = StyleValue.null

  /// Creates a context.
  package init(zoom: Double, state: StyleObject = StyleObject(), images: Set<String>? = nil) {
    (self.zoom, self.state, self.images) = (zoom, state, images)
  }

  /// Returns the same context at another zoom.
  func at(zoom: Double) -> StyleContext {
    var context = self
    context.zoom = zoom
    return context
  }
}
