public import MapFeatures
import MapFilter
import MapJSON

extension ArcGISLayer {
  /// Figures by the service; nil where it cannot work them out as this side does.
  ///
  /// Averages are made here of sums and counts, since databases cut those of whole numbers; variances are those of a
  /// sample. The least and the greatest text are left to this side, as the order of texts is the database's, and all
  /// figures of fields of single precision but their count. The groups must hold as many features as are counted.
  ///
  /// - Error: sums and spreads of decimals are rounded by the database.
  /// - Throws: `StatisticsError`, ``ServiceError``.
  public func statistics(
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
      throw fault("the groups of its statistics hold \(counted) features where it counts \(count)")
    }
    guard Set(rows.map(\.group)).count == rows.count else {
      throw fault("a group comes twice in its statistics")
    }
    return try StatisticsTable(
      statistics, ofTablesLike: empty, records: rows.map { (group: $0.group, statistics: $0.statistics) })
  }

  /// The groups with their figures, of all pages; nil where there are more than the service gives at once.
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
          "its statistics have no end: \(rows.count) groups came, and a page without any says that more follow"
        )
      }
    }
  }
}
