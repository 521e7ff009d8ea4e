internal import Synchronization

/// The raster of a thread that paints an image; it keeps its memory from layer to layer.
final class RasterKeeper: Sendable {
  /// The raster; the lock lets threads pass it on, and no thread ever waits for it.
  private let raster = Mutex<PathRaster?>(nil)

  /// Lends the raster, which is nil until it is first needed and after an error.
  func withRaster(_ body: (inout PathRaster?) throws(CairoError) -> Void) throws(CairoError) {
    let error = raster.withLock { raster -> CairoError? in
      do throws(CairoError) {
        try body(&raster)
        return nil
      } catch {
        raster = nil
        return error
      }
    }
    if let error { throw error }
  }
}
