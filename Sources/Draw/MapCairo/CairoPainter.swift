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
/// Adjacent layers of a group that is drawn as one image are painted on an image of their own, see ``DisplayGroup``.
///
/// - Cost: 4 bytes per pixel, as much again while a layer with an opacity below 1 is painted and for each group, and
///   once more at the end.
package struct CairoPainter: ~Copyable {
  /// An image that is painted.
  private struct Canvas {
    let width: Int
    let height: Int
    let bands: PictureBands
  }

  private let canvas: Canvas
  private let method: PaintingMethod
  /// The colour that is laid below the finished layers; nil if it was painted first.
  private let ground: Color?
  /// The groups whose layers are being painted, the outermost first, each on an image of its own.
  private var groups: [(group: DisplayGroup, canvas: Canvas)] = []
  /// The counters of the work of the fast method.
  private let work: PaintingWork
  /// A request to leave the rest unpainted; nil for none.
  private let stop: PaintingStop?
  /// A raster for each thread.
  private let rasters: [RasterKeeper]

  /// The version of the Cairo library in use, such as `1.16.0`.
  package static var libraryVersion: String { unsafe String(cString: cairo_version_string()) }

  /// Creates an image filled with the background; nil is transparent.
  ///
  /// - Parameters:
  ///   - threads: the number of threads; numbers below 1 count as 1.
  ///   - isCut: whether layers cut each other out; the background, which they do not cut, is then laid below the finished
  ///     image.
  ///   - stop: a request to leave the rest unpainted; nil for none.
  /// - Throws: ``PaintError`` when a side is out of range or memory runs out.
  package init(
    width: Int, height: Int, background: Color?, isCut: Bool = false, threads: Int = 1,
    method: PaintingMethod = .fast, stop: PaintingStop? = nil
  ) throws(PaintError) {
    try self.init(
      width: width, height: height, background: background, isCut: isCut, threads: threads, method: method,
      bandRows: PictureBands.rows, stop: stop)
  }

  /// Creates an image in bands of at least `bandRows` rows; for tests, which use smaller bands or a single one.
  package init(
    width: Int, height: Int, background: Color?, isCut: Bool = false, threads: Int,
    method: PaintingMethod = .fast, bandRows: Int, work: PaintingWork = PaintingWork(),
    stop: PaintingStop? = nil
  ) throws(PaintError) {
    let pixel = try background.map { color throws(PaintError) in try Self.pixel(of: color) } ?? 0
    let bands = try PictureBands(
      width: width, height: height, threads: threads, format: .argb32, rows: bandRows,
      pixel: isCut ? 0 : pixel)
    canvas = Canvas(width: width, height: height, bands: bands)
    (self.method, ground, self.work, self.stop) = (method, isCut ? background : nil, work, stop)
    rasters = (0..<bands.threads).map { _ in RasterKeeper() }
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
    canvas = Canvas(width: bitmap.width, height: bitmap.height, bands: bands)
    (self.method, ground, work, stop) = (method, nil, PaintingWork(), nil)
    rasters = (0..<bands.threads).map { _ in RasterKeeper() }
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
  package mutating func paint(_ layer: DisplayLayer) throws(PaintError) { try paint([layer]) }

  /// Paints layers over the image, one over the other.
  ///
  /// Adjacent layers in the same groups are painted without waiting for each other: each part of the image gets its next
  /// layer as soon as it has the one before.
  ///
  /// - Throws: ``PaintError`` when a batch is inconsistent or memory runs out.
  package mutating func paint(_ layers: [DisplayLayer]) throws(PaintError) {
    for layer in layers where !layer.batches.allSatisfy(\.isConsistent) {
      throw PaintError(.inconsistentBatch, layer: layer.name)
    }
    var rest = layers.filter { $0.opacity > 0 }[...]
    while let first = rest.first {
      try enter(first.groups)
      let canvas = groups.last?.canvas ?? canvas
      let plain = rest.prefix { $0.groups == first.groups && $0.effect == nil }
      rest = rest.dropFirst(max(plain.count, 1))
      guard plain.isEmpty else {
        try paint(Array(plain), on: canvas)
        continue
      }
      let image = try first.applyingEffect(
        width: canvas.width, height: canvas.height, threads: canvas.bands.threads, method: method)
      try paint([image], on: canvas)
    }
  }

  /// Opens the images of groups, and closes those of others.
  private mutating func enter(_ around: [DisplayGroup]) throws(PaintError) {
    let shared = zip(groups, around).prefix { $0.group == $1 }.count
    try leave(to: shared)
    for group in around.dropFirst(shared) {
      let outer = groups.last?.canvas ?? canvas
      let (width, height) = (outer.width + 2 * group.margin, outer.height + 2 * group.margin)
      let bands = try PictureBands(
        width: width, height: height, threads: canvas.bands.threads, format: .argb32)
      groups.append((group, Canvas(width: width, height: height, bands: bands)))
    }
  }

  /// Closes the images of groups until only some are open, and lays each over the image around it.
  private mutating func leave(to count: Int) throws(PaintError) {
    while groups.count > count {
      let (group, own) = groups.removeLast()
      var pixels = try Self.pixels(of: own.bands)
      if !group.functions.isEmpty || group.margin > 0 {
        var image = EffectImage(width: own.width, pixels: pixels)
        image.apply(group.functions, pixelRatio: group.pixelRatio)
        pixels = image.cropped(by: group.margin)
      }
      let outer = groups.last?.canvas ?? canvas
      var layer = DisplayLayer(
        index: 0, name: "group", opacity: group.opacity,
        batches: [.image(DisplayImage(width: outer.width, pixels: pixels))])
      layer.blendMode = group.blendMode
      guard layer.opacity > 0 else { continue }
      try paint([layer], on: outer)
    }
  }

  private func paint(_ layers: [DisplayLayer], on canvas: Canvas) throws(PaintError) {
    let (width, work, stop, rasters) = (canvas.width, work, stop, rasters)
    if let stop, stop.isGiven { return }
    var prepared: [[PreparedBatch]] = []
    for layer in layers { prepared.append(try prepare(layer)) }
    let all = prepared
    try canvas.bands.forEach(layers: layers.map(\.name)) { band, index, thread throws(CairoError) in
      if let stop, stop.isGiven { return }
      let (layer, prepared) = (layers[index], all[index])
      var window = BandWindow(width: width, band: band)
      window.stop = stop
      let shown = window
      @Sendable func paint(on surface: borrowing CairoSurface) throws(CairoError) {
        try surface.draw { context throws(CairoError) in
          context.prepare(for: shown)
          try rasters[thread].withRaster { raster throws(CairoError) in
            try context.paint(
              layer, prepared: prepared, ink: .colors, window: shown, work: work, raster: &raster)
          }
        }
      }
      try band.withSurface { surface throws(CairoError) in
        guard layer.isGroup else { return try paint(on: surface) }
        let group = try CairoSurface(width: width, height: surface.height, format: .argb32)
        try paint(on: group)
        if let blending = PixelBlending(layer.blendMode, opacity: layer.opacity) {
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
    try complete()
    return try Self.pixels(of: canvas.bands)
  }

  /// Closes all groups, and lays the background below if that is still to be done.
  private mutating func complete() throws(PaintError) {
    try leave(to: 0)
    guard let ground else { return }
    try canvas.bands.forEach(layer: nil) { band throws(CairoError) in
      try band.withSurface { surface throws(CairoError) in
        try surface.draw { context in
          context.paintBelow()
          context.setColor(ground)
          context.paint()
        }
      }
    }
  }

  private static func pixels(of bands: PictureBands) throws(PaintError) -> [UInt32] {
    var pixels: [UInt32] = []
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
    try complete()
    let bands = canvas.bands.bands
    var failure: CairoError?
    let bitmap: Bitmap
    do throws(MapStateError) {
      bitmap = try Bitmap(width: canvas.width, height: canvas.height) { add in
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

  /// Returns the premultiplied pixels of a whole display list, row by row.
  static func pixels(of list: DisplayList) throws(PaintError) -> [UInt32] {
    try painted(list, threads: 1, method: .fast, work: PaintingWork()).premultipliedPixels()
  }

  /// Returns the image of a whole display list and counts the work.
  package static func bitmap(
    of list: DisplayList, threads: Int = 1, method: PaintingMethod = .fast, work: PaintingWork
  ) throws(PaintError) -> Bitmap {
    try painted(list, threads: threads, method: method, work: work).finish()
  }

  private static func painted(
    _ list: DisplayList, threads: Int, method: PaintingMethod, work: PaintingWork
  ) throws(PaintError) -> CairoPainter {
    var painter = try CairoPainter(
      width: list.width, height: list.height, background: list.background, isCut: list.cuts, threads: threads,
      method: method, bandRows: PictureBands.rows, work: work)
    for layer in list.basemap + list.layers + list.overlays + list.labels { try painter.paint(layer) }
    return painter
  }
}
