package import MapDrawing
import MapStyles
import MapSystem

/// The placement of the symbols of all style layers of a view.
///
/// Layers are placed from the top one down, and in a layer one symbol after the other, where there is room.
///
/// - Source: MapLibre GL JS 5.
package struct SymbolPlacement {
  private let width: Int
  private let height: Int
  private let pixelRatio: Double
  private var grid: CollisionGrid

  /// Creates the placement of a view.
  ///
  /// - Parameters:
  ///   - width: the width of the image in output pixels.
  ///   - height: the height of the image in output pixels.
  ///   - pixelRatio: output pixels per CSS pixel.
  ///   - occupied: the boxes of labels that no symbol may overlap, in output pixels.
  package init(width: Int, height: Int, pixelRatio: Double, occupied: [LabelBox] = []) {
    (self.width, self.height, self.pixelRatio) = (width, height, pixelRatio)
    grid = CollisionGrid(width: Double(width), height: Double(height), pixelRatio: pixelRatio)
    for box in occupied { grid.insert(.box(SymbolBox(box)), .never) }
  }

  /// Places the symbols of a layer where there is room, and returns their items.
  ///
  /// Layers must be placed from the top one down.
  package mutating func place(_ candidates: SymbolCandidates) -> StyleLayerDrawing {
    let rules = candidates.rules
    let (hasTexts, hasIcons) = (!candidates.texts.isEmpty, !candidates.icons.isEmpty)
    let isTextAlways =
      rules.text.overlap == .always && (rules.icon.overlap == .always || !hasIcons || rules.icon.isOptional)
    let isIconAlways =
      rules.icon.overlap == .always && (rules.text.overlap == .always || !hasTexts || rules.text.isOptional)
    var duplicates = SymbolDuplicates(candidates)
    var drawing = SymbolDrawing(candidates, width: width, height: height, pixelRatio: pixelRatio)
    for index in candidates.symbols.indices {
      let symbol = candidates.symbols[index]
      guard !duplicates.isDuplicate(symbol, pixelRatio: pixelRatio) else { continue }
      let attempt = PlacementAttempt(symbol, candidates, pixelRatio: pixelRatio)
      var placed = attempt.placed(in: grid)
      insert(placed, rules)
      if isTextAlways { placed.text = placed.text ?? attempt.unplacedText() }
      if isIconAlways { placed.icon = placed.icon ?? attempt.unplacedIcon() }
      if placed.text != nil || placed.icon != nil { drawing.add(symbol, placed) }
    }
    return drawing.finished()
  }

  private mutating func insert(_ placed: PlacedSymbol, _ rules: SymbolRules) {
    if let text = placed.text, !rules.text.ignoresPlacement {
      for shape in text.shapes { grid.insert(shape, rules.text.overlap) }
    }
    if let icon = placed.icon, !rules.icon.ignoresPlacement {
      grid.insert(.box(icon.box), rules.icon.overlap)
    }
  }
}

/// A symbol with the form and position of its parts; a part that is nil is not shown.
struct PlacedSymbol {
  /// A text at its position.
  struct Text {
    /// The shapes that collide.
    var shapes: [CollisionGrid.Shape]
    let isVertical: Bool
    /// The anchor of a text with a variable anchor; nil for a fixed one.
    let place: TextPlace?
    /// The offset of the text to its variable anchor in output pixels, before it rotates with the map.
    let shift: (x: Double, y: Double)
  }

  /// An icon at its position.
  struct Icon {
    let box: SymbolBox
    let isVertical: Bool
    /// The same for an icon that is fitted to the text.
    let shift: (x: Double, y: Double)
  }

  var text: Text?
  var icon: Icon?
}

/// The symbols that are in tiles of two zooms, each of which is placed once.
///
/// - Source: MapLibre GL JS 5: an equal text within a cell of 4 CSS pixels.
struct SymbolDuplicates {
  private struct Cell: Hashable {
    let name: String
    let column: Int
    let row: Int
  }

  private let texts: [SymbolText]
  /// The zooms of the tiles of the symbols seen in a cell; nil when all tiles have one zoom.
  private var seen: [Cell: Set<Int>]?

  init(_ candidates: SymbolCandidates) {
    texts = candidates.texts
    let first = candidates.symbols.first?.zoom
    seen = candidates.symbols.contains { $0.zoom != first } ? [:] : nil
  }

  /// Returns whether an equal symbol of a tile of another zoom is near; keeps the symbol otherwise.
  mutating func isDuplicate(_ symbol: Symbol, pixelRatio: Double) -> Bool {
    guard seen != nil else { return false }
    let side = 4 * pixelRatio
    func cell(_ position: Double) -> Int { Int(clamping: (position / side).rounded(.down)) }
    let (column, row) = (cell(symbol.x), cell(symbol.y))
    let name = symbol.text.map { texts[$0].name } ?? ""
    for near in row - 1...row + 1 {
      for beside in column - 1...column + 1 {
        let zooms = seen?[Cell(name: name, column: beside, row: near)] ?? []
        if zooms.contains(where: { $0 != symbol.zoom }) { return true }
      }
    }
    seen?[Cell(name: name, column: column, row: row), default: []].insert(symbol.zoom)
    return false
  }
}
