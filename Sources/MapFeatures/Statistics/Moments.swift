import Glibc

/// A sum of doubles kept in two, so that nothing of a term is lost until the sum needs more than 106 bits.
///
/// - Source: Knuth, TAOCP 2, 4.2.2, theorem B (two-sum); Neumaier, ZAMM 54 (1974), for the second word.
struct CompensatedSum: Hashable {
  private(set) var high = 0.0
  private(set) var low = 0.0

  mutating func add(_ term: Double) {
    let sum = high + term
    let part = sum - high
    low += (high - (sum - part)) + (term - part)
    high = sum
  }

  mutating func add(_ other: CompensatedSum) {
    add(other.high)
    low += other.low
  }

  /// The sum, rounded once.
  var value: Double { high + low }
}

/// Count, sum and bounds of whole numbers; the sum is exact.
struct IntegerMoments {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  private(set) var minimum = Int64.max
  private(set) var maximum = Int64.min

  mutating func add(_ value: Int64) {
    count += 1
    // 2^63 values of 63 bits fit.
    sum &+= Int128(value)
    minimum = Swift.min(minimum, value)
    maximum = Swift.max(maximum, value)
  }

  mutating func add(_ other: IntegerMoments) {
    count += other.count
    sum &+= other.sum
    minimum = Swift.min(minimum, other.minimum)
    maximum = Swift.max(maximum, other.maximum)
  }

  /// The average as a whole number and what is left of it, so that distances from it keep every digit.
  var center: (whole: Int64, rest: Double) {
    guard count > 0 else { return (0, 0) }
    let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(count))
    return (Int64(truncatingIfNeeded: quotient), Double(Int64(truncatingIfNeeded: remainder)) / Double(count))
  }
}

/// Count, sum and bounds of reals.
struct RealMoments {
  private(set) var count = 0
  private(set) var sum = CompensatedSum()
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity

  mutating func add(_ value: Double) {
    count += 1
    sum.add(value)
    minimum = Swift.min(minimum, value)
    maximum = Swift.max(maximum, value)
  }

  mutating func add(_ other: RealMoments) {
    count += other.count
    sum.add(other.sum)
    minimum = Swift.min(minimum, other.minimum)
    maximum = Swift.max(maximum, other.maximum)
  }
}

/// Distances from a centre near the average: their sum and that of their squares.
///
/// - Source: the corrected two-pass algorithm; Chan, Golub, LeVeque, The American Statistician 37 (1983), eq. 1.7.
struct Spread {
  private var distances = CompensatedSum()
  private var squares = CompensatedSum()

  mutating func add(_ distance: Double) {
    distances.add(distance)
    let square = distance * distance
    squares.add(square)
    // What rounding took from the square.
    squares.add((-square).addingProduct(distance, distance))
  }

  mutating func add(_ other: Spread) {
    distances.add(other.distances)
    squares.add(other.squares)
  }

  /// The variance of a sample; nil for fewer than two values.
  func variance(count: Int) -> Double? {
    guard count > 1 else { return nil }
    let sum = distances.value
    return Swift.max(0, squares.value - sum * sum / Double(count)) / Double(count - 1)
  }
}
