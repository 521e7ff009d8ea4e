internal import Dispatch
internal import MapImages
internal import Synchronization

/// Some whole rows of a picture with a surface of their own.
///
/// A band is the picture moved by whole pixels, which Cairo's fixed point (8 bits after the point) takes exactly.
/// Still its pixels are not always those of an uncut picture: where the scan begins, shapes from above enter in another
/// order, and Cairo takes 15 samples a pixel where it could be exact. So every band but the first has one row more on
/// top, which is thrown away; what remains are single pixels, rarely (tests: 3 of 354,820
/// when cut into single rows, up to 24 of 255). A picture is
/// therefore always cut alike, whatever the number of threads.
///
/// Each band has memory of its own, copied together at the end: shared memory would save that copy and cost a proof
/// that no two threads touch one row.
final class PictureBand: Sendable {
  /// The picture's row that is the band's first.
  let top: Int
  /// Number of the picture's rows.
  let height: Int
  /// Rows of the surface above the first: 0 or 1.
  let apron: Int
  /// The pixels; the lock is what lets threads hand the band on, it is never waited for.
  private let surface: Mutex<CairoSurface>

  init(top: Int, width: Int, height: Int, format: CairoPixelFormat) throws(CairoError) {
    (self.top, self.height, apron) = (top, height, min(top, 1))
    let surface = try CairoSurface(width: width, height: height + apron, format: format)
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
  /// Lends the picture's pixels, row by row without gaps.
  func withPixels(_ body: (Span<UInt32>) -> Void) throws(CairoError) {
    try withSurface { surface throws(CairoError) in
      try surface.withPixels { body($0.extracting(droppingFirst: apron * surface.width)) }
    }
  }
}

/// The bands of one picture, painted on several threads.
struct PictureBands {
  /// Rows of a band, at least, unless the picture is lower.
  ///
  /// More bands than this gives would paint tall shapes more often, fewer would leave threads idle.
  static let rows = 192

  let bands: [PictureBand]
  private let threads: Int

  /// Cuts a picture by its height alone, so that every number of threads paints the same.
  ///
  /// - Parameter needed: rows of the picture; bands that hold none of them are left out.
  init(
    width: Int, height: Int, threads: Int, format: CairoPixelFormat, rows: Int = Self.rows,
    needed: Range<Int>? = nil
  ) throws(PaintError) {
    do throws(BitmapError) {
      _ = try Bitmap.byteCount(width: width, height: height)
    } catch {
      throw PaintError(.bitmap(error))
    }
    let count = max(1, height / max(1, rows))
    var bands: [PictureBand] = []
    for index in 0..<count {
      let (top, bottom) = (height * index / count, height * (index + 1) / count)
      if let needed, !needed.overlaps(top..<bottom) { continue }
      do throws(CairoError) {
        bands.append(try PictureBand(top: top, width: width, height: bottom - top, format: format))
      } catch {
        throw PaintError(error)
      }
    }
    self.bands = bands
    self.threads = max(1, min(threads, count))
  }

  /// Runs `body` for every band, and returns when all are done; throws an error that came up, with the layer's name.
  ///
  /// Synchronous, because painting never waits for anything: a caller that must not block puts the whole picture
  /// on a thread of its choice. The calling thread works too, so it also ends when no other thread is free.
  func forEach(
    layer: String?, _ body: @Sendable (PictureBand) throws(CairoError) -> Void
  ) throws(PaintError) {
    let failure = Mutex<CairoError?>(nil)
    let next = Atomic(0)
    @Sendable func work() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if index >= bands.count { return }
        do throws(CairoError) {
          try body(bands[index])
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if threads == 1 { work() } else { DispatchQueue.concurrentPerform(iterations: threads) { _ in work() } }
    if let error = failure.withLock({ $0 }) { throw PaintError(error, layer: layer) }
  }
}
