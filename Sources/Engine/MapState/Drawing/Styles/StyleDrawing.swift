import Dispatch
import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import MapSystem
import MapTiles
import Synchronization

/// The drawing of a style in a view: its layers as items in pixels, and the tiles that were used.
struct StyleDrawing: Sendable {
  /// The items of a layer, or its image.
  struct Layer: Sendable {
    let layer: StyleLayer
    let opacity: Double
    var batches: [DisplayBatch]
    var featureCount: Int
    /// The possible symbols of a layer whose symbols are not placed yet; nil for others.
    var candidates: SymbolCandidates?
  }

  /// The tiles of a source in the view.
  struct Tiles: Sendable {
    /// The tiles in the order of drawing, each with its content.
    let places: [(place: TilePlacing.Place, content: StyleTileContent)]
    let report: RenderReport.Tiles.Source

    /// The number of tiles with a loss, and the first loss; nil for none.
    var lossWarning: String? {
      let lossy = places.filter { $0.content.loss != nil }
      guard let first = lossy.first, let loss = first.content.loss else { return nil }
      // A tile in two copies of the world counts once.
      let count = Set(lossy.map(\.place.tile)).count
      return
        "\(count == 1 ? "1 tile violates" : "\(count) tiles violate") the specification; the first: tile "
        + "\(first.place.tile): \(loss)"
    }
  }

  /// The zoom; nil for a view without any position on the world.
  private(set) var zoom: Double?
  /// The layers that are shown at the zoom, starting at the bottom.
  var layers: [Layer] = []
  /// The tiles of the sources in use, by the names of the sources.
  private(set) var tiles: [String: Tiles] = [:]
  /// The features that have the numbers of the items, by source and layer of its tiles.
  private(set) var numbers: [StyleFeatureNumbers.Key: StyleFeatureNumbers] = [:]
  private(set) var context: StyleContext?
  /// The fonts of the symbols; nil without layers of symbols.
  private(set) var fonts: SymbolFonts?
  /// The deviations from the style.
  var warnings: [String] = []

  /// Draws the layers of a style that are not hidden; their symbols are placed later, see ``place(by:)``.
  ///
  /// The result does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - rule: the treatment of tiles that are missing or cannot be read.
  ///   - only: the layers to draw; nil for all.
  ///   - joinsTiles: whether lines and areas are joined at the sides of tiles, for formats without pixels.
  /// - Throws: ``TileError``.
  init(
    _ style: MapStyle, hidden: Set<String>, in view: ViewState, missing rule: MissingTiles,
    threads: Int, only: Set<String>? = nil, joinsTiles: Bool = false
  ) async throws(TileError) {
    guard let placing = try TilePlacing(view, operations: .installed) else { return }
    zoom = placing.zoom
    // Formats without pixels can be enlarged, so they get the larger images.
    let imageRatio = joinsTiles ? max(view.pixelRatio, 2) : view.pixelRatio
    var resources = await StyleResources.of(style, pixelRatio: imageRatio, fonts: view.fonts)
    warnings += resources.problems
    let painter = StylePainter(
      context: StyleContext(zoom: placing.zoom, state: style.document.state), pixelRatio: view.pixelRatio,
      width: view.pictureWidth, height: view.pictureHeight, images: resources.images)
    context = painter.context
    let shown = style.document.layers.filter {
      !hidden.contains($0.id) && only?.contains($0.id) ?? true && $0.isVisible(painter.context)
    }
    warnings += Self.undrawn(shown, style)
    if shown.contains(where: { $0.type == .symbol }) {
      fonts = resources.fonts?.forView()
      if fonts == nil {
        warnings.append("layers of symbols are not drawn: this build has no fonts (package trait Labels)")
      }
    }
    let styled = try await styledTiles(of: shown, style, placing, rule, threads: threads)
    warnings += unknownTexts(of: shown, style)
    // A pattern of the background begins at the corners of tiles.
    let hasPattern = shown.contains { $0.type == .background && $0.has("background-pattern") }
    let ground = hasPattern ? try placing.emptyTiles() : []
    let joined = joinsTiles ? joinedTiles(of: shown, placing) : [:]
    var drawn = Self.drawings(
      of: shown, by: painter, fonts: fonts, tiles: styled, joined: joined, ground: ground, threads: threads)
    // Glyph files are read when texts have missed them.
    let symbols = shown.indices.filter { shown[$0].type == .symbol }
    while !symbols.isEmpty, fonts != nil, let complete = await resources.withMissedGlyphs() {
      resources = complete
      fonts = resources.fonts?.forView()
      let again = Self.drawings(
        of: symbols.map { shown[$0] }, by: painter, fonts: fonts, tiles: styled, joined: joined,
        ground: ground,
        threads: threads)
      for (index, drawing) in zip(symbols, again) { drawn[index] = drawing }
    }
    for (index, layer) in shown.enumerated() {
      if let image = try await rasterDrawing(of: layer, style, in: view, rule, threads: threads) {
        drawn[index] = image
      }
    }
    for case let (drawing, problems)? in drawn {
      warnings += problems.map { "\(Self.named(drawing.layer)): \($0)" }
      layers.append(drawing)
    }
  }

