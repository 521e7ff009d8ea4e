/// An exact sum of doubles, or of their squares.
///
/// The sum is an integer in two's complement, in 64-bit words over the whole range of doubles and their squares. No
/// term is rounded, so the sum does not depend on the order of the terms or on their division among several sums.
/// ``value`` rounds once.
///
/// A NaN, or infinities of both signs, make the sum NaN. Infinities of one sign make it that infinity.
///
/// - Source: Kulisch, "Computer Arithmetic and Validity" (2013), chapter 8, the long accumulator; Neal, "Fast exact
///   summation using small and large superaccumulators" (2015), arXiv:1505.05571.
/// - Cost: an addition changes four words and those that a carry reaches, of at most 69.
package struct ExactSum: Sendable {
  /// The kinds of terms that are not finite.
  struct NonFinite: OptionSet, Hashable {
    let rawValue: UInt8
    static let nan = NonFinite(rawValue: 1)
    static let positive = NonFinite(rawValue: 2)
    static let negative = NonFinite(rawValue: 4)
  }

  /// The words, least significant first; empty for 0.
  private(set) var words: [UInt64] = []
  /// The position of the first word: word `i` is worth 2^(64 · (lowest + i)).
  private(set) var lowest = 0
  private(set) var nonFinite: NonFinite = []

  /// Creates an empty sum, 0.
  package init() {}

  /// Creates a sum from the parts that ``bytes`` encodes.
  init(words: [UInt64], lowest: Int, nonFinite: NonFinite) {
    (self.words, self.lowest, self.nonFinite) = (words, lowest, nonFinite)
  }

  /// Adds a double.
  package mutating func add(_ term: Double) {
    guard term.isFinite else { return add(nonFinite: term) }
    let (significand, exponent) = term.wholeParts
    let signed = term < 0 ? -Int64(significand) : Int64(significand)
    add(UInt64(bitPattern: signed), term < 0 ? .max : 0, term < 0 ? .max : 0, exponent: exponent)
  }

  /// Adds the square of a double.
  package mutating func addSquare(of root: Double) {
    guard root.isFinite else { return add(nonFinite: root.magnitude) }
    let (significand, exponent) = root.wholeParts
    let square = significand.multipliedFullWidth(by: significand)
    add(square.low, square.high, 0, exponent: 2 * exponent)
  }

  private mutating func add(nonFinite term: Double) {
    nonFinite.insert(term.isNaN ? .nan : term > 0 ? .positive : .negative)
  }

  /// Adds another sum.
  package mutating func add(_ other: ExactSum) {
    nonFinite.formUnion(other.nonFinite)
    guard !other.words.isEmpty else { return }
    guard !words.isEmpty else {
      (words, lowest) = (other.words, other.lowest)
      return
    }
    add(other.words.span, at: other.lowest)
  }

  /// Adds an integer times a power of two.
  package mutating func add(_ number: Int128, exponent: Int) {
    add(
      UInt64(truncatingIfNeeded: number), UInt64(truncatingIfNeeded: number >> 64), number < 0 ? .max : 0,
      exponent: exponent)
  }

  /// Adds a signed 192-bit number, least significant word first, times a power of two.
  mutating func add(_ low: UInt64, _ middle: UInt64, _ high: UInt64, exponent: Int) {
    guard low | middle | high != 0 else { return }
    let shift = UInt64(exponent & 63)
    let sign = UInt64(bitPattern: Int64(bitPattern: high) >> 63)
    let words: InlineArray<4, UInt64> = [
      low &<< shift, middle &<< shift | (low &>> 1) &>> (63 &- shift),
      high &<< shift | (middle &>> 1) &>> (63 &- shift), sign &<< shift | (high &>> 1) &>> (63 &- shift),
    ]
    add(words.span, at: exponent >> 6)
  }

  /// Adds words in two's complement, the first at position `place`.
  private mutating func add(_ terms: Span<UInt64>, at place: Int) {
    makeRoom(from: place, to: place + terms.count)
    let sign = UInt64(bitPattern: Int64(bitPattern: terms[terms.count - 1]) >> 63)
    var carry: UInt64 = 0
    var index = place - lowest
    for term in 0..<terms.count {
      (words[index], carry) = Self.sum(words[index], terms[term], carry)
      index += 1
    }
    // A carry that meets the sign's ones leaves all higher words unchanged.
    while index < words.count, (sign == 0) != (carry == 0) {
      (words[index], carry) = Self.sum(words[index], sign, carry)
      index += 1
    }
  }

  @inline(__always)
  private static func sum(_ first: UInt64, _ second: UInt64, _ carry: UInt64) -> (UInt64, UInt64) {
    let (part, isOver) = first.addingReportingOverflow(second)
    let (sum, isOverAgain) = part.addingReportingOverflow(carry)
    return (sum, isOver || isOverAgain ? 1 : 0)
  }

  /// Makes room for words up to the one before `end`, and for one more above all that holds the sign.
  private mutating func makeRoom(from start: Int, to end: Int) {
    if words.isEmpty { lowest = start }
    if start < lowest {
      words.insert(contentsOf: repeatElement(0, count: lowest - start), at: 0)
      lowest = start
    }
    let last = words.last ?? 0
    let sign = UInt64(bitPattern: Int64(bitPattern: last) >> 63)
    let missing = max(end + 1 - lowest - words.count, last == sign ? 0 : 1)
    for _ in 0..<max(0, missing) { words.append(sign) }
  }

  // MARK: Value

  /// Whether the sum is less than 0.
  var isNegative: Bool { words.last.map { $0 >> 63 != 0 } ?? false }

  /// The absolute value of the sum of the finite terms.
  var magnitude: BinaryNumber {
    guard isNegative else { return BinaryNumber(words: words, lowest: lowest) }
    var carry: UInt64 = 1
    let words = words.map { word in
      let (negated, isOver) = (~word).addingReportingOverflow(carry)
      carry = isOver ? 1 : 0
      return negated
    }
    return BinaryNumber(words: words, lowest: lowest)
  }

  /// The sum if a term is not finite, otherwise nil.
  var nonFiniteValue: Double? {
    switch nonFinite {
    case []: nil
    case .positive: .infinity
    case .negative: -.infinity
    default: .nan
    }
  }

  /// The sum, rounded once to the nearest double, ties to even; infinite only beyond all doubles.
  package var value: Double {
    nonFiniteValue ?? (isNegative ? -magnitude.rounded : magnitude.rounded)
  }
}

extension Double {
  /// The significand as an integer with the exponent of its last bit: a finite magnitude is `significand` ·
  /// 2^`exponent`.
  var wholeParts: (significand: UInt64, exponent: Int) {
    exponentBitPattern == 0
      ? (significandBitPattern, -1074)
      : (significandBitPattern | 1 << 52, Int(exponentBitPattern) - 1075)
  }
}
