import Foundation
import MapTestSupport
import Testing

/// The view of a map without a viewpoint, if some of its features lie far from all others.
@Suite("Default views")
struct DefaultViewTests {
  /// Points in a square of 10 degrees, and some at 0, 0.
  private static func points(_ count: Int, strays: Int) -> String {
    let near = (0..<count).map { "\($0),\(30 + Double($0 % 20) / 2),\(40 + Double($0 / 20 % 20) / 2)\n" }
    let far = (0..<strays).map { "\(count + $0),0,0\n" }
    return "n,longitude,latitude\n" + near.joined() + far.joined()
  }

  private static func square(_ x: Double, _ y: Double, _ side: Double) -> String {
    let (right, top) = (x + side, y + side)
    return "[[[\(x),\(y)],[\(right),\(y)],[\(right),\(top)],[\(x),\(top)],[\(x),\(y)]]]"
  }

  private static func areas(_ features: [(name: String, parts: [String])]) -> String {
    let items = features.map { feature in
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(feature.name)\"},\"geometry\":{\"type\":\"MultiPolygon\","
        + "\"coordinates\":[\(feature.parts.joined(separator: ","))]}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(items.joined(separator: ","))]}"
  }

  /// Renders a file; returns the extent in degrees of longitude and the notes.
  private func drawn(
    _ text: String, _ name: String, _ options: String...
  ) async throws -> (west: Double, east: Double, notes: [String], count: Int) {
    let folder = try ScratchFolder()
    try folder.write(text, to: name)
    let common = [folder.path(name), "--reference", "4326"] + options
    let run = try await Tool.run(
      ["render"] + common + ["-o", folder.path("a.png"), "--report", folder.path("r.json")])
    #expect(run.code == 0, "\(run)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("r.json")))
    let extent = try #require((json as? [String: Any])?["extent"] as? [Double])
    let count = try await Tool.run(["count"] + common + ["--in-view"])
    #expect(count.code == 0, "\(count)")
    let notes = run.err.split(separator: "\n").map { String($0) }.filter { $0.contains("outside the view") }
    // The count of the same view has the same note.
    #expect(
      count.err.split(separator: "\n").map { String($0) }.filter { $0.contains("outside the view") } == notes)
    return (extent[0], extent[2], notes, try #require(Int(count.out.split(separator: "\n")[0])))
  }

  @Test("A point at 0, 0 lies outside if it is at most 1 % of the points, with a note and an equal count")
  func points() async throws {
    let few = try await drawn(Self.points(400, strays: 4), "a.csv")
    #expect(few.west > 25 && few.notes.count == 1 && few.count == 400, "\(few)")
    #expect(few.notes[0].contains("4 of 404 features lie outside the view"), "\(few.notes)")
    let more = try await drawn(Self.points(400, strays: 5), "a.csv")
    #expect(more.west < 0 && more.notes.isEmpty && more.count == 405, "\(more)")
    let all = try await drawn(Self.points(400, strays: 4), "a.csv", "--fit", "all")
    #expect(all.west < 0 && all.notes.isEmpty && all.count == 404, "\(all)")
    let near = try await drawn(Self.points(400, strays: 0), "a.csv")
    #expect(near.notes.isEmpty && abs(near.west - few.west) < 1e-9 && abs(near.east - few.east) < 1e-9)
  }

  @Test("A part of a feature lies outside by its area on the map, and the feature counts")
  func parts() async throws {
    // 100 square degrees, and 0.25 or 4 of them 40 degrees away.
    let (land, island, larger) = (Self.square(0, 0, 10), Self.square(50, 4, 0.5), Self.square(50, 4, 2))
    let one = try await drawn(Self.areas([("A", [land, island])]), "a.geojson")
    #expect(one.east < 20 && one.count == 1, "\(one)")
    #expect(
      one.notes.contains { $0.contains("parts of 1 of 1 feature lie outside the view") }, "\(one.notes)")
    let two = try await drawn(Self.areas([("A", [land]), ("B", [island])]), "a.geojson")
    #expect(two.east < 20 && two.count == 1, "\(two)")
    #expect(two.notes.contains { $0.contains("1 of 2 features lie outside the view") }, "\(two.notes)")
    let large = try await drawn(Self.areas([("A", [land, larger])]), "a.geojson")
    #expect(large.east > 50 && large.notes.isEmpty, "\(large)")
    // Without a wide strip, and where the scale would be nearly the same, all is shown.
    let close = try await drawn(Self.areas([("A", [land, Self.square(11, 4, 0.5)])]), "a.geojson")
    #expect(close.east > 11.5 && close.notes.isEmpty, "\(close)")
    let beside = try await drawn(
      Self.areas([("A", [Self.square(0, 0, 40), Self.square(46, 4, 0.5)])]), "a.geojson")
    #expect(beside.east > 46.5 && beside.notes.isEmpty, "\(beside)")
  }

  @Test("An inset shows an extent or the features with a text in a corner, and an unknown name is an error")
  func insets() async throws {
    let folder = try ScratchFolder()
    let land = Self.areas([("A", [Self.square(0, 0, 10)]), ("B", [Self.square(50, 4, 0.5)])])
    try folder.write(land, to: "a.geojson")
    func image(_ options: String...) async throws -> Data {
      let run = try await Tool.run(
        ["render", folder.path("a.geojson"), "-o", folder.path("a.png"), "--symbol", "red", "--quiet"]
          + options)
      #expect(run.code == 0, "\(run)")
      return try Data(contentsOf: folder.url("a.png"))
    }
    let plain = try await image()
    let named = try await image("--inset", "B:top-left")
    #expect(named != plain)
    #expect(try await image("--inset", "50,4,50.5,4.5:top-left") == named)
    #expect(try await image("--inset", "B:bottom-right") != named)
    for ending in ["svg", "pdf"] {
      let run = try await Tool.run(
        "render", folder.path("a.geojson"), "-o", folder.path("a.\(ending)"), "--inset", "B")
      #expect(run.code == 0, "\(run)")
    }
    let unknown = try await Tool.run(
      "render", folder.path("a.geojson"), "-o", folder.path("b.png"), "--inset", "C:top-left")
    #expect(unknown.code == 2 && unknown.err.contains("is named \"C\""), "\(unknown)")
  }

  @Test("A world map in a projection has the colour of the page beside it, and a frame with degrees")
  func projections() async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.points(40, strays: 0), to: "a.csv")
    let world = try await Tool.run(
      "render", folder.path("a.csv"), "-o", folder.path("a.svg"), "--reference", "8857", "--bounds",
      "-180,-90,180,90", "--basemap", "arcGISLightGray")
    #expect(world.code == 0, "\(world)")
    let svg = try String(contentsOf: folder.url("a.svg"), encoding: .utf8)
    #expect(svg.contains("basemap: page") && svg.contains("basemap: edge"))
    let near = try await Tool.run(
      "render", folder.path("a.csv"), "-o", folder.path("b.svg"), "--reference", "3035", "--bounds",
      "5,45,15,55", "--frame", "--graticule", "--svg-text")
    #expect(near.code == 0, "\(near)")
    let framed = try String(contentsOf: folder.url("b.svg"), encoding: .utf8)
    #expect(!framed.contains("basemap: edge"))
    #expect(framed.contains(">10° E</text>") && framed.contains(">50° N</text>"))
  }
}
