import MapDrawing
import MapModel
import MapSystem

/// Sentences about features that change no pixel of the image.
extension ViewState {
  /// Returns a sentence about the invisible features of a layer, with the properties that hide them; nil for none.
  ///
  /// A layer with labels has none: a transparent symbol is a common way to show labels only.
  func invisibleSentence(of layer: LayerState, _ drawing: LayerDrawing, _ funnel: FilterFunnel) -> String? {
    let count = drawing.invisibility.reduce(0) { $0 + ($1.key == .other ? 0 : $1.value) }
    guard count > 0, !showsLabels(layer) else { return nil }
    let reasons = Invisibility.allCases.filter { drawing.invisibility[$0, default: 0] > 0 && $0 != .other }
    let named = reasons.map { reason in
      let own = reasons.count > 1 ? " (\(drawing.invisibility[reason, default: 0]))" : ""
      return words(for: reason, layer) + own
    }
    return "\(count) of \(max(count, funnel.display)) features in the view are invisible: "
      + named.joined(separator: "; ")
  }

  /// Returns a note about the invisible features of a layer that draws others.
  func invisibleNotes(of layer: LayerState, _ drawing: LayerDrawing, _ funnel: FilterFunnel) -> [String] {
    guard !funnel.drawsNothing else { return [] }
    return invisibleSentence(of: layer, drawing, funnel).map { [$0] } ?? []
  }

  /// Returns the property that hides features.
  func words(for reason: Invisibility, _ layer: LayerState) -> String {
    switch reason {
    case .opacity: opacityWords(layer)
    case .color: "the colour of the symbol is transparent or missing"
    case .size: "the size or width of the symbol is 0 or missing"
    case .offset: "the offset of the symbol moves it out of the image"
    case .other: "its symbol covers too little of any pixel of the image"
    }
  }

  private func opacityWords(_ layer: LayerState) -> String {
    let scale = viewpoint.scale
    func isClear(_ opacity: Double) -> Bool { !(opacity * 255 >= 0.5) }
    for group in layer.groups where isClear(group.opacity) {
      guard case .document(let path) = group.key else { return "the opacity of its group is 0" }
      return "the opacity of its group is 0 (\(path))"
    }
    if isClear(layer.opacity) { return "the opacity of the layer is 0" }
    let effects = [layer.definition.effect] + layer.groups.map(\.effect)
    let isByEffect = effects.contains { isClear($0?.functions(atScale: scale).opacity ?? 1) }
    return isByEffect
      ? "the opacity of an effect is 0" : "the opacity of the layer with its groups and effects is 0"
  }
}
