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
    for name in ["p1m.fgb", "p1m.gpkg", "p1m.csv", "p1m.geojson"]
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

/// A table of points in raw little-endian columns, one file each; faster to read than any map format.
struct RawColumns {
  private let path: String

  init(_ name: String, in folder: String) throws {
    path = "\(folder)/\(name)"
  }

  static func exists(_ name: String, in folder: String) -> Bool {
    FileAccess.exists("\(folder)/\(name).x.f64")
  }

  /// Returns a view of the whole table, with one layer.
  func view() throws -> ViewState {
    let (x, y) = (try Self.doubles("\(path).x.f64"), try Self.doubles("\(path).y.f64"))
    var geometry = CoordinateBuffer(kind: .point)
    geometry.reserve(rows: x.count, vertices: x.count)
    for row in x.indices { geometry.appendPoint(x: x[row], y: y[row]) }
    let population = try Self.doubles("\(path).pop.f64")
    var isKnown = RowSet(rowCount: x.count)
    for row in population.indices where !population[row].isNaN { isKnown.insert(row) }
    let codes = try FileAccess.read("\(path).cat.i8").map { Int32($0) }
    let ranks = try FileAccess.read("\(path).rank.i8").map { Int64($0) }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [
          Field(name: "req_type", type: .text), Field(name: "pop", type: .float64),
          Field(name: "rank", type: .int32),
        ], geometryKind: .point, spatialReference: .webMercator),
      columns: [
        Column(.text(codes: codes, dictionary: Scene.categories)),
        Column(.reals(population.map { $0.isNaN ? 0 : $0 }), validity: isKnown), Column(.integers(ranks)),
      ], geometry: geometry, rowCount: x.count)
    let map = Map()
    map.addOperationalLayer(FeatureLayer(source: InMemorySource(table), title: "points"))
    return try MapView(map: map, width: 1024, height: 768).freeze()
  }

  static func envelopes(in folder: String) throws -> [Envelope] {
    let sides = try doubles("\(folder)/envelopes.f64")
    return stride(from: 0, to: sides.count, by: 4).map {
      Envelope(
        xMin: sides[$0], yMin: sides[$0 + 1], xMax: sides[$0 + 2], yMax: sides[$0 + 3],
        spatialReference: .webMercator)
    }
  }

  static func polygon(in folder: String) throws -> Polygon {
    let places = try doubles("\(folder)/polygon.f64")
    let points = stride(from: 0, to: places.count, by: 2).map {
      Point(x: places[$0], y: places[$0 + 1], spatialReference: .webMercator)
    }
    return Polygon(points: points)
  }

  private static func doubles(_ path: String) throws -> [Double] {
    let bytes = try FileAccess.read(path)
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      var bits: UInt64 = 0
      for index in 0..<8 { bits |= UInt64(bytes[start + index]) << UInt64(8 * index) }
      return Double(bitPattern: bits)
    }
  }
}
