/// A display filter with the scales at which it applies.
///
/// Scale denominators are compared as doubles, without a tolerance: a view requested at 1:20000 is at 20000.
///
/// - Source: Esri web map specification: `minScale` is inclusive, `maxScale` exclusive, 0 means no limit.
public struct ScaleRangeDisplayFilter: Hashable, Sendable {
  /// The filter.
  public let filter: DisplayFilter
  /// The scale denominator of the smallest scale at which the filter applies, inclusive; 0 means no limit.
  public let minScale: Double
  /// The scale denominator of the largest scale at which the filter applies, exclusive; 0 means no limit.
  public let maxScale: Double

  /// Creates a filter with a name, which is also its id, an SQL condition and scale limits.
  ///
  /// The clause must not be blank; see ``DisplayFilter/init(name:whereClause:)``.
  public init(name: String, whereClause: String, minScale: Double = 0, maxScale: Double = 0) {
    self.init(
      filter: DisplayFilter(name: name, whereClause: whereClause), minScale: minScale, maxScale: maxScale)
  }

  package init(filter: DisplayFilter, minScale: Double, maxScale: Double) {
    (self.filter, self.minScale, self.maxScale) = (filter, minScale, maxScale)
  }

  /// The identifier of the filter, unique within its layer.
  public var filterID: String { filter.filterID }
  /// The display name.
  public var name: String { filter.name }
  /// The SQL condition; a blank clause passes all features.
  public var whereClause: String { filter.whereClause }

  /// Returns whether the filter may apply at a scale denominator.
  ///
  /// It never applies with a `maxScale` that is not below the `minScale`.
  public func covers(scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale > maxScale)
  }

  /// The covered scale denominators, above the first and up to the second, inclusive; nil for none.
  fileprivate var range: (above: Double, upTo: Double)? {
    let upTo = minScale == 0 ? .infinity : minScale
    return maxScale < upTo ? (maxScale, upTo) : nil
  }
}

/// Display filters from which the scale of the view selects the active one.
///
/// - Source: Esri web map specification: the first filter that covers the scale; without one, no filter applies.
public struct ScaleDisplayFilterDefinition: DisplayFilterDefinition, Hashable {
  /// The filters; the first one that covers the scale applies.
  public var filters: [ScaleRangeDisplayFilter]

  /// Creates a definition.
  public init(filters: [ScaleRangeDisplayFilter]) { self.filters = filters }

  /// Returns the filter that applies at a scale denominator; nil for none.
  public func activeFilter(atScale scale: Double) -> ScaleRangeDisplayFilter? {
    filters.first { $0.covers(scale: scale) }
  }

  /// Whether two filters cover the same scale, which web maps do not allow.
  public var hasOverlap: Bool {
    let ranges = filters.compactMap(\.range).sorted { $0.above < $1.above }
    return zip(ranges, ranges.dropFirst()).contains { $0.upTo > $1.above }
  }

  /// The definition as a case of ``DisplayFilterForm``.
  public var form: DisplayFilterForm { .scale(self) }
}
