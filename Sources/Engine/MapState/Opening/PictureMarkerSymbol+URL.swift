public import FoundationEssentials
public import MapModel

extension PictureMarkerSymbol {
  /// Creates a symbol from an image file, which is read immediately; other URLs are not fetched.
  ///
  /// ``PictureMarkerSymbol/picture`` and every drawing of the symbol report an image that cannot be read.
  public init(url: URL) {
    guard url.isFileURL else {
      let error = SymbolPictureError(
        "\(SourceAddress.shown(url.absoluteString)): images are not fetched; use a file")
      self.init(picture: .failure(error), url: url.absoluteString)
      return
    }
    let picture = SymbolPicture.read(file: url.path).mapError { SymbolPictureError("\(url.path): \($0)") }
    self.init(picture: picture, url: url.path)
  }
}
