package import MapGeometry

extension DisplayLayer {
  /// Returns the labels of a layer that reach into a part of its image, in the pixels of that part.
  ///
  /// - Parameter part: the part, in pixels of the image.
  package func labels(in part: Envelope) -> DisplayLayer {
    var parts: [DisplayBatch] = []
    for batch in batches {
      guard case .labels(var labels) = batch else { continue }
      labels.items = labels.items.compactMap { item in
        guard item.box.xMin < part.xMax, item.box.xMax > part.xMin, item.box.yMin < part.yMax,
          item.box.yMax > part.yMin
        else { return nil }
        return item.moved(x: -part.xMin, y: -part.yMin)
      }
      if !labels.items.isEmpty { parts.append(.labels(labels)) }
    }
    var layer = DisplayLayer(index: index, name: name, opacity: opacity, batches: parts)
    layer.blendMode = blendMode
    return layer
  }
}

extension LabelItem {
  fileprivate func moved(x: Double, y: Double) -> LabelItem {
    LabelItem(
      text: text, style: style, row: row,
      box: Envelope(xMin: box.xMin + x, yMin: box.yMin + y, xMax: box.xMax + x, yMax: box.yMax + y),
      glyphs: glyphs.map {
        Glyph(
          outline: $0.outline, x: $0.x + x, y: $0.y + y, directionX: $0.directionX, directionY: $0.directionY)
      })
  }
}