  /// Returns the name of a layer in messages.
  static func named(_ layer: StyleLayer) -> String { "style layer \"\(MessageText.name(layer.id))\"" }

  // MARK: Tiles

  /// Returns the tiles of the sources of layers in pixels.
  private mutating func styledTiles(
    of layers: [StyleLayer], _ style: MapStyle, _ placing: TilePlacing, _ rule: MissingTiles, threads: Int
  ) async throws(TileError) -> [String: [StyledTile]] {
    var wanted: [String: Set<String>] = [:]
    for layer in layers where layer.type.sourceTypes.contains(.vector) {
      if let source = layer.source { wanted[source, default: []].insert(layer.sourceLayer ?? "") }
    }
    var styled: [String: [StyledTile]] = [:]
    for (name, layers) in wanted.sorted(by: { $0.key < $1.key }) {
      switch style.sources[name] {
      case .tiles(let source)?:
        let found = try await Self.tiles(of: source, name, placing, rule, threads: threads)
        tiles[name] = found
        if let warning = found.lossWarning {
          warnings.append("source \"\(MessageText.name(name))\": \(warning)")
        }
        let ids = numbered(found.places.map { ($0.place, $0.content) }, source: name, layers: layers)
        styled[name] = Self.all(found.places.count, threads: threads) { index in
          placing.tile(
            found.places[index].place, found.places[index].content, layers: layers, ids: ids[index])
        }
      case .features(let source)?:
        let worlds = Array(placing.worlds)
        let world = TilePlacing.Place(tile: TileIndex(zoom: 0, column: 0, row: 0), world: 0)
        let content = source.content(atZoom: Int(clamping: placing.zoom.rounded(.down)))
        let ids = numbered([(world, content)], source: name, layers: [""])
        styled[name] = Self.all(worlds.count, threads: threads) { index in
          placing.tile(ofWorld: worlds[index], content, ids: ids[0]).named(layers)
        }
      case .images?, .image?, nil: break
      }
    }
    return styled
  }

  /// Returns for each source of vector tiles its tiles as one, with lines and areas joined at the sides of tiles.
  private func joinedTiles(of layers: [StyleLayer], _ placing: TilePlacing) -> [String: StyledTile] {
    var joined: [String: StyledTile] = [:]
    for (source, found) in tiles {
      let names = Set(
        layers.filter { $0.source == source && [.fill, .fillExtrusion, .line].contains($0.type) }.compactMap(
          \.sourceLayer))
      guard let zoom = found.report.zoom,
        let whole = JoinedStyleTiles(
          found.places.map { ($0.place.column, $0.place.tile.row, $0.content) }, zoom: zoom, layers: names)
      else { continue }
      var ids: [String: [Int32]] = [:]
      for name in names {
        guard let rows = numbers[StyleFeatureNumbers.Key(source: source, layer: name)]?.rows else { continue }
        ids[name] = whole.pieces[name]?.map { rows[$0.tile]?[$0.row] ?? 0 }
      }
      joined[source] = placing.tile(of: whole, zoom: zoom, layers: names, ids: ids)
    }
    return joined
  }

