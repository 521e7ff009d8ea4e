internal import Dispatch
internal import MapImages
internal import Synchronization

/// A band: some whole rows of an image with a surface of their own.
///
/// A band is the image moved by whole pixels, which Cairo's fixed point (8 bits after the point) represents exactly.
/// Still, its pixels are not always those of an undivided image. Where the scan begins, shapes from above enter in
/// another order, and Cairo takes 15 samples per pixel where it could be exact. So every band except the first has
/// one extra row on top, which is discarded. The remaining differences are single pixels and rare (tests: 3 of
/// 354,820 when cut into single rows, by up to 24 of 255). An image is therefore always cut in the same way, whatever
/// the number of threads.
///
/// Each band has memory of its own, copied together at the end. Shared memory would save that copy, but would require
/// a proof that no two threads access the same row.
final class PictureBand: Sendable {
  /// The image row of the band's first row.
  let top: Int
  /// The number of image rows.
  let height: Int
  /// The number of surface rows above the first image row: 0 or 1.
  let apron: Int
  /// The surface; the lock lets threads pass the band on, and no thread ever waits for it.
  private let surface: Mutex<CairoSurface>

  /// Creates a band with one value for all pixels; only bands in ARGB32 format may have another one than 0.
  init(
    top: Int, width: Int, height: Int, format: CairoPixelFormat, pixel: UInt32 = 0
  ) throws(CairoError) {
    (self.top, self.height, apron) = (top, height, min(top, 1))
    let surface =
      pixel == 0
      ? try CairoSurface(width: width, height: height + apron, format: format)
      : try CairoSurface(width: width, height: height + apron, pixel: pixel)
    self.surface = Mutex(surface)
  }

  /// Lends the surface.
  func withSurface(_ body: (borrowing CairoSurface) throws(CairoError) -> Void) throws(CairoError) {
    let error = surface.withLock { surface -> CairoError? in
      do throws(CairoError) {
        try body(surface)
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
  }
}

extension PictureBand {
  /// Lends the image's pixels, row by row without gaps.
  func withPixels(_ body: (Span<UInt32>) -> Void) throws(CairoError) {
    try withSurface { surface throws(CairoError) in
      try surface.withPixels { body($0.extracting(droppingFirst: apron * surface.width)) }
    }
  }
}

/// The bands of one image, painted on several threads.
struct PictureBands {
  /// The minimum number of rows of a band, unless the image is lower.
  ///
  /// Smaller bands would paint tall shapes more often; larger ones would leave threads idle.
  static let rows = 192

  let bands: [PictureBand]
  /// The number of threads that paint, at most that of bands.
  let threads: Int

  /// Divides an image by its height alone, so that every number of threads paints the same image.
  ///
  /// - Parameters:
  ///   - needed: the required image rows; bands without any of them are skipped.
  ///   - pixel: the value of all pixels; other than 0 only in ARGB32 format.
  init(
    width: Int, height: Int, threads: Int, format: CairoPixelFormat, rows: Int = Self.rows,
    needed: Range<Int>? = nil, pixel: UInt32 = 0
  ) throws(PaintError) {
    do throws(BitmapError) {
      _ = try Bitmap.byteCount(width: width, height: height)
    } catch {
      throw PaintError(.bitmap(error.description))
    }
    let count = max(1, height / max(1, rows))
    var bands: [PictureBand] = []
    for index in 0..<count {
      let (top, bottom) = (height * index / count, height * (index + 1) / count)
      if let needed, !needed.overlaps(top..<bottom) { continue }
      do throws(CairoError) {
        bands.append(
          try PictureBand(top: top, width: width, height: bottom - top, format: format, pixel: pixel))
      } catch {
        throw PaintError(error)
      }
    }
    self.bands = bands
    self.threads = max(1, min(threads, count))
  }

  /// Calls `body` for every band and returns when all are done; throws the first error with the layer's name.
  ///
  /// The method is synchronous, because painting never waits for anything. A caller that must not block runs the
  /// whole painting on a thread of its choice. The calling thread works too, so the method also finishes when no
  /// other thread is free.
  func forEach(
    layer: String?, _ body: @Sendable (PictureBand) throws(CairoError) -> Void
  ) throws(PaintError) {
    try forEach(layers: [layer]) { band, _, _ throws(CairoError) in try body(band) }
  }

  /// Calls `body` for every band and each layer, with the index of the layer and the number of the thread, from 0.
  ///
  /// The layers of a band follow one another, the bands do not wait for each other. A thread takes the band that is
  /// farthest behind, so that all threads have work nearly to the end.
  ///
  /// - Parameter layers: the names of the layers, for errors.
  func forEach(
    layers: [String?], _ body: @Sendable (PictureBand, _ layer: Int, _ thread: Int) throws(CairoError) -> Void
  ) throws(PaintError) {
    let progress = Mutex(Progress(layers: layers.count, bands: bands.count))
    @Sendable func work(_ thread: Int) {
      var last: Int?
      while let (band, layer) = progress.withLock({ $0.next(after: last) }) {
        last = band
        do throws(CairoError) {
          try body(bands[band], layer, thread)
        } catch {
          progress.withLock { $0.failure = $0.failure ?? PaintError(error, layer: layers[layer]) }
        }
      }
    }
    if threads == 1 { work(0) } else { DispatchQueue.concurrentPerform(iterations: threads, execute: work) }
    if let failure = progress.withLock({ $0.failure }) { throw failure }
  }

  /// The layers that the bands of an image have.
  private struct Progress {
    let layers: Int
    /// For each band, the number of its layers, and whether a thread paints the next one.
    private var bands: [(layers: Int, isBusy: Bool)]
    /// The first error.
    var failure: PaintError?

    init(layers: Int, bands: Int) {
      (self.layers, self.bands) = (layers, Array(repeating: (0, false), count: bands))
    }

    /// Ends the work on a band, and returns the next one for the thread; nil when other threads have the rest, or after an
    /// error.
    mutating func next(after last: Int?) -> (band: Int, layer: Int)? {
      if let last { bands[last] = (bands[last].layers + 1, false) }
      let open = bands.indices.filter { !bands[$0].isBusy && bands[$0].layers < layers }
      guard failure == nil, let next = open.min(by: { bands[$0].layers < bands[$1].layers }) else {
        return nil
      }
      bands[next].isBusy = true
      return (next, bands[next].layers)
    }
  }
}
