import Foundation
import MapTestSupport
import Testing

/// Commands typed by new users, with the answers that they expected.
///
/// - Source: a review of the tool by people who had not written it; the files in `Surface` are theirs. Rows
///   about rates, classes, legends and reading of files are not covered here.
@Suite("Commands of new users")
struct SurfaceTests {
  /// A command with its expected answer.
  struct Row: Sendable, CustomTestStringConvertible {
    let number: Int
    let command: String
    var code: Int32 = 0
    /// The whole of standard output; nil if it is not checked.
    var out: String?
    /// Texts that standard output or standard error must contain.
    var says: [String] = []
    /// Texts that neither may contain.
    var hides: [String] = []

    var testDescription: String { "\(number): \(command)" }
  }

  // CITIES, RIVERS and the documents of Styles are replaced by their paths, OUT by the path of an image.
  private static let rows = [
    Row(number: 1, command: "count CITIES --bounds 5,45,15,55,4326", out: "144\n"),
    Row(number: 1, command: "count CITIES --extent 5,45,15,55,4326", out: "144\n"),
    Row(number: 2, command: "query CITIES --bounds 5,45,15,55,4326 --count-only", out: "144\n"),
    Row(
      number: 2, command: "query CITIES --bounds 5,45,15,55,4326 --ids --format json", says: ["\"wkid\":4326"]
    ),
    Row(number: 3, command: "count CITIES --bounds 5,45,15,55", out: "144\n"),
    Row(
      number: 3, command: "count CITIES --bounds 5,45,15,55 --format json",
      says: ["\"extent\":[5,45,15,55],\"wkid\":4326"]),
    Row(
      number: 4, command: "count CITIES --bounds 500000,5600000,700000,5800000", code: 64, out: "",
      says: ["500000,5600000,700000,5800000,3857"]),
    Row(number: 5, command: "count CITIES --bounds 5,45,15,55,4326 --in-view", out: "283\n"),
    Row(
      number: 7, command: "count docs/misspelt-expression.json --everywhere --strict", code: 1, out: "10\n",
      says: ["layerDefinition.definitonExpression", "definitionExpression"]),
    Row(
      number: 8, command: "inspect docs/misspelt-drawing.json --strict", code: 1,
      says: ["layerDefinition.drawingInfos", "\"drawingInfo\""]),
    Row(
      number: 8, command: "inspect docs/misspelt-scale.json --strict", code: 1,
      says: ["layerDefinition.minscale", "\"minScale\""]),
    Row(
      number: 9, command: "render docs/filter-as-list.json -o OUT", code: 2, out: "",
      says: ["displayFilterInfo", "an object"]),
    Row(
      number: 10, command: "render docs/filter-mode-misspelt.json -o OUT", code: 2, out: "",
      says: ["displayFilterInfo"]),
    Row(
      number: 11, command: "render docs/scale-as-text.json -o OUT",
      says: ["layerDefinition.minScale", "text"]),
    Row(
      number: 12, command: "render docs/dead-layer.json --hide Dead -o OUT", out: "",
      hides: ["warning", "error"]),
    Row(
      number: 12, command: "render docs/dead-layer.json --only Cities -o OUT", out: "",
      hides: ["warning", "error"]),
    Row(number: 12, command: "count docs/dead-layer.json --layer Cities", out: "7\n"),
    Row(
      number: 12, command: "render docs/dead-layer-hidden.json -o OUT", out: "", hides: ["warning", "error"]),
    Row(number: 12, command: "render docs/missing-file.json -o OUT", out: "", hides: ["warning", "error"]),
    Row(
      number: 13, command: "render docs/dead-layer.json --skip-unavailable -o OUT", says: ["warning", "Dead"]),
    Row(number: 13, command: "render docs/dead-layer.json --skip-unavailable --strict -o OUT", code: 1),
    Row(number: 13, command: "render docs/dead-layer.json -o OUT", code: 3),
    Row(
      number: 14, command: "inspect docs/renderer-field.json --strict", code: 1,
      says: ["\"nam\"", "\"name\""]),
    Row(number: 14, command: "inspect docs/label-where.json --strict", code: 1, says: ["popp", "pop"]),
    Row(
      number: 16, command: "count docs/features-of-numbers.json --everywhere --filters none", code: 2,
      out: "",
      says: ["features[0]"]),
    Row(number: 17, command: "count one.geojson --geometry g.json", out: "1\n"),
    Row(number: 17, command: "count one.geojson --extent 230,20,300,50,4326", out: "1\n"),
    Row(number: 18, command: "query p.geojson --geometry f4.json --relation equals --ids", out: "4\n"),
    Row(number: 19, command: "query past.geojson --geometry am.json --ids", out: "1\n2\n3\n4\n"),
    Row(number: 19, command: "query past.geojson --geometry am.json --relation disjoint --ids", out: ""),
    Row(number: 20, command: "render RIVERS --label NAME -o OUT", hides: ["warning"]),
    Row(
      number: 22, command: "query CITIES --max-features 3 -o rows.csv", out: "",
      says: ["3 of 10,020"], hides: ["warning"]),
    Row(number: 22, command: "query CITIES --max-features 3 -o rows.csv --strict"),
    Row(number: 23, command: "query CITIES --max-features 3 -o rows.gpkg", out: ""),
    Row(number: 23, command: "count rows.gpkg", out: "3\n"),
    Row(number: 23, command: "query CITIES -o x.xyz", code: 64, says: [".geojson", ".gpkg", ".fgb", ".csv"]),
    Row(
      number: 28, command: "render INCIDENTS --layer Incidents --definition req_type='Graffiti' -o OUT",
      out: ""),
    Row(number: 29, command: "count table.csv --bounds 5,45,15,55", code: 2, out: "", says: ["no geometry"]),
    Row(number: 29, command: "count table.csv", out: "1\n"),
    Row(number: 31, command: "filter UPPER(name)='C1' --check docs/cities.geojson", out: "ok\n"),
  ]

