package import MapFeatures
import MapFilter
import MapGeometry
import MapJSON

extension ArcGISLayer {
  /// Returns the part of a query that the service evaluates as MapState does; the rest is evaluated locally.
  ///
  /// Of a filter joined by AND, the supported conditions are sent. Only one spatial condition is sent: the envelopes if
  /// the query has any, otherwise the spatial relationship.
  package func pushable(_ query: FeatureQuery) -> FeatureQuery {
    func isPushed(_ filter: QueryFilter) -> Bool { clause(filter, at: query.now) != nil }
    let filters = query.filters.flatMap { isPushed($0) ? [$0] : $0.conjuncts.filter(isPushed) }
    let hasEnvelopes = query.envelopes.map { place($0) != nil } ?? false
    let isTable = schema.geometryKind == nil
    return query.keeping(
      filters: filters, envelopes: hasEnvelopes || isTable,
      geometry: isTable || (query.envelopes == nil && query.geometry.map { place($0) != nil } ?? false),
      objectIDs: description.idField != nil)
  }

  /// Returns a sentence about functions if a filter that the service does not evaluate has one.
  package func reasonsForRest(of query: FeatureQuery) -> [String] {
    guard !description.abilities.isStandardized else { return [] }
    let rest = query.filters.flatMap(\.conjuncts).filter { clause($0, at: query.now) == nil }
    return rest.contains { $0.expression.callsFunction }
      ? ["filters with functions are evaluated locally: the service has no standardized queries"] : []
  }

  /// Returns the conditions of a query as parameters, split into parts for many object ids; empty if nothing can match.
  ///
  /// - Throws: ``ServiceError`` for a condition that ``pushable(_:)`` would have left out.
  func conditions(_ query: FeatureQuery) throws(ServiceError) -> [ArcGISResource.Parameters] {
    func fault() -> ServiceError { self.fault("a condition that the service cannot answer") }
    var clauses: [String] = []
    for filter in query.filters {
      guard let clause = clause(filter, at: query.now) else { throw fault() }
      clauses.append(query.filters.count > 1 ? "(\(clause))" : clause)
    }
    var parameters: ArcGISResource.Parameters = [
      ("where", clauses.isEmpty ? "1=1" : clauses.joined(separator: " AND "))
    ]
    if schema.geometryKind != nil {
      if let envelopes = query.envelopes {
        guard let place = place(envelopes), query.geometry == nil else { throw fault() }
        switch place {
        case .nowhere: return []
        case .meeting(let more): parameters += more
        }
      } else if let condition = query.geometry {
        guard let place = place(condition) else { throw fault() }
        switch place {
        case .nowhere: return []
        case .meeting(let more): parameters += more
        }
      }
    }
    guard let ids = query.objectIDs?.sorted() else { return [parameters] }
    guard description.idField != nil else { throw fault() }
    return stride(from: 0, to: ids.count, by: ArcGISPages.idLimit).map { start in
      let list = ids[start..<min(start + ArcGISPages.idLimit, ids.count)]
      return parameters + [("objectIds", list.map { String($0) }.joined(separator: ","))]
    }
  }

  private func clause(_ filter: QueryFilter, at now: Instant?) -> String? {
    ArcGISClause(schema: schema, abilities: description.abilities).text(filter, at: now)
  }

  private func place(_ envelopes: [Envelope]) -> ArcGISPlace? {
    ArcGISPlace(meeting: envelopes, of: schema, data: statedExtent ?? .empty)
  }

  private func place(_ condition: SpatialCondition) -> ArcGISPlace? {
    ArcGISPlace(
      condition, of: schema, data: statedExtent ?? .empty,
      relations: description.abilities.relations)
  }
}

extension FilterExpression {
  /// Whether a function is called in the tree; recurses to the depth of the tree.
  fileprivate var callsFunction: Bool {
    if case .call = self { return true }
    return children.contains(where: \.callsFunction)
  }
}
