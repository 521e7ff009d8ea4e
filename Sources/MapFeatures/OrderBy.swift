/// A field to order by.
///
/// Unless the order of nulls is given, null is greater than every value, as in PostgreSQL: last ascending, first
/// descending. Text is ordered by Unicode scalar values. An object as in the map SDK; equal when all its members are.
public final class OrderBy: Hashable, Sendable {
  /// Which way.
  public enum SortOrder: Hashable, Sendable {
    /// Smallest first.
    case ascending
    /// Greatest first.
    case descending
  }

  /// The position of nulls.
  public enum NullOrder: Hashable, Sendable {
    /// Before every value.
    case first
    /// After every value.
    case last
  }

  /// The field.
  public let fieldName: String
  /// Which way.
  public let sortOrder: SortOrder
  /// The position of nulls.
  public let nullOrder: NullOrder

  /// A field and a way; without an order of nulls they are last ascending and first descending.
  public init(fieldName: String, sortOrder: SortOrder = .ascending, nullOrder: NullOrder? = nil) {
    (self.fieldName, self.sortOrder) = (fieldName, sortOrder)
    self.nullOrder = nullOrder ?? (sortOrder == .ascending ? .last : .first)
  }

  /// True where null is less than every value before the order is reversed for a descending one.
  var nullIsLeast: Bool { (nullOrder == .first) == (sortOrder == .ascending) }

  /// True when field, way and order of nulls are the same.
  public static func == (first: OrderBy, second: OrderBy) -> Bool {
    first.fieldName == second.fieldName && first.sortOrder == second.sortOrder
      && first.nullOrder == second.nullOrder
  }

  /// Feeds field, way and order of nulls.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fieldName)
    hasher.combine(sortOrder)
    hasher.combine(nullOrder)
  }
}
