package import MapFeatures
package import MapGeometry
package import MapModel
import Synchronization

/// The basemap bundled with the program: Natural Earth at three levels of detail, drawn as ordinary layers.
package enum BundledBasemap {
  /// The attribution text.
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

  /// The number of cut tables that are cached: those of two views.
  private static let mostCut = 2 * BasemapPart.allCases.count
  private static let cut = Mutex<
    [(level: BasemapLevel, part: BasemapPart, on: BasemapGround, table: BundledTable)]
  >([])

  /// Returns a layer of the basemap: the whole layer, or the part on a ground in another spatial reference.
  private static func table(
    _ part: BasemapPart, _ level: BasemapLevel, on ground: BasemapGround?, operations: SpatialOperations
  ) -> BundledTable? {
    guard let table = tables[level]?[part], let ground else { return tables[level]?[part] }
    return cut.withLock { cut in
      if let known = cut.first(where: { $0.level == level && $0.part == part && $0.on == ground }) {
        return known.table
      }
      let made = BundledTable(table, on: ground, operations: operations)
      if cut.count == mostCut { cut.removeFirst() }
      cut.append((level, part, ground, made))
      return made
    }
  }

  /// Returns the basemap to draw at a scale, including its own layers.
  ///
  /// No data are decoded yet.
  ///
  /// - Parameters:
  ///   - style: the style of the basemap; nil for none.
  ///   - base: the states of the base layers.
  ///   - reference: the states of the reference layers.
  ///   - extent: the extent that is shown.
  ///   - operations: the projections to its spatial reference.
  package static func state(
    of style: Basemap.Style?, base: [LayerState], reference: [LayerState], scale: Double, extent: Envelope,
    operations: SpatialOperations
  ) -> BasemapState {
    guard let style = style?.drawn else {
      return BasemapState(
        style: nil, water: nil, attribution: "", layers: [], baseLayers: base, referenceLayers: reference)
    }
    let level = BasemapLevel(scale: scale)
    let palette = BasemapPalette(style)
    let ground = BasemapGround(of: extent, operations: operations)
    let layers = palette.looks(at: level).compactMap { part, renderer -> LayerState? in
      guard let table = table(part, level, on: ground, operations: operations) else { return nil }
      var layer = LayerState(
        id: "basemap-\(part.rawValue)", title: "basemap: \(part.rawValue)", source: table, renderer: renderer)
      // Symbol sizes already depend on the scale.
      layer.scalesSymbols = false
      return layer
    }
    return BasemapState(
      style: style, water: palette.water, attribution: attribution, layers: layers, baseLayers: base,
      referenceLayers: reference)
  }
}
