package import MapFilter

/// A spatial condition of a filter: a predicate on two geometries.
///
/// The first is the geometry of each row, or one in the filter. The second is one in the filter.
package struct SpatialQuestion: Hashable, Sendable {
  /// The relationship of the first geometry to the second.
  package let predicate: SpatialPredicate
  /// The first geometry; nil for the geometry of each row.
  package let first: GeometryLiteral?
  /// The second geometry.
  package let second: GeometryLiteral

  init(_ predicate: SpatialPredicate, of first: GeometryLiteral?, _ second: GeometryLiteral) {
    (self.predicate, self.first, self.second) = (predicate, first, second)
  }

  /// Whether the result depends on the row.
  package var isAboutRows: Bool { first == nil }
}
