import FoundationEssentials
import MapImages
import MapModel
import MapPictures
import MapSystem
import MapTiles

extension SourceCatalog {
  /// Returns the image of a symbol that a document names by a path or URL.
  ///
  /// Like the paths of layers, the path must be below the document's folder. A URL is only read from its stand-in.
  func picture(at url: String, documentFolder: String) -> Result<SymbolPicture, SymbolPictureError> {
    if url.hasPrefix("data:") { return SymbolPicture.read(dataURL: url) }
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
    return read(bytes)
  }

  /// Returns the image of a `data:` address in base64.
  static func read(dataURL: String) -> Result<SymbolPicture, SymbolPictureError> {
    let text = dataURL.drop { $0 != "," }.dropFirst()
    // White space is ignored; anything else that is not base64 is an error.
    guard text.utf8.count <= 2 * maximumBytes,
      let data = Data(base64Encoded: String(text.filter { !$0.isWhitespace })), !data.isEmpty
    else { return .failure(SymbolPictureError("the data are not base64")) }
    return read(Array(data))
  }

  /// Returns the image of bytes: PNG, JPEG, WebP or SVG.
  private static func read(_ bytes: [UInt8]) -> Result<SymbolPicture, SymbolPictureError> {
    if isSVG(bytes) {
      do throws(VectorPicture.Failure) {
        let (image, density) = try VectorPicture.draw(svg: bytes)
        return .success(SymbolPicture(image, density: density))
      } catch {
        return .failure(SymbolPictureError("SVG: \(error.reason)"))
      }
    }
    do throws(TileError) {
      if let image = try TileDecoder.photograph(bytes, maximumPixels: maximumPixels) {
        return .success(SymbolPicture(image))
      }
    } catch {
      return .failure(SymbolPictureError(error.description))
    }
    return Result { () throws(SymbolPictureError) in try SymbolPicture(png: bytes) }
  }

  /// Returns whether bytes are SVG: XML whose first 4 KiB have its root element.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<") && start.contains("<svg")
  }
}
