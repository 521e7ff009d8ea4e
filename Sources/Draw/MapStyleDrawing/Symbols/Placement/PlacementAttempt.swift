import MapSystem

/// The search for room for a symbol.
struct PlacementAttempt {
  private let symbol: Symbol
  private let rules: SymbolRules
  private let text: SymbolText?
  private let icon: SymbolIcon?
  private let line: SymbolLine?
  private let pixelRatio: Double
  /// The image in which the whole symbol must lie; nil for a symbol that its edge may cut.
  private let image: SymbolBox?
  /// The anchor points of text and icon, moved by their translations.
  private let textPoint: (x: Double, y: Double)
  private let iconPoint: (x: Double, y: Double)

  init(_ symbol: Symbol, _ candidates: SymbolCandidates, pixelRatio: Double, inside image: SymbolBox? = nil) {
    (self.symbol, rules, self.pixelRatio, self.image) = (symbol, candidates.rules, pixelRatio, image)
    text = symbol.text.map { candidates.texts[$0] }
    icon = symbol.icon.map { candidates.icons[$0] }
    line = symbol.spot.map { candidates.lines[$0.line] }
    func point(_ part: SymbolRules.PartRules) -> (x: Double, y: Double) {
      let offset = part.translation(bearing: symbol.bearing, pixelRatio: pixelRatio)
      return (symbol.x + offset.x, symbol.y + offset.y)
    }
    (textPoint, iconPoint) = (point(rules.text), point(rules.icon))
  }

  /// Returns the parts that have room in a grid.
  func placed(in grid: CollisionGrid) -> PlacedSymbol {
    var text = self.text == nil ? nil : placedText(in: grid)
    var icon = self.icon == nil ? nil : placedIcon(for: text, in: grid)
    if rules.avoidsEdges {
      if let shapes = text?.shapes, shapes.contains(where: { crossesEdge($0.box) }) { text = nil }
      if let box = icon?.box, crossesEdge(box) { icon = nil }
    }
    if self.text != nil, self.icon != nil {
      // A part that is not optional takes the other one along.
      let (hasText, hasIcon) = (text != nil, icon != nil)
      if !rules.icon.isOptional, !hasIcon { text = nil }
      if !rules.text.isOptional, !hasText { icon = nil }
    }
    return PlacedSymbol(text: text, icon: icon)
  }

  /// Returns whether a box in the image crosses a side of the symbol's tile.
  private func crossesEdge(_ box: SymbolBox) -> Bool {
    let own = box.moved(x: -symbol.x, y: -symbol.y).rotated(by: -symbol.bearing)
    return own.left < symbol.edges.left || own.top < symbol.edges.top || own.right > symbol.edges.right
      || own.bottom > symbol.edges.bottom
  }

  /// Returns whether the edge of the image cuts more of a text's box than its padding.
  private func isCut(_ box: SymbolBox) -> Bool {
    guard let image else { return false }
    return !image.contains(box.grown(by: SIMD4(repeating: -rules.textPadding * pixelRatio)))
  }

  // MARK: Texts

  private func placedText(in grid: CollisionGrid) -> PlacedSymbol.Text? {
    guard let text else { return nil }
    if rules.textFollowsLine { return textOnLine(text, in: grid) }
    for isVertical in text.vertical == nil ? [false] : rules.directions {
      guard let shape = isVertical ? text.vertical : text.shape else { continue }
      let placed =
        text.anchors.isEmpty
        ? fixedText(shape, isVertical, in: grid) : variableText(shape, text, isVertical, in: grid)
      if let placed { return placed }
    }
    return nil
  }

  /// Returns a text whose anchor is fixed, if there is room.
  private func fixedText(
    _ shape: ShapedText, _ isVertical: Bool, in grid: CollisionGrid
  ) -> PlacedSymbol.Text? {
    let box = placed(textBox(shape, isVertical: isVertical), at: textPoint)
    guard grid.contains(box), !isCut(box), !grid.collides(.box(box), rules.text.overlap) else { return nil }
    return PlacedSymbol.Text(shapes: [.box(box)], isVertical: isVertical, place: nil, shift: (0, 0))
  }

  /// Returns a text at the first of its anchors with room, or at the first where it may overlap others.
  private func variableText(
    _ shape: ShapedText, _ text: SymbolText, _ isVertical: Bool, in grid: CollisionGrid
  ) -> PlacedSymbol.Text? {
    let box = textBox(shape, isVertical: isVertical)
    let modes: [OverlapMode] = rules.text.overlap == .never ? [.never] : [.never, rules.text.overlap]
    // A fitted icon moves along.
    let iconBox =
      rules.fit != .none && rules.icon.overlap == .never
      ? self.icon.map { self.iconBox(isVertical ? $0.vertical ?? $0.shape : $0.shape, $0.look) } : nil
    for mode in modes {
      for place in text.anchors {
        let shift = shift(place, box, text.look)
        let own = placed(box.moved(x: shift.x, y: shift.y), at: textPoint)
        guard grid.contains(own), !isCut(own), !grid.collides(.box(own), mode) else { continue }
        if let iconBox {
          let moved = placed(iconBox.moved(x: shift.x, y: shift.y), at: iconPoint)
          guard grid.contains(moved), !grid.collides(.box(moved), mode) else { continue }
        }
        return PlacedSymbol.Text(shapes: [.box(own)], isVertical: isVertical, place: place, shift: shift)
      }
    }
    return nil
  }

  /// Returns the offset of a text, whose middle is its anchor point, to a variable anchor.
  private func shift(_ place: TextPlace, _ box: SymbolBox, _ look: TextLook) -> (x: Double, y: Double) {
    let size = look.layoutSize * pixelRatio
    return (
      (0.5 - place.anchor.horizontal) * box.width + place.x * size,
      (0.5 - place.anchor.vertical) * box.height + place.y * size
    )
  }

