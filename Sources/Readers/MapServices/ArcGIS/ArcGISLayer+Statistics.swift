package import MapFeatures
import MapFilter
import MapJSON

extension ArcGISLayer {
  /// Returns statistics computed by the service; nil if it cannot compute them as MapState does.
  ///
  /// Averages are computed here from sums and counts, because databases truncate averages of integers. Variances are
  /// those of a sample. Computed locally are the minimum and maximum of text, whose order depends on the database, and
  /// percentiles, distinct values and all statistics of single-precision fields except their count. The groups must hold as many features as the service
  /// counts.
  ///
  /// - Error: the database rounds sums, variances and standard deviations of decimals.
  /// - Throws: `StatisticsError`, ``ServiceError``.
  package func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? {
    let empty = FeatureColumns(joining: [], schema: schema)
    let ofNothing = try StatisticsTable(statistics, of: empty, rows: RowSet(rowCount: 0))
    guard description.abilities.canSummarize, let summary = ArcGISSummary(statistics, of: description),
      case let parts = try conditions(query), parts.count <= 1
    else { return nil }
    guard let part = parts.first else { return ofNothing }
    let resource = resource.begun()
    let count = try await count(parts, resource)
    guard count > 0 else { return ofNothing }
    guard let rows = try await rows(of: summary, part, resource.appending("query")) else { return nil }
    let counted = rows.reduce(0) { $0.added($1.count) }
    guard counted == count else {
      throw fault("the groups of its statistics hold \(counted) features, but it counts \(count)")
    }
    guard Set(rows.map(\.group)).count == rows.count else {
      throw fault("a group occurs twice in its statistics")
    }
    return try StatisticsTable(
      statistics, ofTablesLike: empty, records: rows.map { (group: $0.group, statistics: $0.statistics) })
  }

  /// Returns the groups with their statistics from all pages; nil if there are more than the service returns at once.
  private func rows(
    of summary: ArcGISSummary, _ part: ArcGISResource.Parameters, _ resource: ArcGISResource
  ) async throws(ServiceError) -> [ArcGISSummary.Row]? {
    var rows: [ArcGISSummary.Row] = []
    let canPage = description.abilities.canPageGroups && !summary.groups.isEmpty
    while true {
      var parameters = part + summary.parameters
      if canPage {
        parameters += [
          ("orderByFields", summary.groups.map(\.name).joined(separator: ",")),
          ("resultOffset", "\(rows.count)"),
        ]
      }
      let answer = try await resource.response(parameters + [("f", "json")])
      let node = try answer.json()
      let (more, isCut) = try answer.read { () throws(JSONDecodingError) in
        (try summary.rows(node), try node.boolean("exceededTransferLimit") ?? false)
      }
      rows += more
      guard isCut else { return rows }
      guard canPage else { return nil }
      guard !more.isEmpty, rows.count <= resource.client.limits.features else {
        throw answer.fault(
          "its statistics do not end: received \(rows.count) groups, and it reports more"
        )
      }
    }
  }
}
