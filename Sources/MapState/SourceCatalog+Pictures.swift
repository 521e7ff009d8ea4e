import MapModel

extension SourceCatalog {
  /// The picture of a symbol that a document names by a path or an address.
  ///
  /// A path is kept under the document's folder as those of layers are; of addresses only stand-ins are read.
  func picture(at url: String, documentFolder: String) -> Result<SymbolPicture, SymbolPictureError> {
    guard Self.scheme(of: url) != nil else {
      return picture(at: url) { () throws(SourceError) in try path(of: url, documentFolder: documentFolder) }
    }
    return picture(at: Self.shown(url)) { () throws(SourceError) in
      let standIns = if let standIns { standIns } else { try StandInCatalog.environment() }
      guard case .file(let path) = standIns.place(of: url) else {
        throw SourceError("pictures are not fetched; a file can stand in for it (--services)")
      }
      return path
    }
  }

  private func picture(
    at url: String, _ path: () throws(SourceError) -> String
  ) -> Result<SymbolPicture, SymbolPictureError> {
    do throws(SourceError) {
      return SymbolPicture.read(file: try path()).mapError { SymbolPictureError("\(url): \($0)") }
    } catch {
      // Errors about paths name them.
      let text = error.description
      return .failure(SymbolPictureError(text.hasPrefix(url) ? text : "\(url): \(text)"))
    }
  }
}

extension SymbolPicture {
  /// The picture in a file.
  static func read(file: String) -> Result<SymbolPicture, SymbolPictureError> {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(file, limit: maximumBytes)
    } catch {
      return .failure(SymbolPictureError(error.reason))
    }
    return Result { () throws(SymbolPictureError) in try SymbolPicture(pngData: bytes) }
  }
}
