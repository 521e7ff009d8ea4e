import MapStyles

/// The values of a symbol layer for the rows of a tile.
struct SymbolValues {
  /// The texts and the images of the rows, by their positions.
  let texts: StyleAnswers
  let images: StyleAnswers
  /// The keys by which rows are sorted; nil for none.
  let keys: StyleAnswers?
  /// The other values, in groups of rows.
  let groups: AnswerGroups

  /// The names in groups of sizes at other zooms.
  enum Size {
    static let nextText = "text-size at the next zoom"
    static let nextIcon = "icon-size at the next zoom"
    static let largeText = "text-size at zoom 18"
  }

  private static let names = [
    "text-font", "text-size", "text-max-width", "text-letter-spacing", "text-justify", "text-radial-offset",
    "text-variable-anchor-offset", "text-anchor", "text-rotate", "text-transform", "text-offset",
    "text-color",
    "text-halo-color", "text-halo-width", "text-halo-blur", "text-opacity", "icon-size", "icon-rotate",
    "icon-padding", "icon-offset", "icon-anchor", "icon-color", "icon-halo-color", "icon-halo-width",
    "icon-halo-blur", "icon-opacity",
  ]

  /// Evaluates the properties for some rows, and counts the values that failed.
  init(_ layout: inout SymbolLayout, _ part: StyledTileLayer, rows: [Int32]) {
    let features = rows.map { part.ids[Int($0)] }
    func answers(_ name: String, in view: StyleLayerView) -> StyleAnswers {
      guard let property = StyleLayerType.symbol.index(of: name) else { preconditionFailure("a property") }
      return view.answers(property, part.features, rows: rows)
    }
    func counted(_ name: String) -> StyleAnswers {
      let found = answers(name, in: layout.pass.view)
      layout.pass.problems.add(name, found, features)
      return found
    }
    texts = counted("text-field")
    images = counted("icon-image")
    keys = layout.rules.isSorted ? counted("symbol-sort-key") : nil
    let columns =
      Self.names.map(counted) + [
        answers("text-size", in: layout.nextView), answers("icon-size", in: layout.nextView),
        answers("text-size", in: layout.largeView),
      ]
    groups = AnswerGroups(
      names: Self.names + [Size.nextText, Size.nextIcon, Size.largeText], columns, features: features)
  }

  /// Returns the index by which rows with the same answer are recognised.
  static func code(_ answers: StyleAnswers, _ position: Int) -> Int32 {
    if case .coded(let codes, _) = answers { codes[position] } else { 0 }
  }

  /// Returns the sections of a row's text; none for no text.
  func sections(_ position: Int) -> [FormattedSection] {
    switch texts[position].value {
    case .formatted(let sections): sections.contains { !$0.text.isEmpty || $0.image != nil } ? sections : []
    case .string(let text): text.isEmpty ? [] : [FormattedSection(text)]
    default: []
    }
  }

  /// Returns the name of a row's image; nil for none.
  func image(_ position: Int) -> String? {
    if case .image(let image) = images[position].value, !image.name.isEmpty { image.name } else { nil }
  }

  /// Returns the sizes and colours of texts.
  static func textLook(_ group: AnswerGroup, _ rules: SymbolRules) -> TextLook {
    let anchor = SymbolAnchor(rawValue: group["text-anchor"].string ?? "") ?? .center
    let lineOffset = rules.textFollowsLine ? SymbolLook.offset(group, anchor) : SIMD2(0, 0)
    return TextLook(
      size: max(bounded(group.number("text-size")), 0),
      layoutSize: max(bounded(group.number(Size.nextText)), 0),
      rotation: group.number("text-rotate"), lineOffset: lineOffset,
      color: group["text-color"].color ?? .clear, haloColor: group["text-halo-color"].color ?? .clear,
      haloWidth: max(bounded(group.number("text-halo-width")), 0),
      haloBlur: max(bounded(group.number("text-halo-blur")), 0), opacity: group.number("text-opacity"))
  }

  /// Returns the sizes and colours of icons.
  static func iconLook(_ group: AnswerGroup) -> IconLook {
    var padding = SIMD4(2.0, 2, 2, 2)
    if case .padding(let sides) = group["icon-padding"], sides.count == 4 {
      padding = SIMD4(bounded(sides[0]), bounded(sides[1]), bounded(sides[2]), bounded(sides[3]))
    }
    // The colour is part of the pixels; the opacity is not.
    let paint = IconPaint(
      color: group.color("icon-color"), haloColor: group.color("icon-halo-color"),
      haloWidth: max(bounded(group.number("icon-halo-width")), 0),
      haloBlur: max(bounded(group.number("icon-halo-blur")), 0))
    return IconLook(
      size: max(bounded(group.number("icon-size")), 0),
      layoutSize: max(bounded(group.number(Size.nextIcon)), 0), rotation: group.number("icon-rotate"),
      padding: padding, paint: paint, opacity: min(max(group.number("icon-opacity"), 0), 1))
  }

  /// Returns a length within the limits of drawing; 0 for one that is not a number.
  static func bounded(_ number: Double) -> Double { number.isNaN ? 0 : min(max(number, -65_536), 65_536) }
}

extension StyleColor {
  static let clear = StyleColor(0, 0, 0, alpha: 0)
}

extension StyleValue {
  /// The texts of an array; nil for another value.
  var words: [String]? {
    guard case .array(let elements) = self else { return nil }
    let words = elements.compactMap(\.string)
    return words.count == elements.count ? words : nil
  }
}

extension SymbolAnchor {
  /// The distance between the upper side of a text and its capitals, in ems, by which vertical offsets are shorter.
  ///
  /// - Source: MapLibre GL JS 5.
  private static let baseline = 7.0 / 24

  /// Returns the offset of a text at this anchor from its anchor point, by `text-radial-offset` in ems.
  func offset(radius: Double) -> (x: Double, y: Double) {
    let radius = max(radius, 0)
    let isCorner = horizontal != 0.5 && vertical != 0.5
    let length = isCorner ? radius / 2.0.squareRoot() : radius
    return signed(length, length)
  }

  /// Returns the offset of a text at this anchor by `text-offset` in ems, whose signs do not count.
  func offset(x: Double, y: Double) -> (x: Double, y: Double) { signed(abs(x), abs(y)) }

  /// Returns a given offset of this anchor in ems, from the capitals.
  func given(x: Double, y: Double) -> (x: Double, y: Double) {
    (x, vertical == 0 ? y - Self.baseline : vertical == 1 ? y + Self.baseline : y)
  }

  /// Returns distances away from the anchor point.
  private func signed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (
      horizontal == 0 ? x : horizontal == 1 ? -x : 0,
      vertical == 0 ? y - Self.baseline : vertical == 1 ? -y + Self.baseline : 0
    )
  }
}
