import Foundation
import MapTestSupport
import Testing

/// The tool gives the same answers over a loopback server as over the files that the server reads.
@Suite struct ServiceCommandTests {
  private static func arcGIS() throws -> (server: TestServer, places: String) {
    let program = Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py")
    let server = try TestServer(program, [Tool.style("data")])
    return (server, server.address + "/arcgis/rest/services/Places/FeatureServer")
  }

  /// Whether two lines differ only in the last digits of their final number.
  private static func isNearly(_ line: Substring, _ other: Substring) -> Bool {
    let (first, second) = (line.split(separator: " "), other.split(separator: " "))
    guard first.dropLast() == second.dropLast(), let one = first.last.flatMap({ Double($0) }),
      let two = second.last.flatMap({ Double($0) })
    else { return false }
    return abs(one - two) <= 1e-13 * abs(two)
  }

  @Test("Samples over a server print what they print over files")
  func samples() async throws {
    let (server, places) = try Self.arcGIS()
    defer { server.stop() }
    let program = Tool.builtFolder.appendingPathComponent("MapStateSamples")
    let resources = Tool.project.appendingPathComponent("Sources/Products/MapStateSamples/Resources")
    let local = try JSONDecoder().decode(
      [String: String].self, from: Data(contentsOf: resources.appendingPathComponent("services.json")))
    let layers = ["world-cities.csv": 0, "us-counties.geojson": 1, "san-francisco-incidents.geojson": 2]
    let remote = local.mapValues { path in
      let file = (path as NSString).lastPathComponent
      return layers[file].map { "\(places)/\($0)" } ?? resources.appendingPathComponent(file).path
    }
    #expect(remote.values.count { $0.hasPrefix("http") } == 3)
    let scratch = try ScratchFolder()
    let services = scratch.url("services.json")
    try JSONEncoder().encode(remote).write(to: services)
    let run = try await Tool.run([], program: program, environment: ["MAPSTATE_SERVICES": services.path])
    let own = try await Tool.run([], program: program)
    #expect(run.code == 0, "\(run)")
    #expect(run.err == "", "\(run)")
    let (found, expected) = (run.out.split(separator: "\n"), own.out.split(separator: "\n"))
    #expect(found.count == expected.count)
    #expect(found.count > 80)
    for (line, other) in zip(found, expected) where line != other {
      // A service has its own name and rounds statistics differently.
      #expect(
        line == "table Counties" || Self.isNearly(line, other), "\(line) where files give \(other)")
    }
  }

  @Test("Counts, statistics, features and drawn features of a service equal those of the file")
  func sameAsFile() async throws {
    let (server, places) = try Self.arcGIS()
    defer { server.stop() }
    let view = [
      "--viewpoint", "37.77,-122.42,60000", "--where", "req_type = 'Graffiti' AND status <> 'Closed'",
    ]
    let (layer, file) = (["\(places)/2"], [Tool.incidentData])
    let counts = try await Tool.run(["count"] + layer + view)
    #expect(counts.code == 0, "\(counts)")
    #expect(try await counts.out == Tool.run(["count"] + file + view).out)
    let statistics = [
      "--statistic", "count:req_id", "--statistic", "maximum:req_date", "--group-by", "status", "--format",
      "json",
    ]
    #expect(
      try await Tool.run(["statistics"] + layer + view + statistics).out
        == Tool.run(["statistics"] + file + view + statistics).out)
    let features = [
      "--out-fields", "req_id,status", "--order-by", "req_id", "--no-geometry", "--format", "csv",
    ]
    func rows(_ source: [String]) async throws -> [String] {
      // The first column is the id, which depends on the source.
      try await Tool.run(["query"] + source + view + features).out.split(separator: "\n").map {
        $0.split(separator: ",").dropFirst().joined(separator: ",")
      }
    }
    let found = try await rows(layer)
    #expect(found.count > 10)
    #expect(try await found == rows(file))
    // Compares the funnel only, because overlapping symbols are ordered by ids, which differ.
    let place = ["--viewpoint", "37.77,-122.42,60000", "--funnel", "--format", "csv"]
    func funnel(_ source: [String]) async throws -> [Substring] {
      try await Tool.run(["count"] + source + place).out.split(separator: "\n").map {
        $0.split(separator: ",").dropFirst().joined(separator: ",")[...]
      }
    }
    let stages = try await funnel(layer)
    #expect(stages.count > 1)
    #expect(try await stages == funnel(file))
  }

  @Test(
    "Options for reading files are reported where the source is a service, and used where a file replaces it")
  func readingOptions() async throws {
    let (server, places) = try Self.arcGIS()
    defer { server.stop() }
    let access = ["--everywhere", "--allow-http", "--allow-private"]
    let options = [
      "--encoding", "utf-8", "--skip-bad-rows", "--source-reference", "4326", "--tile-zoom", "3",
    ]
    let run = try await Tool.run(["count", "\(places)/1"] + access + options)
    #expect(run.code == 0, "\(run)")
    for name in options where name.hasPrefix("--") {
      #expect(
        run.err.contains("warning: \(name) has no effect: the source is a service, not a file"),
        "\(name): \(run)")
    }
    #expect(try await Tool.run(["count", "\(places)/1"] + access).err == "")
  }

  @Test("A service whose filter rules differ gives a warning and an inexact count equal to the drawn one")
  func otherRules() async throws {
    let (server, _) = try Self.arcGIS()
    defer { server.stop() }
    let layer = server.address + "/fault/lax/arcgis/rest/services/Cities/FeatureServer/0"
    let run = try await Tool.run(
      "count", layer, "--definition", "POP_RANK = 1", "--funnel", "--viewpoint", "50,12,20000000",
      "--format", "json")
    #expect(run.code == 0, "\(run)")
    #expect(run.err.contains("MapState's rules reject"), "\(run)")
    #expect(run.out.contains(#""exact":false"#), "\(run)")
    #expect(run.out.contains(#""count":740"#), "\(run)")
    #expect(run.out.contains(#""drawn":740"#), "\(run)")
  }

  @Test("A recording is replayed without the server and gives the same bytes")
  func replay() async throws {
    let (server, places) = try Self.arcGIS()
    let scratch = try ScratchFolder()
    let (record, first, second) = (scratch.url("rec"), scratch.url("a.png"), scratch.url("b.png"))
    let draw = ["render", "\(places)/0", "--viewpoint", "50,12,20000000", "-o"]
    let live = try await Tool.run(draw + [first.path, "--record", record.path])
    #expect(live.code == 0, "\(live)")
    server.stop()
    let replayed = try await Tool.run(draw + [second.path, "--replay", record.path])
    #expect(replayed.code == 0, "\(replayed)")
    #expect(try Data(contentsOf: first) == Data(contentsOf: second))
    let other = try await Tool.run("count", "\(places)/1", "--everywhere", "--replay", record.path)
    #expect(other.code == 3, "\(other)")
    #expect(other.errors.count == 1, "\(other)")
  }

  @Test("A fetch that stopped continues with the answers that it has")
  func resumes() async throws {
    let (server, places) = try Self.arcGIS()
    let scratch = try ScratchFolder()
    let record = scratch.path("rec")
    let words = [
      "query", "\(places)/1", "--everywhere", "--format", "csv", "--no-geometry", "--record", record,
    ]
    let whole = try await Tool.run(words)
    #expect(whole.code == 0, "\(whole)")
    #expect(try await Tool.run(words).err.contains("holds a recording already; continue it with --resume"))
    let manager = FileManager.default
    func exchanges() throws -> [String: Date] {
      var dates: [String: Date] = [:]
      for name in try manager.contentsOfDirectory(atPath: record) where name.hasSuffix(".exchange.json") {
        let attributes = try manager.attributesOfItem(atPath: "\(record)/\(name)")
        dates[name] = attributes[.modificationDate] as? Date
      }
      return dates
    }
    // The last answer is missing, and the one before it is about a fault, as after a service that failed.
    let names = try exchanges().keys.sorted()
    try #require(names.count > 2, "\(names)")
    try manager.removeItem(atPath: "\(record)/\(names[names.count - 1])")
    let fault = "\(record)/\(names[names.count - 2])"
    let text = try String(contentsOfFile: fault, encoding: .utf8)
    try Data(text.replacing(#/"status": ?200/#, with: "\"status\": 503").utf8).write(
      to: URL(fileURLWithPath: fault))
    let kept = try exchanges()
    let resumed = try await Tool.run(words + ["--resume"])
    #expect(resumed.code == 0 && resumed.out == whole.out, "\(resumed.err)")
    let after = try exchanges()
    #expect(after.keys.sorted() == names)
    for name in names.dropLast(2) { #expect(after[name] == kept[name], "\(name)") }
    server.stop()
    let again = try await Tool.run(words + ["--resume"])
    #expect(again.code == 0 && again.out == whole.out, "\(again.err)")
  }

  @Test("A layer outside its scale range gives a warning")
  func outOfScale() async throws {
    let (server, places) = try Self.arcGIS()
    defer { server.stop() }
    let scratch = try ScratchFolder()
    let run = try await Tool.run("render", "\(places)/0", "-o", scratch.url("a.png").path)
    #expect(run.code == 0, "\(run)")
    #expect(run.err.contains("is outside its range"), "\(run)")
  }

  @Test("A series asks a service once for all images")
  func series() async throws {
    let (server, places) = try Self.arcGIS()
    defer { server.stop() }
    let folder = try ScratchFolder()
    let document = try String(contentsOfFile: Tool.style("us-counties.json"), encoding: .utf8)
    let local = "\"layerType\": \"GeoJSON\",\n      \"url\": \"data/us-counties.geojson\""
    #expect(document.contains(local))
    try folder.write(
      document.replacing(local, with: "\"url\": \"\(places)/1\"")
        .replacing("data/us-states.geojson", with: Tool.style("data/us-states.geojson")),
      to: "service.json")
    let run = try await Tool.run([
      "series", folder.path("service.json"), "--by", "States", "-o", folder.path("images/{NAME}.png"),
      "--size", "160x120", "--allow-path", "/", "--allow-private", "--record", folder.path("record"),
    ])
    #expect(run.code == 0, "\(run)")
    let manager = FileManager.default
    #expect(try manager.contentsOfDirectory(atPath: folder.path("images")).count == 51)
    // The layer, its number of features, the number by its definition expression, and one page of features with its
    // count; each image asked twice before.
    let requests = try manager.contentsOfDirectory(atPath: folder.path("record")).count {
      $0.hasSuffix(".exchange.json")
    }
    #expect(requests == 6)
  }
}
