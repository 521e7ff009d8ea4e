/// The field that ranks the features of a label class, so that important ones get their labels first.
///
/// Only numbers and dates rank features. Features without a value come last, and those with equal values in drawing
/// order.
public struct FeaturePriority: Hashable, Sendable {
  /// The name of the field.
  public var fieldName: String
  /// Whether features with larger values come first, as for populations; otherwise smaller ones, as for ranks.
  public var largestFirst: Bool

  /// Creates a ranking by a field.
  public init(fieldName: String, largestFirst: Bool = true) {
    (self.fieldName, self.largestFirst) = (fieldName, largestFirst)
  }
}
