import MapSystem

/// A rule that divides numbers into classes.
public enum ClassificationMethod: String, CaseIterable, Hashable, Sendable {
  /// Classes with equal numbers of values.
  ///
  /// The bounds are quantiles by linear interpolation between neighbouring values. A bound that would end a class
  /// without a value is left out.
  ///
  /// - Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50(4), 1996,
  ///   definition 7.
  case quantile
  /// Classes of equal width from the least to the greatest value.
  case equalInterval = "equal-interval"
  /// Classes with the least sum of squared deviations from their means.
  ///
  /// - Source: Fisher, "On Grouping for Maximum Homogeneity", Journal of the American Statistical Association 53, 1958;
  ///   Jenks and Caspall, "Error on Choroplethic Maps", Annals of the AAG 61(2), 1971.
  case naturalBreaks = "natural-breaks"
  /// Classes one standard deviation wide, symmetric about the mean; those outside the values are left out.
  ///
  /// The deviation is that of a sample, with n - 1.
  case standardDeviation = "standard-deviation"

  /// Returns the upper bounds of classes, ascending; the last is the greatest value.
  ///
  /// There are fewer classes than asked for if the values do not allow more, and none without values.
  /// - Parameters:
  ///   - values: the numbers; NaN and infinities are ignored.
  ///   - count: the number of classes, at least 1.
  /// - Cost: one sort; natural breaks O(n log n) for each class, with 4 bytes for each value and class.
  public func upperBounds(of values: [Double], count: Int) -> [Double] {
    let sorted = values.filter(\.isFinite).sorted()
    guard let least = sorted.first, let greatest = sorted.last, count > 0 else { return [] }
    let inner: [Double]
    switch self {
    case .quantile:
      inner = (1..<count).map { Self.quantile(of: sorted, at: Double($0) / Double(count)) }
    case .equalInterval:
      // The width of all values may exceed the range of doubles, each half does not.
      let step = greatest / Double(count) - least / Double(count)
      inner = (1..<count).map { least + step * Double($0) }
    case .naturalBreaks: inner = NaturalBreaks.upperBounds(ofSorted: sorted, count: count).dropLast()
    case .standardDeviation:
      let (mean, deviation) = Self.meanAndDeviation(of: sorted)
      inner = (1..<count).map { mean + deviation * (Double($0) - Double(count) / 2) }
    }
    var bounds: [Double] = []
    for bound in inner where bound >= least && bound < greatest && bound > bounds.last ?? -.infinity {
      // A bound at the least value makes a class only of values that equal it.
      if bound == least, self == .equalInterval || self == .standardDeviation { continue }
      if self == .quantile, let last = bounds.last, !sorted.hasValue(above: last, upTo: bound) { continue }
      bounds.append(bound)
    }
    return bounds + [greatest]
  }

  private static func quantile(of sorted: [Double], at share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let index = min(Int(clamping: place), sorted.count - 1)
    guard index + 1 < sorted.count else { return sorted[index] }
    let (below, above, part) = (sorted[index], sorted[index + 1], place - Double(index))
    // From the nearer end, as numpy does, so that a whole place is the value itself.
    return part < 0.5 ? below + (above - below) * part : above - (above - below) * (1 - part)
  }

  private static func meanAndDeviation(of values: [Double]) -> (mean: Double, deviation: Double) {
    let count = Double(values.count)
    let sum = values.reduce(0, +)
    let mean = sum.isFinite ? sum / count : values.reduce(0) { $0 + $1 / count }
    guard values.count > 1 else { return (mean, 0) }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / (count - 1)).squareRoot())
  }
}

extension [Double] {
  /// Whether an ascending array has a value above one bound and up to another.
  fileprivate func hasValue(above low: Double, upTo high: Double) -> Bool {
    var (first, end) = (0, count)
    while first < end {
      let middle = (first + end) / 2
      if self[middle] <= low { first = middle + 1 } else { end = middle }
    }
    return first < count && self[first] <= high
  }
}
