package import MapFilter

/// The purpose of an answer, which decides the conditions that apply.
public enum QueryPurpose: Hashable, Sendable {
  /// A query of the table: features, count, extent or statistics.
  case query
  /// The image, and identify, which works on the drawn features.
  case drawing
  /// The labels of one class: the drawn features that also satisfy the class's condition.
  case labels
  /// A stage of the filter funnel: the view's conditions up to and including this one.
  ///
  /// A query's parameters also apply from their stage on: clauses, time and ids from the definition expression, a
  /// geometry from the extent.
  case stage(QueryConditions.Kind)

  /// The conditions that apply to the purpose.
  ///
  /// This table alone decides which filter applies to what.
  ///
  /// - Source: ArcGIS Maps SDK: definition expressions limit queries and display, display filters only display. Design
  ///   decisions: the stages, and that labels belong to the drawn features.
  var honoured: Set<QueryConditions.Kind> {
    switch self {
    case .query: [.definition, .parameters]
    case .drawing: [.definition, .extent, .time, .scale, .hidden, .display]
    case .labels: [.definition, .extent, .time, .scale, .hidden, .display, .labels]
    case .stage(let last):
      Set(QueryConditions.Kind.allCases.filter { $0 <= last }).union(
        last >= .definition ? [.parameters] : [])
    }
  }
}

/// All conditions that may limit the features of a layer at a time, whether or not a purpose applies them.
public struct QueryConditions: Sendable {
  /// The kinds of conditions, in the order of the funnel.
  public enum Kind: Int, Comparable, CaseIterable, Sendable {
    /// No condition: the funnel's `total`.
    case total
    /// The layer's definition expression.
    case definition
    /// The ground of the view.
    case extent
    /// The view's time.
    case time
    /// The layer's visibility and scale range.
    case scale
    /// The individually hidden features, which the funnel shows with the display filter.
    case hidden
    /// The active display filter.
    case display
    /// The condition of a label class.
    case labels
    /// The condition of a rule of a renderer.
    case rule
    /// The conditions that a caller adds to a query.
    case parameters
    /// The condition on the records of a statistics query.
    case having

    /// The name of the condition in messages.
    public var name: String {
      switch self {
      case .total: "all features"
      case .definition: "definition expression"
      case .extent: "extent"
      case .time: "time"
      case .scale: "scale range"
      case .hidden: "hidden features"
      case .display: "display filter"
      case .labels: "label class"
      case .rule: "rule"
      case .parameters: "where clause"
      case .having: "having clause"
      }
    }

    /// Whether `a` comes before `b` in the funnel.
    public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
  }

  /// The layer's definition expression in SQL; blank means none.
  @ParsedFilter package var definitionExpression = ""
  /// The active display filter in SQL; blank means none.
  @ParsedFilter package var displayFilter = ""
  /// Whether the active display filter was created without SQL, which is an error if the filter applies.
  package var lacksDisplayFilter = false
  /// The ids of the individually hidden features.
  package var hiddenIDs: Set<Int64> = []
  /// The field that is 0 for features that are not drawn; nil for none.
  package var visibilityField: String?
  /// Whether the layer is visible and the scale is in its range.
  package var isShown = true
  /// The time fields of the table; nil if it has none.
  package var timeInfo: TimeInfo?
  /// The view's time; nil means any time.
  package var viewTime: TimeExtent?
  /// The ground of the view; nil means everywhere.
  package var viewArea: QueryArea?
  /// The condition of a label class in SQL; blank means none.
  @ParsedFilter package var labelWhere = ""
  /// The caller's question; its area ``FeatureQuestion/Area/view`` means ``viewArea``.
  package var question = FeatureQuestion(area: .everywhere)
  /// The instant that the functions of the current time return in all conditions; a filter that needs it while nil is
  /// an error.
  package var now: Instant?

  /// Creates conditions that limit nothing.
  package init() {}

  /// Returns the query for a purpose.
  ///
  /// - Throws: ``QueryConditionError`` if a text that applies to the purpose does not parse; faults of other texts
  ///   are ignored.
  package func query(for purpose: QueryPurpose) throws(QueryConditionError) -> FeatureQuery {
    let honoured = purpose.honoured
    var filters: [QueryFilter] = []
    func add(_ kind: Kind, _ filter: ParsedFilter) throws(QueryConditionError) {
      if let filter = try QueryFilter(kind, filter) { filters.append(filter) }
    }
    func add(_ kind: Kind, _ expression: FilterExpression) { filters.append(QueryFilter(kind, expression)) }
    var area: QueryArea?
    var geometry: SpatialCondition?
    var objectIDs: Set<Int64>?
    if honoured.contains(.definition) { try add(.definition, $definitionExpression) }
    if honoured.contains(.extent) { area = viewArea }
    // A layer without time is always drawn, but a query with a time finds nothing in it.
    if honoured.contains(.time), let viewTime, let timeInfo {
      add(.time, timeInfo.filter(within: viewTime))
    }
    if honoured.contains(.scale), !isShown { add(.scale, .literal(.boolean(false))) }
    let hiddenIDs = honoured.contains(.hidden) ? self.hiddenIDs : []
    if honoured.contains(.display) {
      if lacksDisplayFilter {
        let error = FilterSyntaxError(.unexpected(found: "nothing", expected: "a condition"), at: 0)
        throw QueryConditionError(kind: .display, text: displayFilter, cause: .syntax(error))
      }
      try add(.display, $displayFilter)
      if let visibilityField {
        let field = FilterExpression.property(visibilityField)
        add(.display, .or([.isNull(field), .comparison(.notEqual, field, .literal(.integer(0)))]))
      }
    }
    if honoured.contains(.labels) { try add(.labels, $labelWhere) }
    if honoured.contains(.parameters) {
      try add(.parameters, question.$whereClause)
      if var filter = try QueryFilter(.parameters, question.$cql2) {
        filter.names.haveCase = question.cql2NamesHaveCase
        filters.append(filter)
      }
      if purpose == .query { area = question.area.searched(inView: viewArea) }
      if purpose == .query || honoured.contains(.extent) { geometry = question.geometry }
      objectIDs = question.objectIDs.map { Set($0) }
      if let time = question.time { add(.time, timeInfo?.filter(within: time) ?? .literal(.boolean(false))) }
    }
    return FeatureQuery(
      filters: filters, area: area, geometry: geometry, objectIDs: objectIDs, hiddenIDs: hiddenIDs, now: now)
  }
}
