import MapDrawing

extension DisplayLayer {
  /// Returns the layer as an image with its effects applied; a layer without effects stays unchanged.
  ///
  /// - Cost: 16 bytes per pixel of the image and its margin, and about 1 second for 10 million pixels and a blur.
  /// - Throws: ``PaintError``.
  func applyingEffect(
    width: Int, height: Int, threads: Int, method: PaintingMethod
  ) throws(PaintError) -> DisplayLayer {
    guard let effect else { return self }
    let (fullWidth, fullHeight) = (width + 2 * effect.margin, height + 2 * effect.margin)
    var image: EffectImage?
    for part in effect.parts {
      var painter = try CairoPainter(
        width: fullWidth, height: fullHeight, background: nil, threads: threads, method: method)
      try painter.paint(DisplayLayer(index: index, name: name, opacity: 1, batches: part.batches))
      var own = EffectImage(width: fullWidth, pixels: try painter.premultipliedPixels())
      own.apply(part.functions, pixelRatio: effect.pixelRatio)
      if image == nil { image = own } else { image?.lay(own) }
    }
    image?.apply(effect.functions, pixelRatio: effect.pixelRatio)
    var layer = DisplayLayer(
      index: index, name: name, opacity: opacity,
      batches: (image?.cropped(by: effect.margin)).map { [.image(DisplayImage(width: width, pixels: $0))] }
        ?? [])
    (layer.blendMode, layer.groups) = (blendMode, groups)
    return layer
  }
}
