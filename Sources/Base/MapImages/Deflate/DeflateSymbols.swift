/// The symbols and extra bits with which deflate writes lengths and distances.
///
/// - Source: RFC 1951, 3.2.5.
enum DeflateSymbols {
  /// The symbol that ends a block; literals have lower numbers, lengths higher ones.
  static let end = 256
  /// The number of symbols for literals, the end and lengths.
  static let literalCount = 286
  /// The number of symbols for distances.
  static let distanceCount = 30
  /// The number of all symbols: those of literals, the end and lengths, then those of distances.
  static let symbolCount = literalCount + distanceCount
  /// The longest match in bytes.
  static let longestMatch = 258
  /// The largest distance of a match in bytes.
  static let window = 32_768

  /// For each length from 0 on: its symbol, the number of extra bits above bit 16, the extra bits above bit 24.
  static let lengths: [UInt32] = (0...longestMatch).map { length in
    guard length > 2 else { return 0 }
    // The longest match has a symbol of its own.
    guard length < longestMatch else { return 285 }
    let (step, bits, rest) = split(length - 3, each: 4)
    return UInt32(257 + step) | UInt32(bits) << 16 | UInt32(rest) << 24
  }

  /// Returns the symbol of a distance from 1 on, the number of its extra bits, and these bits.
  @inline(__always) static func distance(_ distance: Int) -> (symbol: Int, bits: Int, rest: Int) {
    split(distance - 1, each: 2)
  }

  /// Splits a value into a step and extra bits; the width of a step doubles every `each` steps.
  ///
  /// The first `2 * each` steps have width 1.
  @inline(__always) private static func split(_ value: Int, each: Int) -> (symbol: Int, bits: Int, rest: Int)
  {
    guard value >= 2 * each else { return (value, 0, 0) }
    let bits = Int.bitWidth - 1 - value.leadingZeroBitCount - each.trailingZeroBitCount
    let high = value >> bits
    return (each * bits + high, bits, value - high << bits)
  }
}
