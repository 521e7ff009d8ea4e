internal import Synchronization

/// The raster of a thread that paints an image; it keeps its memory from layer to layer, unless that is large.
final class RasterKeeper: Sendable {
  /// The raster; the lock lets threads pass it on, and no thread ever waits for it.
  private let raster = Mutex<PathRaster?>(nil)

  /// The largest memory that is kept besides the pixels, in bytes.
  ///
  /// - Source: design decision; only strokes with tens of thousands of vertices take more.
  private static let kept = 4 << 20

  /// Lends the raster, which is nil until it is first needed, and after an error.
  func withRaster(_ body: (inout PathRaster?) throws(CairoError) -> Void) throws(CairoError) {
    let error = raster.withLock { raster -> CairoError? in
      do throws(CairoError) {
        try body(&raster)
        if (raster?.byteCount ?? 0) > Self.kept { raster = nil }
        return nil
      } catch {
        raster = nil
        return error
      }
    }
    if let error { throw error }
  }
}