  /// A folder with the files of the review and the other files that the rows need.
  private static func folder() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    let files = Tool.project.appendingPathComponent("Tests/CommandLineTests/Surface")
    for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
      try FileManager.default.copyItem(at: files.appendingPathComponent(name), to: scratch.url(name))
    }
    try scratch.write("a,b\n1,2\n", to: "table.csv")
    return scratch
  }

  private static func run(_ command: String, in folder: ScratchFolder) async throws -> Tool.Run {
    let words = command.split(separator: " ").map { word in
      switch word {
      case "CITIES": Tool.cityData
      case "RIVERS": Tool.riverData
      case "INCIDENTS": Tool.incidents
      case "OUT": folder.path("x.png")
      default: String(word)
      }
    }
    return try await Tool.run(words, folder: folder.root)
  }

  @Test("Each command gives the expected answer")
  func table() async throws {
    let folder = try Self.folder()
    for row in Self.rows {
      let run = try await Self.run(row.command, in: folder)
      #expect(run.code == row.code, "\(row.testDescription): \(run)")
      if let out = row.out { #expect(run.out == out, "\(row.testDescription): \(run)") }
      for part in row.says { #expect((run.out + run.err).contains(part), "\(row.testDescription): \(run)") }
      for part in row.hides { #expect(!(run.out + run.err).contains(part), "\(row.testDescription): \(run)") }
    }
    #expect(Set(Self.rows.map(\.number)).count == 23)
    let csv = try String(contentsOf: folder.url("rows.csv"), encoding: .utf8)
    #expect(csv.split(separator: "\n").count == 4)
  }

  @Test("A viewpoint step shows the whole of its bounds in degrees")
  func step() async throws {
    let folder = try Self.folder()
    let steps = [
      #"{"step":"open","source":"docs/base.json"}"#,
      #"{"step":"viewpoint","bounds":{"xmin":-125,"ymin":24,"xmax":-66,"ymax":50}}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    let answer = try #require(
      JSONSerialization.jsonObject(
        with: Data(run.out.split(separator: "\n").last.map { String($0) }?.utf8 ?? "".utf8))
        as? [String: Any])
    let extent = try #require(answer["extent"] as? [Double])
    // The United States without Alaska and Hawaii, in Web Mercator metres.
    #expect(extent[0] <= -13_914_936)
    #expect(extent[0] > -14_500_000)
    #expect(extent[2] >= -7_347_087)
    #expect(extent[2] < -6_800_000)
  }

  @Test("The report lists every warning of the document and of drawing")
  func report() async throws {
    let folder = try Self.folder()
    let layers = [
      #"{"id":"a","title":"A","layerType":"GeoRSS","url":"a.xml"}"#,
      #"{"id":"b","title":"B","layerType":"WMS","url":"https://standin.invalid/wms"}"#,
      #"{"id":"c","title":"C","layerType":"GeoJSON","url":"docs/cities.geojson","layerDefinition":{"minScale":1}}"#,
    ]
    let map = try folder.write(#"{"operationalLayers":[\#(layers.joined(separator: ","))]}"#, to: "map.json")
    let run = try await Tool.run("render", map, "-o", folder.path("x.png"), "--report", folder.path("r.json"))
    #expect(run.code == 0)
    let json =
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("r.json"))) as? [String: Any]
    let warnings = try #require(json?["warnings"] as? [String])
    let lines = run.err.split(separator: "\n")
    let printed = lines.filter { $0.hasPrefix("warning: ") }.map { $0.trimmingPrefix("warning: ") }
    #expect(warnings.map { Substring($0) } == printed)
    for part in ["[0]", "[1]"] { #expect(warnings.contains { $0.contains(part) }, "\(warnings)") }
    // A range of scales is the document's own wish.
    let notes = try #require(json?["notes"] as? [String])
    #expect(notes.contains { $0.hasPrefix("layer \"C\": draws nothing: the scale") }, "\(notes)")
    #expect(lines.contains { $0.hasPrefix("note: layer \"C\"") }, "\(lines)")
    let inspected = try await Tool.run("inspect", map, "--format", "json")
    for warning in warnings {
      #expect(inspected.out.contains(warning.replacing("\"", with: "\\\"")), "\(warning)")
    }
  }

  @Test("The default view shows the features that match a definition expression")
  func defaultView() async throws {
    let folder = try Self.folder()
    func extent(_ options: String...) async throws -> [Double] {
      let run = try await Tool.run(
        [
          "render", folder.path("docs/base.json"), "-o", folder.path("x.png"), "--report",
          folder.path("r.json"),
        ]
          + options)
      #expect(run.code == 0, "\(run.err)")
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("r.json")))
      return try #require((json as? [String: Any])?["extent"] as? [Double])
    }
    let all = try await extent()
    let some = try await extent("--definition", "pop > 70")
    // Eight of the ten cities are 2 degrees of longitude apart; two match the filter.
    #expect(some[2] - some[0] < (all[2] - all[0]) / 3)
    #expect(try await extent("--display-filter", "pop > 70") == all)
    #expect(try await extent("--layer", "Cities") == all)
  }

  @Test("A document's drawing order accepts asc, desc and their long forms")
  func order() async throws {
    let folder = try ScratchFolder()
    // Two areas at one position: the upper one hides the other, and its colour shows the order.
    func document(_ order: String) -> String {
      let features = [(1, 200), (2, 40)].map { id, red in
        #"{"attributes":{"n":\#(id),"red":\#(red)},"geometry":{"rings":[[[0,0],[0,10],[10,10],[10,0],[0,0]]]}}"#
      }
      let infos = [200, 40].map { red in
        #"{"value":"\#(red)","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":[\#(red),0,0,255]}}"#
      }
      return """
        {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
         "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":3857},"orderBy":[{"field":"n","order":"\(order)"}],
         "fields":[{"name":"n","type":"esriFieldTypeInteger"},{"name":"red","type":"esriFieldTypeInteger"}],
         "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"red","uniqueValueInfos":[\(infos.joined(separator: ","))]}}},
         "featureSet":{"features":[\(features.joined(separator: ","))]}}]}}]}
        """
    }
    var images: [String: Data] = [:]
    for word in ["asc", "ascending", "desc", "descending"] {
      let map = try folder.write(document(word), to: "\(word).json")
      let run = try await Tool.run("render", map, "-o", folder.path("x.png"), "--size", "20x20")
      #expect(run.code == 0, "\(run.err)")
      #expect(run.err == "", "\(run.err)")
      images[word] = try Data(contentsOf: folder.url("x.png"))
    }
    #expect(images["asc"] == images["ascending"])
    #expect(images["desc"] == images["descending"])
    #expect(images["asc"] != images["desc"])
  }

  @Test("Errors are printed as JSON when the format is JSON")
  func errors() async throws {
    let cases: [([String], String, String?)] = [
      (["count", Tool.cityData, "--where", "PO > 3", "--format", "json"], "input", "POP"),
      (["count", Tool.cityData, "--everywher", "--format", "json"], "usage", nil),
      (["inspect", Tool.counties, "--layer", "Countys", "--format=json"], "input", "Counties"),
      (["count", "nowhere.csv", "--format", "json"], "input", nil),
      (["count", Tool.cityData, "--expect", "3", "--format", "json"], "expectation", nil),
    ]
    for (arguments, kind, suggestion) in cases {
      let run = try await Tool.run(arguments)
      let json = try JSONSerialization.jsonObject(with: Data(run.err.utf8)) as? [String: Any]
      let error = try #require(json?["error"] as? [String: Any], "\(run)")
      #expect(error["kind"] as? String == kind, "\(run)")
      #expect(error["suggestion"] as? String == suggestion, "\(run)")
      #expect((error["message"] as? String)?.isEmpty == false, "\(run)")
    }
  }

  @Test("Quiet mode hides warnings and notes, and strict mode still counts them")
  func quiet() async throws {
    let folder = try Self.folder()
    let map = folder.path("docs/misspelt-expression.json")
    for flag in ["-q", "--quiet"] {
      let run = try await Tool.run("count", map, "--everywhere", flag)
      #expect(run.code == 0, "\(run)")
      #expect(run.err == "", "\(run)")
      let strict = try await Tool.run("count", map, "--everywhere", flag, "--strict")
      #expect(strict.code == 1, "\(strict)")
      #expect(strict.errors.count == 1, "\(strict)")
    }
  }

  @Test("A view of a single filtered feature uses the default near scale")
  func oneFeature() async throws {
    let folder = try Self.folder()
    let map = folder.path("docs/base.json")
    for options in [["--definition", "name = 'c5'"], ["--definition", "name = 'c5'", "--fit", "Cities"]] {
      let run = try await Tool.run(["count", map, "--in-view", "--format", "json"] + options)
      #expect(run.out.contains("\"scale\":50000,"), "\(run)")
      #expect(run.out.contains("\"count\":1,"), "\(run)")
    }
  }

  @Test("A layer that --only excludes cannot be selected with --layer")
  func contradiction() async throws {
    for command in ["count", "query", "render"] {
      let arguments = [command, Tool.counties, "--only", "States", "--layer", "Counties"]
      let run = try await Tool.run(arguments + (command == "render" ? ["-o", "x.png"] : []))
      #expect(run.code == 64, "\(run)")
      #expect(run.errors.count == 1, "\(run)")
      #expect(run.err.contains("--only"), "\(run)")
    }
    let both = try await Tool.run("count", Tool.counties, "--only", "0", "--only", "1", "--layer", "States")
    #expect(both.out == "49\n", "\(both)")
  }

  @Test("Steps give the same warnings and refusals as the commands")
  func stepsWarn() async throws {
    let folder = try Self.folder()
    let far = [
      #"{"step":"open","source":"docs/cities.geojson"}"#, #"{"step":"count","bounds":[100,-40,110,-30]}"#,
    ].joined(separator: "\n")
    let run = try await Tool.run(["run", "-", "--strict"], input: far, folder: folder.root)
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("far from all data"), "\(run)")
    #expect(run.out.split(separator: "\n").last?.contains("far from all data") == true, "\(run)")
    let table = [
      #"{"step":"open","source":"table.csv"}"#, #"{"step":"count","inView":true}"#, #"{"step":"count"}"#,
    ].joined(separator: "\n")
    let asked = try await Tool.run(["run", "-"], input: table, folder: folder.root)
    let answers = asked.out.split(separator: "\n")
    #expect(asked.code == 2, "\(asked)")
    #expect(answers.count == 3, "\(asked)")
    #expect(answers[1].contains("no geometry"), "\(asked)")
    #expect(answers[1].hasPrefix("{\"ok\":false"), "\(asked)")
    #expect(answers[2].contains("\"count\":1"), "\(asked)")
    #expect(answers[2].contains("all its rows count"), "\(asked)")
    let extents = try await Tool.run(
      ["count", folder.path("table.csv"), "--extents", "-"], input: "0,0,1,1\n")
    #expect(extents.code == 2, "\(extents)")
    #expect(extents.err.contains("no geometry"), "\(extents)")
  }

  @Test("A table with geometry but without rows has no features in an extent")
  func emptyTable() async throws {
    let folder = try Self.folder()
    let none = try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "none.geojson")
    let run = try await Tool.run("count", none, "--bounds", "0,0,1,1")
    #expect(run.code == 0, "\(run)")
    #expect(run.out == "0\n", "\(run)")
    let image = try await Tool.run("render", none, "-o", folder.path("x.png"))
    #expect(image.err == "warning: layer \"none\": draws nothing: its table has no features\n")
  }

  @Test("Features beyond the latitudes of Web Mercator give a warning")
  func poles() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write("name,longitude,latitude\na,0,90\nb,20,10\nc,30,20\n", to: "poles.csv")
    let run = try await Tool.run("count", data, "--in-view")
    #expect(run.out == "2\n", "\(run)")
    #expect(run.err.contains("1 feature lies beyond 85.05 degrees"), "\(run)")
    let degrees = try await Tool.run("count", data, "--in-view", "--reference", "4326")
    #expect(degrees.out == "3\n", "\(degrees)")
    #expect(degrees.err == "", "\(degrees)")
  }

  @Test("A query geometry that spans many world copies is refused without a crash or a delay")
  func aroundTheWorld() async throws {
    let folder = try Self.folder()
    for side in ["1e300", "1e9", "5000"] {
      let data = try folder.write(
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"LineString","#
          + #""coordinates":[[-\#(side),0],[\#(side),1]]}}]}"#, to: "far.geojson")
      let run = try await Tool.run(
        "count", data, "--geometry", folder.path("am.json"), "--relation", "within")
      #expect(run.code == 2, "\(side): \(run)")
      #expect(!run.isSignal, "\(side): \(run)")
      #expect(run.errors.count == 1, "\(side): \(run)")
    }
  }

  @Test("Bounds far from all data give a warning")
  func farBounds() async throws {
    let folder = try Self.folder()
    let far = try await Tool.run("count", folder.path("docs/cities.geojson"), "--bounds", "100,-40,110,-30")
    #expect(far.out == "0\n", "\(far)")
    #expect(far.err.contains("far from all data"), "\(far)")
    let near = try await Tool.run("count", folder.path("docs/cities.geojson"), "--bounds", "-9,45,-8,46")
    #expect(near.err == "", "\(near)")
    let past = try await Tool.run("count", folder.path("one.geojson"), "--bounds", "-126,34,-124,36")
    #expect(past.out == "1\n", "\(past)")
    #expect(past.err == "", "\(past)")
  }
}
