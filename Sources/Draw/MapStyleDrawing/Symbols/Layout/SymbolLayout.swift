import Glibc
import MapDrawing
import MapGeometry
import MapModel
package import MapStyles

extension StylePainter {
  /// Returns the symbols of a layer that may be placed; none for a layer that is hidden at the zoom.
  ///
  /// The result does not depend on the order of the tiles.
  ///
  /// - Parameters:
  ///   - layer: a layer of symbols.
  ///   - tiles: the tiles of the layer's source.
  ///   - fonts: the fonts of the view.
  package func symbols(of layer: StyleLayer, tiles: [StyledTile], fonts: SymbolFonts) -> SymbolCandidates {
    var layout = SymbolLayout(layer, self, fonts)
    if layer.type == .symbol, layer.isVisible(context) { layout.add(tiles) }
    return layout.finished()
  }
}

/// The layout of a symbol layer for one view: from features of tiles to candidates.
///
/// - Source: MapLibre Style Specification; where it is silent, MapLibre GL JS 5.
struct SymbolLayout {
  /// The distance from the image in CSS pixels beyond which no anchor point is used: the margin in which symbols are
  /// placed, and a long text.
  static let margin = 1024.0
  /// The largest number of symbols of a layer in a tile.
  ///
  /// - Source: design decision; a tile of a city has some hundred.
  private static let limit = 50_000
  /// The largest number of places on the lines of a tile that are examined.
  ///
  /// - Source: design decision.
  private static let stepLimit = 200_000

  var pass: StyleLayerPass
  let rules: SymbolRules
  /// The layer at the next whole zoom, for the sizes of boxes, and at zoom 18, for anchors on lines.
  let nextView: StyleLayerView
  let largeView: StyleLayerView
  var candidates: SymbolCandidates
  /// The icons of the images in use; nil for an image that no sprite has.
  var icons: [IconKey: Int?] = [:]
  /// The images in use, whose pixels all icons share.
  var images: [String: SpriteImage] = [:]
  /// The number of characters in the texts.
  var characterCount = 0

  init(_ layer: StyleLayer, _ painter: StylePainter, _ fonts: SymbolFonts) {
    pass = StyleLayerPass(layer, painter)
    rules = SymbolRules(pass)
    candidates = SymbolCandidates(layer: layer, rules: rules, fonts: fonts)
    /// Returns the layer at another zoom if its sizes depend on the zoom.
    func view(at zoom: Double, _ names: [String], _ own: StyleLayerView) -> StyleLayerView {
      let depends = names.contains { name in
        guard let property = layer.type.index(of: name), case .expression? = layer.values[property] else {
          return false
        }
        return true
      }
      var context = painter.context
      context.zoom = zoom
      return depends ? StyleLayerView(layer, context) : own
    }
    let next = painter.context.zoom.rounded(.down) + 1
    nextView = view(at: next, ["text-size", "icon-size"], pass.view)
    largeView = rules.placement == .point ? pass.view : view(at: 18, ["text-size"], pass.view)
  }

  /// Adds the symbols of all tiles.
  mutating func add(_ tiles: [StyledTile]) {
    let layer = pass.layer.sourceLayer ?? ""
    // Features that are in no tiles have no layers.
    let parts = SymbolTile.tiles(of: tiles, layer: layer, cuts: layer.isEmpty, pass.painter)
    var found = [[RowSymbols]](repeating: [], count: tiles.count)
    for index in Set(parts.map(\.source)).sorted() {
      guard let part = tiles[index].layers[layer] else { continue }
      found[index] = rowSymbols(of: part)
    }
    for (rank, tile) in parts.enumerated() {
      guard let part = tiles[tile.source].layers[layer] else { continue }
      add(found[tile.source], of: part, in: tile, bearing: tiles[tile.source].bearing, rank: rank)
    }
  }

