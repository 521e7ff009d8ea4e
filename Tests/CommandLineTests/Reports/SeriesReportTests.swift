import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Each image of a series shows its own features, the short way around the world.
@Suite("Reports: series")
struct SeriesReportTests {
  /// Areas around the world: two of them have parts on both sides of ±180°, and one reaches beyond it.
  private static let areas: [(name: String, boxes: [[Double]])] = [
    ("Islands", [[172, 51, 179, 54], [-179, 51, -165, 56]]),
    ("Alaska", [[-170, 54, -130, 71], [173, 52, 178, 53]]),
    ("Fiji", [[177, -19, 180, -16], [-180, -18, -178, -17]]),
    ("Beyond", [[175, -40, 186, -34]]),
    ("Spain", [[-9, 36, 3, 44]]),
    ("Belt", [[-170, 0, 170, 5]]),
  ]

  private static func write(to folder: ScratchFolder) throws -> String {
    let features = areas.map { area in
      let parts = area.boxes.map { box in
        let (w, s, e, n) = (box[0], box[1], box[2], box[3])
        return "[[[\(w),\(s)],[\(e),\(s)],[\(e),\(n)],[\(w),\(n)],[\(w),\(s)]]]"
      }
      return """
        {"type":"Feature","properties":{"name":"\(area.name)","parts":\(area.boxes.count)},
         "geometry":{"type":"MultiPolygon","coordinates":[\(parts.joined(separator: ","))]}}
        """
    }
    return try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: "areas.geojson")
  }

  @Test(
    "The images of a series have the views of render --fit with the same filter",
    arguments: ["name <> 'x'", "parts = 2", "name IN ('Fiji', 'Spain')", "parts = 1"], [0.0, 30])
  func views(filter: String, rotation: Double) async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    let view = ["--size", "120x90", "--padding", "5", "--rotation", "\(rotation)", "--report", "r.json"]
    let series = try await Tool.run(
      ["series", map, "--by", "areas", "-o", "{name}.png", "--definition", filter] + view, folder: folder.root
    )
    #expect(series.code == 0, "\(series)")
    func report() throws -> JSONValue {
      try JSONValue(parsing: String(contentsOfFile: folder.path("r.json"), encoding: .utf8))
    }
    let images = try report()["images"]?.array ?? []
    #expect(!images.isEmpty)
    for image in images {
      let name = image["file"]?.string?.replacing(".png", with: "") ?? ""
      let fitted = try await Tool.run(
        [
          "render", map, "-o", "own.png", "--fit", "areas", "--definition",
          "(\(filter)) AND name = '\(name)'",
        ]
          + view, folder: folder.root)
      #expect(fitted.code == 0, "\(fitted)")
      let own = try report()
      #expect(image["report"]?["scale"] == own["scale"], "\(name)")
      #expect(image["report"]?["extent"] == own["extent"], "\(name)")
    }
  }

  @Test("Features on both sides of ±180° are shown in one piece")
  func shortWay() async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    let series = try await Tool.run(
      ["series", map, "--by", "areas", "-o", "{name}.png", "--size", "120x90", "--report", "r.json"],
      folder: folder.root)
    #expect(series.code == 0, "\(series)")
    let text = try String(contentsOfFile: folder.path("r.json"), encoding: .utf8)
    var widths: [String: Double] = [:]
    for image in try JSONValue(parsing: text)["images"]?.array ?? [] {
      let extent = image["report"]?["extent"]?.array?.compactMap(\.double) ?? []
      widths[image["file"]?.string ?? ""] = (extent[2] - extent[0]) / 111_319.49
    }
    #expect(widths.count == 6)
    for (name, most) in [("Islands", 30.0), ("Alaska", 110), ("Fiji", 10), ("Beyond", 20), ("Spain", 25)] {
      #expect(widths["\(name).png"] ?? 360 < most, "\(name): \(widths["\(name).png"] ?? -1)")
    }
  }

  @Test("The statistics of a series by time are of the features with the time of each image")
  func statistics() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let series = try await Tool.run(
      [
        "series", map, "--by-time", "day", "-o", "{start}.png", "--size", "60x40", "--statistic", "sum:n",
        "--statistic", "count", "--report", "r.json", "--bounds=-1,-1,9,1",
      ], folder: folder.root)
    #expect(series.code == 0, "\(series)")
    let text = try String(contentsOfFile: folder.path("r.json"), encoding: .utf8)
    let images = try JSONValue(parsing: text)["images"]?.array ?? []
    // n > 1 leaves the days 3 to 8, with one place each.
    #expect(images.count == 6)
    for (image, n) in zip(images, 2...7) {
      let record = image["statistics"]?.array?.first { $0["layer"]?.string == "Places" }?["records"]?.array?
        .first
      #expect(record?["statistics"]?["SUM_n"]?.double == Double(n), "\(image)")
    }
  }
}
