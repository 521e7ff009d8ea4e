import MapModel

/// The layouts of a label by their alignment.
struct LabelLayouts {
  private let lines: [String]
  private let style: LabelStyle
  private let font: FontChoice
  private let alignment: LabelStacking.Alignment
  private let usual: TextSymbol.HorizontalAlignment
  /// The layouts so far, at most three, and their alignments.
  private(set) var known: [LabelLayout] = []
  private var alignments: [TextSymbol.HorizontalAlignment] = []

  /// - Parameter font: the font; nil for that of the class.
  init(_ lines: [String], _ candidates: LabelCandidates, _ style: LabelStyle, font: FontChoice? = nil) {
    (self.lines, self.style) = (lines, style)
    self.font = font ?? candidates.definition.textSymbol.font
    alignment = lines.count > 1 ? candidates.definition.stacking?.alignment ?? .textSymbol : .textSymbol
    usual = candidates.definition.textSymbol.horizontalAlignment
  }

  /// Returns the layout for a position.
  mutating func layout(for spot: LabelSpot, _ shapes: inout ShapeCache) -> LabelLayout {
    known[index(for: spot, &shapes)]
  }

  /// Returns the index in ``known`` of the layout for a position; of many positions, only few need a copy.
  mutating func index(for spot: LabelSpot, _ shapes: inout ShapeCache) -> Int {
    let choice: TextSymbol.HorizontalAlignment =
      switch alignment {
      case .left: .left
      case .center: .center
      case .right: .right
      case .dynamic: spot.side.x == 1 ? .left : spot.side.x == -1 ? .right : .center
      case .textSymbol: usual
      }
    if let index = alignments.firstIndex(of: choice) { return index }
    known.append(LabelLayout(lines, style: style, font: font, alignment: choice, shapes: &shapes))
    alignments.append(choice)
    return known.count - 1
  }
}
