import Foundation
import MapGeometry
import MapLayout
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Sizes by amounts, and the order of labels, of data files.
@Suite("Sizes and label order of data files")
struct AmountStyleTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func styled(
    _ data: String, _ change: (inout StyleRequest) -> Void
  ) async throws -> MapDocument {
    var style = StyleRequest()
    change(&style)
    return try await MapDocument.open(data).styled(style)
  }

  private func points(_ values: [Double], field: String = "n") throws -> String {
    let rows = values.enumerated().map { "\($0 % 50),\($0 / 50),\($1)" }
    return try folder.write("lon,lat,\(field)\n" + rows.joined(separator: "\n") + "\n", to: "p.csv")
  }

  private func size(_ document: MapDocument) throws -> SizeVariable {
    try #require(document.layers[0].layer.renderer.form.visualVariables.size)
  }

  @Test("The areas of markers are proportional to amounts from zero, down to the smallest size")
  func areas() async throws {
    let data = try points([4, 250_000, 1_000_000])
    let area = try size(try await styled(data) { $0.sizeBy = "n" })
    let flannery = try size(try await styled(data) { ($0.sizeBy, $0.sizeScaling) = ("n", .flannery) })
    let ranged = try size(try await styled(data) { ($0.sizeBy, $0.sizeRange) = ("n", 2...10) })
    // By Flannery's rule, 10,764 has the smallest size.
    for value in stride(from: 11_000.0, through: 1_000_000, by: 1_237) {
      func deviation(_ variable: SizeVariable, _ expected: Double) -> Double {
        abs((variable.size(of: value, scale: 1, byArea: true) ?? 0) / expected - 1)
      }
      #expect(deviation(area, 40 * (value / 1e6).squareRoot()) < 0.001)
      // Flannery 1971: the logarithm of the radius is 0.5716 times that of the value.
      #expect(deviation(flannery, 40 * pow(value / 1e6, 0.5716)) < 0.001)
      if value >= 40_000 { #expect(deviation(ranged, 10 * (value / 1e6).squareRoot()) < 0.001) }
    }
    for (variable, smallest) in [(area, 3.0), (flannery, 3), (ranged, 2)] {
      #expect(variable.size(of: 4, scale: 1, byArea: true) == smallest)
      #expect(variable.size(of: 0, scale: 1, byArea: true) == smallest)
    }
  }

  @Test("A size range from 0 makes symbols of any small area")
  func fromZero() async throws {
    let data = try points([1, 1_000_000])
    let size = try size(try await styled(data) { ($0.sizeBy, $0.sizeRange) = ("n", 0...40) })
    #expect(size.size(of: 0, scale: 1, byArea: true) == nil)
    #expect(abs((size.size(of: 100, scale: 1, byArea: true) ?? 0) - 0.4) < 0.001)
  }

  @Test("The widths of lines are proportional to amounts")
  func widths() async throws {
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#
    let features = [1, 50, 100].map {
      #"{"type":"Feature","properties":{"n":\#($0)},"geometry":\#(line)}"#
    }.joined(separator: ",")
    let data = try folder.write(#"{"type":"FeatureCollection","features":[\#(features)]}"#, to: "l.geojson")
    let size = try size(try await styled(data) { $0.sizeBy = "n" })
    #expect([100, 50, 25].map { size.size(of: $0, scale: 1, byArea: false) } == [8, 4, 2])
    #expect(size.size(of: 1, scale: 1, byArea: false) == 0.5)
    for (size, color) in [("n", nil), ("n", "n"), (nil, "n")] {
      let document = try await styled(data) { ($0.sizeBy, $0.colorBy) = (size, color) }
      for symbol in document.layers[0].layer.renderer.form.classSymbols {
        guard case .line(let line) = symbol else {
          Issue.record("\(symbol)")
          continue
        }
        #expect(line.cap == .round && line.join == .round)
      }
    }
    let run = try await Tool.run(
      "render", data, "-o", folder.path("l.png"), "--size-by", "n", "--size-scaling", "flannery")
    #expect(run.code == 2 && run.err.contains("widths of lines are proportional"), "\(run)")
  }

  @Test("A legend states the size from which symbols are drawn smaller beside its text")
  func largeSymbols() async throws {
    let data = try points([1])
    func messages(_ words: String...) async throws -> String {
      let run = try await Tool.run(["render", data, "-o", folder.path("s.png"), "--legend"] + words)
      #expect(run.code == 0, "\(run)")
      return run.err
    }
    #expect(try await !messages("--symbol-size", "70", "--size", "900x700").contains("smaller"))
    let large = try await messages("--symbol-size", "80", "--size", "900x700")
    #expect(large.contains("symbols larger than 76 pixels are drawn smaller in the legend"), "\(large)")
    let small = try await messages("--symbol-size", "60", "--size", "300x200")
    #expect(small.contains("symbols larger than 57 pixels are drawn smaller in the legend"), "\(small)")
  }

  @Test("Values below zero are reported, and a range or rule that is impossible is refused")
  func refused() async throws {
    let data = try points([-5, 3, 10])
    let run = try await Tool.run("render", data, "-o", folder.path("a.png"), "--size-by", "n")
    #expect(run.err.contains("--size-by n: 1 value is below 0"), "\(run)")
    for (words, text) in [
      (["--size-by", "n", "--size-range", "9-3"], "the smaller one first"),
      (["--size-by", "n", "--size-range", "3"], "such as 3-40"),
      (["--size-by", "n", "--size-range", "3-4000"], "0 to 500"),
      (["--size-by", "n", "--size-scaling", "flanery"], "did you mean \"flannery\"?"),
      (["--size-range", "3-40"], "--size-range needs --size-by"),
      (["--label-priority", "n"], "--label-priority needs --label"),
      (["--label-short", "n"], "--label-short needs --label"),
      (["--label", "n", "--label-priority", "n:down"], "asc or desc"),
    ] {
      let run = try await Tool.run(["render", data, "-o", folder.path("b.png")] + words)
      #expect(run.code == 64 && run.err.contains(text), "\(words): \(run)")
    }
    let wrong = try await Tool.run(
      "render", data, "-o", folder.path("b.png"), "--label", "n", "--label-priority", "m")
    #expect(wrong.code == 2 && wrong.err.contains("--label-priority"), "\(wrong)")
  }

  @Test("A legend of sizes has round numbers within the data of the view, under the name of the field")
  func legend() async throws {
    func entries(_ values: [Double]) async throws -> LegendLayer {
      let document = try await styled(try points(values, field: "total_pop")) { $0.sizeBy = "total_pop" }
      return try #require(try await document.view(ViewRequest()).freeze().legend().layers.first)
    }
    let millions = try await entries([20_000, 1_300_000, 24_874_500])
    #expect(millions.entries.map(\.label) == ["20 million", "10 million", "5 million", "1 million"])
    #expect(millions.subtitle == "Total population" && !millions.showsTitle)
    let whole = try await entries([2_000_000, 33_000_000])
    #expect(whole.entries.map(\.label) == ["30 million", "20 million", "10 million", "2 million"])
    let tenths = try await entries([0.1, 0.7, 5.4])
    #expect(tenths.entries.map(\.label) == ["5.0", "2.0", "1.0", "0.2"])
    // Numbers of the view, which shows the first point alone.
    let document = try await styled(try points([700, 24_874_500])) { $0.sizeBy = "n" }
    var request = ViewRequest()
    request.place = .bounds(Envelope(xMin: -0.2, yMin: -0.2, xMax: 0.2, yMax: 0.2))
    let view = try await document.view(request).freeze()
    #expect(try await view.legend().layers.first?.entries.map(\.label) == ["700"])
  }

  @Test("A legend names the field of the only table, and tells several tables apart by their names")
  func tableNames() async throws {
    let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/places.gpkg").path
    func layers(_ source: String) async throws -> [LegendLayer] {
      let document = try await styled(source) { $0.colorBy = "number" }
      return try await document.view(ViewRequest()).freeze().legend().layers
    }
    let one = try await layers(file + "#points")
    #expect(one.map(\.subtitle) == ["Number"] && one.map(\.showsTitle) == [false])
    let several = try await layers(file)
    #expect(several.map(\.title) == ["polygons", "lines", "points"])
    #expect(several.map(\.showsTitle) == [true, true, true])
  }

  @Test("A legend names a data file without a field in words")
  func fileName() async throws {
    let data = try folder.write("lon,lat\n1,2\n", to: "river_gauges-2020.csv")
    let document = try await MapDocument.open(data)
    let layer = try await document.view(ViewRequest()).freeze().legend().layers.first
    #expect(layer?.title == "River gauges 2020")
  }

  @Test(
    "Labels are ordered by the field of sizes, or by one whose name says that it is a population or rank",
    arguments: [
      ("name,POP", "POP", true), ("name,Population_2020", "Population_2020", true),
      ("name,scalerank", "scalerank", false), ("name,POP_RANK,POP", "POP", true),
      ("name,POP_RANK", "POP_RANK", false), ("name,popMax", "popMax", true),
      ("name,popularity", nil, false), ("name,pop_density", nil, false), ("name,n", nil, false),
    ])
  func importance(header: String, field: String?, largestFirst: Bool) async throws {
    let numbers = header.split(separator: ",").dropFirst().map { _ in ",3" }.joined()
    let data = try folder.write("lon,lat,\(header)\n1,2,a\(numbers)\n3,4,b\(numbers)\n", to: "t.csv")
    let document = try await styled(data) { $0.label = "name" }
    let priority = document.layers[0].layer.labelDefinitions.first?.featurePriority
    #expect(priority == field.map { FeaturePriority(fieldName: $0, largestFirst: largestFirst) })
    #expect(document.notes.contains { $0.contains("--label-priority") } == (field != nil))
    let sized = try await styled(try points([1, 2])) { ($0.label, $0.sizeBy) = ("n", "n") }
    #expect(
      sized.layers[0].layer.labelDefinitions.first?.featurePriority == FeaturePriority(fieldName: "n"))
    #expect(sized.notes.isEmpty)
  }

  @Test(
    "The largest cities of a view have names",
    arguments: [
      ("50,14,14000000", []), ("68,20,20000000", []), ("32,118,16000000", []), ("-20,-60,30000000", []),
      ("50,14,14000000", ["--size-by", "POP"]), ("68,20,20000000", ["--size-by", "POP"]),
      ("32,118,16000000", ["--size-by", "POP"]), ("-20,-60,30000000", ["--size-by", "POP"]),
    ])
  func cities(viewpoint: String, options: [String]) async throws {
    let view = ["--viewpoint", viewpoint, "--size", "900x620"]
    let largest = try await Tool.run(
      ["query", Tool.cityData, "--in-view", "--order-by", "POP:desc", "--max-features", "20", "--ids"] + view)
    let ids = largest.out.split(separator: "\n").compactMap { Int($0) }
    try #require(ids.count == 20, "\(largest)")
    let report = folder.path("r.json")
    let run = try await Tool.run(
      ["render", Tool.cityData, "-o", folder.path("c.png"), "--label", "CITY_NAME", "--report", report]
        + ["--list-labels"] + view + options)
    #expect(run.code == 0, "\(run)")
    let labels = try #require(try WrittenReport(report).json["labels"] as? [String: Any])
    let list = try #require(labels["list"] as? [[String: Any]])
    let named = Set(list.compactMap { $0["id"] as? Int })
    #expect(ids.count { named.contains($0) } >= 18, "\(ids.filter { !named.contains($0) })")
    #expect(list.count > 60)
  }

  @Test("Labels of a data file are light over a dark background and basemap, and in the saved document")
  func ground() async throws {
    // Digits of several strokes, because a thin one has few pixels of its full colour.
    let data = try points([8888, 9999])
    func pixels(_ words: [String]) async throws -> (light: Int, black: Int) {
      let (image, saved) = (folder.path("g.png"), folder.path("g.json"))
      let run = try await Tool.run(
        ["render", data, "-o", image, "--label", "n", "--size", "200x100", "--save-document", saved] + words)
      #expect(run.code == 0, "\(run)")
      let again = try await Tool.run(["render", saved, "-o", folder.path("h.png"), "--size", "200x100"])
      #expect(again.code == 0, "\(again)")
      let bytes = try Data(contentsOf: URL(filePath: image))
      #expect(try Data(contentsOf: folder.url("h.png")) == bytes)
      let bitmap = try Bitmap(pngData: Array(bytes))
      var (light, black) = (0, 0)
      for y in 0..<bitmap.height {
        for x in 0..<bitmap.width {
          let pixel = bitmap[x, y]
          if pixel.red > 240, pixel.blue > 240 { light += 1 }
          if pixel.red < 16, pixel.blue < 16 { black += 1 }
        }
      }
      return (light, black)
    }
    let dark = try await pixels(["--background", "#202428"])
    #expect(dark.light > 10 && dark.black == 0)
    let basemap = try await pixels(["--basemap", "arcGISDarkGray"])
    #expect(basemap.light > 10 && basemap.black == 0)
    let light = try await pixels(["--background", "#c8c8c8"])
    #expect(light.black > 10)
  }

  @Test("The names of a river are at least 400 pixels apart, the longest line first")
  func rivers() async throws {
    // A long line, and shorter ones of the same name that do not meet it.
    let lines = [(0, 2), (3, 20), (21, 22), (40, 44)].map { from, to in
      """
      {"type":"Feature","properties":{"name":"Rhine"},"geometry":{"type":"LineString",
      "coordinates":[[\(from),0],[\(to),0]]}}
      """
    }
    let data = try folder.write(
      #"{"type":"FeatureCollection","features":[\#(lines.joined(separator: ","))]}"#, to: "r.geojson")
    let report = folder.path("r.json")
    let run = try await Tool.run(
      "render", data, "-o", folder.path("r.png"), "--label", "name", "--bounds=-2,-10,48,10", "--size",
      "1000x400", "--report", report, "--list-labels")
    #expect(run.code == 0, "\(run)")
    let labels = try #require(try WrittenReport(report).json["labels"] as? [String: Any])
    let list = try #require(labels["list"] as? [[String: Any]])
    let centers = list.compactMap { $0["box"] as? [Double] }.map { ($0[0] + $0[2]) / 2 }.sorted()
    #expect(list.contains { $0["id"] as? Int == 2 }, "\(list)")
    #expect((1...2).contains(centers.count))
    for (a, b) in zip(centers, centers.dropFirst()) { #expect(b - a > 399) }
  }

  @Test("A labelled data file with a population renders the same from its saved document")
  func saved() async throws {
    let view = ["--viewpoint", "50,14,14000000", "--size", "500x400"]
    let names = ["a.png", "b.png", "c.json"].map(folder.path)
    let first = try await Tool.run(
      ["render", Tool.cityData, "-o", names[0], "--label", "CITY_NAME", "--save-document", names[2]] + view)
    #expect(first.code == 0 && first.err.contains("in the order of POP, largest first"), "\(first)")
    let folderOfData = URL(fileURLWithPath: Tool.cityData).deletingLastPathComponent().path
    let second = try await Tool.run(
      ["render", names[2], "-o", names[1], "--allow-path", folderOfData] + view)
    #expect(second.code == 0, "\(second)")
    #expect(try Data(contentsOf: URL(filePath: names[0])) == Data(contentsOf: URL(filePath: names[1])))
  }
}
