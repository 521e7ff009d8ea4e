package import MapSystem
package import MapFilter
package import MapGeometry

/// The area of a query: envelopes, and for a rotated view also its rectangle.
package struct QueryArea: Hashable, Sendable {
  /// The envelopes, which do not cross the antimeridian; the geometry must meet at least one.
  package let envelopes: [Envelope]
  /// The rectangle that the geometry must meet, too, as the map in its spatial reference shows it; nil for none.
  package let rectangle: RotatedRectangle?

  /// Creates an area of envelopes that do not cross the antimeridian, and of a rectangle inside them.
  package init(_ envelopes: [Envelope], rectangle: RotatedRectangle? = nil) {
    (self.envelopes, self.rectangle) = (envelopes, rectangle)
  }
}

/// A selection of features by conditions that must all be true.
///
/// Created only by ``QueryConditions``.
package struct FeatureQuery: Hashable, Sendable {
  /// The filters; each must be true for a row, and an empty list passes all rows.
  package let filters: [QueryFilter]
  /// The envelopes; the geometry must meet at least one; nil means no condition, an empty list selects no row.
  ///
  /// Edges are included. An envelope may be in any spatial reference. In one other than WGS 84, Web Mercator and the
  /// table's own, the geometries are compared as a map in that spatial reference shows them.
  ///
  /// The world repeats: if a table reaches beyond ±180°, its features also occur one world copy to the east and to the
  /// west.
  package let envelopes: [Envelope]?
  /// The rectangle of a rotated view, which the geometry must meet, too; nil means no condition.
  ///
  /// No service and no database receives it. Its sides are included, and the world repeats, as for envelopes.
  package let rectangle: RotatedRectangle?
  /// The spatial relationship that the geometry must have to another; nil means no condition.
  package let geometry: SpatialCondition?
  /// The instant that the functions of the current time return in all filters; nil if none was given.
  package let now: Instant?
  /// The permitted object ids; nil means no condition.
  package let objectIDs: Set<Int64>?
  /// The excluded object ids.
  package let hiddenIDs: Set<Int64>

  init(
    filters: [QueryFilter], area: QueryArea?, geometry: SpatialCondition?, objectIDs: Set<Int64>?,
    hiddenIDs: Set<Int64>, now: Instant?
  ) {
    (self.filters, envelopes, rectangle) = (filters, area?.envelopes, area?.rectangle)
    self.geometry = geometry
    (self.objectIDs, self.hiddenIDs, self.now) = (objectIDs, hiddenIDs, now)
  }

  /// Returns a part of the query, for a service that evaluates some conditions: the given filters and the kept
  /// conditions.
  ///
  /// - Parameter isLocal: Whether to keep the hidden ids and the rectangle, which no service receives.
  package func keeping(
    filters: [QueryFilter], envelopes keepsEnvelopes: Bool = true, geometry keepsGeometry: Bool = true,
    objectIDs keepsObjectIDs: Bool = true, isLocal: Bool = false
  ) -> FeatureQuery {
    let area = envelopes.map { QueryArea($0, rectangle: isLocal ? rectangle : nil) }
    return FeatureQuery(
      filters: filters, area: keepsEnvelopes ? area : nil, geometry: keepsGeometry ? geometry : nil,
      objectIDs: keepsObjectIDs ? objectIDs : nil, hiddenIDs: isLocal ? hiddenIDs : [], now: now)
  }

  /// Returns the query with other envelopes that do not cross the antimeridian.
  package func asked(in envelopes: [Envelope]) -> FeatureQuery {
    FeatureQuery(
      filters: filters, area: QueryArea(envelopes, rectangle: rectangle), geometry: geometry,
      objectIDs: objectIDs, hiddenIDs: hiddenIDs, now: now)
  }
}

