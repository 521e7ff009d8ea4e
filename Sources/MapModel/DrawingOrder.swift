/// A field by which the features of a layer lie above each other.
///
/// Numbers and dates count; features without a value lie below all others, and equal ones in the order of the rows,
/// later on top. A field of another type orders nothing. Counts never depend on it.
///
/// - Source: Esri web map specification, `layerDefinition.orderBy`; ours: the place of null.
public struct DrawingOrder: Hashable, Sendable {
  /// Which end of the values is on top.
  public enum Direction: String, Hashable, Sendable {
    /// Smaller values on top, painted last.
    case ascending
    /// Larger values on top, painted last.
    case descending
  }

  /// The field.
  public var fieldName: String
  /// Which end is on top.
  public var direction: Direction

  /// An order by one field.
  public init(fieldName: String, direction: Direction = .ascending) {
    (self.fieldName, self.direction) = (fieldName, direction)
  }
}
