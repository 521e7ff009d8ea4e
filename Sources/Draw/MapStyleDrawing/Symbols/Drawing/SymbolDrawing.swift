import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

/// The items of the placed symbols of a layer: icons, and texts above them.
struct SymbolDrawing {
  private let candidates: SymbolCandidates
  private let canvas: SymbolBox
  private let pixelRatio: Double
  private var placed: [(symbol: Symbol, parts: PlacedSymbol)] = []
  private var icons: IconBatch
  private var texts: TextBatch
  private var shown = ShownFeatures()

  init(_ candidates: SymbolCandidates, width: Int, height: Int, pixelRatio: Double) {
    (self.candidates, self.pixelRatio) = (candidates, pixelRatio)
    canvas = SymbolBox(left: 0, top: 0, right: Double(width), bottom: Double(height))
    icons = IconBatch(pixelRatio: pixelRatio)
    texts = TextBatch(fonts: candidates.fonts, pixelRatio: pixelRatio)
  }

  /// Adds a placed symbol.
  mutating func add(_ symbol: Symbol, _ parts: PlacedSymbol) { placed.append((symbol, parts)) }

  /// Returns the items in the order of painting.
  ///
  /// - Source: MapLibre GL JS 5: the tiles in the reverse order of their placement.
  func finished() -> StyleLayerDrawing {
    var drawing = self
    for index in drawing.order {
      let (symbol, parts) = drawing.placed[index]
      let hasIcon = parts.icon.map { drawing.addIcon(symbol, $0) } ?? false
      let hasText = parts.text.map { drawing.addText(symbol, $0) } ?? false
      if hasIcon || hasText { drawing.shown.insert(symbol.row) }
    }
    let leftOut = drawing.icons.leftOut + drawing.texts.leftOut
    let problems =
      leftOut == 0
      ? [] : ["icon-image: too many images of different sizes or colours; \(leftOut) of them are not drawn"]
    return StyleLayerDrawing(
      layer: candidates.layer, opacity: 1, batches: drawing.icons.batches + drawing.texts.batches,
      featureCount: drawing.shown.count, problems: candidates.problems + problems)
  }

  private var order: [Int] {
    let rules = candidates.rules
    return placed.indices.sorted { first, second in
      let (a, b) = (placed[first].symbol, placed[second].symbol)
      if rules.isSorted, a.sortKey != b.sortKey { return a.sortKey < b.sortKey }
      if a.tile != b.tile { return a.tile > b.tile }
      if rules.isSortedByY, a.y != b.y { return a.y < b.y }
      return first < second
    }
  }

  // MARK: Icons

  /// Adds an icon; returns false outside the image.
  private mutating func addIcon(_ symbol: Symbol, _ placed: PlacedSymbol.Icon) -> Bool {
    guard let index = symbol.icon else { return false }
    let icon = candidates.icons[index]
    let rules = candidates.rules
    let move = rules.icon.translation(bearing: symbol.bearing, pixelRatio: pixelRatio)
    let shift = drawnShift(placed.shift, of: symbol)
    return icons.add(
      placed.isVertical ? icon.vertical ?? icon.shape : icon.shape,
      key: 2 * index + (placed.isVertical ? 1 : 0),
      icon.look, at: (symbol.x + move.x + shift.x, symbol.y + move.y + shift.y),
      angle: icon.look.rotation + iconAngle(symbol), row: symbol.row, canvas: canvas)
  }

  /// Returns the direction of an icon's right side in clockwise degrees, before `icon-rotate`.
  private func iconAngle(_ symbol: Symbol) -> Double {
    let rules = candidates.rules
    guard rules.iconFollowsLine, let spot = symbol.spot else {
      return rules.icon.alignment == .map ? symbol.bearing : 0
    }
    let line = candidates.lines[spot.line]
    let (dx, dy) = (
      line.pixelX[spot.segment + 1] - line.pixelX[spot.segment],
      line.pixelY[spot.segment + 1] - line.pixelY[spot.segment]
    )
    let isReversed = rules.icon.keepsUpright && dx < 0
    return atan2(dy, dx) * 180 / .pi + (isReversed ? 180 : 0)
  }

