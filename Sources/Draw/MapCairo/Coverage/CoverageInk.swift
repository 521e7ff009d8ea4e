internal import MapGeometry
internal import MapModel
internal import MapSystem

/// A colour that is composited over pixels according to their coverage.
struct CoverageInk {
  /// Alpha and green, and red and blue, premultiplied, each in 16 bits of its own.
  private let alphaGreen: UInt32
  private let redBlue: UInt32
  private let isOpaque: Bool
  private let pixel: UInt32

  init(_ color: Color) {
    let alpha = UInt32(color.alpha)
    alphaGreen = alpha << 16 | scaled(UInt32(color.green), by: alpha)
    redBlue = scaled(UInt32(color.red) << 16 | UInt32(color.blue), by: alpha)
    isOpaque = alpha == 255
    pixel = alphaGreen << 8 | redBlue
  }

  /// Composites the colour over a pixel with a coverage of 0 to 1.
  @inline(__always)
  func lay(_ coverage: Float, over pixels: PixelRows, row: Int, column: Int) {
    unsafe lay(coverage, over: pixels, row: row, columns: column..<column + 1)
  }

  /// Composites the colour over pixels of a row that have the same coverage.
  @inline(__always)
  func lay(_ coverage: Float, over pixels: PixelRows, row: Int, columns: Range<Int>) {
    unsafe lay(part: Self.part(coverage), over: pixels, row: row, columns: columns)
  }

  /// Composites the colour over pixels of a row by a coverage in parts of 255.
  @inline(__always)
  func lay(part: UInt32, over pixels: PixelRows, row: Int, columns: Range<Int>) {
    if part == 0 { return }
    let first = unsafe pixels.pixels + row &* pixels.width
    if part == 255, isOpaque {
      for column in columns { unsafe first[column] = pixel }
      return
    }
    let over = (scaled(alphaGreen, by: part), scaled(redBlue, by: part))
    for column in columns { unsafe first[column] = Self.composited(over, over: unsafe first[column]) }
  }

  /// Returns a pixel with the colour over it.
  @inline(__always)
  func laid(_ coverage: Float, over below: UInt32) -> UInt32 {
    let part = Self.part(coverage)
    return Self.composited((scaled(alphaGreen, by: part), scaled(redBlue, by: part)), over: below)
  }

  /// Paints the colour beside others that cover `before` of a pixel, so that all cover `after`.
  ///
  /// It replaces some of what the pixel would be without them.
  ///
  /// Each channel is the sum of rounded differences of one function. So areas of one colour that together cover the
  /// pixel give that colour, however many they are.
  ///
  /// - Parameter ground: the pixel without the areas.
  @inline(__always)
  func lay(
    beside before: UInt32, upTo after: UInt32, ground: UInt32, over pixels: PixelRows, row: Int, column: Int
  ) {
    let place = unsafe row &* pixels.width &+ column
    let alpha = pixel >> 24
    let old = unsafe pixels.pixels[place]
    func channel(_ shift: UInt32) -> UInt32 {
      let (own, below, now) = (pixel >> shift & 255, ground >> shift & 255, old >> shift & 255)
      // The change for a whole pixel, in parts of 255²; above 0 because 1 is added.
      let change = 65_025 &+ own &* 255 &- alpha &* below
      let half: UInt32 = 32_512
      let moved = now &+ 255 &+ (change &* after &+ half) / 65_025 &- (change &* before &+ half) / 65_025
      // What was added for 1 is taken off again.
      let value = moved &- (after &- before)
      return value <= 255 ? 0 : min(value &- 255, 255)
    }
    let top = channel(24)
    // No channel of a premultiplied pixel is above its alpha.
    unsafe pixels.pixels[place] =
      top << 24 | min(channel(16), top) << 16 | min(channel(8), top) << 8 | min(channel(0), top)
  }

  @inline(__always)
  private static func part(_ coverage: Float) -> UInt32 { UInt32(clamping: coverage * 255 + 0.5) }

  @inline(__always)
  private static func composited(_ over: (alphaGreen: UInt32, redBlue: UInt32), over below: UInt32) -> UInt32
  {
    let rest = 255 &- over.alphaGreen >> 16
    let (alphaGreen, redBlue) = (
      scaled(below >> 8 & 0xFF_00FF, by: rest), scaled(below & 0xFF_00FF, by: rest)
    )
    return (over.alphaGreen &+ alphaGreen) << 8 | (over.redBlue &+ redBlue)
  }
}

/// Returns two 8-bit values in 16 bits each, multiplied by a part of 255 and rounded to the nearest, as pixman does.
@inline(__always)
private func scaled(_ pair: UInt32, by part: UInt32) -> UInt32 {
  let product = pair &* part &+ 0x80_0080
  return (product &+ (product >> 8 & 0xFF_00FF)) >> 8 & 0xFF_00FF
}
