package import MapFeatures
package import MapGeometry
package import MapServices

/// A layer whose rows lie in several databases: each is asked directly, and the answers are joined here.
///
/// The rows of a part follow those of the part before it, also in their keys.
package struct DatabaseParts: ServiceLayer {
  private let parts: [DatabaseLayer]
  /// The fields, geometry kind and spatial reference, which all parts share.
  package let schema: FeatureSchema

  /// Joins one layer or more.
  ///
  /// - Throws: ``ServiceError`` for parts with other fields, or with keys that are not greater than those before.
  package init(_ parts: [DatabaseLayer]) throws(ServiceError) {
    guard let first = parts.first else { throw ServiceError("has no parts", at: "", kind: .refused) }
    for (previous, part) in zip(parts, parts.dropFirst()) {
      guard part.schema == first.schema else {
        throw ServiceError(
          "has other fields or geometries than the first part: all parts must have the same", at: part.place)
      }
      guard let (before, after) = previous.keys.flatMap({ keys in part.keys.map { (keys, $0) } }) else {
        continue
      }
      guard before.upperBound < after.lowerBound else {
        throw ServiceError(
          "its keys from \(after.lowerBound) on do not follow those of the part before it, which end with "
            + "\(before.upperBound); the parts must be in the order of their keys", at: part.place)
      }
    }
    (self.parts, schema) = (parts, first.schema)
  }

  /// The extent of the rows of all parts.
  package var statedExtent: Envelope? {
    guard schema.geometryKind != nil else { return nil }
    return parts.reduce(Envelope.empty) { $0.union($1.statedExtent ?? .empty) }
      .with(spatialReference: schema.spatialReference)
  }

  /// The name of the first part's table.
  package var metadata: SourceMetadata { parts[0].metadata }

  /// The warnings of the parts, and one about their snapshots.
  package var notices: [String] {
    var notices = [
      "the rows of \(parts.count) databases are joined: those of each are of one instant, which differs between them"
    ]
    for part in parts { notices += part.notices.filter { !notices.contains($0) } }
    return notices
  }

  /// Returns the part of a query that all databases answer.
  package func pushable(_ query: FeatureQuery) -> FeatureQuery {
    parts.reduce(query) { $1.pushable($0) }
  }

  /// Whether all databases answer a pushed query exactly.
  package func answersExactly(_ query: FeatureQuery) -> Bool { parts.allSatisfy { $0.answersExactly(query) } }

  /// Checks the filters of a query against the columns.
  package func check(_ query: FeatureQuery) throws { try parts.first?.check(query) }

  /// Returns why conditions of a query are evaluated here.
  package func reasonsForRest(of query: FeatureQuery) -> [String] {
    parts.flatMap { $0.reasonsForRest(of: query) }
  }

  /// Returns the sum of the counts.
  package func count(_ query: FeatureQuery) async throws -> Int {
    try await answers { try await $0.count(query) }.reduce(0, +)
  }

  /// Returns the rows of all parts.
  package func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    FeatureColumns(joining: try await answers { try await $0.features(query) }, schema: schema)
  }

  /// Returns the first rows of each part, which contain the first of all; nil if a database orders otherwise.
  package func features(
    _ query: FeatureQuery, first limit: Int, in order: [OrderBy]
  ) async throws -> FeatureColumns? {
    let tables = try await answers { try await $0.features(query, first: limit, in: order) }.compactMap { $0 }
    return tables.count == parts.count ? FeatureColumns(joining: tables, schema: schema) : nil
  }

  /// Returns the groups of points of all parts; nil if a database cannot group them.
  package func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints? {
    let found = try await answers { try await $0.points(query, in: groups) }.compactMap { $0 }
    guard found.count == parts.count, let first = found.first else { return nil }
    return GroupedPoints(
      FeatureColumns(joining: found.map(\.points), schema: first.points.schema),
      counts: found.flatMap(\.counts))
  }

  /// Returns statistics of the rows of all parts: from the exact sums of all databases, or from the fields that they need.
  package func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? {
    let states = try await answers { try await $0.states(of: statistics, query) }.compactMap { $0 }
    if states.count == parts.count, var all = states.first {
      for state in states.dropFirst() { try all.add(state) }
      return try all.table(statistics)
    }
    let tables = try await answers { try await $0.values(for: statistics, of: query) }.compactMap { $0 }
    guard tables.count == parts.count else { return nil }
    let rows = FeatureColumns(joining: tables, schema: tables[0].schema)
    return try StatisticsTable(statistics, of: rows, rows: RowSet(rowCount: rows.rowCount, all: true))
  }

  /// Asks all databases at the same time.
  private func answers<Answer: Sendable>(
    _ ask: @escaping @Sendable (DatabaseLayer) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      for (index, part) in parts.enumerated() { group.addTask { (index, try await ask(part)) } }
      var answers: [(Int, Answer)] = []
      for try await answer in group { answers.append(answer) }
      return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
