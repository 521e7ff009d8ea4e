package import MapDrawing
import MapStyles

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
  ///
  /// - Parameter staysInside: whether symbols are left out that the edge of the image would cut.
  package mutating func place(_ candidates: SymbolCandidates, staysInside: Bool = false) -> StyleLayerDrawing
  {
    let rules = candidates.rules
    let image =
      staysInside ? SymbolBox(left: 0, top: 0, right: Double(width), bottom: Double(height)) : nil
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
      let attempt = PlacementAttempt(symbol, candidates, pixelRatio: pixelRatio, inside: image)
      var placed = attempt.placed(in: grid)
      insert(placed, rules)
      // These have no room only outside of the area in which symbols are placed.
      if !rules.avoidsEdges, image == nil {
        if isTextAlways { placed.text = placed.text ?? attempt.unplacedText() }
        if isIconAlways { placed.icon = placed.icon ?? attempt.unplacedIcon() }
      }
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