/// A filter of a query, with its origin for messages.
package struct QueryFilter: Hashable, Sendable {
  /// The condition that the filter belongs to.
  package let kind: QueryConditions.Kind
  /// The text as written; empty for a filter made from values.
  package let text: String
  /// The condition that must be true.
  package let expression: FilterExpression
  /// The positions of the expression's parts in the text; nil for a filter made from values.
  package let places: FilterPlaces?
  /// The language of the text.
  package let language: FilterLanguage
  /// The rules for the names of fields.
  package internal(set) var names: FilterNames
  /// Whether the result depends on the current time.
  package let needsCurrentTime: Bool

  /// Creates a filter from text; nil for blank text.
  ///
  /// - Throws: ``QueryConditionError`` for text that does not parse.
  init?(_ kind: QueryConditions.Kind, _ filter: ParsedFilter) throws(QueryConditionError) {
    do {
      guard let read = try filter.read() else { return nil }
      (self.kind, text, expression, places) = (kind, read.text, read.expression, read.places)
      (language, names) = (read.language, read.language.names)
      needsCurrentTime = read.needsCurrentTime
    } catch {
      throw QueryConditionError(
        kind: kind, text: filter.text, cause: .syntax(error), language: filter.language)
    }
  }

  /// Creates a filter from values.
  init(_ kind: QueryConditions.Kind, _ expression: FilterExpression) {
    (self.kind, text, self.expression, places) = (kind, "", expression, nil)
    (language, names) = (.sqlWhere, .ofWhereClauses)
    needsCurrentTime = expression.needsCurrentTime
  }
}

extension QueryFilter {
  /// The conditions joined by AND, each as a filter; the filter itself if it is a single condition.
  package var conjuncts: [QueryFilter] {
    guard case .and(let terms) = expression else { return [self] }
    return terms.map { QueryFilter(part: $0, of: self) }
  }

  private init(part: FilterExpression, of filter: QueryFilter) {
    (kind, text, expression, places) = (filter.kind, "", part, nil)
    (language, names) = (filter.language, filter.names)
    needsCurrentTime = part.needsCurrentTime
  }
}

/// The error for a condition that does not parse or does not match the table.
package struct QueryConditionError: Error, Hashable, CustomStringConvertible {
  /// The cause of the error.
  package enum Cause: Hashable, Sendable {
    /// The text does not parse; the error contains the position.
    case syntax(FilterSyntaxError)
    /// The filter does not match the table's fields.
    case meaning(FilterError)
  }

  /// The condition with the error.
  package let kind: QueryConditions.Kind
  /// The text as written.
  package let text: String
  /// The cause of the error.
  package let cause: Cause
  /// The language of the text.
  package let language: FilterLanguage

  init(kind: QueryConditions.Kind, text: String, cause: Cause, language: FilterLanguage = .sqlWhere) {
    (self.kind, self.text, self.cause, self.language) = (kind, text, cause, language)
  }

  /// The condition's name and the cause in one line.
  package var description: String {
    let name = language == .sqlWhere ? kind.name : "CQL2 filter"
    return switch cause {
    case .syntax(let error): "\(name): \(error)"
    case .meaning(let error): "\(name): \(error)"
    }
  }

  /// The line of the text with a caret below the position, for terminals; nil if the error has no position.
  package var caretPicture: String? {
    switch cause {
    case .syntax(let error): error.caretPicture(in: text)
    case .meaning(let error): text.isEmpty ? nil : error.caretPicture(in: text)
    }
  }
}

extension QueryConditionError: MapStateErrorCause {
  /// Returns the error for callers, with the position in the text and the nearest name.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    MapStateError(kind, description, detail: caretPicture, suggestion: suggestion, cause: self)
  }

  /// The valid name nearest to the wrong one; nil if the error is not about a name.
  private var suggestion: String? {
    switch cause {
    case .meaning(let error): error.suggestion
    case .syntax(let error):
      switch error.reason {
      case .unknownFunction(_, let nearest), .unknownWord(_, _, _, let nearest): nearest
      default: nil
      }
    }
  }
}
