import MapModel

/// The layouts of a label by their alignment.
struct LabelLayouts {
  private let lines: [String]
  private let style: LabelStyle
  private let font: FontChoice
  private let alignment: LabelStacking.Alignment
  private let usual: TextSymbol.HorizontalAlignment
  private var known: [TextSymbol.HorizontalAlignment: LabelLayout] = [:]

  /// - Parameter font: the font; nil for that of the class.
  init(_ lines: [String], _ candidates: LabelCandidates, _ style: LabelStyle, font: FontChoice? = nil) {
    (self.lines, self.style) = (lines, style)
    self.font = font ?? candidates.definition.textSymbol.font
    alignment = lines.count > 1 ? candidates.definition.stacking?.alignment ?? .textSymbol : .textSymbol
    usual = candidates.definition.textSymbol.horizontalAlignment
  }

  /// Returns the layout for a position.
  mutating func layout(for spot: LabelSpot, _ shapes: inout ShapeCache) -> LabelLayout {
    let choice: TextSymbol.HorizontalAlignment =
      switch alignment {
      case .left: .left
      case .center: .center
      case .right: .right
      case .dynamic: spot.side.x == 1 ? .left : spot.side.x == -1 ? .right : .center
      case .textSymbol: usual
      }
    if let layout = known[choice] { return layout }
    let layout = LabelLayout(lines, style: style, font: font, alignment: choice, shapes: &shapes)
    known[choice] = layout
    return layout
  }
}
