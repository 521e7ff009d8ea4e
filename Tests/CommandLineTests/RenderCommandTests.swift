import Foundation
import MapTestSupport
import Testing

@Suite("render")
struct RenderCommandTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  /// Renders and returns the bytes of the image.
  private func render(_ source: String, _ arguments: String...) async throws -> Data {
    let output = folder.path("out.png")
    let run = try await Tool.run(["render", source, "-o", output] + arguments)
    #expect(run.code == 0, "\(run)")
    #expect(run.out == "", "\(run)")
    #expect(run.err == "", "\(run)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    try FileManager.default.removeItem(atPath: output)
    return bytes
  }

  private func size(of png: Data) -> [Int] {
    let bytes = [UInt8](png)
    return [16, 20].map { at in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test("Rendering gives the same bytes on every run and with any number of threads")
  func sameBytesOnEveryRunAndNumberOfThreads() async throws {
    for source in [map, Tool.counties, Tool.incidents] {
      let first = try await render(source)
      for threads in ["1", "2", "3", "7"] {
        #expect(try await render(source, "--threads", threads) == first, "\(source), \(threads) threads")
      }
      #expect(try await render(source, "--filters", "none") != first)
    }
    #expect(try folder.names() == ["data", "map.json"])
  }

  @Test("The image size is the view size multiplied by the pixel ratio")
  func sizesAndRatios() async throws {
    #expect(size(of: try await render(map)) == [800, 600])
    #expect(size(of: try await render(map, "--size", "33x17")) == [33, 17])
    #expect(size(of: try await render(map, "--size", "40x30", "--pixel-ratio", "2.5")) == [100, 75])
    #expect(size(of: try await render(map, "--size", "1x1", "--pixel-ratio", "4")) == [4, 4])
  }

  @Test("A medium sets the pixels of an inch, or enlarges what is drawn in an image of the same size")
  func media() async throws {
    #expect(size(of: try await render(map, "--size", "96x48", "--for", "print")) == [300, 150])
    #expect(
      size(of: try await render(map, "--size", "96x48", "--for", "print", "--dpi", "192")) == [192, 96])
    #expect(
      size(of: try await render(map, "--size", "96x48", "--for", "print", "--pixel-ratio", "2")) == [192, 96])
    // 300 / 0.0254 pixels per metre in pHYs.
    let printed = try await render(map, "--size", "96x48", "--for", "print")
    let resolution = Data("pHYs".utf8) + Data([0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
    #expect(printed.range(of: resolution) != nil)
    let plain = try await render(map, "--size", "300x200")
    #expect(try await render(map, "--size", "300x200", "--for", "screen") == plain)
    let projected = try await render(map, "--size", "300x200", "--for", "projector")
    #expect(size(of: projected) == [300, 200])
    #expect(
      try await render(map, "--size", "300x150", "--for", "projector")
        == (try await render(map, "--size", "200x100", "--pixel-ratio", "1.5")))
  }

  @Test("The background option accepts names, hex colours and components, and is white by default")
  func backgrounds() async throws {
    let empty = ["--hide", "0", "--hide", "1", "--size", "8x8"]
    var pictures: Set<Data> = []
    for background in ["none", "#fff", "red", "1,2,3", "#10203040"] {
      pictures.insert(try await picture(["--background", background] + empty))
    }
    #expect(pictures.count == 5)
    #expect(try await picture(["--background", "white"] + empty) == (try await picture(empty)))
  }

  private func picture(_ arguments: [String]) async throws -> Data {
    let output = folder.path("picture.png")
    let run = try await Tool.run(["render", map, "-o", output] + arguments)
    #expect(run.code == 0, "\(run.err)")
    defer { try? FileManager.default.removeItem(atPath: output) }
    return try Data(contentsOf: URL(fileURLWithPath: output))
  }

  @Test("The report has its keys in a fixed order and the funnel of every layer")
  func reportKeysInOrder() async throws {
    let report = folder.path("report.json")
    _ = try await render(map, "--report", report, "--size", "400x300", "--pixel-ratio", "2")
    let text = try String(contentsOfFile: report, encoding: .utf8)
    let keys = ["size", "pixelRatio", "extent", "scale", "rotation", "attribution", "layers", "libraries"]
    let places = keys.map { text.range(of: "\n  \"\($0)\":")?.lowerBound }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    let read = try WrittenReport(report)
    #expect(read.json["size"] as? [Int] == [400, 300])
    #expect(read.json["pixelRatio"] as? Int == 2)
    #expect(
      try read.funnel("Places") == [
        "total": 8, "definition": 6, "extent": 4, "time": 4, "scale": 4, "display": 2,
        "invisible": 0, "drawn": 2, "edge": 0,
      ])
    let layers = try #require(read.json["layers"] as? [[String: Any]])
    #expect(layers.compactMap { $0["layer"] as? String } == ["Square", "Places"])
    #expect(layers.allSatisfy { Set($0.keys).isSuperset(of: ["layer", "funnel", "seconds", "warnings"]) })
  }

  @Test("The report and the count command give the same extent, scale and rotation")
  func extentIsTheCountsExtent() async throws {
    let report = folder.path("report.json")
    _ = try await render(map, "--report", report, "--viewpoint", "1.5,2.5,5000000,30")
    let counted = try await Tool.run("count", map, "--viewpoint", "1.5,2.5,5000000,30", "--format", "json")
      .out
    let answer = try #require(JSONSerialization.jsonObject(with: Data(counted.utf8)) as? [String: Any])
    let read = try WrittenReport(report)
    #expect(read.json["extent"] as? [Double] == answer["extent"] as? [Double])
    #expect(read.json["scale"] as? Double == answer["scale"] as? Double)
    #expect(read.json["rotation"] as? Int == 30)
  }

  @Test(
    "A data file coloured by a field renders the same from its saved document",
    arguments: ["kind", "n", "half"])
  func colouredThenSaved(field: String) async throws {
    let data = folder.path("data/places.geojson")
    let plain = try await render(data)
    let colored = try await render(data, "--color-by", field)
    #expect(colored != plain)
    let saved = folder.path("saved.json")
    #expect(try await render(data, "--color-by", field, "--save-document", saved) == colored)
    #expect(try await render(saved) == colored)
    let inspected = try await Tool.run("inspect", saved).out
    #expect(
      inspected.contains(field == "kind" ? "uniqueValue by kind" : "classBreaks by \(field)"), "\(inspected)")
  }

  @Test("A data file sized by a field renders the same from its saved document")
  func sizedThenSaved() async throws {
    let data = folder.path("data/places.geojson")
    let (saved, report) = (folder.path("saved.json"), folder.path("report.json"))
    let sized = try await render(data, "--size-by", "n", "--color-by", "kind", "--save-document", saved)
    #expect(try await render(data, "--color-by", "kind") != sized)
    #expect(try await render(saved, "--report", report) == sized)
    #expect(try await Tool.run("inspect", saved).out.contains("uniqueValue by kind"))
    #expect(try WrittenReport(report).json["warnings"] as? [String] == [])
  }

  @Test("A labelled data file renders the same from its saved document")
  func labelledThenSaved() async throws {
    let data = folder.path("data/places.geojson")
    let (saved, report) = (folder.path("saved.json"), folder.path("report.json"))
    let labelled = try await render(data, "--label", "KIND", "--save-document", saved, "--report", report)
    #expect(try await render(data) != labelled)
    #expect(try await render(saved) == labelled)
    #expect(try await Tool.run("inspect", saved).out.contains("labels      [kind]"))
    let labels = try #require(try WrittenReport(report).json["labels"] as? [String: Any])
    let classes = try #require(labels["classes"] as? [[String: Any]])
    try #require(classes.count == 1)
    #expect(classes[0]["placed"] as? Int ?? 0 > 0)
    #expect(classes[0]["class"] as? Int == 0)
    #expect(labels["missingGlyphs"] as? [String] == [])
  }

  @Test("--font sets letters that Noto Sans lacks, and --list-labels lists every label")
  func fontsAndList() async throws {
    let font = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../MapTextTests/Cases/Fonts/NotoSansHebrew.ttf").standardized.path
    let (data, report) = (folder.path("towns.csv"), folder.path("report.json"))
    try Data("lon,lat,name\n35.2,31.8,ירושלים\n34.8,32.1,Jaffa\n".utf8).write(to: URL(fileURLWithPath: data))
    let known = try await render(data, "--label", "name", "--font", font, "--report", report, "--list-labels")
    let labels = try #require(try WrittenReport(report).json["labels"] as? [String: Any])
    #expect(labels["missingGlyphs"] as? [String] == [])
    let list = try #require(labels["list"] as? [[String: Any]])
    #expect(list.map { $0["text"] as? String ?? "" }.sorted() == ["Jaffa", "ירושלים"])
    #expect(list.map { $0["id"] as? Int ?? 0 }.sorted() == [1, 2])
    for label in list {
      let box = try #require(label["box"] as? [Double])
      #expect(box.count == 4 && box[0] < box[2] && box[1] < box[3])
    }
    let output = folder.path("a.png")
    let run = try await Tool.run(["render", data, "-o", output, "--label", "name"])
    #expect(run.err.contains("no glyph for"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) != known)
    let wrong = try await Tool.run(["render", data, "-o", output, "--label", "name", "--font", data])
    #expect(wrong.code == 2, "\(wrong)")
    #expect(wrong.err.contains("is no font"), "\(wrong)")
    let unlisted = try await Tool.run(["render", data, "-o", output, "--list-labels"])
    #expect(unlisted.code == 64, "\(unlisted)")
  }

  @Test("A filtered data file renders the same from its saved document")
  func savedWithItsFilters() async throws {
    let data = folder.path("data/places.geojson")
    let saved = folder.path("saved.json")
    for filter in ["--definition", "--display-filter"] {
      let filtered = try await render(data, filter, "kind = 'b'", "--save-document", saved)
      #expect(try await render(data) != filtered)
      #expect(try await render(saved) == filtered, "\(filter)")
    }
  }

  @Test("A CSV file renders the same from its saved document")
  func savedDocumentOfCSV() async throws {
    let data = folder.path("data/table.csv")
    let saved = folder.path("saved.json")
    let first = try await render(data, "--save-document", saved, "--size", "300x200")
    #expect(try await render(saved, "--size", "300x200") == first)
  }

  @Test("The --only option hides every other layer, and --layer does not")
  func oneLayerAlone() async throws {
    let both = try await render(map)
    let alone = try await render(map, "--only", "Places")
    #expect(alone != both)
    #expect(try await render(map, "--layer", "Places", "--quiet") == both)
    #expect(try await render(map, "--hide", "Square") == alone)
  }

  @Test("An image written to standard output has the same bytes as a file")
  func pictureToStandardOutput() async throws {
    let expected = try await render(map)
    let script = "\(Tool.url.path) render \(map) -o - > \(folder.path("piped.bin"))"
    let run = try await Tool.run(["-c", script], program: URL(fileURLWithPath: "/bin/sh"))
    #expect(run.code == 0)
    #expect(try Data(contentsOf: folder.url("piped.bin")) == expected)
  }

  @Test("Rendering to a symbolic link replaces the file that it points to")
  func outputThroughALinkAndOverAFile() async throws {
    let target = try folder.write("old", to: "target.png")
    let link = folder.path("link.png")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let run = try await Tool.run("render", map, "-o", link)
    #expect(run.code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count > 100)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == target)
    #expect(try folder.names() == ["data", "link.png", "map.json", "target.png"])
  }

  @Test("Fitting a layer gives the same image as the layer's bounds")
  func viewOptionsAgree() async throws {
    // Fitting the square equals using the square's bounds.
    let fit = try await render(map, "--fit", "Square", "--padding", "20")
    #expect(try await render(map, "--bounds", "0,-1,4,1,4326", "--padding", "20") == fit)
    #expect(try await render(map, "--fit", "Square") != fit)
    #expect(try await render(map, "--bounds", "-1,-1,5.5,1,4326") == (try await render(map)))
  }
}

