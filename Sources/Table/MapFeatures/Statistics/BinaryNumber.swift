/// A non-negative number of any length: 64-bit words, least significant first, times a power of 2^64.
///
/// Used in the last step of statistics, from exact sums to one rounded double.
struct BinaryNumber {
  private var words: [UInt64]
  private var lowest: Int

  init(words: [UInt64], lowest: Int) {
    var words = words[...]
    while words.last == 0 { words.removeLast() }
    while words.first == 0 { words.removeFirst() }
    self.lowest = words.isEmpty ? 0 : lowest + words.startIndex
    self.words = Array(words)
  }

  var isZero: Bool { words.isEmpty }

  // MARK: Arithmetic

  func multiplied(by factor: UInt64) -> BinaryNumber { product(with: [factor], at: 0) }
  var squared: BinaryNumber { product(with: words, at: lowest) }

  private func product(with others: [UInt64], at place: Int) -> BinaryNumber {
    var result = [UInt64](repeating: 0, count: words.count + others.count)
    for (index, word) in words.enumerated() {
      var carry: UInt64 = 0
      for (otherIndex, other) in others.enumerated() {
        // The greatest product, a word and a carry fit in two words.
        let product = word.multipliedFullWidth(by: other)
        let (part, isOver) = product.low.addingReportingOverflow(carry)
        let (sum, isOverAgain) = part.addingReportingOverflow(result[index + otherIndex])
        result[index + otherIndex] = sum
        carry = product.high &+ (isOver ? 1 : 0) &+ (isOverAgain ? 1 : 0)
      }
      result[index + others.count] = carry
    }
    return BinaryNumber(words: result, lowest: lowest + place)
  }

  /// Returns the difference to a number that is not greater.
  func subtracting(_ other: BinaryNumber) -> BinaryNumber {
    guard !other.isZero else { return self }
    let start = min(lowest, other.lowest)
    var result: [UInt64] = []
    var borrow: UInt64 = 0
    for place in start..<max(start, lowest + words.count) {
      let (part, isUnder) = word(at: place).subtractingReportingOverflow(other.word(at: place))
      let (difference, isUnderAgain) = part.subtractingReportingOverflow(borrow)
      result.append(difference)
      borrow = isUnder || isUnderAgain ? 1 : 0
    }
    return BinaryNumber(words: result, lowest: start)
  }

  private func word(at place: Int) -> UInt64 {
    words.indices.contains(place - lowest) ? words[place - lowest] : 0
  }

  /// Returns the quotient by several positive numbers in turn, precise enough for rounding.
  ///
  /// It has at least 64 bits after each division, and one lower bit that is set if there is a remainder.
  func divided(by divisors: [UInt64]) -> BinaryNumber {
    guard !isZero else { return self }
    // Each division by a word removes at most one word.
    var quotient = [UInt64](repeating: 0, count: divisors.count + 2) + words
    var isInexact = false
    for divisor in divisors {
      var rest: UInt64 = 0
      for index in quotient.indices.reversed() {
        (quotient[index], rest) = divisor.dividingFullWidth((rest, quotient[index]))
      }
      if rest != 0 { isInexact = true }
    }
    let start = lowest - divisors.count - 2
    return isInexact
      ? BinaryNumber(words: [1] + quotient, lowest: start - 1) : BinaryNumber(words: quotient, lowest: start)
  }

  // MARK: Rounding

  /// The exponent of the most significant bit; `words` must not be empty.
  private var exponent: Int { 64 * (lowest + words.count) - 1 - (words.last?.leadingZeroBitCount ?? 0) }

  /// Returns the bits from an exponent on, at most 64, and whether any lower bit is set.
  private func bits(from start: Int) -> (bits: UInt64, hasMore: Bool) {
    let place = start >> 6
    let shift = UInt64(start & 63)
    let low = word(at: place)
    let bits = low >> shift | (shift == 0 ? 0 : word(at: place + 1) << (64 - shift))
    let below = words.prefix(max(0, place - lowest)).contains { $0 != 0 }
    return (bits, below || low & ((1 << shift) - 1) != 0)
  }

  /// The nearest double, ties to even; infinity beyond all doubles.
  var rounded: Double {
    guard !isZero else { return 0 }
    // The exponent of the double's last bit; one more bit decides the rounding.
    let last = max(exponent - 52, -1074)
    guard exponent <= 1023 else { return .infinity }
    let (bits, hasMore) = bits(from: last - 1)
    let isUp = bits & 1 != 0 && (hasMore || bits & 2 != 0)
    // The leading bit of a normal significand adds 1 to the exponent, as does a carry from rounding.
    return Double(bitPattern: UInt64(last + 1074) << 52 + bits >> 1 + (isUp ? 1 : 0))
  }

  /// The nearest double to the square root, ties to even.
  var roundedSquareRoot: Double {
    guard !isZero else { return 0 }
    // 128 bits with an even exponent have a root of 64 bits; the remainders only decide the rounding.
    let start = (exponent - 126) & ~1
    let (low, hasMore) = bits(from: start)
    let square = UInt128(bits(from: start + 64).bits) << 64 | UInt128(low)
    var root: UInt128 = 0
    for bit in stride(from: 63, through: 0, by: -1) {
      let more = root | 1 << UInt128(bit)
      if more * more <= square { root = more }
    }
    let isInexact = hasMore || root * root != square
    // The root in two words at its exponent, preceded by a word that represents the remainder.
    let shift = UInt64((start / 2) & 63)
    let whole = UInt128(root) << UInt128(shift)
    return BinaryNumber(
      words: [isInexact ? 1 : 0, UInt64(truncatingIfNeeded: whole), UInt64(truncatingIfNeeded: whole >> 64)],
      lowest: ((start / 2) >> 6) - 1
    ).rounded
  }
}
