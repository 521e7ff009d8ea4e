import Glibc

/// Figures of a type of numbers that are put together from parts: of one part, first count, sum and bounds of all values,
/// then the spread of the same values about their average.
///
/// - Source: the corrected two-pass algorithm for a part, Chan's updating formula for two; Chan, Golub, LeVeque, The
///   American Statistician 37 (1983), eq. 1.7 and 1.5b.
protocol Moments: Sendable {
  associatedtype Value: Sendable
  /// Of no values.
  init()
  /// How many values there were.
  var count: Int { get }
  /// Adds a value of the part to count, sum and bounds.
  mutating func add(_ value: Value)
  /// Sets the centre for the distances: the average so far.
  mutating func beginSpread()
  /// Adds the distance of a value that was added.
  mutating func addToSpread(_ value: Value)
  /// Ends the part.
  mutating func endSpread()
  /// Adds the figures of another part, later in the table.
  mutating func add(_ other: Self)
}

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

  /// The average as a double and what is left of it.
  func average(of count: Int) -> (near: Double, rest: Double) {
    guard count > 0 else { return (0, 0) }
    let count = Double(count)
    let near = value / count
    return (near, (high.addingProduct(-near, count) + low) / count)
  }
}

/// Squares of distances from the average.
struct Spread {
  private var distances = 0.0
  private var squares = CompensatedSum()

  mutating func add(_ distance: Double) {
    distances += distance
    squares.add(distance * distance)
  }

  /// Moves the squares from the centre to the average, from which the centre is a rounding away.
  mutating func end(count: Int) {
    if count > 0 { squares.add(-distances * distances / Double(count)) }
    distances = 0
  }

  /// Adds the squares of another part whose average lies `shift` away.
  mutating func add(_ other: Spread, counts: (own: Int, other: Int), shift: Double) {
    squares.add(other.squares)
    if counts.own > 0, counts.other > 0 {
      squares.add(
        shift * shift * (Double(counts.own) / Double(counts.own + counts.other) * Double(counts.other)))
    }
  }

  /// The variance of a sample; nil for fewer than two values.
  func variance(count: Int) -> Double? {
    guard count > 1 else { return nil }
    let sum = squares.value
    // Rounding alone could make it less; what is no number stays so.
    return (sum < 0 ? 0 : sum) / Double(count - 1)
  }
}

/// Figures of whole numbers; the sum is exact.
struct IntegerMoments: Moments {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  private(set) var minimum = Int64.max
  private(set) var maximum = Int64.min
  private(set) var spread = Spread()
  private var center: (whole: Int64, rest: Double) = (0, 0)

  mutating func add(_ value: Int64) {
    count &+= 1
    // 2^63 values of 63 bits fit.
    sum &+= Int128(value)
    minimum = value < minimum ? value : minimum
    maximum = value > maximum ? value : maximum
  }

  mutating func beginSpread() { center = average }

  mutating func addToSpread(_ value: Int64) {
    spread.add(Self.distance(value, from: center.whole) - center.rest)
  }

  mutating func endSpread() { spread.end(count: count) }

  mutating func add(_ other: IntegerMoments) {
    let (own, others) = (average, other.average)
    spread.add(
      other.spread, counts: (count, other.count),
      shift: Self.distance(others.whole, from: own.whole) + (others.rest - own.rest))
    count += other.count
    sum &+= other.sum
    minimum = Swift.min(minimum, other.minimum)
    maximum = Swift.max(maximum, other.maximum)
  }

  /// The average as a whole number and what is left of it, so that distances from it keep every digit.
  private var average: (whole: Int64, rest: Double) {
    guard count > 0 else { return (0, 0) }
    let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(count))
    return (Int64(truncatingIfNeeded: quotient), Double(Int64(truncatingIfNeeded: remainder)) / Double(count))
  }

  private static func distance(_ value: Int64, from other: Int64) -> Double {
    let (near, isFar) = value.subtractingReportingOverflow(other)
    return isFar ? Double(value) - Double(other) : Double(near)
  }
}

/// Figures of reals.
struct RealMoments: Moments {
  private(set) var count = 0
  private(set) var sum = CompensatedSum()
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
  private(set) var spread = Spread()
  private var center = 0.0

  mutating func add(_ value: Double) {
    count &+= 1
    sum.add(value)
    minimum = value < minimum ? value : minimum
    maximum = value > maximum ? value : maximum
  }

  mutating func beginSpread() { center = sum.average(of: count).near }
  mutating func addToSpread(_ value: Double) { spread.add(value - center) }
  mutating func endSpread() { spread.end(count: count) }

  mutating func add(_ other: RealMoments) {
    let (own, others) = (sum.average(of: count), other.sum.average(of: other.count))
    spread.add(
      other.spread, counts: (count, other.count), shift: (others.near - own.near) + (others.rest - own.rest))
    count += other.count
    sum.add(other.sum)
    minimum = Swift.min(minimum, other.minimum)
    maximum = Swift.max(maximum, other.maximum)
  }
}
