internal import CCairo
package import MapDrawing
package import MapImages
package import MapModel
import MapSystem

/// A painter of display lists.
///
/// Layers are painted one at a time, so that a layer can be released before the next is made. Within a layer every
/// item is painted separately and in order: filled (even-odd), then stroked. The image is the same for every number
/// of threads. Anti-aliasing is Cairo's default, curves are within 1/40 px, and nothing depends on the machine's
/// settings. See ``CairoContext`` for items that are skipped because they are beyond Cairo's range.
///
/// - Cost: 4 bytes per pixel, as much again while a layer with an opacity below 1 is painted, and once more at the
///   end.
package struct CairoPainter: ~Copyable {
  private let width: Int
  private let height: Int
  private let method: PaintingMethod
  private let bands: PictureBands
  /// The counters of the work of the fast method.
  private let work: PaintingWork
  /// A request to leave the rest unpainted; nil for none.
  private let stop: PaintingStop?

  /// The version of the Cairo library in use, such as `1.16.0`.
  package static var libraryVersion: String { unsafe String(cString: cairo_version_string()) }

  /// Creates an image filled with the background; nil is transparent.
  ///
  /// - Parameters:
  ///   - threads: the number of threads; numbers below 1 count as 1.
  ///   - stop: a request to leave the rest unpainted; nil for none.
  /// - Throws: ``PaintError`` when a side is out of range or memory runs out.
  package init(
    width: Int, height: Int, background: Color?, threads: Int = 1, method: PaintingMethod = .fast,
    stop: PaintingStop? = nil
  ) throws(PaintError) {
    try self.init(
      width: width, height: height, background: background, threads: threads, method: method,
      bandRows: PictureBands.rows, stop: stop)
  }

  /// Creates an image in bands of at least `bandRows` rows; for tests, which use smaller bands or a single one.
  package init(
    width: Int, height: Int, background: Color?, threads: Int, method: PaintingMethod = .fast, bandRows: Int,
    work: PaintingWork = PaintingWork(), stop: PaintingStop? = nil
  ) throws(PaintError) {
    let pixel = try background.map { color throws(PaintError) in try Self.pixel(of: color) } ?? 0
    let bands = try PictureBands(
      width: width, height: height, threads: threads, format: .argb32, rows: bandRows, pixel: pixel)
    (self.width, self.height, self.method, self.bands) = (width, height, method, bands)
    (self.work, self.stop) = (work, stop)
  }

  /// Creates an image that starts with the pixels of another one.
  ///
  /// - Throws: ``PaintError`` when memory runs out.
  package init(
    over bitmap: Bitmap, threads: Int = 1, method: PaintingMethod = .fast
  ) throws(PaintError) {
    let bands = try PictureBands(
      width: bitmap.width, height: bitmap.height, threads: threads, format: .argb32)
    try bands.forEach(layer: nil) { band throws(CairoError) in
      try band.withSurface { surface throws(CairoError) in
        try surface.withMutablePixels { pixels in
          bitmap.copy(rows: band.top - band.apron..<band.top + band.height, to: &pixels)
        }
      }
    }
    (width, height, self.method) = (bitmap.width, bitmap.height, method)
    (self.bands, work, stop) = (bands, PaintingWork(), nil)
  }

  /// Returns the pixel that Cairo paints for a colour.
  private static func pixel(of color: Color) throws(PaintError) -> UInt32 {
    do throws(CairoError) {
      let surface = try CairoSurface(width: 1, height: 1, format: .argb32)
      try surface.draw { context in
        context.replaceBelow()
        context.setColor(color)
        context.paint()
      }
      return try surface.withPixels { $0[0] }
    } catch {
      throw PaintError(error)
    }
  }

  /// Paints a layer over the image.
  ///
  /// A layer paints nothing unless its opacity is above 0.
  ///
  /// - Throws: ``PaintError`` when a batch is inconsistent or memory runs out.
  package mutating func paint(_ layer: DisplayLayer) throws(PaintError) {
    guard layer.batches.allSatisfy(\.isConsistent) else {
      throw PaintError(.inconsistentBatch, layer: layer.name)
    }
    guard layer.opacity > 0 else { return }
    if layer.effect != nil {
      return try paint(
        layer.applyingEffect(width: width, height: height, threads: bands.threads, method: method))
    }
    let (width, work, stop) = (width, work, stop)
    if let stop, stop.isGiven { return }
    let prepared = try prepare(layer)
    try bands.forEach(layer: layer.name) { band throws(CairoError) in
      if let stop, stop.isGiven { return }
      var window = BandWindow(width: width, band: band)
      window.stop = stop
      try band.withSurface { surface throws(CairoError) in
        guard layer.isGroup else {
          return try surface.draw { context throws(CairoError) in
            context.prepare(for: window)
            try context.paint(layer, prepared: prepared, ink: .colors, window: window, work: work)
          }
        }
        let group = try CairoSurface(width: width, height: surface.height, format: .argb32)
        try group.draw { context throws(CairoError) in
          context.prepare(for: window)
          try context.paint(layer, prepared: prepared, ink: .colors, window: window, work: work)
        }
        if let blending = HueBlending(layer.blendMode, opacity: layer.opacity) {
          return try blending.blend(group, over: surface)
        }
        try surface.draw { $0.lay(group, alpha: layer.opacity, layer.blendMode) }
      }
    }
  }

  /// Prepares the batches of a layer for the fast method; returns nothing for the reference method.
  private func prepare(_ layer: DisplayLayer) throws(PaintError) -> [PreparedBatch] {
    guard method == .fast else { return [] }
    var prepared: [PreparedBatch] = []
    for batch in layer.batches {
      do throws(CairoError) {
        prepared.append(try PreparedBatch(batch))
      } catch {
        throw PaintError(error, layer: layer.name)
      }
    }
    return prepared
  }

  /// Returns the pixels row by row, as a ``DisplayImage`` has them.
  ///
  /// - Throws: ``PaintError`` when memory runs out.
  consuming func premultipliedPixels() throws(PaintError) -> [UInt32] {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for band in bands.bands {
      do throws(CairoError) {
        try band.withPixels { span in for index in span.indices { pixels.append(span[index]) } }
      } catch {
        throw PaintError(error)
      }
    }
    return pixels
  }

  /// Returns the painted image.
  ///
  /// - Throws: ``PaintError`` when memory runs out.
  package consuming func finish() throws(PaintError) -> Bitmap {
    let bands = bands.bands
    var failure: CairoError?
    let bitmap: Bitmap
    do throws(MapStateError) {
      bitmap = try Bitmap(width: width, height: height) { add in
        for band in bands {
          do throws(CairoError) { try band.withPixels(add) } catch { failure = failure ?? error }
        }
      }
    } catch {
      throw PaintError(.bitmap(error.description))
    }
    if let failure { throw PaintError(failure) }
    return bitmap
  }

  /// Returns the image of a whole display list.
  ///
  /// - Throws: ``PaintError``, as ``init(width:height:background:threads:method:)``, ``paint(_:)`` and ``finish()``
  ///   do.
  package static func bitmap(
    of list: DisplayList, threads: Int = 1, method: PaintingMethod = .fast
  ) throws(PaintError) -> Bitmap {
    try bitmap(of: list, threads: threads, method: method, work: PaintingWork())
  }

  /// Returns the image of a whole display list and counts the work.
  package static func bitmap(
    of list: DisplayList, threads: Int = 1, method: PaintingMethod = .fast, work: PaintingWork
  ) throws(PaintError) -> Bitmap {
    var painter = try CairoPainter(
      width: list.width, height: list.height, background: list.background, threads: threads, method: method,
      bandRows: PictureBands.rows, work: work)
    for layer in list.basemap + list.layers + list.overlays + list.labels { try painter.paint(layer) }
    return try painter.finish()
  }
}
