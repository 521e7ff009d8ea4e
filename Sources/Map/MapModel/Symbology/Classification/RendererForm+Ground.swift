extension RendererForm {
  /// The least difference CIEDE2000 between a default colour of a class and the ground.
  ///
  /// - Source: design decision, as for standard symbols over areas.
  private static let leastDifference = 15.0

  /// Returns the renderer with the other default ramp if one of its default colours is nearly that of the ground.
  ///
  /// Colours that a caller or a document chose stay.
  ///
  /// - Parameter grounds: the colours of ground and land.
  package func differing(from grounds: [Color]) -> RendererForm {
    guard case .classBreaks(var renderer) = self, let ground = grounds.first else { return self }
    let (tone, count) = (GroundTone(of: ground), renderer.classBreaks.count)
    let own = renderer.classBreaks.map(\.symbol.plainColor)
    guard own == ColorRamp.standardColors(count: count, on: tone) else { return self }
    func least(_ colors: [Color?]) -> Double {
      colors.compactMap { $0 }.flatMap { color in grounds.map { color.difference(to: $0) } }.min()
        ?? .infinity
    }
    let other = ColorRamp.standardColors(count: count, on: tone, of: .alternative)
    guard least(own) < Self.leastDifference, least(other) > least(own) else { return self }
    for (index, color) in other.enumerated() {
      renderer.classBreaks[index].symbol = renderer.classBreaks[index].symbol.repainted(color)
    }
    return .classBreaks(renderer)
  }
}

extension SymbolForm {
  /// The colour of a marker, line or area; nil for other symbols.
  fileprivate var plainColor: Color? {
    switch self {
    case .marker(let marker): marker.color
    case .line(let line): line.color
    case .fill(let fill): fill.color
    default: nil
    }
  }

  /// Returns the symbol in another colour, with the outline of a marker in a darker tone of it if it has such an outline.
  fileprivate func repainted(_ color: Color) -> SymbolForm {
    guard case .marker(var marker) = self else { return colored(color) }
    if let own = marker.color, marker.outline?.color == own.outline { marker.outline?.color = color.outline }
    marker.color = color
    return .marker(marker)
  }
}
