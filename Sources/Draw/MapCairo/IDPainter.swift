package import MapDrawing
package import MapImages

/// A painter of id images: it paints the same items without anti-aliasing, with numbers as colours.
///
/// A pixel belongs to the last item whose fill or stroke contains its centre and is not fully transparent. Layer
/// opacity is ignored unless it is 0. Items narrower than a pixel may own no pixel.
///
/// - Cost: 4 bytes per pixel for painting, 6 for the result; about half of the reference painter's time.
package struct IDPainter: ~Copyable {
  private let width: Int
  private let bands: PictureBands
  private var image: IDImage
  /// The image row of the first row of the id image.
  private let top: Int

  /// The number of items that can be distinguished at once: 24-bit colours without 0.
  private static let chunk = 0xFF_FFFF

  /// Creates an id image whose pixels have no owner.
  ///
  /// - Throws: ``PaintError`` when a side is out of range or memory runs out.
  package init(width: Int, height: Int, threads: Int = 1) throws(PaintError) {
    try self.init(width: width, height: height, threads: threads, needed: nil)
  }

  private init(width: Int, height: Int, threads: Int, needed: Range<Int>?) throws(PaintError) {
    let bands = try PictureBands(
      width: width, height: height, threads: threads, format: .rgb24, needed: needed)
    let image: IDImage
    do throws(BitmapError) {
      image = try IDImage(width: width, height: max(1, bands.bands.reduce(0) { $0 + $1.height }))
    } catch {
      throw PaintError(.bitmap(error.description))
    }
    (self.width, self.bands, self.image, top) = (width, bands, image, bands.bands.first?.top ?? 0)
  }

  /// Paints a layer over the image.
  ///
  /// - Throws: ``PaintError`` when a batch is inconsistent, the layer's index is not 0 to 32,767, or memory runs out.
  package mutating func paint(_ layer: DisplayLayer) throws(PaintError) {
    guard layer.batches.allSatisfy(\.isConsistent) else {
      throw PaintError(.inconsistentBatch, layer: layer.name)
    }
    guard let index = Int16(exactly: layer.index), index >= 0 else {
      throw PaintError(.layerIndex(layer.index), layer: layer.name)
    }
    guard layer.opacity > 0 else { return }
    let rows = layer.batches.count == 1 ? layer.batches[0].rows : layer.batches.flatMap(\.rows)
    for first in stride(from: 0, to: rows.count, by: Self.chunk) {
      let items = first..<min(first + Self.chunk, rows.count)
      try paint(layer, items: items)
      try overlay(rows: rows.span.extracting(items), layer: index, name: layer.name)
    }
  }

  /// Paints some items of a layer on an empty surface.
  private func paint(_ layer: DisplayLayer, items: Range<Int>) throws(PaintError) {
    let width = width
    try bands.forEach(layer: layer.name) { band throws(CairoError) in
      let window = BandWindow(width: width, band: band)
      try band.withSurface { surface throws(CairoError) in
        try surface.draw { context throws(CairoError) in
          context.turnAntialiasingOff()
          context.replaceBelow()
          context.setColor(red: 0, green: 0, blue: 0)
          context.paint()
          context.prepare(for: window)
          var raster: PathRaster?
          try context.paint(layer, ink: .numbers(items), window: window, raster: &raster)
        }
      }
    }
  }

  private mutating func overlay(rows: Span<Int32>, layer: Int16, name: String) throws(PaintError) {
    for band in bands.bands {
      do throws(CairoError) {
        try band.withPixels { image.overlay(from: band.top - top, items: $0, layer: layer, rows: rows) }
      } catch {
        throw PaintError(error, layer: name)
      }
    }
  }

  /// Returns the id image as painted so far.
  package consuming func finish() -> IDImage { image }

  /// Returns the rows that own some pixels of a layer's image, which must be inside the image.
  ///
  /// The result is the same as in the layer's whole id image.
  ///
  /// - Cost: that of the image's bands that contain the pixels.
  /// - Throws: ``PaintError``, as ``init(width:height:threads:)`` and ``paint(_:)`` do.
  package static func owners(
    of pixels: [(x: Int, y: Int)], in layer: DisplayLayer, width: Int, height: Int
  ) throws(PaintError) -> Set<Int> {
    guard let first = pixels.map(\.y).min(), let last = pixels.map(\.y).max() else { return [] }
    var painter = try IDPainter(width: width, height: height, threads: 1, needed: first..<last + 1)
    let top = painter.top
    try painter.paint(layer)
    let image = painter.finish()
    return Set(pixels.compactMap { image[$0.x, $0.y - top]?.row })
  }

  /// Returns the id image of a whole display list.
  ///
  /// - Throws: ``PaintError``, as ``init(width:height:threads:)`` and ``paint(_:)`` do.
  package static func image(of list: DisplayList, threads: Int = 1) throws(PaintError) -> IDImage {
    var painter = try IDPainter(width: list.width, height: list.height, threads: threads)
    for layer in list.layers where layer.index >= 0 { try painter.paint(layer) }
    return painter.finish()
  }
}
