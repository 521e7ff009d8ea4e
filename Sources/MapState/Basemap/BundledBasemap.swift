import MapFeatures
import MapModel
import Synchronization

/// The basemap that is part of the program: Natural Earth at three levels, drawn as ordinary layers.
enum BundledBasemap {
  /// Who is to be named.
  ///
  /// - Source: naturalearthdata.com, terms of use; the data are in the public domain.
  static let attribution = "Made with Natural Earth"

  private static let tables: [BasemapLevel: [BasemapPart: BundledTable]] = {
    var tables: [BasemapLevel: [BasemapPart: BundledTable]] = [:]
    for level in BasemapLevel.allCases {
      for part in BasemapPart.allCases {
        tables[level, default: [:]][part] = BundledTable(part, level: level)
      }
    }
    return tables
  }()

  /// A basemap as it is drawn at a scale, its own layers too; nothing is decoded yet.
  static func state(of basemap: Basemap, scale: Double) -> BasemapState {
    let own = basemap.frozen
    guard let style = basemap.style?.drawn else {
      return BasemapState(
        style: nil, water: nil, attribution: "", layers: [], baseLayers: own.base,
        referenceLayers: own.reference)
    }
    let level = BasemapLevel(scale: scale)
    let palette = BasemapPalette(style)
    let layers = palette.looks(at: level).compactMap { part, renderer -> LayerState? in
      guard let table = tables[level]?[part] else { return nil }
      var layer = LayerState(
        id: "basemap-\(part.rawValue)", title: "basemap: \(part.rawValue)", source: table, renderer: renderer)
      // Its looks are made for each scale.
      layer.scalesSymbols = false
      return layer
    }
    return BasemapState(
      style: style, water: palette.water, attribution: attribution, layers: layers, baseLayers: own.base,
      referenceLayers: own.reference)
  }
}
