extension TemporalPredicate {
  /// An end of one of the two time intervals that a predicate compares; an instant is an interval with equal ends.
  package struct End: Hashable, Sendable {
    /// Whether the end belongs to the first interval.
    package let isOfFirst: Bool
    /// The start or the end of the interval.
    package let side: IntervalSide

    fileprivate static let start1 = End(isOfFirst: true, side: .start)
    fileprivate static let end1 = End(isOfFirst: true, side: .end)
    fileprivate static let start2 = End(isOfFirst: false, side: .start)
    fileprivate static let end2 = End(isOfFirst: false, side: .end)
  }

  /// The comparisons that are all true exactly when the predicate is true; for ``disjoint`` when it is false.
  ///
  /// - Source: OGC 21-065 (CQL2), 7.7, tables 9 to 23, confirmed by the counts of its tests. The published links of
  ///   T_STARTS and T_STARTEDBY are exchanged.
  package var comparisons: [(End, ComparisonOperator, End)] {
    switch self {
    case .after: [(.start1, .greater, .end2)]
    case .before: [(.end1, .less, .start2)]
    case .intersects, .disjoint: [(.end1, .greaterOrEqual, .start2), (.start1, .lessOrEqual, .end2)]
    case .equals: [(.start1, .equal, .start2), (.end1, .equal, .end2)]
    case .contains: [(.start1, .less, .start2), (.end1, .greater, .end2)]
    case .during: [(.start1, .greater, .start2), (.end1, .less, .end2)]
    case .finishes: [(.start1, .greater, .start2), (.end1, .equal, .end2)]
    case .finishedBy: [(.start1, .less, .start2), (.end1, .equal, .end2)]
    case .meets: [(.end1, .equal, .start2)]
    case .metBy: [(.start1, .equal, .end2)]
    case .overlaps: [(.start1, .less, .start2), (.end1, .greater, .start2), (.end1, .less, .end2)]
    case .overlappedBy: [(.start1, .greater, .start2), (.start1, .less, .end2), (.end1, .greater, .end2)]
    case .starts: [(.start1, .equal, .start2), (.end1, .less, .end2)]
    case .startedBy: [(.start1, .equal, .start2), (.end1, .greater, .end2)]
    }
  }
}

extension IntervalSide {
  /// Returns the order of two ends when at least one is open, that is at the beginning or end of all time; else nil.
  package static func ordering(
    _ first: IntervalSide, isOpen firstIsOpen: Bool, _ second: IntervalSide, isOpen secondIsOpen: Bool
  ) -> ValueOrdering? {
    func rank(_ side: IntervalSide, _ isOpen: Bool) -> Int { !isOpen ? 0 : side == .start ? -1 : 1 }
    guard firstIsOpen || secondIsOpen else { return nil }
    return ValueOrdering(rank(first, firstIsOpen), rank(second, secondIsOpen))
  }
}
