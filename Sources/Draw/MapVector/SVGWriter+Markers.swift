import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// Markers as symbols that are used at their points.
extension SVGWriter {
  mutating func add(
    _ batch: MarkerBatch, _ id: String, _ features: SVGFeatures?, _ named: inout Set<Int32>,
    _ classes: inout Set<Int>
  ) {
    var symbols: [Int: String] = [:]
    var open: Int?
    for item in batch.x.indices {
      let (x, y, style) = (batch.x[item], batch.y[item], Int(batch.style[item]))
      let look = batch.styles[style]
      guard x.isFinite, y.isFinite, abs(x) < 1e6, abs(y) < 1e6, look.hasInk else { continue }
      if open != look.classIndex {
        if open != nil { body += "</g>\n" }
        openRun("", look.classIndex, id, &classes)
        open = look.classIndex
      }
      let name: String
      if let known = symbols[style] {
        name = known
      } else {
        name = symbol(look)
        symbols[style] = name
      }
      body += "<use xlink:href=\"#"
      body += name
      body += "\" x=\""
      body.add(x)
      body += "\" y=\""
      body.add(y)
      body += "\""
      close("use", batch.row[item], features, &named)
    }
    if open != nil { body += "</g>\n" }
  }

  private mutating func symbol(_ look: MarkerStyle) -> String {
    var text = VectorText()
    let (dx, dy) = (look.offsetX, look.offsetY)
    func shape(_ attributes: String) {
      let chains = look.chains
      guard !chains.isEmpty else {
        text += "<path d=\""
        text.addCircle(x: dx, y: dy, radius: look.size / 2)
        text += "\"\(attributes)/>"
        return
      }
      text += "<path d=\""
      for chain in chains {
        for (number, point) in chain.enumerated() {
          text += number == 0 ? "M" : "L"
          text.add(point.x + dx)
          text += " "
          text.add(point.y + dy)
        }
        if !look.isOpen { text += "z" }
      }
      text += "\"\(attributes)/>"
    }
    let stroke = VectorText.stroke(look.outline)
    let fill = VectorText.paint("fill", look.fill)
    if look.block == nil {
      shape(fill + stroke)
    } else {
      if look.fill != nil { shape(fill) }
      if let block = look.block { add(block, look, dx, dy, &text) }
      if look.outline != nil { shape(" fill=\"none\"" + stroke) }
    }
    let content = String(decoding: text.bytes, as: UTF8.self)
    return define("m") { "<symbol id=\"\($0)\" overflow=\"visible\">\(content)</symbol>" }
  }

  private mutating func add(
    _ block: MarkerBlock, _ look: MarkerStyle, _ dx: Double, _ dy: Double, _ text: inout VectorText
  ) {
    switch block.content {
    case .picture(let picture, let opacity):
      let reduced = block.reduced { bitmap(of: $0) }
      let data = reduced.flatMap { try? $0.bitmap.pngData() }
      let box = data == nil ? block.box : reduced?.box ?? block.box
      text += "<image"
      for (name, value) in [
        ("x", box.xMin + dx), ("y", box.yMin + dy), ("width", box.width), ("height", box.height),
      ] {
        text += " \(name)=\""
        text.add(value)
        text += "\""
      }
      text += " preserveAspectRatio=\"none\""
      if opacity < 1 { text += " opacity=\"\(opacity.thousandths)\"" }
      if look.angle != 0 {
        text += " transform=\"rotate(\(look.angle.thousandths) \(dx.thousandths) \(dy.thousandths))\""
      }
      text += " xlink:href=\"data:image/png;base64,\(Base64.text(data ?? picture.pngData))\"/>"
    case .text(let ink):
      text += "<path d=\""
      text.add(ink.steps, x: { px, _ in px + dx }, y: { _, py in py + dy })
      text += "\"\(Self.letters(ink.style))/>"
    }
  }

  /// Returns the pixels of an image, which are decoded once; nil without memory for them.
  private mutating func bitmap(of picture: SymbolPicture) -> Bitmap? {
    if let known = bitmaps[picture] { return known }
    guard let bitmap = try? picture.bitmap() else { return nil }
    if bitmaps.values.reduce(bitmap.width * bitmap.height, { $0 + $1.width * $1.height }) > 1 << 22 {
      bitmaps = [:]
    }
    bitmaps[picture] = bitmap
    return bitmap
  }
}
