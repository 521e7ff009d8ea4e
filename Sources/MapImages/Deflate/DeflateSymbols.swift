/// How deflate writes lengths and distances: a symbol, then the bits that it leaves open.
///
/// - Source: RFC 1951, 3.2.5.
enum DeflateSymbols {
  /// The symbol that ends a block; literals lie below, lengths above.
  static let end = 256
  /// Symbols of literals, of the end and of lengths.
  static let literalCount = 286
  /// Symbols of distances.
  static let distanceCount = 30
  /// The longest match.
  static let longestMatch = 258
  /// The farthest match.
  static let window = 32_768

  /// For each length from 0 on: its symbol, the number of open bits above 16 bits, the bits above 24.
  static let lengths: [UInt32] = (0...longestMatch).map { length in
    guard length > 2 else { return 0 }
    // The longest has a symbol of its own.
    guard length < longestMatch else { return 285 }
    let (step, bits, rest) = split(length - 3, each: 4)
    return UInt32(257 + step) | UInt32(bits) << 16 | UInt32(rest) << 24
  }

  /// The symbol of a distance from 1 on, how many bits it leaves open, and these.
  @inline(__always) static func distance(_ distance: Int) -> (symbol: Int, bits: Int, rest: Int) {
    split(distance - 1, each: 2)
  }

  /// Steps whose width doubles after each `each` of them, the first `2 * each` being of width 1.
  @inline(__always) private static func split(_ value: Int, each: Int) -> (symbol: Int, bits: Int, rest: Int)
  {
    guard value >= 2 * each else { return (value, 0, 0) }
    let bits = Int.bitWidth - 1 - value.leadingZeroBitCount - each.trailingZeroBitCount
    let high = value >> bits
    return (each * bits + high, bits, value - high << bits)
  }
}
