internal import Dispatch
internal import MapImages
internal import Synchronization

/// Some whole rows of a picture with a surface of their own.
///
/// A picture cut in bands can be painted by several threads, and looks the same however it is cut: a band is the
/// picture moved by whole pixels, which Cairo's fixed point (8 bits after the point) takes exactly. Each band has
/// memory of its own, copied together at the end: shared memory would save that copy (0.4 ms for 1024x768) and cost
/// a proof that no two threads touch one row.
final class PictureBand: Sendable {
  /// The picture's row that is the band's first.
  let top: Int
  /// Number of rows.
  let height: Int
  /// The pixels; the lock is what lets threads hand the band on, it is never waited for.
  private let surface: Mutex<CairoSurface>

  init(top: Int, width: Int, height: Int, format: CairoPixelFormat) throws(CairoError) {
    (self.top, self.height) = (top, height)
    let surface = try CairoSurface(width: width, height: height, format: format)
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

/// The bands of one picture, painted on several threads.
struct PictureBands {
  let bands: [PictureBand]

  /// Cuts a picture in as many bands as threads, at least one row each, as equal as whole rows can be.
  init(width: Int, height: Int, threads: Int, format: CairoPixelFormat) throws(PaintError) {
    do throws(BitmapError) {
      _ = try Bitmap.byteCount(width: width, height: height)
    } catch {
      throw PaintError(.bitmap(error))
    }
    let count = max(1, min(threads, height, 256))
    var bands: [PictureBand] = []
    for index in 0..<count {
      let (top, bottom) = (height * index / count, height * (index + 1) / count)
      do throws(CairoError) {
        bands.append(try PictureBand(top: top, width: width, height: bottom - top, format: format))
      } catch {
        throw PaintError(error)
      }
    }
    self.bands = bands
  }

  /// Runs `body` for every band at once, and returns when all are done; throws the first error, with the layer's name.
  ///
  /// Synchronous, because painting never waits for anything: a caller that must not block puts the whole picture
  /// on a thread of its choice. The calling thread works too, so it also ends when no other thread is free.
  func forEach(
    layer: String?, _ body: @Sendable (PictureBand) throws(CairoError) -> Void
  ) throws(PaintError) {
    let failure = Mutex<CairoError?>(nil)
    @Sendable func run(_ index: Int) {
      do throws(CairoError) {
        try body(bands[index])
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if bands.count == 1 {
      run(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: bands.count) { run($0) }
    }
    if let error = failure.withLock({ $0 }) { throw PaintError(error, layer: layer) }
  }
}
