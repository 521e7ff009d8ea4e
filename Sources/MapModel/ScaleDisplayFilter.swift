/// A display filter with the scales at which it applies.
///
/// Scales are compared as the doubles they are, without a tolerance: a view asked for at 1:20000 is at 20000.
///
/// - Source: Esri web map specification: `minScale` is included, `maxScale` excluded, 0 is open.
public struct ScaleRangeDisplayFilter: Hashable, Sendable {
  /// The filter.
  public let filter: DisplayFilter
  /// The smallest map scale at which it applies, as the N of 1:N, itself included; 0 is open.
  public let minScale: Double
  /// The largest map scale at which it applies, as the N of 1:N, itself excluded; 0 is open.
  public let maxScale: Double

  /// A filter by name, SQL and scales, its name serving as its id.
  ///
  /// The clause must not be blank, see ``DisplayFilter/init(name:whereClause:)``.
  public init(name: String, whereClause: String, minScale: Double = 0, maxScale: Double = 0) {
    self.init(
      filter: DisplayFilter(name: name, whereClause: whereClause), minScale: minScale, maxScale: maxScale)
  }

  package init(filter: DisplayFilter, minScale: Double, maxScale: Double) {
    (self.filter, self.minScale, self.maxScale) = (filter, minScale, maxScale)
  }

  /// What tells it from the others of its layer.
  public var filterID: String { filter.filterID }
  /// Its name for people.
  public var name: String { filter.name }
  /// SQL; blank lets all through.
  public var whereClause: String { filter.whereClause }

  /// True when it may apply at a scale.
  ///
  /// Never with a `maxScale` that is not below the `minScale`.
  public func covers(scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale > maxScale)
  }

  /// The scales that it covers: those above the first, up to and with the second; nil for none.
  fileprivate var range: (above: Double, upTo: Double)? {
    let upTo = minScale == 0 ? .infinity : minScale
    return maxScale < upTo ? (maxScale, upTo) : nil
  }
}

/// Display filters of which the scale of the view finds the active one.
///
/// - Source: Esri web map specification: the first in the list that covers the scale; where none does, no filter.
public struct ScaleDisplayFilterDefinition: DisplayFilterDefinition, Hashable {
  /// The filters, first fit wins.
  public var filters: [ScaleRangeDisplayFilter]

  /// A definition.
  public init(filters: [ScaleRangeDisplayFilter]) { self.filters = filters }

  /// The filter in force at a scale; nil for none.
  public func activeFilter(atScale scale: Double) -> ScaleRangeDisplayFilter? {
    filters.first { $0.covers(scale: scale) }
  }

  /// True when two filters cover the same scale, which web maps must not have.
  public var hasOverlap: Bool {
    let ranges = filters.compactMap(\.range).sorted { $0.above < $1.above }
    return zip(ranges, ranges.dropFirst()).contains { $0.upTo > $1.above }
  }

  /// Itself, in the closed family.
  public var form: DisplayFilterForm { .scale(self) }
}
