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
    let part = UInt32(clamping: coverage * 255 + 0.5)
    if part == 0 { return }
    let first = unsafe pixels.pixels + row &* pixels.width
    if part == 255, isOpaque {
      for column in columns { unsafe first[column] = pixel }
      return
    }
    let (overAG, overRB) = (scaled(alphaGreen, by: part), scaled(redBlue, by: part))
    let rest = 255 &- overAG >> 16
    for column in columns {
      let below = unsafe first[column]
      let (belowAG, belowRB) = (scaled(below >> 8 & 0xFF_00FF, by: rest), scaled(below & 0xFF_00FF, by: rest))
      unsafe first[column] = (overAG &+ belowAG) << 8 | (overRB &+ belowRB)
    }
  }
}

/// Returns two 8-bit values in 16 bits each, multiplied by a part of 255 and rounded to the nearest, as pixman does.
@inline(__always)
private func scaled(_ pair: UInt32, by part: UInt32) -> UInt32 {
  let product = pair &* part &+ 0x80_0080
  return (product &+ (product >> 8 & 0xFF_00FF)) >> 8 & 0xFF_00FF
}