  /// Reads the tiles of a source in the view.
  static func tiles(
    of source: any StyleTileSource, _ name: String, _ placing: TilePlacing, _ rule: MissingTiles, threads: Int
  ) async throws(TileError) -> Tiles {
    // Below zoom 0, the world is smaller than a tile.
    let level = min(max(Int(clamping: placing.zoom.rounded(.down)), 0), source.zooms.upperBound)
    guard level >= source.zooms.lowerBound else {
      let report = RenderReport.Tiles.Source(
        name: name, place: source.place, zoom: nil, count: 0, missing: [], failed: [])
      return Tiles(places: [], report: report)
    }
    let places = try placing.places(level: level, within: source.extent)
    let contents = await source.contents(of: places.map(\.tile), threads: threads)
    var found: [(place: TilePlacing.Place, content: StyleTileContent)] = []
    var (missing, failed): ([TileIndex], [(tile: TileIndex, reason: String)]) = ([], [])
    for place in places {
      // A tile in two copies of the world counts once.
      let isFirst = !found.contains { $0.place.tile == place.tile }
      switch contents[place.tile] {
      case .success(let content?): found.append((place, content))
      case .success(nil), nil: if isFirst, !missing.contains(place.tile) { missing.append(place.tile) }
      case .failure(let error):
        if !failed.contains(where: { $0.tile == place.tile }) {
          failed.append((place.tile, error.description))
        }
      }
    }
    if rule == .fail, let first = failed.first {
      throw TileError("source \"\(name)\": tile \(first.tile) \(first.reason)")
    }
    if rule == .fail, let first = missing.first {
      throw TileError("source \"\(name)\": tile \(first) is missing")
    }
    let report = RenderReport.Tiles.Source(
      name: name, place: source.place, zoom: level, count: Set(places.map(\.tile)).count, missing: missing,
      failed: failed)
    return Tiles(places: found, report: report)
  }

  /// Numbers the features of tiles: those with an id once for all their pieces.
  ///
  /// - Returns: for each tile, the numbers of the rows of its layers.
  private mutating func numbered(
    _ tiles: [(place: TilePlacing.Place, content: StyleTileContent)], source: String, layers: Set<String>
  ) -> [[String: [Int32]]] {
    var ids = [[String: [Int32]]](repeating: [:], count: tiles.count)
    for name in layers {
      var known = StyleFeatureNumbers()
      for (index, tile) in tiles.enumerated() {
        guard let layer = tile.content.layers[name] else { continue }
        ids[index][name] = known.append(layer.ids, of: index)
      }
      numbers[StyleFeatureNumbers.Key(source: source, layer: name)] = known
    }
    return ids
  }

  // MARK: Layers

  /// Returns the drawings of layers, made on several threads; nil for layers of other kinds.
  private static func drawings(
    of layers: [StyleLayer], by painter: StylePainter, fonts: SymbolFonts?, tiles: [String: [StyledTile]],
    joined: [String: StyledTile], ground: [StyledTile], threads: Int
  ) -> [(Layer, problems: [String])?] {
    all(layers.count, threads: threads) { index in
      let layer = layers[index]
      let drawing: StyleLayerDrawing
      switch layer.type {
      case .background: drawing = painter.drawing(of: layer, tiles: ground)
      case .raster, .hillshade, .colorRelief: return nil
      case .symbol:
        guard let fonts else { return nil }
        let candidates = painter.symbols(
          of: layer, tiles: layer.source.flatMap { tiles[$0] } ?? [], fonts: fonts)
        return (Layer(layer: layer, opacity: 1, batches: [], featureCount: 0, candidates: candidates), [])
      case .circle, .heatmap:
        drawing = painter.drawing(of: layer, tiles: layer.source.flatMap { tiles[$0] } ?? [])
      case .fill, .fillExtrusion, .line:
        let whole = layer.source.flatMap { joined[$0] }.map { [$0] }
        drawing = painter.drawing(of: layer, tiles: whole ?? layer.source.flatMap { tiles[$0] } ?? [])
      }
      let own = Layer(
        layer: layer, opacity: drawing.opacity, batches: drawing.batches, featureCount: drawing.featureCount)
      return (own, drawing.problems)
    }
  }

