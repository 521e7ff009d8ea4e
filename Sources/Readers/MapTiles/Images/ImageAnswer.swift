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
      do { image = try PNGCodec.decode(body, maximumPixels: limit) } catch { throw TileDecoder.fault(error) }
    }
    guard image.width == width, image.height == height else {
      throw TileError("is \(image.width)x\(image.height) pixels; expected \(width)x\(height)")
    }
    return image
  }

  /// Returns the fault that an answer reports, in one line of at most 300 characters; nil for another answer.
  ///
  /// - Source: the object `error` of the ArcGIS REST API; services of the OGC explain errors in XML.
  private static func fault(_ body: [UInt8]) -> String? {
    if let text = OWSException.text(of: body) { return text }
    guard body.count < 1 << 20, let error = (try? JSONValue(parsing: body))?["error"] else { return nil }
    let texts = [error["message"]?.string ?? ""] + (error["details"]?.array ?? []).compactMap(\.string)
    let line = texts.filter { !$0.isEmpty }.joined(separator: "; ").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    guard !line.isEmpty else { return nil }
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
