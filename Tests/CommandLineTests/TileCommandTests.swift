import Foundation
import MapTestSupport
import Testing

/// Tiles of a server on this machine, and written tiles, by the tool.
@Suite struct TileCommandTests {
  private static func server() throws -> TestServer {
    try TestServer(Tool.project.appendingPathComponent("Tests/MapTilesTests/Servers/tile_server.py"))
  }

  /// Draws the world over tiles.
  private static func render(
    _ basemap: String, to image: String, in scratch: ScratchFolder, _ options: String...
  ) async throws -> Tool.Run {
    let document = try scratch.write(#"{"operationalLayers": []}"#, to: "empty.json")
    return try await Tool.run(
      [
        "render", document, "-o", image, "--basemap", basemap, "--bounds", "-170,-80,170,80", "--size",
        "700x600", "--report", scratch.path("report.json"),
      ] + options, environment: ["XDG_CACHE_HOME": scratch.path("cache")])
  }

  @Test("Fetched tiles are drawn again from the cache and from a recording, without requests")
  func cacheAndRecording() async throws {
    let (server, scratch) = (try Self.server(), try ScratchFolder())
    let template = server.address + "/ok/{z}/{x}/{y}.png"
    let (first, second, third) = (scratch.path("1.png"), scratch.path("2.png"), scratch.path("3.png"))
    let refused = try await Self.render(template, to: first, in: scratch)
    #expect(refused.code == 3)
    #expect(refused.errors.first?.contains("tiles are fetched only with --online") ?? false, "\(refused)")
    let online = try await Self.render(
      template, to: first, in: scratch, "--online", "--record", scratch.path("recording"))
    #expect(online.code == 0 && online.err == "", "\(online)")
    let report = String(decoding: try Data(contentsOf: scratch.url("report.json")), as: UTF8.self)
    #expect(report.contains(#""zoom":2,"tiles":16"#) || report.contains(#""tiles": 16"#), "\(report)")
    server.stop()
    let offline = try await Self.render(template, to: second, in: scratch, "--offline")
    #expect(offline.code == 0 && offline.err == "", "\(offline)")
    try FileManager.default.removeItem(atPath: scratch.path("cache"))
    let replayed = try await Self.render(
      template, to: third, in: scratch, "--online", "--replay", scratch.path("recording"))
    #expect(replayed.code == 0 && replayed.err == "", "\(replayed)")
    let image = try Data(contentsOf: URL(fileURLWithPath: first))
    #expect(image == (try Data(contentsOf: URL(fileURLWithPath: second))))
    #expect(image == (try Data(contentsOf: URL(fileURLWithPath: third))))
    let empty = try await Self.render(template, to: third, in: scratch, "--offline")
    #expect(empty.code == 0)
    #expect(empty.err.contains("--offline sends no requests"), "\(empty)")
    let both = try await Self.render(template, to: third, in: scratch, "--offline", "--online")
    #expect(both.code == 64)
  }

  @Test("A missing tile fails, is blank or is a cross, and is always reported")
  func missing() async throws {
    let (server, scratch) = (try Self.server(), try ScratchFolder())
    defer { server.stop() }
    let template = server.address + "/missing/{z}/{x}/{y}.png"
    var images: [Data] = []
    for treatment in ["fail", "blank", "placeholder"] {
      let image = scratch.path("\(treatment).png")
      let run = try await Self.render(
        template, to: image, in: scratch, "--online", "--missing-tiles", treatment)
      #expect(run.code == (treatment == "fail" ? 2 : 0), "\(run)")
      #expect(run.err.contains("missing"), "\(run)")
      #expect(!run.err.contains("layer \"\""), "\(run)")
      if treatment != "fail" { images.append(try Data(contentsOf: URL(fileURLWithPath: image))) }
    }
    #expect(images.count == 2 && images[0] != images[1])
  }

  @Test("Tiles at twice the resolution are written and read as such")
  func doubleResolution() async throws {
    let scratch = try ScratchFolder()
    let (folder, image) = (scratch.path("tiles"), scratch.path("image.png"))
    let written = try await Tool.run(
      "tiles", Tool.cities, "-o", folder, "--zoom", "1", "--bounds", "-180,-85,180,85", "--pixel-ratio", "2")
    #expect(written.code == 0, "\(written)")
    for path in ["1/0/0@2x.png", "1/1/1@2x.png", "tiles.json", "index.html"] {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(path)"), "\(path)")
    }
    let description = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/tiles.json")), as: UTF8.self)
    #expect(description.contains("{z}/{x}/{y}@2x.png"))
    let drawn = try await Self.render(folder, to: image, in: scratch, "--missing-tiles", "fail")
    #expect(drawn.code == 0, "\(drawn)")
    let refused = try await Tool.run(
      "tiles", Tool.cities, "-o", folder, "--zoom", "1", "--bounds", "-180,-85,180,85", "--pixel-ratio", "3")
    #expect(refused.code == 64)
    #expect(refused.err.contains("must be 1, or 2 for tiles @2x"), "\(refused)")
  }
}
