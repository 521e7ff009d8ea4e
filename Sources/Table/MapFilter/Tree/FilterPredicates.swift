/// A spatial relation between two geometries, defined by the intersections of interiors, boundaries and exteriors.
///
/// - Source: OGC 21-065 (CQL2), 7.6; OGC 06-103r4, 6.1.15.
package enum SpatialPredicate: String, CaseIterable, Hashable, Sendable {
  /// The geometries share at least one point.
  case intersects
  /// The geometries share no point.
  case disjoint
  /// The geometries cover the same points.
  case equals
  /// The geometries share boundary points only.
  case touches
  /// The first geometry lies in the second, and not only on its boundary.
  case within
  /// The second geometry lies in the first, and not only on its boundary.
  case contains
  /// The interiors share some but not all points, in a lower dimension than the larger geometry.
  case crosses
  /// Geometries of one dimension share a part of that dimension, and neither contains the other.
  case overlaps

  /// The predicate that gives the same result when the sides are exchanged.
  package var mirrored: SpatialPredicate {
    switch self {
    case .within: .contains
    case .contains: .within
    case .intersects, .disjoint, .equals, .touches, .crosses, .overlaps: self
    }
  }

  /// The name in CQL2 text.
  package var textName: String { "S_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  package var jsonName: String { "s_\(rawValue)" }
}

/// A temporal relation between two instants or time intervals; an interval includes both ends.
///
/// - Source: OGC 21-065 (CQL2), 7.7.
package enum TemporalPredicate: String, CaseIterable, Hashable, Sendable {
  /// The first starts after the end of the second.
  case after
  /// The first ends before the start of the second.
  case before
  /// The first starts before the second and ends after it.
  case contains
  /// The two share no instant.
  case disjoint
  /// The first starts after the start of the second and ends before its end.
  case during
  /// The two have the same start and the same end.
  case equals
  /// The first starts before the second and ends with it.
  case finishedBy
  /// The first starts after the second and ends with it.
  case finishes
  /// The two share at least one instant.
  case intersects
  /// The first ends when the second starts.
  case meets
  /// The first starts when the second ends.
  case metBy
  /// The first starts during the second and ends after it.
  case overlappedBy
  /// The first starts before the second and ends during it.
  case overlaps
  /// The first starts with the second and ends after it.
  case startedBy
  /// The first starts with the second and ends before it.
  case starts

  /// Whether the predicate accepts time intervals only, not instants.
  package var takesIntervalsOnly: Bool {
    switch self {
    case .after, .before, .disjoint, .equals, .intersects: false
    case .contains, .during, .finishedBy, .finishes, .meets, .metBy, .overlappedBy, .overlaps, .startedBy,
      .starts:
      true
    }
  }

  /// The name in CQL2 text.
  package var textName: String { "T_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  package var jsonName: String { "t_\(rawValue)" }
}

/// A relation between two arrays, both taken as sets.
///
/// - Source: OGC 21-065 (CQL2), 7.8.
package enum ArrayPredicate: String, CaseIterable, Hashable, Sendable {
  /// The sets have the same elements.
  case equals
  /// The first set has all elements of the second.
  case contains
  /// The second set has all elements of the first.
  case containedBy
  /// The sets share at least one element.
  case overlaps

  /// The name in CQL2 text.
  package var textName: String { "A_\(rawValue.uppercased())" }
  /// The name in CQL2 JSON.
  package var jsonName: String { "a_\(rawValue)" }
}
