import MapSystem
internal import CVectorPictures
package import MapImages

/// An SVG image, drawn by librsvg into pixels.
package enum VectorPicture {
  /// The longest side of the pixels.
  ///
  /// - Source: design decision: at a pixel ratio of 4, symbols up to 256 pixels stay sharp.
  private static let longestSide = 1024.0
  /// The largest number of bytes of an SVG.
  ///
  /// - Source: design decision: a hundred times an ordinary symbol.
  private static let largestCount = 1 << 20

  /// An error of an SVG or of the library.
  package struct Failure: Error {
    /// The message, in one line.
    package let reason: String
  }

  /// Returns the image and the number of its pixels for each pixel of 1/96 inch.
  ///
  /// Other files are not read.
  /// - Throws: ``Failure``.
  package static func draw(svg bytes: [UInt8]) throws(Failure) -> (image: Bitmap, density: Double) {
    guard bytes.count <= largestCount else {
      throw Failure(reason: "\(bytes.count) bytes are too many for an SVG; \(largestCount) can be drawn")
    }
    if let refusal = VectorPictureCost.refusal(ofText: bytes) { throw Failure(reason: refusal) }
    let errorSize = Int(CVECTORPICTURES_ERROR_SIZE)
    var error = [CChar](repeating: 0, count: errorSize)
    func message() -> String {
      let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    var (width, height) = (0.0, 0.0)
    // Safe: the library reads the bytes and writes the two numbers and a text of the stated size.
    guard unsafe cvectorpictures_size(bytes, bytes.count, &width, &height, &error) != 0 else {
      throw Failure(reason: message())
    }
    guard width > 0, height > 0, width.isFinite, height.isFinite,
      max(width, height) / min(width, height) <= 100
    else {
      throw Failure(reason: "the SVG has no size that can be drawn")
    }
    let density = longestSide / max(width, height)
    let (columns, rows) = (
      max(1, Int(clamping: (width * density).rounded())), max(1, Int(clamping: (height * density).rounded()))
    )
    if let refusal = VectorPictureCost.refusal(of: bytes, density: density) { throw Failure(reason: refusal) }
    var pixels = [UInt8](repeating: 0, count: columns * rows * 4)
    // Safe: the buffer has the size that the call states.
    guard
      unsafe cvectorpictures_draw(bytes, bytes.count, Int32(columns), Int32(rows), &pixels, &error) != 0
    else { throw Failure(reason: message()) }
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let (blue, green, red, alpha) = (pixels[index], pixels[index + 1], pixels[index + 2], pixels[index + 3])
      func straight(_ value: UInt8) -> UInt8 {
        alpha == 0 ? 0 : UInt8(clamping: (Int(value) * 255 + Int(alpha) / 2) / Int(alpha))
      }
      (pixels[index], pixels[index + 1], pixels[index + 2]) = (straight(red), straight(green), straight(blue))
    }
    do throws(MapStateError) {
      return (try Bitmap(width: columns, height: rows, pixels: pixels), density)
    } catch {
      throw Failure(reason: "\(error)")
    }
  }
}
