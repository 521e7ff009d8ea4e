import Foundation
import MapDrawing
import MapGeometry
import MapState
import MapTestSupport
import Testing

/// Ten times the data costs about ten times the work at most; counters decide, and time is only reported.
@Suite(.serialized) struct CostTests {
  // A debug build takes twenty times as long.
  #if DEBUG
    private static let rows = 5_000
  #else
    private static let rows = 100_000
  #endif

  private static func table(rows: Int) -> FeatureColumns {
    var random = SeededGenerator(seed: UInt64(rows))
    var geometry = CoordinateBuffer(kind: .point)
    geometry.reserve(rows: rows, vertices: rows)
    for _ in 0..<rows {
      geometry.appendPoint(
        x: .random(in: -1e6...1e6, using: &random), y: .random(in: -1e6...1e6, using: &random))
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: .point, spatialReference: .webMercator),
      columns: [Column(.integers((0..<rows).map { Int64($0 % 100) }))], geometry: geometry, rowCount: rows)
  }

  private struct Cost {
    var counters = PackedRTree.Counters()
    var items = 0
    var seconds = 0.0
  }

  /// Draws all rows and counts those in a quarter of the extent.
  private static func cost(rows: Int) async throws -> Cost {
    let table = table(rows: rows)
    var cost = Cost()
    let start = ContinuousClock.now
    let map = Map()
    map.addOperationalLayer(FeatureLayer(source: InMemorySource(table)))
    let state = try MapView(map: map, width: 400, height: 400).freeze()
    for batch in try await state.drawing(of: state.layers[0], index: 0).layer.batches {
      if case .markers(let markers) = batch { cost.items += markers.row.count }
    }
    cost.seconds = start.duration(to: .now) / .seconds(1)
    let geometry = try #require(table.geometry)
    let quarter = Envelope(xMin: -5e5, yMin: -5e5, xMax: 5e5, yMax: 5e5, spatialReference: .webMercator)
    _ = PackedRTree(of: geometry).count(meeting: quarter, of: geometry, counters: &cost.counters)
    return cost
  }

  @Test("Ten times the points need proportional work, and counts grow as the square root")
  func growth() async throws {
    let (less, more) = (try await Self.cost(rows: Self.rows), try await Self.cost(rows: 10 * Self.rows))
    #expect(less.items == Self.rows)
    #expect(more.items == 10 * Self.rows)
    #expect(more.counters.nodes <= 12 * less.counters.nodes)
    #expect(more.counters.rows <= 5 * less.counters.rows)
    #expect(more.counters.exactTests == 0)
    print(
      "\(Self.rows) points: \(less.seconds) s, \(less.counters); ten times: \(more.seconds) s, \(more.counters)"
    )
  }

  @Test("The tool renders a large file of points within a memory limit")
  func tool() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mapstate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "mapstate")
    let command = try #require(
      tool.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil })
    var times: [Double] = []
    for rows in [Self.rows, 10 * Self.rows] {
      let data = folder.appending(path: "\(rows).geojson")
      try Self.writeGeoJSON(rows: rows, to: data)
      let picture = folder.appending(path: "\(rows).png")
      let process = Process()
      process.executableURL = command
      // A tenth of the extent: painting all would measure Cairo only, about 25 µs per outlined marker.
      process.arguments =
        ["render", data.path, "-o", picture.path, "--size", "400x400", "--color-by", "n"]
        + ["--bounds", "10,10,40,25,4326"]
      let start = ContinuousClock.now
      try process.start()
      var peak = 0
      while process.isRunning {
        peak = max(peak, Self.peakMemory(of: process.processIdentifier) ?? 0)
        usleep(2000)
      }
      process.waitUntilExit()
      times.append(start.duration(to: .now) / .seconds(1))
      #expect(process.terminationStatus == 0)
      #expect(try Data(contentsOf: picture).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
      #expect(peak > 0)
      #expect(peak < 1 << 30)
      print("mapstate render, \(rows) points: \(times[times.count - 1]) s, \(peak >> 20) MiB")
    }
  }

  /// The peak memory of a process, in bytes.
  private static func peakMemory(of process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
      return nil
    }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  private static func writeGeoJSON(rows: Int, to url: URL) throws {
    var random = SeededGenerator(seed: 9)
    var text = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    text.reserveCapacity(rows * 120)
    for row in 0..<rows {
      // Whole millionths of a degree: printing doubles would take longer than the test.
      let x = Int.random(in: 10_000_000...99_999_999, using: &random)
      let y = Int.random(in: 10_000_000...59_999_999, using: &random)
      text += row == 0 ? "" : ",\n"
      text += "{\"type\":\"Feature\",\"properties\":{\"n\":\(row % 100),\"name\":\"feature\"},"
      text += "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(x)e-6,\(y)e-6]}}"
    }
    text += "]}\n"
    try text.write(to: url, atomically: false, encoding: .utf8)
  }
}
