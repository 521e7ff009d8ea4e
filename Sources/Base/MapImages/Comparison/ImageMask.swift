public import MapSystem

/// The allowed difference of every pixel: 0 adds nothing to the tolerance, 255 allows any difference.
///
/// - Source: QGIS's masks for render checks: white pixels are ignored, grey is the allowed difference of a channel.
public struct ImageMask: Hashable, Sendable {
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The allowed difference of a channel for every pixel, row by row.
  public private(set) var allowed: [UInt8]

  /// Creates a mask that allows no difference.
  ///
  /// - Throws: ``MapStateError`` when a side is out of range.
  public init(width: Int, height: Int) throws(MapStateError) {
    let count = try Bitmap.checkedByteCount(width: width, height: height) / 4
    (self.width, self.height) = (width, height)
    allowed = [UInt8](repeating: 0, count: count)
  }

  /// Allows a difference in a rectangle; ignores the part of the rectangle outside the mask.
  public mutating func allow(_ difference: UInt8, in rectangle: PixelRectangle) {
    let columns = max(0, rectangle.x)..<max(0, rectangle.x, min(width, rectangle.endX))
    for y in max(0, rectangle.y)..<max(0, rectangle.y, min(height, rectangle.endY)) {
      for x in columns { allowed[y * width + x] = max(allowed[y * width + x], difference) }
    }
  }

  /// Allows the differences in the red channel of an image, which must have the mask's size.
  public mutating func allow(_ picture: Bitmap) {
    precondition(picture.width == width && picture.height == height, "a mask of another size")
    for at in allowed.indices { allowed[at] = max(allowed[at], picture.pixels[at * 4]) }
  }

  /// The fraction of pixels that may differ by any amount, 0 to 1.
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
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a rectangle from its first pixel and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The column after the last; `Int.max` when that overflows.
  var endX: Int { x.addingReportingOverflow(width).overflow ? Int.max : x + width }
  /// The row after the last; `Int.max` when that overflows.
  var endY: Int { y.addingReportingOverflow(height).overflow ? Int.max : y + height }
}
