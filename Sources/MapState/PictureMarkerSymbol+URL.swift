public import FoundationEssentials
public import MapModel

extension PictureMarkerSymbol {
  /// A symbol of the picture in a file, read at once; nothing is fetched from elsewhere.
  ///
  /// What cannot be read is told by ``PictureMarkerSymbol/picture`` and by every picture that needs it.
  public init(url: URL) {
    guard url.isFileURL else {
      let error = SymbolPictureError("\(SourceCatalog.shown(url.absoluteString)): pictures are not fetched")
      self.init(picture: .failure(error), url: url.absoluteString)
      return
    }
    let picture = SymbolPicture.read(file: url.path).mapError { SymbolPictureError("\(url.path): \($0)") }
    self.init(picture: picture, url: url.path)
  }
}
