/// The Adler-32 checksum of rows in PNG's layout, from their pixels.
///
/// - Source: RFC 1950, 8.2: `a` is 1 plus the sum of all bytes, `b` is the sum of all values of `a`, modulo 65521.
struct RowChecksum {
  private static let modulus: UInt64 = 65_521
  /// The number of vectors whose weighted sums fit: 4 * 255 * 2,048^2 / 2 is below 2^32.
  private static let mostVectors = 2_048

  private var a: UInt64 = 1
  private var b: UInt64 = 0
  /// The changes of the last row of `bytes` bytes: `a` grows by `sum`, and `b` by `bytes` times `a` and `weighted`.
  private var (bytes, sum, weighted): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// The checksum.
  var value: UInt32 { UInt32(b << 16 | a) }

  /// Adds a row: a 0 byte, and pixels of 3 or 4 bytes, at most 32,767.
  mutating func add(_ pixels: RawSpan, from start: Int, count: Int, pixelBytes: Int) {
    let mask: UInt32 = pixelBytes == 3 ? 0xFF_FFFF : .max
    var sums = Sums()
    var column = 0
    while column + 8 <= count {
      let vectors = min(Self.mostVectors, (count - column) / 8)
      sums.add(pixels, from: start + column * 4, vectors: vectors, mask, before: count - column - 8 * vectors)
      column += vectors * 8
    }
    while column < count {
      // Any bytes are a valid pixel, and the access is checked.
      let pixel =
        unsafe pixels.unsafeLoadUnaligned(fromByteOffset: start + column * 4, as: UInt32.self) & mask
      column += 1
      sums.add(pixel, before: count - column)
    }
    bytes = UInt64(1 + count * pixelBytes)
    sum = sums.bytes % Self.modulus
    // Without alpha, each byte has one byte less after it in its pixel.
    let inside = pixelBytes == 3 ? sums.inside &- sums.bytes : sums.inside
    weighted = (inside &+ UInt64(pixelBytes) &* sums.after) % Self.modulus
    repeatRow()
  }

  /// Adds a row that equals the last one.
  mutating func repeatRow() {
    b = (b &+ bytes &* a &+ weighted) % Self.modulus
    a = (a &+ sum) % Self.modulus
  }
}

/// The sums over pixels of 4 bytes, below 2^43 for a row.
private struct Sums {
  /// The sum of all bytes.
  var bytes: UInt64 = 0
  /// The sum of each byte times the number of bytes from it to its pixel's end.
  var inside: UInt64 = 0
  /// The sum of each byte times the number of pixels after its own.
  var after: UInt64 = 0

  /// Adds a pixel with `count` pixels after it.
  mutating func add(_ pixel: UInt32, before count: Int) {
    let (red, green) = (UInt64(pixel & 255), UInt64(pixel >> 8 & 255))
    let (blue, alpha) = (UInt64(pixel >> 16 & 255), UInt64(pixel >> 24))
    let sum = red &+ green &+ blue &+ alpha
    bytes &+= sum
    inside &+= 4 &* red &+ 3 &* green &+ 2 &* blue &+ alpha
    after &+= sum &* UInt64(count)
  }

  /// Adds vectors of 8 pixels with `count` pixels after the last one.
  mutating func add(_ pixels: RawSpan, from start: Int, vectors: Int, _ mask: UInt32, before count: Int) {
    // In `later`, each lane has its sums times the number of vectors after them.
    var (sums, later, parts) = (SIMD8<UInt32>(), SIMD8<UInt32>(), SIMD8<UInt32>())
    for vector in 0..<vectors {
      // Any bytes are valid pixels, and the access is checked.
      let pixel =
        unsafe pixels.unsafeLoadUnaligned(fromByteOffset: start + vector * 32, as: SIMD8<UInt32>.self) & mask
      let (red, green) = (pixel & 255, pixel &>> 8 & 255)
      let (blue, alpha) = (pixel &>> 16 & 255, pixel &>> 24)
      later &+= sums
      sums &+= red &+ green &+ blue &+ alpha
      parts &+= red &* 4 &+ green &* 3 &+ blue &* 2 &+ alpha
    }
    for lane in 0..<8 {
      bytes &+= UInt64(sums[lane])
      inside &+= UInt64(parts[lane])
      after &+= 8 &* UInt64(later[lane]) &+ UInt64(sums[lane]) &* UInt64(count + 7 - lane)
    }
  }
}
