/// How one geometry lies to another, by the intersections of interiors, boundaries and exteriors.
///
/// - Source: OGC 21-065 (CQL2), 7.6; OGC 06-103r4, 6.1.15.
public enum SpatialPredicate: String, CaseIterable, Hashable, Sendable {
  case intersects, disjoint, equals, touches, within, contains, crosses, overlaps

  /// The predicate for the sides exchanged.
  public var mirrored: SpatialPredicate {
    switch self {
    case .within: .contains
    case .contains: .within
    case .intersects, .disjoint, .equals, .touches, .crosses, .overlaps: self
    }
  }

  /// The name in CQL2 Text.
  public var textName: String { "S_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  public var jsonName: String { "s_\(rawValue)" }
}

/// How one moment or span of time lies to another; both ends belong to a span.
///
/// - Source: OGC 21-065 (CQL2), 7.7.
public enum TemporalPredicate: String, CaseIterable, Hashable, Sendable {
  case after, before, contains, disjoint, during, equals, finishedBy, finishes, intersects, meets, metBy
  case overlappedBy, overlaps, startedBy, starts

  /// True for those that say nothing of a moment.
  public var takesIntervalsOnly: Bool {
    switch self {
    case .after, .before, .disjoint, .equals, .intersects: false
    case .contains, .during, .finishedBy, .finishes, .meets, .metBy, .overlappedBy, .overlaps, .startedBy,
      .starts:
      true
    }
  }

  /// The name in CQL2 Text.
  public var textName: String { "T_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  public var jsonName: String { "t_\(rawValue)" }
}

/// How one array lies to another, both taken as sets.
///
/// - Source: OGC 21-065 (CQL2), 7.8.
public enum ArrayPredicate: String, CaseIterable, Hashable, Sendable {
  case equals, contains, containedBy, overlaps

  /// The name in CQL2 Text.
  public var textName: String { "A_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  public var jsonName: String { "a_\(rawValue)" }
}
