extension Bitmap: CustomStringConvertible {
  /// The size in pixels, such as `Bitmap(800x600)`.
  public var description: String { "Bitmap(\(width)x\(height))" }
}

extension IDImage: CustomStringConvertible {
  /// The size in pixels, such as `IDImage(800x600)`.
  public var description: String { "IDImage(\(width)x\(height))" }
}

extension ImageMask: CustomStringConvertible {
  /// The size in pixels, such as `ImageMask(800x600)`.
  public var description: String { "ImageMask(\(width)x\(height))" }
}

extension PixelColor: CustomStringConvertible {
  /// Red, green, blue and, unless opaque, alpha in hexadecimal digits, such as `#d73027`.
  public var description: String {
    let parts = [red, green, blue] + (alpha < 255 ? [alpha] : [])
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension PixelRectangle: CustomStringConvertible {
  /// Size and first pixel, such as `4x3 at 10,20`.
  public var description: String { "\(width)x\(height) at \(x),\(y)" }
}

extension ImageDifference: CustomStringConvertible {
  /// The number of differing pixels, the largest difference and the rectangle around them.
  public var description: String {
    let pixels = "\(differing) \(differing == 1 ? "pixel differs" : "pixels differ") by at most \(largest)"
    return bounds.map { "\(pixels), within \($0)" } ?? pixels
  }
}

extension ImageComparison: CustomStringConvertible {
  /// The outcome in words.
  public var description: String {
    switch self {
    case .same: "the images are the same"
    case .differs(let difference): difference.description
    case .sizeDiffers(let expected, let actual): "the image is \(actual), the expected one \(expected)"
    }
  }
}
