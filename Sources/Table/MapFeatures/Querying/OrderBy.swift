/// A field to sort by.
///
/// Unless stated otherwise, null is greater than every value, as in PostgreSQL: last in ascending, first in descending
/// order. Text is ordered by Unicode scalar values. A class as in the map SDK; equal if all members are equal.
public final class OrderBy: Hashable, Sendable {
  /// The direction of sorting.
  public enum SortOrder: Hashable, Sendable {
    /// Smallest value first.
    case ascending
    /// Greatest value first.
    case descending
  }

  /// The position of nulls.
  public enum NullOrder: Hashable, Sendable {
    /// Before every value.
    case first
    /// After every value.
    case last
  }

  /// The name of the field.
  public let fieldName: String
  /// The direction of sorting.
  public let sortOrder: SortOrder
  /// The position of nulls.
  public let nullOrder: NullOrder

  /// Creates a sort field; by default nulls are last in ascending and first in descending order.
  public init(fieldName: String, sortOrder: SortOrder = .ascending, nullOrder: NullOrder? = nil) {
    (self.fieldName, self.sortOrder) = (fieldName, sortOrder)
    self.nullOrder = nullOrder ?? (sortOrder == .ascending ? .last : .first)
  }

  /// Whether null is less than every value, before descending order reverses the result.
  var nullIsLeast: Bool { (nullOrder == .first) == (sortOrder == .ascending) }

  /// Whether field, direction and position of nulls are equal.
  public static func == (first: OrderBy, second: OrderBy) -> Bool {
    first.fieldName == second.fieldName && first.sortOrder == second.sortOrder
      && first.nullOrder == second.nullOrder
  }

  /// Hashes field, direction and position of nulls.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fieldName)
    hasher.combine(sortOrder)
    hasher.combine(nullOrder)
  }
}