  /// The warnings about layers that draw nothing, because their source or its layer is missing.
  private static func undrawn(_ layers: [StyleLayer], _ style: MapStyle) -> [String] {
    var warnings: [String] = []
    for (name, reason) in style.missingSources.sorted(by: { $0.key < $1.key }) {
      let count = layers.count { $0.source == name }
      guard count > 0 else { continue }
      warnings.append(
        "source \"\(MessageText.name(name))\": \(count == 1 ? "1 layer is" : "\(count) layers are") not drawn: \(reason)"
      )
    }
    var unknown: [(source: String, name: String, count: Int)] = []
    for layer in layers {
      guard case .tiles(let tiles)? = layer.source.flatMap({ style.sources[$0] }), let source = layer.source,
        let name = layer.sourceLayer, let known = tiles.layerNames, !known.contains(name)
      else { continue }
      if let index = unknown.firstIndex(where: { $0.source == source && $0.name == name }) {
        unknown[index].count += 1
      } else {
        unknown.append((source, name, 1))
      }
    }
    for (source, name, count) in unknown {
      guard case .tiles(let tiles)? = style.sources[source], let known = tiles.layerNames else { continue }
      let near =
        NearestName.of(name, among: known).map { ", did you mean \"\(MessageText.name($0))\"?" } ?? ""
      warnings.append(
        "source \"\(MessageText.name(source))\" has no layer \"\(MessageText.name(name))\"\(near): "
          + (count == 1 ? "1 layer draws nothing" : "\(count) layers draw nothing"))
    }
    return warnings
  }

  /// Returns the results of a function for the first numbers, computed on several threads.
  private static func all<Result: Sendable>(
    _ count: Int, threads: Int, _ body: @Sendable (Int) -> Result
  ) -> [Result] {
    guard count > 1, threads > 1 else { return (0..<count).map(body) }
    let made = Mutex([Result?](repeating: nil, count: count))
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = body(index)
        made.withLock { $0[index] = result }
      }
    }
    return made.withLock { $0 }.compactMap { $0 }
  }
}

extension StyledTile {
  /// Returns the tile of a source without layers with its features under other names: of GeoJSON, `source-layer` says
  /// nothing.
  fileprivate func named(_ names: Set<String>) -> StyledTile {
    guard let layer = layers[""] else { return self }
    return StyledTile(
      index: index, corner: corner, region: region, unitsPerPixel: unitsPerPixel, bearing: bearing,
      layers: Dictionary(uniqueKeysWithValues: names.map { ($0, layer) }))
  }
}

extension StyleLayer {
  /// Returns whether the style gives a value for a property.
  fileprivate func has(_ property: String) -> Bool {
    type.index(of: property).map { values[$0] != nil } ?? false
  }
}

/// The numbers of the features in a layer of a source's tiles.
struct StyleFeatureNumbers: Sendable {
  /// A layer of a source's tiles.
  struct Key: Hashable, Sendable {
    let source: String
    let layer: String
  }

  /// For each number, the tile and the row of the feature's first piece.
  private(set) var pieces: [(tile: Int, row: Int)] = []
  /// For each tile, the numbers of its rows.
  private(set) var rows: [Int: [Int32]] = [:]
  private var known: [UInt64: Int32] = [:]

  /// Adds the rows of a tile, and returns their numbers.
  mutating func append(_ ids: [UInt64?], of tile: Int) -> [Int32] {
    var numbers: [Int32] = []
    numbers.reserveCapacity(ids.count)
    for (row, id) in ids.enumerated() {
      if let id, let number = known[id] {
        numbers.append(number)
        continue
      }
      let number = Int32(clamping: pieces.count)
      if let id { known[id] = number }
      pieces.append((tile, row))
      numbers.append(number)
    }
    rows[tile] = numbers
    return numbers
  }
}