  /// Returns the offset to a variable anchor in the image, for the text size at the zoom.
  private func drawnShift(_ shift: (x: Double, y: Double), of symbol: Symbol) -> (x: Double, y: Double) {
    guard shift != (0, 0), let look = symbol.text.map({ candidates.texts[$0].look }) else { return shift }
    let factor = look.layoutSize > 0 ? look.size / look.layoutSize : 1
    let rotation = SymbolRotation(candidates.rules.text.alignment == .map ? symbol.bearing : 0)
    return rotation.applied(shift.x * factor, shift.y * factor)
  }

  // MARK: Texts

  /// Adds a text; returns false outside the image and for a text that does not fit on its line.
  private mutating func addText(_ symbol: Symbol, _ placed: PlacedSymbol.Text) -> Bool {
    guard let index = symbol.text else { return false }
    let text = candidates.texts[index]
    let rules = candidates.rules
    let size = text.look.size * pixelRatio
    guard size > 0 else { return false }
    let move = rules.text.translation(bearing: symbol.bearing, pixelRatio: pixelRatio)
    if rules.textFollowsLine { return addText(text, along: symbol, move: move) }
    let shape =
      placed.isVertical
      ? text.vertical : placed.place.map { text.shape(at: $0.anchor) } ?? text.shapes.first?.shape
    guard let shape else { return false }
    let shift = drawnShift(placed.shift, of: symbol)
    let angle =
      text.look.rotation + (placed.isVertical ? 90 : 0) + (rules.text.alignment == .map ? symbol.bearing : 0)
    let rotation = SymbolRotation(angle)
    let (x, y) = (symbol.x + move.x + shift.x, symbol.y + move.y + shift.y)
    func glyph(_ x0: Double, _ y0: Double) -> LineText.Place {
      let place = rotation.applied(x0 * size, y0 * size)
      return (x + place.x, y + place.y, rotation)
    }
    return texts.add(
      shape, text.look, row: symbol.row, canvas: canvas, glyphs: shape.glyphs.map { glyph($0.x, $0.y) },
      images: shape.images.map { glyph($0.box.left, $0.box.top) })
  }

  /// Adds a text along its line.
  private mutating func addText(
    _ text: SymbolText, along symbol: Symbol, move: (x: Double, y: Double)
  ) -> Bool {
    guard let spot = symbol.spot, let shape = text.shape else { return false }
    let rules = candidates.rules
    func run(_ shape: ShapedText) -> LineText {
      LineText(
        shape, text.look, candidates.lines[spot.line], spot, symbol, move: move, pixelRatio: pixelRatio)
    }
    var own = run(shape)
    guard let span = own.span else { return false }
    var isReversed = false
    if rules.text.keepsUpright {
      let (dx, dy) = (span.last.x - span.first.x, span.last.y - span.first.y)
      if let vertical = text.vertical, abs(dy) > abs(dx) {
        own = run(vertical)
        guard let span = own.span else { return false }
        isReversed = span.first.y > span.last.y
      } else {
        isReversed = dx < 0
      }
    }
    let turn = SymbolRotation(text.look.rotation)
    /// Returns the position of a point beside the middle of its glyph.
    func place(_ x: Double, _ y: Double, middle: Double) -> LineText.Place? {
      guard let place = own.place(middle, isReversed: isReversed) else { return nil }
      let rotation = rules.text.alignment == .viewportGlyph ? turn : place.rotation.after(turn)
      let offset = rotation.applied((x - middle) * own.size, y * own.size)
      return (place.x + offset.x, place.y + offset.y, rotation)
    }
    let glyphs = own.shape.glyphs.compactMap { place($0.x, $0.y, middle: $0.middle) }
    let images = own.shape.images.compactMap {
      place($0.box.left, $0.box.top, middle: ($0.box.left + $0.box.right) / 2)
    }
    // A text that does not fit on the line is not shown.
    guard glyphs.count == own.shape.glyphs.count, images.count == own.shape.images.count else { return false }
    return texts.add(
      own.shape, text.look, row: symbol.row, canvas: canvas, glyphs: glyphs, images: images)
  }
}
