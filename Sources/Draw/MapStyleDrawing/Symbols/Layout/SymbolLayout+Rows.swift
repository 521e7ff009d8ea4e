import MapDrawing
import MapGeometry
import MapStyles

extension SymbolLayout {
  /// The largest number of characters in the texts of a layer.
  ///
  /// - Source: design decision; they take some seconds, and a map with 100,000 names has as many.
  private static let characterLimit = 2_000_000

  /// The image of an icon with the values of its rows.
  struct IconKey: Hashable {
    let name: String
    let anchor: SymbolAnchor
    let offset: SIMD2<Double>
    let look: IconLook
    /// The text to which the icon is fitted; nil for none.
    let text: Int?
  }

  /// The symbols of a row, without their positions.
  struct RowSymbols {
    let row: Int32
    let text: Int?
    let icon: Int?
    let sortKey: Double
    /// The text size that all zooms use for anchors on lines.
    let largeSize: Double
  }

  /// Returns what the rows of a tile show.
  mutating func rowSymbols(of part: StyledTileLayer) -> [RowSymbols] {
    var rows = pass.view.rows(of: part.features)
    if rules.placement == .point {
      // Symbols along lines depend on all lines of a tile.
      let box = PixelBox(
        Envelope(xMin: window.left, yMin: window.top, xMax: window.right, yMax: window.bottom))
      let shapes = [.point, .multipoint, .polyline, .polygon].compactMap { part.shapes(of: $0) }
      rows = rows.filter { row in shapes.contains { $0.boxes[Int(row)].meets(box) } }
    }
    guard !rows.isEmpty else { return [] }
    let values = SymbolValues(&self, part, rows: rows)
    let looks = values.groups.groups.map { SymbolLook($0, rules, pass) }
    var known: [SIMD2<Int32>: Int?] = [:]
    var symbols: [RowSymbols] = []
    for (position, row) in rows.enumerated() {
      let group = values.groups[position]
      let key = SIMD2(SymbolValues.code(values.texts, position), Int32(clamping: group))
      var text: Int?
      if let index = known[key] {
        text = index
      } else {
        text = self.text(values.sections(position), looks[group])
        known[key] = .some(text)
      }
      let icon = values.image(position).flatMap {
        self.icon($0, of: part.ids[Int(row)], looks[group], text: text)
      }
      guard text != nil || icon != nil else { continue }
      symbols.append(
        RowSymbols(
          row: row, text: text, icon: icon, sortKey: values.keys?[position].value.number ?? 0,
          largeSize: looks[group].largeSize))
    }
    return symbols
  }

  /// Returns the index of a text; nil for one without glyphs.
  private mutating func text(_ sections: [FormattedSection], _ look: SymbolLook) -> Int? {
    guard !sections.isEmpty else { return nil }
    characterCount += sections.reduce(0) { $0 + $1.text.utf8.count }
    guard characterCount <= Self.characterLimit else {
      pass.problems.add("text-field: too many characters in all texts: the last of them are left out")
      return nil
    }
    var shaping = look.shaping
    shaping.sections = sections
    let text = text(shaping, look)
    guard text.shape != nil else { return nil }
    candidates.texts.append(text)
    return candidates.texts.count - 1
  }

  /// Returns the forms of a text.
  private func text(_ shaping: TextShaping, _ look: SymbolLook) -> SymbolText {
    let fonts = candidates.fonts
    var shapes: [(justification: TextJustification, shape: ShapedText)] = []
    func add(_ justification: TextJustification) {
      // A single line is aligned in one way.
      guard !shapes.contains(where: { $0.justification == justification || $0.shape.lineCount == 1 }) else {
        return
      }
      var own = shaping
      own.justification = justification
      if let shape = own.shaped(by: fonts) { shapes.append((justification, shape)) }
    }
    if !look.anchors.isEmpty, look.justifies {
      for place in look.anchors { add(place.anchor.justification) }
    } else {
      add(shaping.justification)
    }
    var vertical: ShapedText?
    let atPoint = rules.directions.contains(true)
    if atPoint || rules.textFollowsLine && rules.text.keepsUpright, shaping.allowsVertical {
      var own = shaping
      own.direction = atPoint ? .verticalAtPoint : .verticalAlongLine
      if atPoint { (own.justification, own.anchor) = (.left, look.anchor) }
      vertical = own.shaped(by: fonts)
    }
    return SymbolText(shapes: shapes, vertical: vertical, anchors: look.anchors, look: look.text)
  }

  /// Returns the index of an icon; nil, with a problem, when no sprite has it.
  private mutating func icon(_ name: String, of feature: Int32, _ look: SymbolLook, text: Int?) -> Int? {
    let key = IconKey(
      name: name, anchor: look.iconAnchor, offset: look.iconOffset, look: look.icon,
      text: rules.fit == .none ? nil : text)
    if let index = icons[key] {
      if index == nil { addMissing(name, feature) }
      return index
    }
    guard let image = images[name] ?? pass.painter.images[name] else {
      icons[key] = .some(nil)
      addMissing(name, feature)
      return nil
    }
    images[name] = image
    let plain = ShapedIcon(image, anchor: key.anchor, offsetX: key.offset.x, offsetY: key.offset.y)
    let fitted = key.text.map { candidates.texts[$0] }
    func fit(_ shape: ShapedText?) -> ShapedIcon? {
      guard let fitted, let shape else { return nil }
      return ShapedIcon(
        image, around: shape, fontSize: fitted.look.layoutSize, fit: rules.fit, padding: rules.fitPadding,
        offsetX: key.offset.x, offsetY: key.offset.y)
    }
    icons[key] = candidates.icons.count
    candidates.icons.append(
      SymbolIcon(shape: fit(fitted?.shape) ?? plain, vertical: fit(fitted?.vertical), look: look.icon))
    return candidates.icons.count - 1
  }

  private mutating func addMissing(_ name: String, _ feature: Int32) {
    guard let problem = pass.painter.images.problem(ofMissing: name) else { return }
    pass.problems.add("icon-image: \(problem)", [feature])
  }
}
