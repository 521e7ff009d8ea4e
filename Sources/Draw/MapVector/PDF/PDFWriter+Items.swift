import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// Markers, lines and areas.
extension PDFWriter {
  mutating func add(_ batch: MarkerBatch) {
    // The operators of each style about its point.
    var known: [Int: PDFContent] = [:]
    for item in batch.x.indices {
      let (x, y, style) = (batch.x[item], batch.y[item], Int(batch.style[item]))
      guard abs(x) < 1e6, abs(y) < 1e6, batch.styles.indices.contains(style) else { continue }
      let look = batch.styles[style]
      guard look.size > 0, look.hasInk else { continue }
      let drawn = known[style] ?? symbol(look)
      known[style] = drawn
      content.save()
      content.transform(1, 0, 0, 1, x: x, y: y)
      content += drawn
      content.restore()
    }
  }

  /// Returns the operators of a marker about its point.
  private mutating func symbol(_ look: MarkerStyle) -> PDFContent {
    let around = content
    content = PDFContent()
    let fill = look.fill.flatMap { $0.alpha > 0 ? $0 : nil }
    let stroke = look.outline.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
    if let fill {
      content.setFill(fill, &resources)
      content.addMarker(look)
      content += "f*\n"
    }
    switch look.block?.content {
    case .picture(let picture, let opacity): if let block = look.block { add(picture, opacity, block, look) }
    case .text(let ink): add(ink, x: look.offsetX, y: look.offsetY)
    case nil: break
    }
    if let stroke {
      content.setStroke(stroke, &resources)
      content.addMarker(look)
      content += "S\n"
    }
    defer { content = around }
    return content
  }

  private mutating func add(
    _ picture: SymbolPicture, _ opacity: Double, _ block: MarkerBlock, _ look: MarkerStyle
  ) {
    let reduced = block.reduced { try? $0.bitmap() }
    guard let bitmap = reduced?.bitmap ?? (try? picture.bitmap()) else { return }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(look.angle)
    content.save()
    content.setAlpha(opacity, &resources)
    content.transform(cosine, sine, -sine, cosine, x: look.offsetX, y: look.offsetY)
    draw(bitmap, in: reduced?.box ?? block.box)
    content.restore()
  }

  mutating func add(_ batch: PathBatch) {
    let geometry = batch.geometry
    for item in batch.row.indices {
      guard batch.styles.indices.contains(Int(batch.style[item])) else { continue }
      let look = batch.styles[Int(batch.style[item])]
      let fill = look.fill.flatMap { $0.alpha > 0 ? $0 : nil }
      let hatch = look.hatch.flatMap { $0.color.alpha > 0 ? $0 : nil }
      let stroke = look.stroke.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
      guard fill != nil || hatch != nil || stroke != nil else { continue }
      var path = PDFContent()
      guard path.addRow(item, of: geometry, isOpen: look.isOpen) else { continue }
      let isSolid = fill?.alpha == 255 && stroke?.color.alpha == 255 && hatch == nil
      if let fill {
        content.setFill(fill, &resources)
        if let stroke, isSolid { content.setStroke(stroke, &resources) }
        content += path
        content += isSolid ? "B*\n" : "f*\n"
      }
      if let hatch {
        content.save()
        content += path
        content += "W* n\n"
        add(hatch, of: batch, item: item)
        content.restore()
      }
      if let stroke, !isSolid {
        content.setStroke(stroke, &resources)
        content += path
        content += "S\n"
      }
    }
  }

  /// Draws a hatch over the clipped area of an item.
  private mutating func add(_ hatch: Hatch, of batch: PathBatch, item: Int) {
    let sides = batch.geometry.envelope(ofRow: item)
    // One pixel more, because the edge of the area mixes it in.
    let shown = Envelope(
      xMin: max(sides.xMin, 0) - 1, yMin: max(sides.yMin, 0) - 1, xMax: min(sides.xMax, size.width) + 1,
      yMax: min(sides.yMax, size.height) + 1)
    guard shown.xMin < shown.xMax, shown.yMin < shown.yMax else { return }
    switch hatch.pattern {
    case .image, .gradient:
      guard let fill = try? FillPixels(hatch, of: batch, item: item, in: shown),
        let bitmap = Bitmap(premultiplied: fill.pixels, width: fill.width)
      else { return }
      draw(
        bitmap,
        in: Envelope(
          xMin: Double(fill.x), yMin: Double(fill.y), xMax: Double(fill.x + fill.width),
          yMax: Double(fill.y + fill.height)))
    case .shapes(let shapes, _, _, _):
      var tile = PDFContent()
      for shape in shapes { add(shape, to: &tile) }
      for point in hatch.shapePoints(over: shown) {
        content.save()
        content.transform(1, 0, 0, 1, x: point.x, y: point.y)
        content += tile
        content.restore()
      }
    case nil, .lines:
      content.setStroke(Stroke(color: hatch.color, width: hatch.lineWidth, cap: .square), &resources)
      for line in hatch.lines(across: shown) {
        content.move(line.x0, line.y0)
        content.line(line.x1, line.y1)
      }
      content += "S\n"
    }
  }

  /// Adds a shape of a pattern, with its paint.
  private mutating func add(_ shape: PatternShape, to tile: inout PDFContent) {
    func addPath() {
      for part in shape.parts {
        for index in part {
          if index == part.lowerBound {
            tile.move(shape.x[index], shape.y[index])
          } else {
            tile.line(shape.x[index], shape.y[index])
          }
        }
        if shape.isClosed { tile += "h\n" }
      }
    }
    if let fill = shape.fill {
      tile.setFill(fill, &resources)
      addPath()
      tile += "f*\n"
    }
    if let stroke = shape.stroke {
      tile.setStroke(stroke, &resources)
      addPath()
      tile += "S\n"
    }
  }
}
