import MapState
import MapSystem

extension Workload {
  static let manyMaps = [
    Workload(name: "M1", run: { try await maps($0) }), Workload(name: "M2", run: { try await layers($0) }),
  ]

  private static let (mapCount, taskCount) = (200, 8)

  /// Opens, draws and encodes 200 maps of 100,000 points with 8 tasks, and draws 200 open maps again.
  ///
  /// The fact `maps/s` on all cores, divided by that of a run on one core (`taskset -c 0`), is the gain by the cores.
  private static func maps(_ setting: BenchmarkSetting) async throws -> [Timing] {
    let scene = Scene.points("p100k.fgb")
    var maps: [Map] = []
    for _ in 0..<mapCount { maps.append(try await scene.open(in: setting.folder)) }
    let works: [(what: String, map: @Sendable (Int) async throws -> Map)] = [
      ("open and draw", { _ in try await scene.open(in: setting.folder) }),
      ("draw", { [maps] in maps[$0] }),
    ]
    var lines: [Timing] = []
    for (what, map) in works {
      let times = try await setting.time {
        try await inTasks { index in
          let view = try scene.view(of: try await map(index), width: 400, height: 300)
          _ = try await view.render(threads: setting.threads).bitmap.pngData()
        }
      }
      let rate = Double(1000 * mapCount) / times.sorted()[times.count / 2]
      lines.append(
        Timing(
          workload: "M1", what: "\(what), 200 maps with 8 tasks", times: times,
          facts: [("maps/s", .number(rate))]))
    }
    return lines
  }

  /// Calls a body for the number of each map, in 8 tasks.
  private static func inTasks(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<taskCount {
        group.addTask {
          for index in stride(from: task, to: mapCount, by: taskCount) { try await body(index) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Opens a document whose 40 layers have four filters over one table, and draws it.
  private static func layers(_ setting: BenchmarkSetting) async throws -> [Timing] {
    var lines: [Timing] = []
    for count in [1, 40] {
      let layers = (0..<count).map { index -> JSONValue in
        [
          "id": .string("l\(index)"), "title": .string("l\(index)"), "layerType": "ArcGISFeatureLayer",
          "url": "p1m.fgb",
          "layerDefinition": [
            "definitionExpression": .string("rank = \(index % 4 + 1) AND req_type LIKE '%Street%'"),
            "drawingInfo": Scene.points("").drawing,
          ],
        ]
      }
      func open() async throws -> Map {
        try await MapDocument.open(
          json: ["operationalLayers": .array(layers), "version": "2.29"], name: "benchmark",
          folder: setting.folder
        ).map
      }
      let opened = try await setting.time { _ = try await open() }
      let map = try await open()
      let tables = map.featureLayers.compactMap(\.source.inMemory)
      guard tables.count == count, tables.allSatisfy({ $0.shares(indexOf: tables[0]) }) else {
        throw WrongAnswer(description: "the layers do not share their table")
      }
      let view = try Scene.points("").view(of: map)
      let drawn = try await setting.time { _ = try await view.render(threads: setting.threads) }
      let facts: [(String, JSONValue)] = [("filters", .number(tables[0].keptFilterCount))]
      lines.append(Timing(workload: "M2", what: "open \(count) layers over one table", times: opened))
      lines.append(
        Timing(workload: "M2", what: "draw \(count) layers over one table", times: drawn, facts: facts))
    }
    return lines
  }
}
