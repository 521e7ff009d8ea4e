public import MapModel
public import MapSystem

#if Labels
  import MapText
#endif

extension FontFile {
  /// Opens a TrueType or OpenType file of at most 64 MiB; of a collection, the first font.
  ///
  /// - Throws: ``MapStateError`` of kind input if the file cannot be read or is no font, or if this build has no labels.
  public init(path: String) throws(MapStateError) {
    let bytes: [UInt8]
    do {
      bytes = try FileAccess.read(path, limit: Self.largestSize)
    } catch {
      throw MapStateError(error)
    }
    #if Labels
      guard let font = FontFile(name: path, bytes: bytes) else {
        throw MapStateError(
          .input, "\(path) is no font; give a TrueType or OpenType file, such as .ttf or .otf")
      }
      self = font
    #else
      throw MapStateError(.input, "\(path) is not used: this build draws no labels (package trait Labels)")
    #endif
  }
}
