/// The Adler-32 checksum of rows in PNG's layout, from their pixels.
///
/// - Source: RFC 1950, 8.2: `a` is 1 plus the sum of all bytes, `b` is the sum of all values of `a`, modulo 65521.
struct RowChecksum {
  private static let modulus: UInt64 = 65_521

  private var a: UInt64 = 1
  private var b: UInt64 = 0
  /// The values at the start of the row.
  private var (startA, startB): (UInt64, UInt64) = (1, 0)
  /// The changes of the last row of `bytes` bytes: `a` grows by `sum`, and `b` by `bytes` times `a` and `weighted`.
  private var (bytes, sum, weighted): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// The checksum.
  var value: UInt32 { UInt32(b << 16 | a) }

  /// Begins a row with a 0 byte.
  @inline(__always) mutating func beginRow() {
    (startA, startB) = (a, b)
    b &+= a
  }

  /// Adds a pixel of 3 or 4 bytes.
  @inline(__always) mutating func add(_ pixel: UInt32, bytes: Int) {
    let parts = Self.parts(pixel, bytes)
    b &+= UInt64(bytes) &* a &+ parts.weighted
    a &+= parts.sum
  }

  /// Adds a pixel of 3 or 4 bytes several times.
  @inline(__always) mutating func add(_ pixel: UInt32, count: Int, bytes: Int) {
    let (parts, count) = (Self.parts(pixel, bytes), UInt64(count))
    // The n-th pixel finds `a` larger by n - 1 sums.
    b &+= count &* (UInt64(bytes) &* a &+ parts.weighted)
    b &+= UInt64(bytes) &* parts.sum &* (count &* (count &- 1) / 2)
    a &+= count &* parts.sum
  }

  /// Ends a row.
  @inline(__always) mutating func endRow(bytes count: Int) {
    // A row has at most 4 * 32,767 + 1 bytes, so that `b` stays below 2^43.
    bytes = UInt64(count)
    sum = (a &- startA) % Self.modulus
    weighted = (b &- startB &- bytes &* startA) % Self.modulus
    (a, b) = (a % Self.modulus, b % Self.modulus)
  }

  /// Adds a row that equals the last one.
  @inline(__always) mutating func repeatRow() {
    b = (b &+ bytes &* a &+ weighted) % Self.modulus
    a = (a &+ sum) % Self.modulus
  }

  /// Returns the sum of the bytes, and their sum weighted by the number of bytes from each to the end of the pixel.
  @inline(__always) private static func parts(_ pixel: UInt32, _ bytes: Int) -> (
    sum: UInt64, weighted: UInt64
  ) {
    let (first, second) = (UInt64(pixel & 255), UInt64(pixel >> 8 & 255))
    let (third, fourth) = (UInt64(pixel >> 16 & 255), UInt64(pixel >> 24))
    return bytes == 3
      ? (first &+ second &+ third, 3 &* first &+ 2 &* second &+ third)
      : (first &+ second &+ third &+ fourth, 4 &* first &+ 3 &* second &+ 2 &* third &+ fourth)
  }
}
