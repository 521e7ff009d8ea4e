import Foundation
import MapJSON
import MapScript
import MapState
import MapTestSupport
import Testing

/// Options that change one property of all symbols, also of classes and of the symbols of a document.
@Suite("Changed properties of symbols") struct SymbolChangeTests {
  private let folder: ScratchFolder
  private let points: String
  private let areas: String

  init() throws {
    folder = try ScratchFolder()
    let rows = (1...70).map { "\($0),k\($0),\($0 % 7 == 0 ? "" : "t\($0 % 3)"),\($0),\($0 % 20)" }
    points = try folder.write(
      "n,many,kind,lon,lat\n" + rows.joined(separator: "\n") + "\n", to: "points.csv")
    areas = try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}},{"type":"Feature","properties":{"n":2},"geometry":{"type":"Polygon","coordinates":[[[20,0],[29,0],[29,9],[20,0]]]}}]}"#,
      to: "areas.geojson")
  }

  private func styled(_ members: String, _ source: String? = nil) async throws -> MapDocument {
    let style = try StyleRequest(JSONNode(JSONValue(parsing: "{\(members)}")))
    return try await MapDocument.open(source ?? points).styled(style)
  }

  private func markers(_ members: String) async throws -> [SimpleMarkerSymbol] {
    let form = try await styled(members).layers[0].layer.renderer.form
    return form.classSymbols.compactMap { symbol in
      if case .marker(let marker) = symbol { marker } else { nil }
    }
  }

  @Test(
    "Opacity, outline, marker and size apply to one symbol, to classes of numbers and texts, and to sizes by a field",
    arguments: ["", #""colorBy": "n", "#, #""colorBy": "kind", "#, ##""symbol": "#0000ff", "##])
  func all(base: String) async throws {
    let markers = try await markers(
      ##"\##(base)"opacity": 0.4, "outline": "#102030", "outlineWidth": 3, "marker": "square", "symbolSize": 13"##
    )
    #expect(!markers.isEmpty && (base.contains("colorBy") ? markers.count > 2 : markers.count == 1))
    for marker in markers {
      #expect(marker.style == .square && marker.size == 13 && marker.color?.alpha == 102)
      #expect(
        marker.outline?.width == 3 && marker.outline?.color == Color(red: 16, green: 32, blue: 48, alpha: 102)
      )
    }
    #expect(Set(markers.map(\.color)).count == markers.count)
    let plain = try await self.markers(#"\#(base)"outline": "none""#)
    #expect(plain.allSatisfy { $0.outline == nil && $0.style == .circle && $0.color?.alpha == 255 })
  }

  @Test("With sizes by a field, shape, opacity and outline apply, and a fixed size is an error")
  func sizes() async throws {
    let document = try await styled(#""sizeBy": "n", "marker": "diamond", "opacity": 0.5, "outline": "red""#)
    let form = document.layers[0].layer.renderer.form
    guard case .marker(let marker)? = form.classSymbols.first else {
      Issue.record("no marker")
      return
    }
    #expect(form.visualVariables.size != nil && marker.style == .diamond && marker.color?.alpha == 128)
    #expect(marker.outline?.color == Color(red: 255, green: 0, blue: 0, alpha: 128))
    let run = try await Tool.run(
      "render", points, "-o", folder.path("a.png"), "--size-by", "n", "--symbol-size", "9")
    #expect(run.code == 64 && run.err.contains("--symbol-size contradicts --size-by"), "\(run)")
  }

  @Test("The strokes of a cross have the colours of the classes")
  func crosses() async throws {
    let markers = try await markers(#""colorBy": "kind", "marker": "x""#)
    #expect(
      markers.count == 3 && markers.allSatisfy { $0.outline?.color == $0.color && $0.outline?.width == 2 })
  }

  @Test(
    "Classes keep the opacity, the outline and the size of a symbol, and an opaque colour alone is a warning")
  func symbols() async throws {
    let json =
      #"{"type":"esriSMS","style":"esriSMSSquare","size":9,"color":[1,2,3,128],"outline":{"type":"esriSLS","color":[9,8,7,255],"width":1.5}}"#
    for marker in try await markers(#""colorBy": "n", "symbol": \#(json)"#) {
      #expect(marker.style == .square && marker.size == 12 && marker.color?.alpha == 128)
      #expect(marker.outline?.color == Color(red: 9, green: 8, blue: 7) && marker.outline?.width == 2)
    }
    for marker in try await markers(##""colorBy": "n", "symbol": "#ff000080""##) {
      #expect(marker.color?.alpha == 128)
    }
    let opaque = try await styled(#""colorBy": "n", "symbol": "red""#)
    #expect(opaque.warnings.map(\.message) == ["--symbol has no effect: --color-by replaces its colour"])
  }

  @Test("Features without a class have the requested colour, or are not drawn")
  func noData() async throws {
    let red = try await styled(#""colorBy": "kind", "noDataColor": "red""#).layers[0].layer.renderer.form
    guard case .marker(let marker)? = red.defaultSymbol else {
      Issue.record("no default symbol")
      return
    }
    #expect(marker.color == .red)
    let none = try await styled(#""colorBy": "kind", "noDataColor": "none""#)
    #expect(none.layers[0].layer.renderer.form.defaultSymbol == nil)
    let counts = try await none.view(ViewRequest()).freeze().counts(CountOptions())
    #expect(counts.layers[0].count == 70)
  }

  @Test("Symbols of a document are changed, and values without a name are also for a layer that others name")
  func documents() async throws {
    let map = try SmallMap.write(to: folder)
    let document = try await styled(#""opacity": "Places: 0.5", "outline": "Places: none""#, map)
    guard case .marker(let marker)? = document.layers[1].layer.renderer.form.classSymbols.first else {
      Issue.record("no marker")
      return
    }
    #expect(marker.color?.alpha == 128 && marker.outline == nil)
    let merged = try await markers(#""opacity": 0.5, "marker": "square", "colorBy": "points: kind""#)
    #expect(merged.count == 3 && merged.allSatisfy { $0.style == .square && $0.color?.alpha == 128 })
  }

  @Test(
    "An option that changes no symbol of a layer is a warning",
    arguments: [
      (#""marker": "square""#, "--marker has no effect: the areas have no marker to change"),
      (#""symbolSize": 4"#, "--symbol-size has no effect: the areas have no size to change"),
    ])
  func withoutEffect(members: String, message: String) async throws {
    #expect(try await styled(members, areas).warnings.map(\.message) == [message])
    #expect(try await styled(#""outline": "red", "outlineWidth": 2, "opacity": 0.1"#, areas).warnings.isEmpty)
  }

  @Test(
    "64 texts have colours that differ by 9 or more, and from the grey of others, on light and dark ground")
  func manyTexts() async throws {
    let document = try await styled(#""colorBy": "many", "classes": 64"#)
    #expect(document.warnings.map(\.message).allSatisfy { $0.contains("the 64 most frequent of 70 values") })
    let layer = document.layers[0].layer
    for form in [layer.renderer.form, try #require(layer.darkRenderer)] {
      let all = form.classSymbols + [try #require(form.defaultSymbol)]
      let colors = all.compactMap { symbol -> Color? in
        if case .marker(let marker) = symbol { marker.color } else { nil }
      }
      #expect(colors.count == 65)
      for (index, color) in colors.enumerated() {
        for other in colors.dropFirst(index + 1) {
          #expect(color.difference(to: other) >= (other == colors[64] ? 5 : 9), "\(color) \(other)")
        }
      }
    }
  }

  @Test("A text after --attribution is drawn and reported, and the source may follow the option")
  func attribution() async throws {
    func report(_ words: [String]) async throws -> (text: String?, image: Data) {
      let run = try await Tool.run(
        ["render", "-o", folder.path("a.png"), "--report", folder.path("a.json")] + words)
      #expect(run.code == 0, "\(run)")
      let json = try JSONValue(parsing: Data(contentsOf: folder.url("a.json")).map { $0 })
      return (json["attribution"]?.string, try Data(contentsOf: folder.url("a.png")))
    }
    let plain = try await report([points])
    let own = try await report([points, "--attribution", "Data: City of Oslo"])
    #expect(plain.text == "" && own.text == "Data: City of Oslo" && own.image != plain.image)
    let flag = try await report(["--attribution", points])
    #expect(flag.text == "" && flag.image == plain.image)
    let both = try await report([points, "--basemap", "arcGISTopographic", "--attribution", "Oslo"])
    #expect(both.text == "Made with Natural Earth | Oslo")
  }

  @Test("Data that a step adds have an attribution of their own, while their layer is visible")
  func addedAttribution() async throws {
    let steps = [
      #"{"step":"open","size":[300,200],"attribution":"All"}"#,
      #"{"step":"add","source":"points.csv","title":"P","attribution":"City of Oslo"}"#,
      #"{"step":"render","output":"a.png"}"#,
      #"{"step":"visibility","layer":"P","visible":false}"#,
      #"{"step":"render","output":"b.png"}"#,
      #"{"step":"open","source":"points.csv","where":"n <= 5"}"#,
      #"{"step":"count","everywhere":true,"expect":5}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let answers = try run.out.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    try #require(answers.count == steps.count)
    #expect(answers[2]["report"]?["attribution"]?.string == "City of Oslo | All")
    #expect(answers[4]["report"]?["attribution"]?.string == "All")
  }

  @Test("legend, series, tiles and lint take the options of styles")
  func commands() async throws {
    let style = ["--color-by", "kind", "--ramp", "Set1", "--opacity", "0.9"]
    let legend = try await Tool.run(["legend", points, "-o", folder.path("l.json")] + style)
    #expect(legend.code == 0, "\(legend)")
    let labels = try String(contentsOf: folder.url("l.json"), encoding: .utf8)
    #expect(labels.contains("\"t0\"") && labels.contains("\"t2\""), "\(labels)")
    let tiles = ["tiles", points, "--zoom", "0", "--bounds", "-180,-80,180,80", "-o"]
    #expect(try await Tool.run(tiles + [folder.path("plain")]).code == 0)
    #expect(try await Tool.run(tiles + [folder.path("styled")] + style).code == 0)
    let images = try ["plain", "styled"].map { try Data(contentsOf: folder.url("\($0)/0/0/0.png")) }
    #expect(images[0] != images[1])
    let series = try await Tool.run(
      ["series", areas, "--by", "areas", "-o", folder.path("{n}.png"), "--color-by", "n", "--legend"])
    #expect(series.code == 0, "\(series)")
    let pale = try await Tool.run("lint", points, "--color-by", "kind", "--colors", "#fefefe,#fdfdfd,#fcfcfc")
    #expect(pale.code == 1 && pale.out.contains("color-confusion"), "\(pale)")
    #expect(try await Tool.run("lint", points, "--color-by", "kind").code == 0)
  }
}
