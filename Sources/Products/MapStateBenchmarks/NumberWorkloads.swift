import Dispatch
import MapScript
import MapState
import MapSystem

extension Workload {
  static let numbers = [
    envelopes("C1", whereClause: ""),
    envelopes("C2", whereClause: "req_type = 'Tree Maintenance or Damage'"),
    Workload(name: "C3", run: polygon), Workload(name: "S1", run: statistics),
  ]

  /// Counts exactly in each of the data's 1,000 envelopes; the time is per query.
  private static func envelopes(_ name: String, whereClause: String) -> Workload {
    Workload(name: name) { setting in
      var lines: [Timing] = []
      for size in ["1m", "10m"] where RawColumns.exists("p\(size)", in: setting.folder) {
        let state = try RawColumns("p\(size)", in: setting.folder).view()
        let envelopes = try RawColumns.envelopes(in: setting.folder)
        var question = FeatureQuestion()
        question.whereClause = whereClause
        var counts: [Int] = []
        let times = try await setting.time {
          counts = try await state.counts(of: state.layers[0], question, inEach: envelopes)
        }
        lines.append(
          Timing(
            workload: name, what: "\(size), a query", times: times.map { $0 / Double(envelopes.count) },
            facts: [("sum", .number(counts.reduce(0, +))), ("queries", .number(envelopes.count))]))
      }
      return lines
    }
  }

  /// Counts exactly in a polygon of 500 vertices.
  private static func polygon(_ setting: BenchmarkSetting) async throws -> [Timing] {
    var lines: [Timing] = []
    for size in ["1m", "10m"] where RawColumns.exists("p\(size)", in: setting.folder) {
      let state = try RawColumns("p\(size)", in: setting.folder).view()
      var question = FeatureQuestion()
      question.area = .everywhere
      question.geometry = try SpatialCondition(RawColumns.polygon(in: setting.folder))
      var options = CountOptions()
      options.question = question
      var count = 0
      let times = try await setting.time { count = try await state.counts(options).layers[0].count }
      lines.append(Timing(workload: "C3", what: size, times: times, facts: [("count", .number(count))]))
    }
    return lines
  }

  /// Computes all seven statistics of `pop` by `req_type` and `rank`.
  private static func statistics(_ setting: BenchmarkSetting) async throws -> [Timing] {
    var lines: [Timing] = []
    for size in ["1m", "10m"] where RawColumns.exists("p\(size)", in: setting.folder) {
      let state = try RawColumns("p\(size)", in: setting.folder).view()
      let query = try StatisticsQuery(
        statistics: ["all:pop"], groupBy: ["req_type", "rank"],
        orderBy: [OrderBy(fieldName: "req_type"), OrderBy(fieldName: "rank")])
      var question = FeatureQuestion()
      question.area = .everywhere
      var table: StatisticsTable?
      let times = try await setting.time {
        table = try await state.statistics(of: state.layers[0], query, question)
      }
      lines.append(
        Timing(
          workload: "S1", what: size, times: times,
          facts: [("groups", .number(table?.records.count ?? 0))]))
    }
    return lines
  }

  /// Loads a file into a table that can be queried.
  static let loading = Workload(name: "L1") { setting in
    var lines: [Timing] = []
    for name in ["p1m.fgb", "p1m.gpkg", "p1m.parquet", "p1m.csv", "p1m.geojson"]
    where FileAccess.exists("\(setting.folder)/\(name)") {
      var count = 0
      let times = try await setting.time {
        count = try await MapDocument.open("\(setting.folder)/\(name)").map.featureLayers[0].source
          .rowCount
      }
      lines.append(Timing(workload: "L1", what: name, times: times, facts: [("rows", .number(count))]))
    }
    return lines
  }
}
