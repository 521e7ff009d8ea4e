internal import CCairo
package import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// A page of a PDF document: the display list of a map, and the parts over it.
package struct PDFPage: Sendable {
  /// The map.
  let map: DisplayList
  /// The position of the map's top left corner on the page, in output pixels.
  let x: Double
  let y: Double
  /// The page: its size, its colour and the parts over the map.
  let page: DisplayList
  /// Output pixels per view pixel.
  let pixelRatio: Double

  package init(map: DisplayList, origin: (x: Double, y: Double), page: DisplayList, pixelRatio: Double) {
    (self.map, self.page, self.pixelRatio) = (map, page, pixelRatio)
    (x, y) = origin
  }
}

/// A painter of display lists as PDF, in vectors.
///
/// A view pixel is 1/96 inch. Images of symbols keep their own pixels. The document has a fixed creation date, so the
/// same pages give the same bytes.
package enum PDFPainter {
  /// The creation date of every document.
  ///
  /// - Source: design decision; the start of 2000 in UTC.
  private static let creationDate = "2000-01-01T00:00:00Z"

  /// Returns a document.
  ///
  /// - Throws: ``PaintError``.
  package static func document(_ pages: [PDFPage], title: String) throws(PaintError) -> [UInt8] {
    let bytes = ByteSink()
    // The sink outlives the surface, which is finished and destroyed below.
    let surface: OpaquePointer? = unsafe cairo_pdf_surface_create_for_stream(
      { closure, data, count in
        guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = unsafe Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
        unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(bytes).toOpaque(), 1, 1)
    guard let surface = unsafe surface else { throw PaintError(CairoError.noMemory) }
    defer { unsafe cairo_surface_destroy(surface) }
    unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, creationDate)
    unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "MapState")
    if !title.isEmpty { unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title) }
    do throws(CairoError) {
      for page in pages {
        let points = 0.75 / page.pixelRatio
        unsafe cairo_pdf_surface_set_size(
          surface, Double(page.page.width) * points, Double(page.page.height) * points)
        let context = unsafe CairoContext(surface: surface)
        context.scale(points)
        try context.paint(page)
        context.showPage()
        if let error = context.error { throw error }
      }
      unsafe cairo_surface_finish(surface)
      if let error = unsafe CairoError(cairo_surface_status(surface)) { throw error }
    } catch {
      throw PaintError(error)
    }
    return bytes.bytes
  }

  /// The bytes that Cairo writes, as they arrive.
  private final class ByteSink {
    var bytes: [UInt8] = []
  }
}

extension CairoContext {
  /// Paints a page.
  fileprivate func paint(_ page: PDFPage) throws(CairoError) {
    setTolerance(Self.tolerance)
    fillAll(page.page.background, page.page)
    save()
    translate(x: page.x, y: page.y)
    rectangle(x: 0, y: 0, width: Double(page.map.width), height: Double(page.map.height))
    clipToPath()
    fillAll(page.map.background, page.map)
    var groups = OpenGroups()
    for layer in page.map.basemap + page.map.layers + page.map.overlays + page.map.labels {
      move(to: layer.groups, &groups)
      try paintVectors(layer, size: page.map)
    }
    move(to: [], &groups)
    restore()
    for layer in page.page.layers { try paintVectors(layer, size: page.page) }
  }

  /// Closes and opens groups before a layer.
  private func move(to groups: [DisplayGroup], _ open: inout OpenGroups) {
    let (closed, opened) = open.move(to: groups)
    for group in closed { endGroup(alpha: group.opacity, group.blendMode) }
    for _ in opened { beginGroup() }
  }

  private func fillAll(_ color: Color?, _ list: DisplayList) {
    guard let color, color.alpha > 0 else { return }
    setColor(color)
    newPath()
    rectangle(x: 0, y: 0, width: Double(list.width), height: Double(list.height))
    fill()
    newPath()
  }

  /// Paints the items of a layer in order, as vectors.
  private func paintVectors(_ layer: DisplayLayer, size: DisplayList) throws(CairoError) {
    guard layer.opacity > 0, layer.batches.allSatisfy(\.isConsistent) else { return }
    useEvenOddRule()
    if layer.isGroup { beginGroup() }
    for batch in layer.batches {
      switch batch {
      case .markers(let markers): try paintVectors(markers)
      case .paths(let paths): try paintVectors(paths, size)
      case .shapes(let shapes):
        var left = shapes.x.indices
        while let (paths, _) = shapes.nextPiece(&left) { try paintVectors(paths, size) }
      case .labels(let labels): paintVectors(labels, size)
      case .image(let image): try paintVectors(image)
      }
    }
    if layer.isGroup { endGroup(alpha: layer.opacity, layer.blendMode) }
  }

  private func paintVectors(_ image: DisplayImage) throws(CairoError) {
    let surface = try CairoSurface(
      width: image.width, height: image.pixels.count / image.width, format: .argb32)
    try surface.withMutablePixels { pixels in
      for index in pixels.indices { pixels[index] = image.pixels[index] }
    }
    lay(surface, alpha: 1, .normal)
  }

