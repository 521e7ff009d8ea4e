/// The outcome of comparing two pictures.
public enum ImageComparison: Hashable, Sendable {
  /// Every pixel is within the tolerance.
  case same
  /// Some pixels are not.
  case differs(ImageDifference)
  /// The sizes differ, so nothing else was compared.
  case sizeDiffers(expected: ImageSize, actual: ImageSize)

  /// Compares channel by channel; `tolerance` is the greatest difference that counts as none.
  ///
  /// Two clear pixels are the same whatever their colours, for they look so.
  ///
  /// - Cost: O(pixels), no copy.
  public init(expected: Bitmap, actual: Bitmap, tolerance: UInt8 = 0) {
    guard expected.width == actual.width, expected.height == actual.height else {
      self = .sizeDiffers(expected: ImageSize(expected), actual: ImageSize(actual))
      return
    }
    let difference = ImageDifference(expected: expected, actual: actual, tolerance: tolerance)
    self = difference.differing == 0 ? .same : .differs(difference)
  }
}

/// Width and height in pixels.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int

  /// The size of a picture.
  public init(_ bitmap: Bitmap) { (width, height) = (bitmap.width, bitmap.height) }

  /// As in `1024x768`.
  public var description: String { "\(width)x\(height)" }
}

/// How two pictures of one size differ.
public struct ImageDifference: Hashable, Sendable {
  /// Number of pixels with a channel that differs by more than the tolerance.
  public let differing: Int
  /// The largest difference of any channel of any pixel, 0 to 255, those within the tolerance included.
  public let largest: Int
  /// The smallest rectangle around the differing pixels; nil when there are none.
  public let bounds: PixelRectangle?
  /// The greatest difference of a channel that counts as none.
  public let tolerance: UInt8

  private let expected: Bitmap
  private let actual: Bitmap

  /// Differing pixels of all pixels, 0 to 1.
  public var fraction: Double { Double(differing) / Double(expected.width * expected.height) }

  /// Compares two pictures that have one size.
  init(expected: Bitmap, actual: Bitmap, tolerance: UInt8) {
    (self.expected, self.actual, self.tolerance) = (expected, actual, tolerance)
    let (before, after) = (expected.pixels.span, actual.pixels.span)
    var (differing, largest) = (0, 0)
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<expected.height {
      for x in 0..<expected.width {
        let step = channelDifference(before, after, pixel: y * expected.width + x)
        if step == 0 { continue }
        largest = max(largest, step)
        if step <= Int(tolerance) { continue }
        differing += 1
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), y)
      }
    }
    (self.differing, self.largest) = (differing, largest)
    bounds =
      differing == 0
      ? nil : PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// What to show a person: the expected picture in pale grey, differing pixels in red.
  public var picture: Bitmap {
    var picture = expected
    let (before, after) = (expected.pixels.span, actual.pixels.span)
    for y in 0..<expected.height {
      for x in 0..<expected.width {
        if channelDifference(before, after, pixel: y * expected.width + x) > Int(tolerance) {
          picture[x, y] = PixelColor(red: 255, green: 0, blue: 0)
        } else {
          let color = expected[x, y]
          // Rec. 601 luma over white, at a tenth of its strength.
          let luma = (299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue)) / 1000
          let pale = UInt8(255 - (255 - luma) * Int(color.alpha) / 2550)
          picture[x, y] = PixelColor(red: pale, green: pale, blue: pale)
        }
      }
    }
    return picture
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
}

/// The largest difference of a channel of one pixel, 0 where both are clear.
private func channelDifference(_ before: Span<UInt8>, _ after: Span<UInt8>, pixel: Int) -> Int {
  let at = pixel * 4
  if before[at + 3] == 0 && after[at + 3] == 0 { return 0 }
  var largest = 0
  for channel in at..<at + 4 { largest = max(largest, abs(Int(before[channel]) - Int(after[channel]))) }
  return largest
}
