import MapImages
import MapJSON
import MapModel
import MapReaders

/// The answer of a service to the request for an image.
enum ImageAnswer {
  /// Returns the image of an answer, which must have the size that was asked for.
  ///
  /// - Throws: ``TileError`` with the reason that the service gives, such as an exception of WMS with the status 200.
  static func image(
    _ body: [UInt8], status: Int, width: Int, height: Int
  ) throws(TileError) -> Bitmap {
    guard status == 200 else {
      throw TileError("was answered with status \(status)" + (fault(body).map { ": \($0)" } ?? ""))
    }
    guard TileDecoder.isImage(body) else {
      throw TileError(fault(body).map { "was refused: \($0)" } ?? TileDecoder.reason(body))
    }
    let image: Bitmap
    let limit = TileScheme.tileSizes.upperBound * TileScheme.tileSizes.upperBound
    if let photograph = try TileDecoder.photograph(body, maximumPixels: limit) {
      image = photograph
    } else {
      do { image = try PNGCodec.decode(body, maximumPixels: limit) } catch {
        throw TileError(error.description)
      }
    }
    guard image.width == width, image.height == height else {
      throw TileError("is \(image.width)x\(image.height) pixels; expected \(width)x\(height)")
    }
    return image
  }

  /// Returns the fault that an answer reports, in one line of at most 300 characters; nil for another answer.
  ///
  /// - Source: OGC 01-068r3 and 06-042, `ServiceException`; OGC 06-121r9, `ExceptionText`; the object `error` of the ArcGIS
  ///   REST API.
  private static func fault(_ body: [UInt8]) -> String? {
    guard body.count < 1 << 20, let first = body.first(where: { $0 > 0x20 && $0 < 0x80 }) else { return nil }
    var text: String?
    if first == UInt8(ascii: "{") {
      let error = (try? JSONValue(parsing: body))?["error"]
      let details = (error?["details"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
      text = ([error?["message"]?.string ?? ""].filter { !$0.isEmpty } + details).joined(separator: "; ")
    } else if first == UInt8(ascii: "<") {
      text = try? exception(body)
    }
    let line = text?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    guard !line.isEmpty else { return nil }
    return line.count > 300 ? line.prefix(300) + "…" : line
  }

  /// Returns the code and the text of the first exception in XML; nil for other XML.
  private static func exception(_ body: [UInt8]) throws -> String? {
    var scanner = XMLScanner(body)
    var code: String?
    while let part = try scanner.next() {
      guard part == .start else { continue }
      switch scanner.name {
      case "Exception": code = try scanner.attribute("exceptionCode")
      case "ServiceException", "ExceptionText":
        code = try scanner.attribute("code") ?? code
        let text = String(decoding: try scanner.elementText(), as: UTF8.self)
        return [code ?? "", text].filter { !$0.isEmpty }.joined(separator: ": ")
      default: break
      }
    }
    return nil
  }
}
