internal import MapImages
internal import MapModel
internal import Synchronization

/// The key of a stamp: an image, its drawn size in pixels, its rotation and its opacity.
struct StampForm: Hashable {
  let picture: SymbolPicture
  let width: Double
  let height: Double
  /// The clockwise rotation in degrees.
  let angle: Double
  let opacity: Double

  fileprivate var turn: (cosine: Double, sine: Double) { ResolvedViewpoint.cosineAndSine(angle) }

  /// The number of pixels in a row and the number of rows.
  var size: (width: Int, height: Int) { PictureStamp.size(width: width, height: height, turn: turn) }
}

/// A cache of scaled and rotated images for other bands and later images.
///
/// A stamp depends on its form alone, so earlier painting never affects an image.
final class StampStore: Sendable {
  static let shared = StampStore()

  /// The maximum number of cached stamp pixels, and of pixels of decoded images; beyond it the cache is emptied.
  private static let limit = 1 << 23

  private struct State {
    var stamps: [StampForm: PictureStamp] = [:]
    var stampPixels = 0
    var pictures: [SymbolPicture: Bitmap] = [:]
    var picturePixels = 0
  }
  private let state = Mutex(State())

  /// Returns the stamp of a form with at least the given part; makes it when it is not cached.
  ///
  /// A stamp that is too large to be cached is made of the part alone.
  func stamp(of form: StampForm, columns: Range<Int>, rows: Range<Int>) throws(CairoError) -> PictureStamp {
    if let known = state.withLock({ $0.stamps[form] }) { return known }
    let size = form.size
    let isLarge = size.width * size.height > Self.limit - 64
    let stamp = PictureStamp(
      try bitmap(of: form.picture), width: form.width, height: form.height, turn: form.turn,
      opacity: form.opacity, part: isLarge ? (columns, rows) : nil)
    guard !isLarge else { return stamp }
    state.withLock { state in
      // A stamp takes somewhat more memory than its pixels.
      let size = stamp.pixels.count + 64
      if state.stampPixels + size > Self.limit { (state.stamps, state.stampPixels) = ([:], 0) }
      guard size <= Self.limit, state.stamps.updateValue(stamp, forKey: form) == nil else { return }
      state.stampPixels += size
    }
    return stamp
  }

  /// Decodes an image; the same decoding succeeded when the symbol was created.
  private func bitmap(of picture: SymbolPicture) throws(CairoError) -> Bitmap {
    if let known = state.withLock({ $0.pictures[picture] }) { return known }
    guard let bitmap = try? picture.bitmap() else { throw .noMemory }
    state.withLock { state in
      let size = bitmap.width * bitmap.height
      if state.picturePixels + size > Self.limit { (state.pictures, state.picturePixels) = ([:], 0) }
      guard size <= Self.limit, state.pictures.updateValue(bitmap, forKey: picture) == nil else { return }
      state.picturePixels += size
    }
    return bitmap
  }
}
