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
        let reach = item.reach(labels.styles[Int(item.style)])
        guard reach.xMin < part.xMax, reach.xMax > part.xMin, reach.yMin < part.yMax, reach.yMax > part.yMin
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

extension DisplayLayer {
  /// The rectangles that the labels of the layer cover: a rectangle for each label, and for labels along lines one for
  /// each letter.
  package var labelBoxes: [LabelBox] {
    batches.flatMap { batch -> [LabelBox] in
      guard case .labels(let labels) = batch else { return [] }
      return labels.items.flatMap { item -> [LabelBox] in
        let style = labels.styles[Int(item.style)]
        guard item.glyphs.contains(where: { $0.directionY != 0 }) else {
          return [LabelBox(item.box)] + (item.leader?.boxes(grownBy: style.haloWidth) ?? [])
        }
        let reach = style.size / 2 + style.haloWidth
        return item.glyphs.map { glyph in
          // The middle of a letter is above its baseline and behind its origin.
          let (x, y) = (
            glyph.x + (glyph.directionX + glyph.directionY) * style.size * 0.3,
            glyph.y + (glyph.directionY - glyph.directionX) * style.size * 0.3
          )
          return LabelBox(xMin: x - reach, yMin: y - reach, xMax: x + reach, yMax: y + reach)
        }
      }
    }
  }
}

extension DisplayBatch {
  /// Returns markers or labels at other positions; another batch stays where it is.
  package func moved(x: Double, y: Double) -> DisplayBatch {
    switch self {
    case .markers(var markers):
      markers.x = markers.x.map { $0 + x }
      markers.y = markers.y.map { $0 + y }
      return .markers(markers)
    case .labels(var labels):
      labels.items = labels.items.map { $0.moved(x: x, y: y) }
      return .labels(labels)
    case .paths, .shapes, .image: return self
    }
  }

  /// Returns the markers or labels that reach into a rectangle; nil for none.
  package func reaching(into part: Envelope) -> DisplayBatch? {
    switch self {
    case .markers(let markers):
      var kept = MarkerBatch(styles: markers.styles)
      for item in markers.x.indices {
        let style = markers.styles[Int(markers.style[item])]
        guard style.paints(part, x: markers.x[item], y: markers.y[item]) else { continue }
        kept.x.append(markers.x[item])
        kept.y.append(markers.y[item])
        kept.style.append(markers.style[item])
        kept.row.append(markers.row[item])
      }
      return kept.x.isEmpty ? nil : .markers(kept)
    case .labels(var labels):
      labels.items = labels.items.filter { $0.reach(labels.styles[Int($0.style)]).meets(part) }
      return labels.items.isEmpty ? nil : .labels(labels)
    case .paths, .shapes, .image: return self
    }
  }
}

extension LabelItem {
  fileprivate func moved(x: Double, y: Double) -> LabelItem {
    LabelItem(
      text: text, style: style, row: row,
      box: Envelope(xMin: box.xMin + x, yMin: box.yMin + y, xMax: box.xMax + x, yMax: box.yMax + y),
      glyphs: glyphs.map {
        Glyph(
          outline: $0.outline, character: $0.character, x: $0.x + x, y: $0.y + y, directionX: $0.directionX,
          directionY: $0.directionY)
      }, leader: leader?.moved(x: x, y: y))
  }
}
