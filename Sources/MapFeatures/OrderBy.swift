/// A field to order by.
///
/// Null is greater than every value, as in PostgreSQL: last ascending, first descending. Text goes by Unicode scalar
/// values. An object as in the map SDK; equal when field and way are.
public final class OrderBy: Hashable, Sendable {
  /// Which way.
  public enum SortOrder: Hashable, Sendable {
    /// Smallest first.
    case ascending
    /// Greatest first.
    case descending
  }

  /// The field.
  public let fieldName: String
  /// Which way.
  public let sortOrder: SortOrder

  /// A field and a way.
  public init(fieldName: String, sortOrder: SortOrder = .ascending) {
    (self.fieldName, self.sortOrder) = (fieldName, sortOrder)
  }

  /// True when field and way are the same.
  public static func == (first: OrderBy, second: OrderBy) -> Bool {
    first.fieldName == second.fieldName && first.sortOrder == second.sortOrder
  }

  /// Feeds field and way.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fieldName)
    hasher.combine(sortOrder)
  }
}