  /// Returns the box of a text with its padding, relative to its anchor point, before it rotates with the map.
  private func textBox(_ shape: ShapedText, isVertical: Bool) -> SymbolBox {
    guard let look = text?.look else { return shape.box }
    return shape.box.scaled(by: look.layoutSize * pixelRatio)
      .grown(by: SIMD4(repeating: rules.textPadding * pixelRatio))
      .rotated(by: look.rotation + (isVertical ? 90 : 0))
  }

  /// Returns the box in the image of a box that is relative to an anchor point.
  ///
  /// - Source: MapLibre GL JS 5: boxes of icons rotate with the map if texts do.
  private func placed(_ box: SymbolBox, at point: (x: Double, y: Double)) -> SymbolBox {
    box.rotated(by: rules.text.alignment == .map ? symbol.bearing : 0).moved(x: point.x, y: point.y)
  }

  /// Returns a text along its line, if it fits on it and there is room for the circles that cover it.
  private func textOnLine(_ text: SymbolText, in grid: CollisionGrid) -> PlacedSymbol.Text? {
    guard let shape = text.shape, let line, let spot = symbol.spot else { return nil }
    let run = LineText(
      shape, text.look, line, spot, symbol, move: (textPoint.x - symbol.x, textPoint.y - symbol.y),
      pixelRatio: pixelRatio)
    guard let points = run.points else { return nil }
    // Very low texts keep a distance as well.
    let height = max(shape.box.height, 10.0 / 24, text.vertical?.box.height ?? 0)
    let radius = (height * text.look.layoutSize / 2 + rules.textPadding) * pixelRatio
    let circles = Self.circles(along: points, radius: radius)
    guard circles.contains(where: { grid.contains($0.box) }),
      !circles.contains(where: { isCut($0.box) || grid.collides($0, rules.text.overlap) })
    else { return nil }
    return PlacedSymbol.Text(shapes: circles, isVertical: false, place: nil, shift: (0, 0))
  }

  /// Returns circles along a path that nearly touch, the first and the last near its ends.
  ///
  /// - Source: MapLibre GL JS 5 for the distances.
  static func circles(along points: [(x: Double, y: Double)], radius: Double) -> [CollisionGrid.Shape] {
    var lengths = [0.0]
    for index in points.indices.dropFirst() {
      let (dx, dy) = (points[index].x - points[index - 1].x, points[index].y - points[index - 1].y)
      lengths.append(lengths[index - 1] + (dx * dx + dy * dy).squareRoot())
    }
    let total = lengths[lengths.count - 1]
    let padding = min(radius / 4, total / 2)
    guard radius > 0, total.isFinite else { return [] }
    let wanted = ((total - 2 * padding) / (2.5 * radius)).rounded(.up) + 1
    let count = total <= radius / 2 ? 1 : min(Int(clamping: wanted), 1000)
    var segment = 0
    return (0..<count).map { number in
      let distance = padding + (total - 2 * padding) * Double(number) / Double(max(count - 1, 1))
      while segment + 2 < lengths.count, lengths[segment + 1] < distance { segment += 1 }
      let length = points.count > 1 ? lengths[segment + 1] - lengths[segment] : 0
      guard length > 0 else { return .circle(x: points[segment].x, y: points[segment].y, radius: radius) }
      let share = (distance - lengths[segment]) / length
      let (a, b) = (points[segment], points[segment + 1])
      return .circle(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y), radius: radius)
    }
  }

  // MARK: Icons

  private func placedIcon(
    for text: PlacedSymbol.Text?, in grid: CollisionGrid
  ) -> PlacedSymbol.Icon? {
    guard let found = icon(for: text), grid.contains(found.box),
      image.map({ image in icon(for: text, isPadded: false).map { image.contains($0.box) } ?? false })
        ?? true,
      !grid.collides(.box(found.box), rules.icon.overlap)
    else { return nil }
    return found
  }

  /// Returns the icon at its position, whether or not there is room.
  private func icon(for text: PlacedSymbol.Text?, isPadded: Bool = true) -> PlacedSymbol.Icon? {
    guard let icon else { return nil }
    let isVertical = text?.isVertical == true && icon.vertical != nil
    let shape = isVertical ? icon.vertical ?? icon.shape : icon.shape
    let shift = rules.fit == .none ? (0, 0) : text?.shift ?? (0, 0)
    let box = placed(
      iconBox(shape, icon.look, isPadded: isPadded).moved(x: shift.0, y: shift.1), at: iconPoint)
    return PlacedSymbol.Icon(box: box, isVertical: isVertical, shift: shift)
  }

  /// Returns the box of an icon, relative to its anchor point, before it rotates with the map.
  private func iconBox(_ shape: ShapedIcon, _ look: IconLook, isPadded: Bool = true) -> SymbolBox {
    shape.collisionBox.scaled(by: look.layoutSize * pixelRatio)
      .grown(by: isPadded ? look.padding * pixelRatio : .zero).rotated(by: look.rotation)
  }

  // MARK: Parts that are shown without room

  /// Returns a text that is shown though it is outside of the area in which symbols are placed.
  func unplacedText() -> PlacedSymbol.Text? {
    guard let text else { return nil }
    return PlacedSymbol.Text(
      shapes: [], isVertical: false, place: text.anchors.first,
      shift: text.anchors.first.flatMap { place in
        text.shape.map { shift(place, textBox($0, isVertical: false), text.look) }
      } ?? (0, 0))
  }

  /// Returns an icon that is shown though it is outside of the area in which symbols are placed.
  func unplacedIcon() -> PlacedSymbol.Icon? { icon(for: nil) }
}
