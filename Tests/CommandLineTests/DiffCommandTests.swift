import Foundation
import MapJSON
import MapTestSupport
import Testing

/// `mapstate diff`, run as a program.
@Suite struct DiffCommandTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  /// Writes a changed copy of the small map beside it.
  private func changed(_ changes: [(String, String)], as name: String = "other.json") throws -> String {
    var text = SmallMap.document()
    for (before, after) in changes {
      try #require(text.contains(before), "\(before)")
      text = text.replacingOccurrences(of: before, with: after)
    }
    return try folder.write(text, to: name)
  }

  @Test("Equal documents end with 0, also with other blanks, orders, numbers and stated defaults")
  func equal() async throws {
    let same = try await Tool.run("diff", map, map)
    #expect(same.code == 0)
    #expect(same.out == "same\tview\n")
    let other = try changed([
      (
        #""id": "places", "title": "Places""#,
        #""title": "Places",    "id": "places", "visibility": true, "opacity": 1.0"#
      ),
      (#""size": 6"#, #""size": 6.0"#),
      ("\"xmin\": -1, \"ymin\": -1", "\"ymin\": -1.0, \"xmin\": -1"),
    ])
    let run = try await Tool.run("diff", map, other)
    #expect(run.code == 0, "\(run.out)")
    #expect(run.out == "same\tview\n")
  }

  @Test("Differences are named by layer, class and property, with both values")
  func named() async throws {
    let other = try changed([
      ("\"color\": [200, 30, 30, 255], \"size\": 6", "\"color\": [200, 30, 40, 255], \"size\": 8"),
      ("\"definitionExpression\": \"n > 1\"", "\"definitionExpression\": \"n > 2\""),
      ("\"where\": \"kind = 'a'\"", "\"where\": \"kind = 'b'\""),
    ])
    let run = try await Tool.run("diff", map, other)
    #expect(run.code == 1)
    let lines = run.out.split(separator: "\n").map { String($0) }
    #expect(
      lines.prefix(4) == [
        "Places › definitionExpression: n > 1 → n > 2",
        "Places › display filter \"Only a\" › where: kind = 'a' → kind = 'b'",
        "Places › symbol.color: #c81e1eff → #c81e28ff",
        "Places › symbol.size: 6 → 8",
      ])
    #expect(lines[4].hasPrefix("differs\tview\t"), "\(lines)")
    let json = try await Tool.run("diff", map, other, "--json")
    #expect(json.code == 1)
    let answer = try JSONValue(parsing: Array(json.out.utf8))
    #expect(answer["equal"] == false)
    #expect(answer["differences"]?.array?.count == 4)
    #expect(
      answer["differences"]?[3] == [
        "place": ["Places"], "property": "symbol.size", "before": "6", "after": "8",
        "path": "$.operationalLayers[1].layerDefinition.drawingInfo.renderer.symbol.size",
      ])
    #expect(answer["views"]?[0]?["outcome"] == "differs")
  }

  @Test("Changes that no image shows are differences too")
  func undrawn() async throws {
    let other = try changed([
      (
        "\"layerDefinition\": {\"drawingInfo\"",
        "\"popupInfo\": {\"title\": \"{name}\"}, \"layerDefinition\": {\"drawingInfo\""
      )
    ])
    let run = try await Tool.run("diff", map, other)
    #expect(run.code == 1)
    #expect(run.out == "Square › popupInfo: none → {\"title\":\"{name}\"}\nsame\tview\n")
  }

  @Test("Added, removed and reordered layers and classes are named")
  func lists() async throws {
    func document(_ order: [Int], _ classes: [String]) -> JSONValue {
      let infos: [JSONValue] = classes.map {
        [
          "value": .string($0), "label": .string("Kind \($0)"),
          "symbol": ["type": "esriSMS", "style": "esriSMSCircle", "color": [9, 9, 9, 255], "size": 5],
        ]
      }
      let layers: [JSONValue] = order.map { number in
        [
          "id": .string("l\(number)"), "title": .string("Layer \(number)"), "url": "data/places.geojson",
          "layerType": "GeoJSON",
          "layerDefinition": [
            "drawingInfo": [
              "renderer": ["type": "uniqueValue", "field1": "kind", "uniqueValueInfos": .array(infos)]
            ]
          ],
        ]
      }
      return ["operationalLayers": .array(layers)]
    }
    let first = try folder.write(document([1, 2, 3], ["a", "b"]).text(), to: "first.json")
    let second = try folder.write(document([2, 1, 4], ["b", "c"]).text(), to: "second.json")
    let run = try await Tool.run("diff", first, second)
    #expect(run.code == 1)
    let lines = run.out.split(separator: "\n").map { String($0) }
    for line in [
      "Layer 4 › layer: none → added", "Layer 3 › layer: present → removed",
      "Layer 1 › Kind c › class: none → added", "Layer 1 › Kind a › class: present → removed",
      "order of layers: Layer 1, Layer 2 → Layer 2, Layer 1",
    ] {
      #expect(lines.contains(line), "\(line) in \(lines)")
    }
  }

  @Test("Rows of data files are compared by id, by a field and by position")
  func rows() async throws {
    let changed = SmallMap.places.replacingOccurrences(
      of: "\"id\":3,\"properties\":{\"n\":2,", with: "\"id\":3,\"properties\":{\"n\":20,"
    )
    .replacingOccurrences(of: "\"coordinates\":[7,0]", with: "\"coordinates\":[7,0.5]")
    let places = try folder.write(changed, to: "changed.geojson")
    let run = try await Tool.run("diff", folder.path("data/places.geojson"), places)
    #expect(run.code == 1)
    #expect(
      run.out.split(separator: "\n").prefix(3) == [
        "places › data › 2 rows changed, 6 equal, compared by id",
        "places › data › field \"n\": 1 row changed; row 3: 2 → 20",
        "places › data › geometry: 1 row changed; row 8: 7.0, 0.0 → 7.0, 0.5",
      ], "\(run.out)")

    let rows = ["one,1,1,0", "two,2,2,0", "three,3,3,0", "four,4,4,0"]
    func table(_ rows: [String], _ name: String) throws -> String {
      try folder.write((["name,n,longitude,latitude"] + rows).joined(separator: "\n") + "\n", to: name)
    }
    let before = try table(rows, "before.csv")
    let copy = try table(rows, "copy.csv")
    let same = try await Tool.run("diff", before, copy)
    #expect(same.code == 0)
    #expect(same.out == "same\tview\n")
    let inserted = try table([rows[0], "new,9,9,0", rows[1], "three,30,3,0"], "inserted.csv")
    let position = try await Tool.run("diff", before, inserted)
    #expect(
      position.out.split(separator: "\n").prefix(4) == [
        "before › data › 1 row added: 2", "before › data › 1 row removed: 4",
        "before › data › 1 row changed, 2 equal, compared by position",
        "before › data › field \"n\": 1 row changed; row 4: 3 → 30",
      ], "\(position.out)")
    let moved = try table([rows[3], rows[0], rows[2], "two,20,2,0"], "moved.csv")
    let key = try await Tool.run("diff", before, moved, "--key", "name")
    #expect(
      key.out.split(separator: "\n").prefix(3) == [
        "before › data › 1 row changed, 3 equal, compared by field \"name\"",
        "before › data › field \"n\": 1 row changed; row two: 2 → 20",
        "before › data › rows in another order",
      ], "\(key.out)")
    let wrong = try await Tool.run("diff", before, moved, "--key", "nam")
    #expect(wrong.code == 64)
    #expect(wrong.errors == ["error: --key: no field named \"nam\"; did you mean \"name\"?"])
    let mixed = try await Tool.run("diff", before, map)
    #expect(mixed.code == 64)
  }

  @Test("Both are drawn in the view of the first and in each extent, with a report")
  func report() async throws {
    let other = try changed([("\"size\": 6", "\"size\": 9")])
    let report = folder.path("report")
    let run = try await Tool.run(
      "diff", map, other, "--extent", "40,40,50,50", "--extent=2,-1,4,1", "--size", "200x100", "--report-dir",
      report)
    #expect(run.code == 1)
    let words = run.out.split(separator: "\n").filter { !$0.hasPrefix("\t") }.dropFirst().map {
      $0.split(separator: "\t").prefix(2).joined(separator: " ")
    }
    #expect(
      words == ["differs view", "style-differs extent-1", "differs extent-2"]
        || words == ["differs view", "same extent-1", "differs extent-2"], "\(run.out)")
    for name in ["report.html", "report.md", "report.json", "junit.xml", "cases/view/expected.png"] {
      #expect(FileManager.default.fileExists(atPath: report + "/" + name), "\(name)")
    }
    let text = try String(contentsOfFile: report + "/report.md", encoding: .utf8)
    #expect(text.contains("Places › symbol.size: 6 → 9"))
    #expect(text.contains("expected.png") && !text.contains("snapshot accept"))
  }

  // MARK: Git

  private static let git = URL(fileURLWithPath: "/usr/bin/git")

  private func commit(_ message: String) async throws {
    for words in [
      ["add", "."], ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", message],
    ] {
      let run = try await Tool.run(["-C", folder.root.path] + words, program: Self.git)
      try #require(run.code == 0, "\(run.err)")
    }
  }

  @Test(
    "A document and a data file are compared at revisions",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
  func revisions() async throws {
    _ = try await Tool.run(["init", "-q", folder.root.path], program: Self.git)
    try await commit("first")
    _ = try changed([("\"size\": 6", "\"size\": 7")], as: "map.json")
    try folder.write(SmallMap.csv.replacingOccurrences(of: "one,1", with: "one,5"), to: "data/table.csv")
    let now = try await Tool.run("diff", map + "@HEAD", map)
    #expect(now.code == 1)
    #expect(now.out.hasPrefix("Places › symbol.size: 6 → 7\n"), "\(now.out) \(now.err)")
    try await commit("second")
    let between = try await Tool.run("diff", "map.json@HEAD~1", "map.json@HEAD", folder: folder.root)
    #expect(between.out == now.out)
    let data = try await Tool.run("diff", "data/table.csv@HEAD~1", "data/table.csv", folder: folder.root)
    #expect(
      data.out.hasPrefix("table › data › 1 row changed, 2 equal, compared by position\n"),
      "\(data.out) \(data.err)")
    let unknown = try await Tool.run("diff", map + "@nowhere", map)
    #expect(unknown.code == 2)
    #expect(unknown.errors.first?.contains("map.json@nowhere: git: fatal: ") == true, "\(unknown.err)")
    for revision in ["--output=x", "-p", "HEAD:map.json", "HEAD..HEAD~1", "a b", ""] {
      let run = try await Tool.run("diff", map + "@" + revision, map)
      #expect(run.code == 64, "\(revision) \(run.err)")
    }
    let missing = try await Tool.run(["diff", map + "@HEAD", map], environment: ["PATH": "/nonexistent"])
    #expect(missing.code == 2)
    #expect(missing.errors.first?.contains("Git cannot be run") == true, "\(missing.err)")
  }

  @Test(
    "A style at a revision reads the tiles that are in its folder now",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
  func styleRevisions() async throws {
    for name in ["city.json", "helsinki.pmtiles"] {
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: Tool.style("tiles/" + name)), to: folder.url(name))
    }
    _ = try await Tool.run(["init", "-q", folder.root.path], program: Self.git)
    try await commit("first")
    let style = folder.path("city.json")
    for revision in ["HEAD", "HEAD~0", "v1.0"] {
      if revision == "v1.0" {
        _ = try await Tool.run(["-C", folder.root.path, "tag", revision], program: Self.git)
      }
      let run = try await Tool.run("diff", style + "@" + revision, style, "--size", "100x100")
      #expect(run.code == 0, "\(revision) \(run.out) \(run.err)")
      #expect(run.out == "same\tview\n" && run.err.isEmpty, "\(revision) \(run.out) \(run.err)")
    }
    // Missing tiles are reported for each of both styles.
    try FileManager.default.removeItem(at: folder.url("helsinki.pmtiles"))
    let missing = try await Tool.run("diff", style + "@HEAD", style, "--size", "100x100")
    #expect(missing.code == 0, "\(missing.out)")
    for name in [style + "@HEAD", style] {
      let warning = "warning: \(name): layer \"city\": source \"openmaptiles\": "
      #expect(missing.err.contains(warning), "\(missing.err)")
    }
  }

  @Test("A file whose name contains an @ is a file")
  func names() async throws {
    let odd = try changed([], as: "a@b.json")
    let run = try await Tool.run("diff", odd, map)
    #expect(run.code == 0, "\(run.err)")
  }
}