  /// Returns the candidates in the order of placement.
  func finished() -> SymbolCandidates {
    var result = candidates
    result.problems = pass.problems.lines
    let symbols = candidates.symbols
    if rules.isSorted {
      // Ranks are ascending already, and equal keys keep their order.
      let order = symbols.indices.sorted { (symbols[$0].sortKey, $0) < (symbols[$1].sortKey, $1) }
      result.symbols = order.map { symbols[$0] }
    } else if rules.zOrder == .viewportY {
      let order = symbols.indices.sorted { first, second in
        let (a, b) = (symbols[first], symbols[second])
        if a.tile != b.tile { return a.tile < b.tile }
        return (-a.y, first) < (-b.y, second)
      }
      result.symbols = order.map { symbols[$0] }
    }
    return result
  }

  /// Adds the symbols of the rows of a tile.
  private mutating func add(
    _ symbols: [RowSymbols], of part: StyledTileLayer, in tile: SymbolTile, bearing: Double, rank: Int
  ) {
    guard !symbols.isEmpty else { return }
    let own = tile.rows.map { Self.symbols(symbols, ofRows: $0) } ?? symbols
    var adding = Adding(
      part: part, tile: tile, bearing: bearing, rank: rank, window: window,
      end: candidates.symbols.count + Self.limit, anchors: SpacedAnchors(distance: rules.spacing / 2))
    switch rules.placement {
    case .point:
      for symbol in own {
        for place in part.places(ofRow: Int(symbol.row), in: tile) {
          add(symbol, at: place, spot: nil, &adding)
        }
      }
    case .lineCenter:
      for symbol in own {
        part.forEachLine(ofRow: Int(symbol.row), in: tile) { line in
          for piece in tile.kept(line) {
            let anchors = lineAnchors(symbol, in: tile)
            if let anchor = anchors.middle(of: piece) { add(symbol, [anchor], on: piece, &adding) }
          }
        }
      }
    case .line: addLines(of: own, &adding)
    }
    if adding.isFull {
      pass.problems.add("too many symbols in a tile: only \(Self.limit) of them are drawn")
    }
    if adding.isCut || adding.steps >= Self.stepLimit {
      pass.problems.add("too many places for symbols on lines: some of them are left out")
    }
  }

  /// Returns the symbols of some rows; both are in ascending order of the rows.
  private static func symbols(_ symbols: [RowSymbols], ofRows rows: [Int32]) -> [RowSymbols] {
    var found: [RowSymbols] = []
    var next = 0
    for row in rows {
      while next < symbols.count, symbols[next].row < row { next += 1 }
      if next < symbols.count, symbols[next].row == row { found.append(symbols[next]) }
    }
    return found
  }

  /// The tile whose symbols are added.
  private struct Adding {
    let part: StyledTileLayer
    let tile: SymbolTile
    let bearing: Double
    let rank: Int
    /// The part of the plane in which symbols are of use.
    let window: SymbolBox
    /// The number of candidates up to which the tile may add symbols, and whether it has more.
    let end: Int
    var isFull = false
    /// The number of places on lines that were examined, and whether a line has more.
    var steps = 0
    var isCut = false
    /// The anchor points of the texts on lines, which keep a distance.
    var anchors: SpacedAnchors

    /// Returns whether a symbol at a point may reach the area in which symbols are placed.
    func isInWindow(_ place: SymbolPlace) -> Bool {
      place.pixelX >= window.left && place.pixelX <= window.right && place.pixelY >= window.top
        && place.pixelY <= window.bottom
    }
  }

  var window: SymbolBox {
    let margin = Self.margin * pass.painter.pixelRatio
    return SymbolBox(
      left: -margin, top: -margin, right: Double(pass.painter.width) + margin,
      bottom: Double(pass.painter.height) + margin)
  }

