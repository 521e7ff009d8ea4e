public import MapFilter
public import MapGeometry

/// What an answer is for, which decides which of the conditions in force it honours.
public enum QueryPurpose: Hashable, Sendable {
  /// A question asked of the table: features, count, extent or statistics.
  case query
  /// The picture, and identify, which works on what is drawn.
  case drawing
  /// The labels of one class: what is drawn, and the class's own condition on top.
  case labels
  /// A stage of the filter funnel: it honours the view's conditions up to and with this one, and the parameters of a
  /// question from the stage on that they belong to: clauses, time and ids from the definition expression on, a
  /// geometry from the extent on.
  case stage(QueryConditions.Kind)

  /// The conditions that count for the purpose.
  ///
  /// This table is the product's one answer to "which filter applies to what".
  ///
  /// - Source: ArcGIS Maps SDK: definition expressions limit queries and display, display filters display alone; ours:
  ///   the stages, and that labels are a part of what is drawn.
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

/// Everything that may limit the features of one layer at one moment, whether or not a purpose honours it.
public struct QueryConditions: Sendable {
  /// The conditions, in the order of the funnel.
  public enum Kind: Int, Comparable, CaseIterable, Sendable {
    /// No condition: the funnel's `total`.
    case total
    /// The layer's definition expression.
    case definition
    /// The bounding box of the view.
    case extent
    /// The view's time.
    case time
    /// The layer's visibility and scale range.
    case scale
    /// The features that are hidden one by one, which the funnel shows with the display filter.
    case hidden
    /// The active display filter.
    case display
    /// The condition of a class of labels.
    case labels
    /// What a caller adds to one question.
    case parameters

    /// What people call it.
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
      case .parameters: "where clause"
      }
    }

    /// By place in the funnel.
    public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
  }

  /// SQL of the layer; blank is none.
  public var definitionExpression = ""
  /// SQL of the active display filter; blank is none.
  public var displayFilter = ""
  /// True where a display filter is in force that was made without SQL: an error where it counts.
  package var lacksDisplayFilter = false
  /// The ids of the features that are hidden one by one.
  public var hiddenIDs: Set<Int64> = []
  /// True when the layer is visible and the scale is in its range.
  public var isShown = true
  /// Where the table keeps time; nil when it keeps none.
  public var timeInfo: TimeInfo?
  /// The view's time; nil is any.
  public var viewTime: TimeExtent?
  /// The bounding box of the view, in pieces where it crosses the antimeridian; nil is everywhere.
  public var viewEnvelopes: [Envelope]?
  /// SQL of a class of labels; blank is none.
  public var labelWhere = ""
  /// SQL that a caller adds; blank is none.
  public var parameterWhere = ""
  /// CQL2, as text or as JSON, that a caller adds; blank is none.
  public var parameterCQL2 = ""
  /// True where the case of names in ``parameterCQL2`` counts.
  public var parameterCQL2NamesHaveCase = true
  /// Envelopes that a caller asks for; nil is everywhere.
  public var parameterEnvelopes: [Envelope]?
  /// How features must lie to a geometry that a caller gives; nil is anyhow.
  public var parameterGeometry: SpatialCondition?
  /// A span of time that a caller asks for; nil is any.
  public var parameterTime: TimeExtent?
  /// The object ids that a caller asks for; nil is any.
  public var parameterObjectIDs: Set<Int64>?
  /// What the functions of the current time stand for, in all conditions; a filter that asks while it is nil is an error.
  public var now: Instant?

  /// Conditions that limit nothing.
  public init() {}

  /// The query for a purpose.
  ///
  /// - Throws: ``QueryConditionError`` when an SQL text that counts for the purpose does not parse; a text that does
  ///   not count is not read.
  public func query(for purpose: QueryPurpose) throws(QueryConditionError) -> FeatureQuery {
    let honoured = purpose.honoured
    var filters: [QueryFilter] = []
    func add(_ kind: Kind, sql: String) throws(QueryConditionError) {
      do {
        if let read = try FilterText(where: sql) { filters.append(QueryFilter(kind, read)) }
      } catch {
        throw QueryConditionError(kind: kind, text: sql, cause: .syntax(error))
      }
    }
    func add(_ kind: Kind, _ expression: Expression) { filters.append(QueryFilter(kind, expression)) }
    var envelopes: [Envelope]?
    var geometry: SpatialCondition?
    var objectIDs: Set<Int64>?
    if honoured.contains(.definition) { try add(.definition, sql: definitionExpression) }
    if honoured.contains(.extent) { envelopes = viewEnvelopes }
    // A layer without time is always drawn, but a question for a time finds nothing in it.
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
      try add(.display, sql: displayFilter)
    }
    if honoured.contains(.labels) { try add(.labels, sql: labelWhere) }
    if honoured.contains(.parameters) {
      try add(.parameters, sql: parameterWhere)
      if let filter = try cql2Filter { filters.append(filter) }
      if purpose == .query { envelopes = parameterEnvelopes }
      if purpose == .query || honoured.contains(.extent) { geometry = parameterGeometry }
      objectIDs = parameterObjectIDs
      if let parameterTime {
        add(.time, timeInfo?.filter(within: parameterTime) ?? .literal(.boolean(false)))
      }
    }
    return FeatureQuery(
      filters: filters, envelopes: envelopes, geometry: geometry, objectIDs: objectIDs, hiddenIDs: hiddenIDs,
      now: now)
  }

  private var cql2Filter: QueryFilter? {
    get throws(QueryConditionError) {
      do {
        guard let read = try FilterText(cql2: parameterCQL2) else { return nil }
        var filter = QueryFilter(.parameters, read)
        filter.names.haveCase = parameterCQL2NamesHaveCase
        return filter
      } catch {
        throw QueryConditionError(
          kind: .parameters, text: parameterCQL2, cause: .syntax(error), language: .cql2Text)
      }
    }
  }
}
