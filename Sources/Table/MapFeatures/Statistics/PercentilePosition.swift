/// The exact position of a percentile among ascending values: an index, and a fraction of the way to the next value.
///
/// The percentage is the decimal number that is written for it: 99.9 is 999/1000, not the nearest double.
struct PercentilePosition {
  /// The index of the value at or below the position.
  let index: Int
  /// The fraction of the way to the next value is `part` / 10^`decimals`.
  private let part: UInt128
  private let decimals: Int

  /// The most decimals of the fraction; 10^38 is below 2^127.
  private static let decimalLimit = 38

  /// Creates the position of a percentage from 0 to 100 among a number of values above 0.
  init(_ share: Double, count: Int) {
    let (digits, decimals) = Self.decimal(share)
    let (index, part) = (UInt128(digits) * UInt128(count - 1)).quotientAndRemainder(
      dividingBy: Self.power(decimals + 2))
    self.index = min(Int(clamping: index), count - 1)
    (self.part, self.decimals) = (part, decimals + 2)
  }

  /// Whether the position is that of a value.
  var isWhole: Bool { part == 0 }

  /// Returns a number from 0 to 100 as `digits` / 10^`decimals`; digits beyond the limit of decimals are cut.
  private static func decimal(_ number: Double) -> (digits: UInt64, decimals: Int) {
    let written = "\(number)".split(separator: "e")
    let halves = written[0].split(separator: ".")
    var digits = UInt64(halves.joined()) ?? 0
    var decimals =
      (halves.count > 1 ? halves[1].utf8.count : 0) - (written.count > 1 ? Int(written[1]) ?? 0 : 0)
    while decimals > decimalLimit - 2 || decimals > 0 && digits % 10 == 0 {
      (digits, decimals) = (digits / 10, decimals - 1)
    }
    while decimals < 0 { (digits, decimals) = (digits * 10, decimals + 1) }
    return (digits, decimals)
  }

  private static func power(_ exponent: Int) -> UInt128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Returns the integer at the fraction of the way from one to a greater one, rounded down or half up.
  func value(from low: Int64, to high: Int64, roundsDown: Bool) -> Int64 {
    let whole = Self.power(decimals)
    let distance = UInt128(UInt64(bitPattern: high &- low))
    let (quotient, rest) = whole.dividingFullWidth(distance.multipliedFullWidth(by: part))
    let steps = !roundsDown && rest >= whole - rest ? quotient + 1 : quotient
    return low &+ Int64(truncatingIfNeeded: steps)
  }

  /// Returns the double nearest to the number at the fraction of the way from one to another.
  func value(from low: Term, to high: Term) -> Double {
    var sum = ExactSum()
    low.add(times: Self.power(decimals) - part, to: &sum)
    high.add(times: part, to: &sum)
    let divisors = [min(decimals, 19), max(0, decimals - 19)].map { UInt64(Self.power($0)) }
    let magnitude = sum.magnitude.divided(by: divisors).rounded
    return sum.isNegative ? -magnitude : magnitude
  }

  /// A number as a whole number times a power of two.
  struct Term {
    private let isNegative: Bool
    private let significand: UInt64
    private let exponent: Int

    init(_ integer: Int64) { (isNegative, significand, exponent) = (integer < 0, integer.magnitude, 0) }

    /// Creates the term of a finite double.
    init(_ number: Double) {
      (significand, exponent) = number.wholeParts
      isNegative = number < 0
    }

    /// Adds the product with a factor below 2^127 to a sum.
    func add(times factor: UInt128, to sum: inout ExactSum) {
      let low = significand.multipliedFullWidth(by: UInt64(truncatingIfNeeded: factor))
      let high = significand.multipliedFullWidth(by: UInt64(truncatingIfNeeded: factor >> 64))
      let (middle, isOver) = low.high.addingReportingOverflow(high.low)
      var words = [low.low, middle, high.high + (isOver ? 1 : 0)]
      if isNegative {
        var carry = true
        for index in words.indices {
          (words[index], carry) = (~words[index]).addingReportingOverflow(carry ? 1 : 0)
        }
      }
      sum.add(words[0], words[1], words[2], exponent: exponent)
    }
  }
}
