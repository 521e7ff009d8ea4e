package import MapFeatures
package import MapGeometry
package import MapModel
import Synchronization

/// The basemap bundled with the program: Natural Earth at three levels of detail, drawn as ordinary layers.
package enum BundledBasemap {
  /// The attribution text.
  ///
  /// - Source: naturalearthdata.com, terms of use; the data are in the public domain.
  package static let attribution = "Made with Natural Earth"

  /// The denominator of the largest scale that the data are made for.
  ///
  /// - Source: design decision; the grid of the most detailed level has half a view pixel there.
  package static let largestScale = 1_000_000.0

  private static let graticulePart = "graticule"
  /// The id of the layer of meridians and parallels.
  package static let graticuleID = id(of: graticulePart)
  /// The id of the layer of the land.
  package static let landID = id(of: BasemapPart.land.rawValue)
  private static func id(of part: String) -> String { "basemap-\(part)" }

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

  /// Returns the basemap to draw at a scale, including its own layers where tiles of streets do not cover the extent.
  ///
  /// No data are decoded yet.
  ///
  /// - Parameters:
  ///   - parts: the style of the basemap, and what is drawn beside it.
  ///   - base: the states of the base layers.
  ///   - reference: the states of the reference layers.
  ///   - extent: the extent that is shown.
  ///   - operations: the projections to its spatial reference.
  ///   - tone: the ground below names and lines without a style.
  package static func state(
    of parts: BasemapParts, base: [LayerState], reference: [LayerState], scale: Double, extent: Envelope,
    operations: SpatialOperations, on tone: GroundTone = .light
  ) -> BasemapState {
    guard parts.style != nil || parts.showsNames || parts.showsGraticule else {
      return BasemapState(
        style: nil, water: nil, attribution: "", layers: [], baseLayers: base, referenceLayers: reference)
    }
    let style = parts.style?.drawn
    let level = BasemapLevel(scale: scale)
    let palette = BasemapPalette(style ?? (tone == .dark ? .arcGISDarkGray : .arcGISLightGray))
    let ground = BasemapGround(of: extent, operations: operations)
    func layer(_ name: String, _ table: BundledTable, _ renderer: RendererForm) -> LayerState {
      var layer = LayerState(
        id: id(of: name), title: "basemap: \(name)", source: table, renderer: renderer)
      // Symbol sizes already depend on the scale.
      layer.scalesSymbols = false
      return layer
    }
    var layers: [LayerState] = []
    let streets = parts.streets.flatMap { $0.areDrawn(atScale: scale) ? $0 : nil }
    let isCovered = streets.map { $0.cover(of: extent) == .all } ?? false
    let drawsGround = style != nil && !isCovered
    if drawsGround {
      layers = palette.looks(atScale: scale).compactMap { part, renderer in
        table(part, level, on: ground, operations: operations).map { layer(part.rawValue, $0, renderer) }
      }
    }
    let names =
      parts.hasNames && !isCovered
      ? BasemapNames.layers(
        palette, scale: scale, operations: operations, hasWater: style != nil,
        outside: streets.flatMap { $0.extent.projected(to: .wgs84) }) : []
    var lines: [LayerState] = []
    if parts.showsGraticule {
      let whole = BundledTable(graticule: Graticule.spacing(atScale: scale))
      let table = ground.map { BundledTable(whole, on: $0, operations: operations) } ?? whole
      lines = [layer(Self.graticulePart, table, palette.graticuleLook)]
    }
    // The graticule lies below the coast and the borders, and above the base layers of a basemap without a style.
    let below = layers.firstIndex { $0.id == id(of: "coast") } ?? layers.count
    if style != nil { layers.insert(contentsOf: lines, at: below) }
    // The line around the ground of a projection lies over the layers, as the frame of a map.
    var edge: [LayerState] = []
    if let tables = ProjectionEdge.tables(in: extent, operations: operations) {
      if style != nil, let look = palette.pageLook { layers.append(layer("page", tables.outside, look)) }
      edge = [layer("edge", tables.line, palette.edgeLook)]
    }
    var state = BasemapState(
      style: style, water: style == nil ? nil : palette.water, land: style == nil ? nil : palette.land,
      attribution: !drawsGround && names.isEmpty ? "" : attribution, layers: layers,
      baseLayers: base + (style == nil ? lines : []), referenceLayers: reference + edge + names)
    state.streets = parts.streets
    return state
  }
}

extension BasemapParts {
  /// Whether the bundled names are drawn where no tiles of streets are; these have names unless the style has none.
  fileprivate var hasNames: Bool {
    showsNames || streets != nil && style?.hasNames != false
  }
}
