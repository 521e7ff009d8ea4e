extension [Range<Int>] {
  /// Returns the ranges to read for these, each with those inside it, in order; empty ranges are left out.
  ///
  /// - Parameters:
  ///   - gap: The greatest number of bytes between two ranges that are read together.
  ///   - limit: The greatest size of ranges that are read together; a larger single range stays whole.
  package func merged(gap: Int, limit: Int) -> [(whole: Range<Int>, inner: [Range<Int>])] {
    var merged: [(whole: Range<Int>, inner: [Range<Int>])] = []
    for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
    where !range.isEmpty {
      if let last = merged.last?.whole, range.lowerBound <= last.upperBound + gap {
        let whole = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
        if whole == last || whole.count <= limit {
          merged[merged.count - 1].whole = whole
          merged[merged.count - 1].inner.append(range)
          continue
        }
      }
      merged.append((range, [range]))
    }
    return merged
  }
}
