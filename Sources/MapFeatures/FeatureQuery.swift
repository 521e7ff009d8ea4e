public import MapFilter
public import MapGeometry

/// Which features of a table are asked for: all conditions hold together.
///
/// Made by ``QueryConditions`` alone.
public struct FeatureQuery: Hashable, Sendable {
  /// Each must be true for a row; none lets all through.
  public let filters: [QueryFilter]
  /// The geometry must meet one of these; nil asks nothing of the geometry, an empty list selects no row.
  ///
  /// Sides included, in any reference: in one that is neither WGS 84, Web Mercator nor the table's it is met by the
  /// geometries as a map in that reference shows them. The world repeats: where a table reaches past ±180°, its features stand one world to the east
  /// and to the west of where they are written too.
  public let envelopes: [Envelope]?
  /// The geometry must lie to another as this asks; nil asks nothing of it.
  public let geometry: SpatialCondition?
  /// What the functions of the current time stand for, in all filters; nil where nobody said.
  public let now: Instant?
  /// The feature must have one of these object ids; nil asks nothing of it.
  public let objectIDs: Set<Int64>?
  /// The feature must have none of these object ids.
  public let hiddenIDs: Set<Int64>

  init(
    filters: [QueryFilter], envelopes: [Envelope]?, geometry: SpatialCondition?, objectIDs: Set<Int64>?,
    hiddenIDs: Set<Int64>, now: Instant?
  ) {
    (self.filters, self.envelopes, self.geometry) = (filters, envelopes, geometry)
    (self.objectIDs, self.hiddenIDs, self.now) = (objectIDs, hiddenIDs, now)
  }

  /// A part of the query, for a service that answers some of its conditions: these filters and what else is kept.
  ///
  /// - Parameter hiddenIDs: true for the part that is left to this side; no service is told what is hidden.
  package func keeping(
    filters: [QueryFilter], envelopes keepsEnvelopes: Bool = true, geometry keepsGeometry: Bool = true,
    objectIDs keepsObjectIDs: Bool = true, hiddenIDs keepsHiddenIDs: Bool = false
  ) -> FeatureQuery {
    FeatureQuery(
      filters: filters, envelopes: keepsEnvelopes ? envelopes : nil, geometry: keepsGeometry ? geometry : nil,
      objectIDs: keepsObjectIDs ? objectIDs : nil, hiddenIDs: keepsHiddenIDs ? hiddenIDs : [], now: now)
  }

  /// The same query in other envelopes, which are given as ``QueryConditions/parameterEnvelopes`` are.
  package func asked(in envelopes: [Envelope]) -> FeatureQuery {
    FeatureQuery(
      filters: filters, envelopes: envelopes, geometry: geometry, objectIDs: objectIDs, hiddenIDs: hiddenIDs,
      now: now)
  }
}

/// A filter of a query, with where it came from for messages.
public struct QueryFilter: Hashable, Sendable {
  /// Which condition it is.
  public let kind: QueryConditions.Kind
  /// The text as written; empty for one made from values.
  public let text: String
  /// What must be true.
  public let expression: Expression
  /// Where the parts of the expression stand in the text; nil for one made from values.
  public let places: FilterPlaces?
  /// What the text is written in.
  public let language: FilterLanguage
  /// How it names fields.
  public internal(set) var names: FilterNames
  /// True when it has another answer at another moment.
  public let needsCurrentTime: Bool

  /// A filter as someone wrote it.
  init(_ kind: QueryConditions.Kind, _ read: FilterText) {
    (self.kind, text, expression, places) = (kind, read.text, read.expression, read.places)
    (language, names) = (read.language, read.language.names)
    needsCurrentTime = expression.needsCurrentTime
  }

  /// A filter made from values.
  init(_ kind: QueryConditions.Kind, _ expression: Expression) {
    (self.kind, text, self.expression, places) = (kind, "", expression, nil)
    (language, names) = (.sqlWhere, .ofWhereClauses)
    needsCurrentTime = expression.needsCurrentTime
  }
}

extension QueryFilter {
  /// The conditions that must all be true, each a filter of its own; the filter itself where it is one condition.
  package var conjuncts: [QueryFilter] {
    guard case .and(let terms) = expression else { return [self] }
    return terms.map { QueryFilter(part: $0, of: self) }
  }

  private init(part: Expression, of filter: QueryFilter) {
    (kind, text, expression, places) = (filter.kind, "", part, nil)
    (language, names) = (filter.language, filter.names)
    needsCurrentTime = part.needsCurrentTime
  }
}

/// A condition whose text does not parse or does not fit the table.
public struct QueryConditionError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// The text does not parse; the error has the place.
    case syntax(FilterSyntaxError)
    /// The filter does not fit the table's fields.
    case meaning(FilterError)
  }

  /// Which condition it is.
  public let kind: QueryConditions.Kind
  /// The text as written.
  public let text: String
  /// What is wrong.
  public let cause: Cause
  /// What the text is written in.
  public let language: FilterLanguage

  init(kind: QueryConditions.Kind, text: String, cause: Cause, language: FilterLanguage = .sqlWhere) {
    (self.kind, self.text, self.cause, self.language) = (kind, text, cause, language)
  }

  /// One line for people.
  public var description: String {
    let name = language == .sqlWhere ? kind.name : "CQL2 filter"
    return switch cause {
    case .syntax(let error): "\(name): \(error)"
    case .meaning(let error): "\(name): \(error)"
    }
  }

  /// The line of the text with a caret under the place, for terminals; nil where the error has no place.
  public var caretPicture: String? {
    switch cause {
    case .syntax(let error): error.caretPicture(in: text)
    case .meaning(let error): text.isEmpty ? nil : error.caretPicture(in: text)
    }
  }
}
