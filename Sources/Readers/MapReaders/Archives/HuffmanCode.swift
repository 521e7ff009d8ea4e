/// A prefix code of deflate, which assigns symbols to sequences of bits.
///
/// - Source: RFC 1951, section 3.2.2.
struct HuffmanCode {
  /// The number of bits that ``short`` decodes in one step.
  static let shortBits = 10
  /// The longest code in bits.
  static let longest = 15

  /// For each value of the next bits, `symbol << 4 | length`; 0 for longer codes and for bits that are no code.
  private(set) var short: [UInt16]
  /// The number of codes of each length.
  private(set) var counts = [UInt16](repeating: 0, count: longest + 1)
  /// The symbols in the order of their codes.
  private(set) var symbols: [UInt16]

  /// Creates the code whose symbols have these lengths; 0 is a symbol without a code.
  ///
  /// Returns nil for lengths that need more codes than exist, or that leave codes without a symbol. As in zlib, a code
  /// of one symbol with one bit, and an empty code, are valid if `canBeIncomplete`.
  init?(lengths: ArraySlice<UInt8>, canBeIncomplete: Bool) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var free = 1
    for length in 1...Self.longest {
      free = free << 1 - Int(counts[length])
      if free < 0 { return nil }
    }
    let isSingle = counts[2...].allSatisfy { $0 == 0 }
    guard free == 0 || canBeIncomplete && isSingle else { return nil }

    var (starts, codes) = ([Int](repeating: 0, count: 17), [Int](repeating: 0, count: 17))
    for length in 1...Self.longest {
      starts[length + 1] = starts[length] + Int(counts[length])
      codes[length + 1] = (codes[length] + Int(counts[length])) << 1
    }
    symbols = [UInt16](repeating: 0, count: starts[16])
    short = [UInt16](repeating: 0, count: 1 << Self.shortBits)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[starts[length]] = UInt16(symbol)
      starts[length] += 1
      let code = codes[length]
      codes[length] += 1
      guard length <= Self.shortBits else { continue }
      // Codes are sent from their highest bit on, all else from the lowest.
      var reversed = 0
      for bit in 0..<length { reversed |= (code >> bit & 1) << (length - 1 - bit) }
      for index in stride(from: reversed, to: short.count, by: 1 << length) {
        short[index] = UInt16(symbol << 4 | length)
      }
    }
  }

  /// Returns the symbol at the start of bits, and its length, by comparing one bit after the other; nil for no code.
  func slowSymbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    var (code, first, index) = (0, 0, 0)
    for length in 1...Self.longest {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = Int(counts[length])
      if code - count < first { return (Int(symbols[index + code - first]), length) }
      (index, first, code) = (index + count, (first + count) << 1, code << 1)
    }
    return nil
  }
}
