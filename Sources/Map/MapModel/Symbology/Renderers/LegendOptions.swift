/// The texts of a renderer or a visual variable in a legend.
///
/// - Source: Esri web map specification, `legendOptions` and `valueExpressionTitle`.
public struct LegendOptions: Hashable, Sendable {
  /// The title, which replaces the names of fields; empty for none.
  public var title = ""
  /// The name of an expression's value, which is the title where ``title`` is empty; empty for none.
  public var valueExpressionTitle = ""
  /// Whether the legend shows the colours, sizes or rotations.
  ///
  /// Classes of values are always shown.
  public var showsLegend = true
  /// The order of the classes or sizes; nil for that of the document, and for sizes the largest first.
  public var order: Order?
  /// The text at the lowest density of a heat map; empty for `Low`.
  public var minLabel = ""
  /// The text at the highest density of a heat map; empty for `High`.
  public var maxLabel = ""
  /// The word for a dot of a dot density; empty for `dot`.
  public var dotLabel = ""
  /// The unit of the value of a dot; empty for none.
  public var unit = ""

  /// The orders of classes and sizes, spelled as in web maps.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// The lowest value first.
    case ascending = "ascendingValues"
    /// The highest value first.
    case descending = "descendingValues"
  }

  /// Creates options without texts, which show the legend.
  public init() {}

  /// The title, or else the name of the expression's value; empty for neither.
  public var shownTitle: String { title.isEmpty ? valueExpressionTitle : title }
}