  private func paintVectors(_ batch: MarkerBatch) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    // The images by style; a file contains a surface once.
    var (pictures, pixels): ([Int: PictureSurface], Int) = ([:], 0)
    for item in batch.x.indices {
      let style = Int(batch.style[item])
      let look = looks[style]
      let (x, y) = (batch.x[item] + look.offsetX, batch.y[item] + look.offsetY)
      guard look.size > 0, abs(x) <= Self.coordinateLimit, abs(y) <= Self.coordinateLimit else { continue }
      func addShape() {
        newPath()
        addMarker(look.chains, isOpen: look.isOpen, radius: look.size / 2, x: x, y: y)
      }
      addShape()
      paintFill(look)
      switch look.block?.content {
      case .picture(let picture, let opacity):
        guard let block = look.block else { break }
        if let known = pictures[style] {
          draw(known, angle: look.angle, opacity: opacity, x: x, y: y)
          break
        }
        let image = try PictureSurface(picture, of: block)
        pixels += image.width * image.height
        if pixels > 1 << 22 { (pictures, pixels) = ([:], image.width * image.height) }
        pictures[style] = image
        draw(image, angle: look.angle, opacity: opacity, x: x, y: y)
      case .text(let text):
        useNonZeroRule()
        newPath()
        add(text.steps, x: { px, _ in x + px }, y: { _, py in y + py })
        paintLetters(text.style, ink: .colors)
        useEvenOddRule()
      case nil: break
      }
      if look.block != nil { addShape() }
      paintStroke(look)
    }
    newPath()
  }

  private func paintVectors(_ batch: PathBatch, _ size: DisplayList) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    let geometry = batch.geometry
    let (x, y) = (geometry.x.span, geometry.y.span)
    for item in batch.row.indices {
      let look = looks[Int(batch.style[item])]
      let sides = PathSides(x, y, geometry.vertices(ofRow: item))
      guard look.fill != nil || look.hatch != nil || look.stroke != nil, sides.isPaintable else { continue }
      newPath()
      for part in geometry.parts(ofRow: item) {
        addPart(
          x, y, geometry.vertices(ofPart: part), closed: geometry.kind == .polygon && !look.isOpen)
      }
      paintFill(look)
      if let hatch = look.hatch {
        let window = BandWindow(width: Double(size.width), height: Double(size.height))
        try paint(hatch, of: HatchedItem(batch: batch, index: item), box: sides, window: window)
      }
      if look.stroke != nil, isTiny(geometry, row: item) {
        paintTinyStroke(look, geometry, row: item, sides: sides)
      } else {
        paintStroke(look)
      }
    }
    newPath()
  }

  /// The size of a part in pixels below which its stroke is written as an area.
  ///
  /// Cairo rounds the vertices in a file to 1/256 point, and a path whose vertices are equal has no stroke.
  private static var tinySize: Double { 1 }

  /// Returns whether all parts of a row are tiny.
  private func isTiny(_ geometry: borrowing CoordinateBuffer, row: Int) -> Bool {
    let (x, y) = (geometry.x.span, geometry.y.span)
    for part in geometry.parts(ofRow: row) {
      let sides = PathSides(x, y, geometry.vertices(ofPart: part))
      guard max(sides.right - sides.left, sides.bottom - sides.top) < Self.tinySize else { return false }
    }
    return true
  }

  /// Fills the area of a stroke: the union of its pieces.
  private func paintTinyStroke(
    _ look: Look, _ geometry: borrowing CoordinateBuffer, row: Int, sides: PathSides
  ) {
    guard let color = look.stroke else { return }
    let outline = StrokeOutline(look)
    var segments = StrokeSegments()
    let top = sides.top - look.reach
    segments.read(
      geometry, parts: geometry.parts(ofRow: row), isClosed: geometry.kind == .polygon && !look.isOpen,
      halfWidth: outline.halfWidth, reach: look.reach, top: top, height: sides.bottom + look.reach - top)
    newPath()
    for part in segments.parts {
      outline.forEachPiece(of: part, segments) { piece in
        let corners = [piece.a, piece.b, piece.c, piece.d, piece.e]
        // Pieces of both directions would cancel out where they overlap.
        let area = corners.indices.dropFirst().reduce(0.0) { sum, index in
          let (a, b) = (corners[index - 1] - corners[0], corners[index] - corners[0])
          return sum + a.x * b.y - a.y * b.x
        }
        for (number, corner) in (area < 0 ? corners.reversed() : corners).enumerated() {
          if number == 0 {
            move(x: corner.x, y: corner.y + top)
          } else {
            line(x: corner.x, y: corner.y + top)
          }
        }
        close()
      }
    }
    setColor(color)
    useNonZeroRule()
    fill()
    useEvenOddRule()
  }

  private func paintFill(_ look: Look) {
    if let color = look.fill {
      setColor(color)
      fill()
    }
  }

  private func paintStroke(_ look: Look) {
    guard let color = look.stroke else { return }
    setColor(color)
    setLineWidth(look.width)
    setLineEnds(cap: look.cap, join: look.join, miterLimit: look.miterLimit)
    stroke()
  }

  private func paintVectors(_ batch: LabelBatch, _ size: DisplayList) {
    let window = BandWindow(width: Double(size.width), height: Double(size.height))
    paint(batch, items: batch.items.indices, first: 0, ink: .colors, window: window)
    newPath()
  }
}
