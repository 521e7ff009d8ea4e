import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// A writer of display lists as PDF, in vectors.
///
/// A view pixel is 1/96 inch. Images of symbols keep their own pixels. Text is text: its letters are in an embedded font,
/// with their characters. The document has a fixed creation date, so the same pages give the same bytes.
///
/// - Source: ISO 32000-1:2008.
/// - Error: coordinates are rounded to a hundredth of a pixel, as those of ``SVGWriter``, and letters to a thousandth of
///   their size.
package struct PDFWriter {
  /// The title, author and subject of a document; empty for none.
  package struct Information: Hashable, Sendable {
    let title: String
    let author: String
    let subject: String

    /// Creates the information.
    package init(title: String = "", author: String = "", subject: String = "") {
      (self.title, self.author, self.subject) = (title, author, subject)
    }
  }

  /// The creation date of every document.
  ///
  /// - Source: design decision; the start of 2000 in UTC.
  private static let creationDate = "(D:20000101000000Z)"

  var resources = PDFResources()
  var content = PDFContent()
  private var tags = PDFTags()
  /// The size of the current list, in output pixels.
  var size = (width: 0.0, height: 0.0)
  /// The contents around the open groups.
  private var outer: [PDFContent] = []

  /// Returns a document.
  package static func document(_ pages: [PDFPage], _ information: Information) -> [UInt8] {
    var writer = PDFWriter()
    let parent = writer.resources.file.reserve()
    let numbers = pages.enumerated().map { writer.add($1, index: $0, parent: parent) }
    return writer.finished(numbers, parent: parent, information)
  }

  /// Writes a page, and returns its number.
  private mutating func add(_ page: PDFPage, index: Int, parent: Int) -> Int {
    let points = 0.75 / page.pixelRatio
    let (width, height) = (Double(page.page.width) * points, Double(page.page.height) * points)
    let number = resources.file.reserve()
    content = PDFContent()
    tags.begin(page: number)
    content.transform(points, 0, 0, -points, x: 0, y: height)
    paint(page)
    let stream = resources.file.addStream("", content.bytes)
    var viewport = ""
    if let ground = page.ground {
      let (left, top) = (page.origin.x * points, height - page.origin.y * points)
      let box = [left, top - Double(page.map.height) * points, left + Double(page.map.width) * points, top]
      viewport = "/VP [\(ground.viewport(box))] "
    }
    resources.file.write(
      number,
      "<< /Type /Page /Parent \(parent) 0 R /MediaBox [0 0 \(width.thousandths) \(height.thousandths)] "
        + "/Contents \(stream) 0 R /Resources \(resources.object) 0 R /StructParents \(index) /Tabs /S \(viewport)"
        + "/Group << /S /Transparency /CS /DeviceRGB /I true >> >>")
    return number
  }

  private consuming func finished(_ pages: [Int], parent: Int, _ information: Information) -> [UInt8] {
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    resources.file.write(parent, "<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
    let tree = tags.write(to: &resources.file)
    resources.write()
    var entries = ""
    for (name, text) in [
      ("Title", information.title), ("Author", information.author), ("Subject", information.subject),
    ] where !text.isEmpty { entries += "/\(name) \(PDFFile.string(text)) " }
    let facts = resources.file.add(
      "<< \(entries)/Creator (MapState) /Producer (MapState) /CreationDate \(Self.creationDate) >>")
    let shown = information.title.isEmpty ? "" : "/ViewerPreferences << /DisplayDocTitle true >> "
    let root = resources.file.add(
      "<< /Type /Catalog /Pages \(parent) 0 R \(shown)/MarkInfo << /Marked true >> /StructTreeRoot \(tree) 0 R >>"
    )
    return resources.file.finished(root: root, information: facts)
  }

  private mutating func paint(_ page: PDFPage) {
    size = (Double(page.page.width), Double(page.page.height))
    content += "/Artifact BMC\n"
    fillAll(page.page.background)
    content += "EMC\n"
    content += tags.open("Figure", alternative: page.alternative)
    content.save()
    content.transform(1, 0, 0, 1, x: page.origin.x, y: page.origin.y)
    size = (Double(page.map.width), Double(page.map.height))
    content.rectangle(0, 0, size.width, size.height)
    content += "W n\n"
    fillAll(page.map.background)
    var groups = OpenGroups()
    for layer in page.map.basemap + page.map.layers + page.map.overlays + page.map.labels {
      move(to: layer.groups, &groups)
      add(layer)
    }
    move(to: [], &groups)
    content.restore()
    content += "EMC\n"
    size = (Double(page.page.width), Double(page.page.height))
    var name: String?
    for layer in page.page.layers {
      if layer.name != name {
        if name != nil { content += "EMC\n" }
        content += tags.open(part: layer.name)
        name = layer.name
      }
      add(layer)
    }
    if name != nil { content += "EMC\n" }
  }

  // MARK: Layers

  /// Closes and opens groups before a layer.
  private mutating func move(to groups: [DisplayGroup], _ open: inout OpenGroups) {
    let (closed, opened) = open.move(to: groups)
    for group in closed { endGroup(opacity: group.opacity, group.blendMode) }
    for _ in opened { beginGroup() }
  }

  private mutating func beginGroup() {
    outer.append(content)
    content = PDFContent()
  }

  private mutating func endGroup(opacity: Double, _ mode: BlendMode) {
    guard !content.bytes.isEmpty else { return content = outer.popLast() ?? PDFContent() }
    let name = resources.group(content, width: size.width, height: size.height)
    content = outer.popLast() ?? PDFContent()
    content.save()
    content += "/\(resources.alpha(opacity, mode)) gs\n/\(name) Do\n"
    content.restore()
  }

  private mutating func fillAll(_ color: Color?) {
    guard let color, color.alpha > 0 else { return }
    content.setFill(color, &resources)
    content.rectangle(0, 0, size.width, size.height)
    content += "f\n"
  }

  private mutating func add(_ layer: DisplayLayer) {
    guard layer.opacity > 0 else { return }
    if layer.isGroup { beginGroup() }
    for batch in layer.batches {
      switch batch {
      case .markers(let markers): add(markers)
      case .paths(let paths): add(paths)
      case .shapes(let shapes):
        var left = shapes.x.indices
        while let (paths, _) = shapes.nextPiece(&left) { add(paths) }
      case .labels(let labels): add(labels)
      case .image(let image): add(image)
      }
    }
    if layer.isGroup { endGroup(opacity: layer.opacity, layer.blendMode) }
  }

  // MARK: Images

  private mutating func add(_ image: DisplayImage) {
    guard image.width > 0,
      let bitmap = Bitmap(premultiplied: image.pixels, width: image.width)
    else { return }
    draw(
      bitmap, in: Envelope(xMin: 0, yMin: 0, xMax: Double(bitmap.width), yMax: Double(bitmap.height)))
  }

  /// Draws an image that fills a rectangle.
  mutating func draw(_ bitmap: Bitmap, in box: Envelope) {
    content.save()
    content.transform(box.width, 0, 0, -box.height, x: box.xMin, y: box.yMax)
    content += "/\(resources.image(bitmap)) Do\n"
    content.restore()
  }
}

extension Bitmap {
  /// Creates an image from whole rows of premultiplied pixels; nil without memory for it.
  init?(premultiplied pixels: [UInt32], width: Int) {
    guard width > 0, let bitmap = try? Bitmap(width: width, height: pixels.count / width) else { return nil }
    self = bitmap
    replaceRows(from: 0, premultiplied: pixels.span)
  }
}
