import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Series with an image for each group of features.
@Suite("series: groups")
struct SeriesGroupTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  @Test("Each value of a field has an image of its features, with their number and extent")
  func groups() async throws {
    let report = folder.path("report.json")
    let run = try await Tool.run(
      [
        "series", map, "--by", "Places", "--by-field", "kind", "--filters", "none", "-o",
        folder.path("{kind}-{count}.png"),
        "--size", "200x100", "--mute", "--title", "{kind}", "--report", report,
      ])
    #expect(run.code == 0 && run.err == "", "\(run)")
    #expect(Set(try folder.names()).isSuperset(of: ["a-4.png", "b-4.png"]))
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: report))))
    let images = try #require(json["images"]?.array)
    try #require(images.count == 2)
    #expect(
      images.map { $0["group"]?.string } == ["a", "b"] && images.map { $0["count"]?.integer } == [4, 4])
    #expect(images.allSatisfy { $0["id"] == nil })
    // Longitudes 0 to 6 and 1 to 7.
    let sides = images.map { ($0["extent"]?.array ?? []).compactMap(\.double) }
    for (sides, west) in zip(sides, [0.0, 1]) {
      try #require(sides.count == 4)
      #expect(sides[0] == west && sides[2] == west + 6, "\(sides)")
    }
  }

  @Test("A group without a value is a group, and its image shows all of its features")
  func nulls() async throws {
    let data = try folder.write("k,longitude,latitude\nx,1,1\n,2,2\nx,3,3\n,8,8\n", to: "p.csv")
    let run = try await Tool.run(
      "series", data, "--by", "p", "--by-field", "k", "-o", folder.path("{k}.svg"), "--size", "100x100")
    #expect(run.code == 0, "\(run)")
    #expect(Set(try folder.names()).isSuperset(of: ["x.svg", "_.svg"]))
  }

  @Test("Unknown fields, fields of single features, and a field without a layer are errors")
  func errors() async throws {
    for (options, message) in [
      (["--by", "Places", "--by-field", "knd"], "did you mean \"kind\"?"),
      (
        ["--by", "Places", "--by-field", "kind", "--title", "{n}"],
        "a series by groups has only {kind} and {count}"
      ),
      (["--by-time", "day", "--by-field", "kind"], "--by-field needs --by"),
    ] {
      let run = try await Tool.run(["series", map, "-o", folder.path("{kind}.png")] + options)
      #expect(run.code != 0 && run.err.contains(message), "\(run)")
    }
  }

  @Test("The step series has the same field")
  func steps() async throws {
    let steps = """
      {"step": "open", "source": "map.json", "size": [60, 40], "filters": "none"}
      {"step": "series", "by": "Places", "byField": "kind", "output": "{kind}.png"}
      """
    let run = try await Tool.run(["run", "-"], input: steps, folder: folder.root)
    #expect(run.code == 0 && run.out.contains(#""group":"a","count":4"#), "\(run)")
  }
}
