import MapImages
import MapModel
import MapPictures
import MapSystem

extension SourceCatalog {
  /// Returns the image of a symbol that a document names by a path or URL.
  ///
  /// Like the paths of layers, the path must be below the document's folder. A URL is only read from its stand-in.
  func picture(at url: String, documentFolder: String) -> Result<SymbolPicture, SymbolPictureError> {
    guard SourceAddress.scheme(of: url) != nil else {
      return picture(at: url) { () throws(MapStateError) in try path(of: url, documentFolder: documentFolder)
      }
    }
    return picture(at: SourceAddress.shown(url)) { () throws(MapStateError) in
      let standIns = if let standIns { standIns } else { try StandInCatalog.environment() }
      guard case .file(let path) = standIns.place(of: url) else {
        throw MapStateError(.input, "images are not fetched; map this address to a file with --services")
      }
      return path
    }
  }

  private func picture(
    at url: String, _ path: () throws(MapStateError) -> String
  ) -> Result<SymbolPicture, SymbolPictureError> {
    do throws(MapStateError) {
      return SymbolPicture.read(file: try path()).mapError { SymbolPictureError("\(url): \($0)") }
    } catch {
      // Errors about paths already start with the path.
      let text = error.description
      return .failure(SymbolPictureError(text.hasPrefix(url) ? text : "\(url): \(text)"))
    }
  }
}

extension SymbolPicture {
  /// Returns the image in a file.
  static func read(file: String) -> Result<SymbolPicture, SymbolPictureError> {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(file, limit: maximumBytes)
    } catch {
      return .failure(SymbolPictureError(error.reason))
    }
    if isSVG(bytes) {
      do throws(VectorPicture.Failure) {
        let (image, density) = try VectorPicture.draw(svg: bytes)
        return .success(SymbolPicture(image, density: density))
      } catch {
        return .failure(SymbolPictureError("SVG: \(error.reason)"))
      }
    }
    return Result { () throws(SymbolPictureError) in try SymbolPicture(pngData: bytes) }
  }

  /// Returns whether bytes are SVG: XML whose first 4 KiB have its root element.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<") && start.contains("<svg")
  }
}
