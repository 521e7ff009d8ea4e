package import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// A writer of display lists as SVG.
///
/// Layers are groups with ids. Consecutive items of one class are a group of a CSS class. Markers are symbols that are
/// used at their points. The same display list gives the same bytes.
///
/// - Error: coordinates are rounded to a hundredth of a pixel, and those of parts with sides below half a pixel to 1/50 of
///   the side, or to a millionth of a pixel.
package struct SVGWriter {
  var body = VectorText()
  var definitions = VectorText()
  var styles = VectorText()
  /// The names of definitions by their content, so that equal ones are written once.
  var known: [String: String] = [:]
  /// The pixels of images that are reduced.
  var bitmaps: [SymbolPicture: Bitmap] = [:]
  /// The number of gradients, each for one area.
  var gradientCount = 0
  /// The size of the larger of map and page, in output pixels.
  let size: (width: Int, height: Int)
  private let options: SVGOptions
  private let features: [Int: SVGFeatures]

  /// Returns an image of a map and of the parts of its page.
  ///
  /// - Parameters:
  ///   - origin: the position of the map's top left corner on the page.
  ///   - page: the page: its size, its colour and the parts over the map.
  ///   - pixelRatio: output pixels per view pixel; the image has the size of the page in view pixels.
  ///   - description: what the image shows besides its title; empty for nothing.
  ///   - features: the ids and titles by layer index.
  package static func svg(
    of map: DisplayList, at origin: (x: Double, y: Double), page: DisplayList, pixelRatio: Double,
    title: String, description: String = "", options: SVGOptions, features: [Int: SVGFeatures]
  ) -> [UInt8] {
    let size = (max(map.width, page.width), max(map.height, page.height))
    var writer = SVGWriter(size: size, options: options, features: features)
    writer.addMap(map, at: origin, page: page)
    for layer in page.layers { writer.add(layer, id: "page-\(VectorText.name(layer.name))") }
    return writer.document(page: page, pixelRatio: pixelRatio, title: title, description)
  }

  private init(size: (width: Int, height: Int), options: SVGOptions, features: [Int: SVGFeatures]) {
    (self.size, self.options, self.features) = (size, options, features)
  }

  private func document(page: DisplayList, pixelRatio: Double, title: String, _ description: String)
    -> [UInt8]
  {
    var text = VectorText()
    text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
    text += "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\""
    text.add(Double(page.width) / pixelRatio)
    text += "\" height=\""
    text.add(Double(page.height) / pixelRatio)
    text += "\" viewBox=\"0 0 \(page.width) \(page.height)\">\n"
    if !title.isEmpty { text += "<title>\(VectorText.escaped(title))</title>\n" }
    if !description.isEmpty { text += "<desc>\(VectorText.escaped(description))</desc>\n" }
    if !styles.bytes.isEmpty {
      text += "<style>\n"
      text.bytes += styles.bytes
      text += "</style>\n"
    }
    text += "<defs>\n"
    text.bytes += definitions.bytes
    text += "</defs>\n"
    text.bytes += body.bytes
    text += "</svg>\n"
    return text.bytes
  }

  private mutating func addMap(_ map: DisplayList, at origin: (x: Double, y: Double), page: DisplayList) {
    if let paper = page.background { addGround(paper, page.width, page.height, id: "page") }
    definitions +=
      "<clipPath id=\"map-clip\"><rect width=\"\(map.width)\" height=\"\(map.height)\"/></clipPath>\n"
    body += "<g id=\"map\""
    if origin.x != 0 || origin.y != 0 {
      body += " transform=\"translate("
      body.add(origin.x)
      body += " "
      body.add(origin.y)
      body += ")\""
    }
    body += " clip-path=\"url(#map-clip)\">\n"
    if let background = map.background { addGround(background, map.width, map.height, id: "background") }
    for (number, layer) in map.basemap.enumerated() { add(layer, id: "basemap-\(number)") }
    for layer in map.layers {
      add(layer, id: layer.index < 0 ? "tiles" : "layer-\(layer.index)", features: features[layer.index])
    }
    for (number, layer) in map.overlays.enumerated() { add(layer, id: "overlay-\(number)") }
    for (number, layer) in map.labels.enumerated() { add(layer, id: "labels-\(number)") }
    move(to: [])
    body += "</g>\n"
  }

  private mutating func addGround(_ color: Color, _ width: Int, _ height: Int, id: String) {
    guard color.alpha > 0 else { return }
    body += "<rect id=\"\(id)\" width=\"\(width)\" height=\"\(height)\"\(VectorText.paint("fill", color))/>\n"
  }

  // MARK: Layers

  private var usedIDs: Set<String> = []
  private var groups = OpenGroups()

  /// Closes and opens groups of layers before a layer.
  private mutating func move(to around: [DisplayGroup]) {
    let (closed, opened) = groups.move(to: around)
    for _ in closed { body += "</g>\n" }
    for group in opened {
      body += "<g class=\"group\""
      if group.opacity < 1 { body += " opacity=\"\(group.opacity.thousandths)\"" }
      body += " style=\"isolation:isolate"
      if group.blendMode != .normal { body += ";mix-blend-mode:\(group.blendMode.rawValue)" }
      body += "\">\n"
    }
  }

  private mutating func add(_ layer: DisplayLayer, id: String, features: SVGFeatures? = nil) {
    let paints = layer.opacity > 0
    guard paints || !(features?.drawn.isEmpty ?? true) else { return }
    move(to: layer.groups)
    var unique = id
    var number = 1
    while !usedIDs.insert(unique).inserted {
      number += 1
      unique = "\(id)-\(number)"
    }
    body += "<g id=\"\(unique)\""
    if !layer.name.isEmpty { body += " data-name=\"\(VectorText.escaped(layer.name))\"" }
    if layer.opacity < 1 { body += " opacity=\"\(layer.opacity.thousandths)\"" }
    if layer.blendMode != .normal { body += " style=\"mix-blend-mode:\(layer.blendMode.rawValue)\"" }
    body += ">\n"
    var named: Set<Int32> = []
    var classes: Set<Int> = []
    for batch in layer.batches where paints {
      switch batch {
      case .markers(let markers): add(markers, unique, features, &named, &classes)
      case .paths(let paths): add(paths, unique, features, &named, &classes)
      case .shapes(let shapes):
        var left = shapes.x.indices
        while let (paths, _) = shapes.nextPiece(&left) { add(paths, unique, features, &named, &classes) }
      case .labels(let labels): add(labels)
      case .image(let image): add(image)
      }
    }
    if let features { addUnpainted(layer, features, &named) }
    body += "</g>\n"
  }

  /// Writes an empty group for each drawn feature without an element; the features of a heat map are one image.
  private mutating func addUnpainted(
    _ layer: DisplayLayer, _ features: SVGFeatures, _ named: inout Set<Int32>
  ) {
    let isImage = layer.batches.contains { if case .image = $0 { true } else { false } }
    guard !isImage else { return }
    for row in features.drawn {
      guard let row = Int32(exactly: row), !named.contains(row) else { continue }
      body += "<g"
      close("g", row, features, &named)
    }
  }

  /// Writes an image as PNG data.
  private mutating func add(_ image: DisplayImage) {
    guard image.width > 0,
      var bitmap = try? Bitmap(width: image.width, height: image.pixels.count / image.width)
    else { return }
    bitmap.replaceRows(from: 0, premultiplied: image.pixels.span)
    guard let data = try? bitmap.pngData() else { return }
    body += "<image width=\"\(bitmap.width)\" height=\"\(bitmap.height)\""
    body += " xlink:href=\"data:image/png;base64,\(Base64.text(data))\"/>\n"
  }

  /// Opens the group of a run of items; the first group of a class has an id.
  mutating func openRun(_ style: String, _ classIndex: Int, _ id: String, _ classes: inout Set<Int>) {
    body += "<g"
    if classIndex >= -1, !id.hasPrefix("page"), classes.insert(classIndex).inserted {
      body += " id=\"\(id)-class-\(classIndex < 0 ? "default" : "\(classIndex)")\""
    }
    if !style.isEmpty { body += " class=\"\(style)\"" }
    body += ">\n"
  }

  /// Writes the attributes of the first element of a feature, and its title as content of the element.
  mutating func close(
    _ element: String, _ row: Int32, _ features: SVGFeatures?, _ named: inout Set<Int32>
  ) {
    guard options.writesIDs || options.writesTitles, let features, named.insert(row).inserted else {
      body += "/>\n"
      return
    }
    let index = Int(row)
    if options.writesIDs, index < features.ids.count { body += " data-id=\"\(features.ids[index])\"" }
    guard options.writesTitles, index < features.titles.count, !features.titles[index].isEmpty else {
      body += "/>\n"
      return
    }
    body += "><title>\(VectorText.escaped(features.titles[index]))</title></\(element)>\n"
  }

  /// Returns the name of a definition; an equal one is written once.
  mutating func define(_ prefix: String, _ content: (String) -> String) -> String {
    let key = content("")
    if let name = known[key] { return name }
    let name = "\(prefix)\(known.count)"
    known[key] = name
    definitions += content(name) + "\n"
    return name
  }

  // MARK: Labels

  private mutating func add(_ batch: LabelBatch) {
    for item in batch.items {
      let look = batch.styles[Int(item.style)]
      let box = item.box
      guard abs(box.xMin) < 1e6, abs(box.yMin) < 1e6, abs(box.xMax) < 1e6, abs(box.yMax) < 1e6 else {
        continue
      }
      if look.ground != nil || look.frame != nil {
        let edge = (look.frame?.width ?? 0) / 2
        body += "<rect"
        for (name, value) in [
          ("x", box.xMin + edge), ("y", box.yMin + edge), ("width", box.width - 2 * edge),
          ("height", box.height - 2 * edge),
        ] {
          body += " \(name)=\""
          body.add(max(value, name == "width" || name == "height" ? 0 : value))
          body += "\""
        }
        body += VectorText.paint("fill", look.ground) + VectorText.stroke(look.frame) + "/>\n"
      }
      // A style may have set its text in capitals or in parts.
      if options.writesText, look.classIndex != LabelStyle.styledText, let first = item.glyphs.first,
        !item.text.contains("\n"),
        item.glyphs.allSatisfy({ $0.directionX == 1 && $0.directionY == 0 })
      {
        let baseline = item.glyphs.map(\.y).max() ?? first.y
        let width = (item.glyphs.last?.x ?? 0) - first.x
        body += "<text x=\""
        body.add(first.x)
        body += "\" y=\""
        body.add(baseline)
        body += "\" font-family=\"Noto Sans, sans-serif\" font-size=\""
        body.add(look.size)
        body += width > 1e5 ? "\"" : "\"" + (look.slant > 0 ? " font-style=\"italic\"" : "")
        body += Self.letters(look) + ">\(VectorText.escaped(item.text))</text>\n"
        continue
      }
      body += "<path d=\""
      add(item.leader)
      let (size, slant) = (look.size, look.slant)
      for glyph in item.glyphs {
        let (dx, dy) = (glyph.directionX, glyph.directionY)
        body.add(
          batch.outlines[Int(glyph.outline)].steps,
          x: { glyph.x + (($0 + slant * $1) * dx + $1 * dy) * size },
          y: { glyph.y + (($0 + slant * $1) * dy - $1 * dx) * size })
      }
      body += "\"\(Self.letters(look))"
      body += item.text.isEmpty ? "/>\n" : " aria-label=\"\(VectorText.escaped(item.text))\"/>\n"
    }
  }

  private mutating func add(_ leader: LabelLeader?) {
    if let leader { body.add(leader.steps, x: { x, _ in x }, y: { _, y in y }) }
  }

  /// Returns the attributes of letters and their halo.
  static func letters(_ look: LabelStyle) -> String {
    var text = VectorText.paint("fill", look.color)
    if let halo = look.haloColor, look.haloWidth > 0 {
      text += VectorText.paint("stroke", halo)
      text += " stroke-width=\"\((2 * look.haloWidth).thousandths)\" stroke-linejoin=\"round\""
      text += " stroke-linecap=\"round\" paint-order=\"stroke\""
    }
    return text
  }
}
