internal import MapImages
internal import MapModel
internal import Synchronization

/// What decides a stamp: a picture, the size in pixels that it is drawn in, its turn and opacity.
struct StampForm: Hashable {
  let picture: SymbolPicture
  let width: Double
  let height: Double
  /// Clockwise, in degrees.
  let angle: Double
  let opacity: Double
}

/// Pictures scaled and turned, kept for other bands and later pictures.
///
/// A stamp depends on its form alone, so what was painted before changes no picture.
final class StampStore: Sendable {
  static let shared = StampStore()

  /// How many pixels are kept of stamps, and as many of decoded pictures; beyond, all are forgotten and kept anew.
  private static let limit = 1 << 23

  private struct State {
    var stamps: [StampForm: PictureStamp] = [:]
    var stampPixels = 0
    var pictures: [SymbolPicture: Bitmap] = [:]
    var picturePixels = 0
  }
  private let state = Mutex(State())

  /// The stamp of a form; one that is not there is made.
  func stamp(of form: StampForm) throws(CairoError) -> PictureStamp {
    if let known = state.withLock({ $0.stamps[form] }) { return known }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(form.angle)
    let stamp = PictureStamp(
      try bitmap(of: form.picture), width: form.width, height: form.height, turn: (cosine, sine),
      opacity: form.opacity)
    state.withLock { state in
      // A stamp takes some more than its pixels.
      let size = stamp.pixels.count + 64
      if state.stampPixels + size > Self.limit { (state.stamps, state.stampPixels) = ([:], 0) }
      guard size <= Self.limit, state.stamps.updateValue(stamp, forKey: form) == nil else { return }
      state.stampPixels += size
    }
    return stamp
  }

  /// A picture decoded, which was possible when the symbol was made.
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
