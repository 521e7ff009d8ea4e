public import MapImages
import MapModel
public import MapSystem
import MapTiles
package import MapVector

extension Bitmap {
  /// Returns the image as JPEG without subsampling of colours; transparent pixels are composited over white.
  ///
  /// - Parameters:
  ///   - quality: 1 to 100.
  ///   - dotsPerInch: the resolution to write into the file; nil writes none.
  /// - Throws: ``MapStateError``, also if the library TurboJPEG is missing.
  public func jpegData(
    quality: Int = 90, dotsPerInch: Double? = nil
  ) throws(MapStateError) -> [UInt8] {
    do { return try PictureEncoder.jpeg(self, quality: quality, dotsPerInch: dotsPerInch) } catch {
      throw MapStateError(.input, "the image \(error)")
    }
  }

  /// Returns the image as lossless WebP.
  ///
  /// - Throws: ``MapStateError``, also if the library libwebp is missing, and for a side above 16,383 pixels.
  public func webPData() throws(MapStateError) -> [UInt8] {
    do { return try PictureEncoder.webP(self) } catch { throw MapStateError(.input, "the image \(error)") }
  }

  /// Returns the image in the format of a path's extension; PNG for none.
  ///
  /// - Throws: ``MapStateError``.
  package func fileBytes(for path: String, dotsPerInch: Double? = nil) throws(MapStateError) -> [UInt8] {
    switch FilePath.pathExtension(of: path) {
    case "jpg", "jpeg": return try jpegData(dotsPerInch: dotsPerInch)
    case "webp": return try webPData()
    default:
      do { return try PNGCodec.encode(self, dotsPerInch: dotsPerInch) } catch { throw MapStateError(error) }
    }
  }
}

extension MapPage {
  /// The extensions of image files besides `png`.
  package static let extensions = ["svg", "pdf", "jpg", "jpeg", "webp"]

  /// Returns the page in the format of a path's extension; PNG for none.
  ///
  /// - Parameter rendered: the drawn page, for formats of pixels.
  /// - Throws: ``MapStateError``.
  package func fileBytes(
    for path: String, _ rendered: RenderedMap, svg: SVGOptions = SVGOptions(), dotsPerInch: Double? = nil
  ) async throws(MapStateError) -> [UInt8] {
    switch FilePath.pathExtension(of: path) {
    case "svg": return try await svgData(svg)
    case "pdf": return try await pdfData()
    default: return try rendered.bitmap.fileBytes(for: path, dotsPerInch: dotsPerInch)
    }
  }
}
