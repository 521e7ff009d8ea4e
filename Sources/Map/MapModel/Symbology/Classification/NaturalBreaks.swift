/// The division of numbers into classes with the least sum of squared deviations.
///
/// Fisher's dynamic programme over distinct values. The best start of the last class never moves back as values are
/// added, so each class is found by divide and conquer.
///
/// - Source: Fisher 1958; Wang and Song, "Ckmeans.1d.dp", The R Journal 3(2), 2011; the order of the starts: Grønlund
///   and others, "Fast Exact k-Means, k-Medians and Bregman Divergence Clustering in 1D", 2017, arXiv:1701.07204.
struct NaturalBreaks {
  /// The distinct values.
  private var values: [Double] = []
  /// Sums of the numbers of values, of the values and of their squares, before each distinct value.
  private var counts: [Double] = [0]
  private var sums: [Double] = [0]
  private var squares: [Double] = [0]

  /// Returns the greatest value of each class.
  static func upperBounds(ofSorted sorted: [Double], count: Int) -> [Double] {
    let breaks = NaturalBreaks(sorted)
    guard breaks.values.count > count else { return breaks.values }
    return breaks.ends(count).map { breaks.values[$0 - 1] }
  }

  private init(_ sorted: [Double]) {
    // Sums of squares keep their digits when the values are near zero.
    let (middle, scale) = (
      sorted[sorted.count / 2], max(abs(sorted[0]), abs(sorted[sorted.count - 1]), 1e-300)
    )
    for value in sorted {
      if value != values.last {
        values.append(value)
        for list in [\NaturalBreaks.counts, \.sums, \.squares] {
          self[keyPath: list].append(self[keyPath: list][self[keyPath: list].count - 1])
        }
      }
      let (last, moved) = (counts.count - 1, value / scale - middle / scale)
      counts[last] += 1
      sums[last] += moved
      squares[last] += moved * moved
    }
  }

  /// The sum of squared deviations of the distinct values of a range.
  private func cost(_ start: Int, _ end: Int) -> Double {
    let sum = sums[end] - sums[start]
    return max(0, squares[end] - squares[start] - sum * sum / (counts[end] - counts[start]))
  }

  /// Returns the end of each class, as an index of distinct values.
  private func ends(_ count: Int) -> [Int] {
    let size = values.count
    // The least cost of the first `end` values in the classes so far.
    var best = (0...size).map { $0 == 0 ? 0 : cost(0, $0) }
    var starts: [[Int32]] = []
    for classes in 2...max(2, count) where count > 1 {
      var (next, start) = (best, [Int32](repeating: 0, count: size + 1))
      // Ranges of ends, each with the range of possible starts of its last class.
      var open = [(ends: classes...size, starts: classes - 1...size - 1)]
      while let (ends, range) = open.popLast() {
        let end = (ends.lowerBound + ends.upperBound) / 2
        var least = (cost: Double.infinity, start: range.lowerBound)
        for candidate in range.lowerBound...min(range.upperBound, end - 1) {
          let total = best[candidate] + cost(candidate, end)
          if total < least.cost { least = (total, candidate) }
        }
        (next[end], start[end]) = (least.cost, Int32(least.start))
        if end > ends.lowerBound { open.append((ends.lowerBound...end - 1, range.lowerBound...least.start)) }
        if end < ends.upperBound { open.append((end + 1...ends.upperBound, least.start...range.upperBound)) }
      }
      best = next
      starts.append(start)
    }
    var ends = [size]
    for start in starts.reversed() { ends.append(Int(start[ends[ends.count - 1]])) }
    return ends.reversed()
  }
}
