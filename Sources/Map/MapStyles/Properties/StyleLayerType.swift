/// The types of style layers.
package enum StyleLayerType: String, Hashable, Sendable, CaseIterable {
  case background, fill, line, symbol, circle, heatmap, raster, hillshade
  case fillExtrusion = "fill-extrusion"
  case colorRelief = "color-relief"

  /// The properties of layers of this type, layout first.
  package var properties: [StyleProperty] {
    switch self {
    case .background: StyleProperty.background
    case .fill: StyleProperty.fill
    case .line: StyleProperty.line
    case .symbol: StyleProperty.symbol
    case .circle: StyleProperty.circle
    case .heatmap: StyleProperty.heatmap
    case .raster: StyleProperty.raster
    case .hillshade: StyleProperty.hillshade
    case .fillExtrusion: StyleProperty.fillExtrusion
    case .colorRelief: StyleProperty.colorRelief
    }
  }

  /// The index of a property in ``properties``; nil for a name that the type does not have.
  package func index(of property: String) -> Int? { Self.indices[self]?[property] }

  private static let indices: [StyleLayerType: [String: Int]] = Dictionary(
    uniqueKeysWithValues: allCases.map { type in
      (type, Dictionary(uniqueKeysWithValues: type.properties.enumerated().map { ($1.name, $0) }))
    })

  /// The types of sources whose tiles a layer of this type may show; empty for a layer without a source.
  package var sourceTypes: [StyleSourceType] {
    switch self {
    case .background: []
    case .raster: [.raster, .image, .video]
    case .hillshade, .colorRelief: [.rasterDEM]
    default: [.vector, .geojson]
    }
  }
}

/// The types of sources.
package enum StyleSourceType: String, Hashable, Sendable, CaseIterable {
  case vector, raster, geojson, image, video
  case rasterDEM = "raster-dem"
}