@Suite("expression and display filter")
struct FilterPictureTests {
  private func picture(_ source: String, _ arguments: [String], in folder: ScratchFolder) async throws -> (
    png: Data, funnel: [String: Int]
  ) {
    let (output, report) = (folder.path("p.png"), folder.path("r.json"))
    let run = try await Tool.run(
      ["render", source, "--layer", "1", "-o", output, "--report", report] + arguments)
    #expect(run.code == 0, "\(run.err)")
    let layers = try #require(try WrittenReport(report).json["layers"] as? [[String: Any]])
    let funnel = try #require(
      layers.compactMap { $0["funnel"] as? [String: Int] }.max { ($0["total"] ?? 0) < ($1["total"] ?? 0) })
    return (try Data(contentsOf: URL(fileURLWithPath: output)), funnel)
  }

  @Test(
    "A definition expression and a display filter give the same image but different counts",
    arguments: [
      ("us-counties.json", "STATE_NAME IN ('Texas', 'Ohio')", "unemployment_rate > 7.5"),
      ("us-counties.json", "unemployment_rate > 5 OR unemployment_rate IS NULL", "NAME LIKE 'M%'"),
      (
        "san-francisco-incidents.json", "req_type = 'Graffiti' OR req_type = 'Noise Report'",
        "status = 'Open'"
      ),
      ("san-francisco-incidents.json", "neighborhood IS NOT NULL", "req_date < DATE '2013-01-01'"),
    ])
  func pictures(document: String, a: String, b: String) async throws {
    let folder = try ScratchFolder()
    let source = Tool.style(document)
    let none = ["--filters", "none"]
    let unfiltered = try await picture(source, none, in: folder)
    let expression = try await picture(source, none + ["--definition", a], in: folder)
    let display = try await picture(source, none + ["--display-filter", a], in: folder)
    #expect(expression.png == display.png)
    #expect(expression.png != unfiltered.png)
    #expect(expression.funnel["drawn"] == display.funnel["drawn"])
    #expect(display.funnel["extent"] == unfiltered.funnel["extent"])
    #expect((expression.funnel["extent"] ?? 0) < (display.funnel["extent"] ?? 0))

    let both = try await picture(source, none + ["--definition", a, "--display-filter", b], in: folder)
    let joined = try await picture(source, none + ["--definition", "(\(a)) AND (\(b))"], in: folder)
    #expect(both.png == joined.png)
    #expect(both.png != expression.png)
    #expect(both.funnel["extent"] == expression.funnel["extent"])
    #expect(both.funnel["drawn"] == joined.funnel["extent"])
    #expect((both.funnel["drawn"] ?? 0) > 0)
  }
}