  /// Joins the lines of rows with equal names, and adds the symbols along them.
  private mutating func addLines(of symbols: [RowSymbols], _ adding: inout Adding) {
    var merged = MergedLines()
    for (index, symbol) in symbols.enumerated() {
      let name = symbol.text.map { candidates.texts[$0].name }
      var isFirst = true
      adding.part.forEachLine(ofRow: Int(symbol.row), in: adding.tile) { line in
        if isFirst, let name {
          merged.add(line, feature: index, name: name)
        } else {
          merged.add(line, feature: index)
        }
        isFirst = false
      }
    }
    for line in merged.lines {
      let symbol = symbols[line.feature]
      let anchors = lineAnchors(symbol, in: adding.tile)
      for piece in line.line.clipped(to: 0...adding.tile.side) {
        guard adding.steps < Self.stepLimit, !adding.isFull else { break }
        let found = anchors.anchors(of: piece)
        adding.steps += found.steps
        adding.isCut = adding.isCut || found.isCut
        add(symbol, found.anchors, on: piece, &adding)
      }
    }
  }

  /// Returns the rule by which symbols are placed on lines.
  private func lineAnchors(_ symbol: RowSymbols, in tile: SymbolTile) -> LineAnchors {
    let text = symbol.text.map { candidates.texts[$0] }
    let icon = symbol.icon.map { candidates.icons[$0].shape.box.width } ?? 0
    let shape = text.flatMap { $0.vertical ?? $0.shape }
    // The size is that of texts also for icons.
    let length = max(shape?.box.width ?? 0, icon / 24) * symbol.largeSize
    return LineAnchors(
      spacing: rules.spacing, maxAngle: rules.maxAngle, length: length, size: symbol.largeSize,
      hasText: shape != nil, overscaling: tile.overscaling, side: tile.side)
  }

  /// Adds the symbols at anchors of a line.
  private mutating func add(
    _ symbol: RowSymbols, _ anchors: [LineAnchors.Anchor], on line: SymbolLine, _ adding: inout Adding
  ) {
    guard !anchors.isEmpty else { return }
    let name =
      rules.placement == .line
      ? symbol.text.map { adding.anchors.number(of: candidates.texts[$0].name) } : nil
    var index: Int?
    for anchor in anchors {
      let point = line.point(anchor.segment, anchor.share)
      guard adding.tile.contains(point.x, point.y) else { continue }
      if let name, !adding.anchors.insert(point.x, point.y, name: name) { continue }
      let place = SymbolPlace(x: point.x, y: point.y, pixelX: point.pixelX, pixelY: point.pixelY)
      guard adding.isInWindow(place) else { continue }
      if index == nil {
        index = candidates.lines.count
        candidates.lines.append(line)
      }
      add(symbol, at: place, spot: index.map { LineSpot(line: $0, segment: anchor.segment) }, &adding)
    }
  }

  private mutating func add(
    _ symbol: RowSymbols, at place: SymbolPlace, spot: LineSpot?, _ adding: inout Adding
  ) {
    guard adding.isInWindow(place) else { return }
    // Tested for each symbol, so that hostile lines cannot fill memory.
    guard candidates.symbols.count < adding.end else {
      adding.isFull = true
      return
    }
    let zoom = pass.painter.context.zoom
    let scale = exp2(zoom - zoom.rounded(.down)) * pass.painter.pixelRatio
    let edges = SymbolBox(
      left: -place.x, top: -place.y, right: adding.tile.side - place.x, bottom: adding.tile.side - place.y
    ).scaled(by: scale)
    candidates.symbols.append(
      Symbol(
        row: adding.part.ids[Int(symbol.row)], x: place.pixelX, y: place.pixelY, zoom: adding.tile.zoom,
        tile: adding.rank, edges: edges, bearing: adding.bearing, sortKey: symbol.sortKey, text: symbol.text,
        icon: symbol.icon, spot: spot))
  }
}

extension SymbolTile {
  /// Returns the pieces of a line that a tile has.
  func kept(_ line: SymbolLine) -> [SymbolLine] {
    buffer.map { line.clipped(to: -$0...side + $0) } ?? [line]
  }
}
