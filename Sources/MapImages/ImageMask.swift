/// What a picture may differ by, pixel by pixel: 0 is as much as everywhere, 255 anything.
///
/// - Source: QGIS's masks for render checks: white is not looked at, grey is what a channel may differ by.
public struct ImageMask: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// For every pixel, row by row, what a channel may differ by.
  public private(set) var allowed: [UInt8]

  /// A mask that allows nothing.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range.
  public init(width: Int, height: Int) throws(BitmapError) {
    let count = try Bitmap.byteCount(width: width, height: height) / 4
    (self.width, self.height) = (width, height)
    allowed = [UInt8](repeating: 0, count: count)
  }

  /// Allows a difference in a rectangle; what of it lies outside is left out.
  public mutating func allow(_ difference: UInt8, in rectangle: PixelRectangle) {
    let columns = max(0, rectangle.x)..<max(0, rectangle.x, min(width, rectangle.endX))
    for y in max(0, rectangle.y)..<max(0, rectangle.y, min(height, rectangle.endY)) {
      for x in columns { allowed[y * width + x] = max(allowed[y * width + x], difference) }
    }
  }

  /// Allows what the red channel of a picture says, which must have the mask's size.
  public mutating func allow(_ picture: Bitmap) {
    precondition(picture.width == width && picture.height == height, "a mask of another size")
    for at in allowed.indices { allowed[at] = max(allowed[at], picture.pixels[at * 4]) }
  }

  /// How much of the picture may differ by anything, 0 to 1.
  public var hiddenFraction: Double {
    Double(allowed.reduce(0) { $0 + ($1 == 255 ? 1 : 0) }) / Double(allowed.count)
  }
}

/// A rectangle of whole pixels.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column.
  public let x: Int
  /// The first row.
  public let y: Int
  /// Number of columns.
  public let width: Int
  /// Number of rows.
  public let height: Int

  /// A rectangle from its first pixel and size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The column after the last; the largest number where it would be beyond.
  var endX: Int { x.addingReportingOverflow(width).overflow ? Int.max : x + width }
  /// The row after the last; the largest number where it would be beyond.
  var endY: Int { y.addingReportingOverflow(height).overflow ? Int.max : y + height }
}
