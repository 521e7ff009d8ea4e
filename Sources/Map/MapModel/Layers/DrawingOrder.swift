/// A field that orders how the features of a layer overlap.
///
/// Only numbers and dates order features; a field of another type has no effect. Features without a value lie below
/// all others. Features with equal values keep the order of the rows, with later rows on top. Counts never depend on
/// the order.
///
/// - Source: Esri web map specification, `layerDefinition.orderBy`. The position of null values is a design decision.
public struct DrawingOrder: Hashable, Sendable {
  /// The end of the value range that is painted on top.
  public enum Direction: String, Hashable, Sendable {
    /// Smaller values on top, painted last.
    case ascending
    /// Larger values on top, painted last.
    case descending
  }

  /// The name of the field.
  public var fieldName: String
  /// The end of the value range that is painted on top.
  public var direction: Direction

  /// Creates an order by one field.
  public init(fieldName: String, direction: Direction = .ascending) {
    (self.fieldName, self.direction) = (fieldName, direction)
  }
}
