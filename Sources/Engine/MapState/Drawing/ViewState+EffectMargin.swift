import MapModel

/// The surroundings of a view whose features effects move into it.
extension ViewState {
  /// Returns the output pixels around the view in which features of a layer must be drawn, because its effects move
  /// ink; 0 without such effects.
  func effectMargin(of layer: LayerState) -> Int {
    let scale = viewpoint.scale
    func reach(_ effect: LayerEffect?) -> Double {
      effect?.functions(atScale: scale).reduce(0) { $0 + $1.reach } ?? 0
    }
    let own = layer.definition.featureEffect
    let features = max(reach(own?.includedEffect), reach(own?.excludedEffect))
    return Int(clamping: ((reach(layer.definition.effect) + features) * pixelRatio).rounded(.up))
  }

  /// Returns whether a layer has effects on its image or on its features at the scale.
  func changesImage(of layer: LayerState) -> Bool {
    let own = layer.definition.featureEffect
    return [layer.definition.effect, own?.includedEffect, own?.excludedEffect].contains { effect in
      effect?.functions(atScale: viewpoint.scale).isEmpty == false
    }
  }

  /// Returns the view with some more output pixels on each side.
  func grown(by margin: Int) -> ViewState {
    let more = 2 * Double(margin) / pixelRatio
    return resized(width: width + more, height: height + more)
  }
}
