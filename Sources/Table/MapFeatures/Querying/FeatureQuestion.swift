public import MapFilter
public import MapGeometry

/// The features that a caller asks about, in addition to a layer's own definition expression.
///
/// All conditions are combined with AND.
public struct FeatureQuestion: Hashable, Sendable {
  /// The area of a question.
  public enum Area: Hashable, Sendable {
    /// In the view: on the ground that the image shows, also of a rotated view.
    case view
    /// In the whole table, including features without geometry.
    case everywhere
    /// In at least one of these envelopes, including their sides; an empty list selects no feature.
    case envelopes([Envelope])

    /// In an envelope, including its sides.
    public static func envelope(_ envelope: Envelope) -> Area { .envelopes([envelope]) }

    /// Returns the area to search; nil for everywhere.
    package func searched(inView view: QueryArea?) -> QueryArea? {
      switch self {
      case .view: view
      case .everywhere: nil
      case .envelopes(let envelopes): QueryArea(envelopes.flatMap { $0.splitAtAntimeridian() })
      }
    }
  }

  /// The area that is searched.
  public var area: Area
  /// A spatial relation that features must have to a geometry; nil for none.
  public var geometry: SpatialCondition?
  /// An SQL condition; blank for none.
  @ParsedFilter public var whereClause = ""
  /// A CQL2 condition as text or JSON; blank for none.
  @ParsedFilter(cql2: "") public var cql2: String
  /// Whether the names in ``cql2`` are case-sensitive.
  public var cql2NamesHaveCase = true
  /// The time span of the features; nil for any time.
  public var time: TimeExtent?
  /// The permitted object ids; nil for any.
  public var objectIDs: [Int64]?

  /// Creates a question about all features of an area.
  public init(area: Area = .view) { self.area = area }

  /// Whether the question adds no condition to its area.
  package var addsNothing: Bool {
    geometry == nil && whereClause.isEmpty && cql2.isEmpty && time == nil && objectIDs == nil
  }
}
