import MapStyles

/// The values of a symbol layer that a group of rows shares.
struct SymbolLook {
  let text: TextLook
  let icon: IconLook
  /// The text size that all zooms use for anchors on lines, in CSS pixels.
  let largeSize: Double
  /// The layout of texts, without their sections.
  let shaping: TextShaping
  /// The anchor of `text-anchor`.
  let anchor: SymbolAnchor
  /// The anchors that texts try; empty for a fixed one.
  let anchors: [TextPlace]
  /// Whether the anchor decides the alignment of lines.
  let justifies: Bool
  let iconAnchor: SymbolAnchor
  let iconOffset: SIMD2<Double>

  init(_ group: AnswerGroup, _ rules: SymbolRules, _ pass: StyleLayerPass) {
    text = SymbolValues.textLook(group, rules)
    icon = SymbolValues.iconLook(group)
    largeSize = max(SymbolValues.bounded(group.number(SymbolValues.Size.largeText)), 0)
    iconAnchor = SymbolAnchor(rawValue: group["icon-anchor"].string ?? "") ?? .center
    iconOffset = Self.pair(group["icon-offset"])
    anchor = SymbolAnchor(rawValue: group["text-anchor"].string ?? "") ?? .center
    anchors = rules.textFollowsLine ? [] : Self.anchors(group, rules, pass)
    let justification = TextJustification(rawValue: group["text-justify"].string ?? "")
    justifies = justification == nil
    var shaping = TextShaping(
      sections: [], fonts: group["text-font"].words ?? [], size: text.size,
      maxWidth: rules.placement == .point ? group.number("text-max-width") : .infinity,
      lineHeight: rules.lineHeight, letterSpacing: group.number("text-letter-spacing"), anchor: anchor,
      transform: TextTransform(rawValue: group["text-transform"].string ?? "") ?? .none)
    if rules.textFollowsLine {
      shaping.justification = .center
    } else if anchors.isEmpty {
      shaping.justification = justification ?? anchor.justification
      let offset = Self.offset(group, anchor)
      (shaping.offsetX, shaping.offsetY) = (offset.x, offset.y)
    } else {
      // The offset depends on the anchor that has room.
      (shaping.anchor, shaping.justification) = (.center, justification ?? .center)
    }
    self.shaping = shaping
  }

  /// Returns the offset of texts from their anchor points in ems, at a fixed anchor.
  static func offset(_ group: AnswerGroup, _ anchor: SymbolAnchor) -> SIMD2<Double> {
    let radius = SymbolValues.bounded(group.number("text-radial-offset"))
    guard radius != 0 else { return pair(group["text-offset"]) }
    let place = anchor.offset(radius: radius)
    return SIMD2(place.x, place.y)
  }

  /// Returns two numbers within the limits of drawing; 0 for missing ones.
  private static func pair(_ value: StyleValue) -> SIMD2<Double> {
    guard let numbers = value.numberArray, numbers.count == 2 else { return SIMD2(0, 0) }
    return SIMD2(SymbolValues.bounded(numbers[0]), SymbolValues.bounded(numbers[1]))
  }

  /// Returns the anchors that texts try, with their offsets from the anchor points in ems.
  private static func anchors(
    _ group: AnswerGroup, _ rules: SymbolRules, _ pass: StyleLayerPass
  ) -> [TextPlace] {
    if case .anchorOffsets(let given) = group["text-variable-anchor-offset"] {
      return given.compactMap { own in
        guard let anchor = SymbolAnchor(rawValue: own.anchor) else { return nil }
        let place = anchor.given(x: SymbolValues.bounded(own.x), y: SymbolValues.bounded(own.y))
        return TextPlace(anchor: anchor, x: place.x, y: place.y)
      }
    }
    let offset = pair(group["text-offset"])
    let isRadial = pass.has("text-radial-offset")
    let radius = SymbolValues.bounded(group.number("text-radial-offset"))
    return rules.anchors.map { anchor in
      let place = isRadial ? anchor.offset(radius: radius) : anchor.offset(x: offset.x, y: offset.y)
      return TextPlace(anchor: anchor, x: place.x, y: place.y)
    }
  }
}
