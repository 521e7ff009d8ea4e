import Foundation
import MapJSON
import MapScript
import MapState
import MapTestSupport
import Testing

/// Symbols and classes that options choose for the layers of a document.
@Suite("Styles of named layers") struct LayerStyleTests {
  private let folder: ScratchFolder
  private let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private func styled(
    _ members: String, layer: String? = nil, source: String? = nil
  ) async throws -> MapDocument {
    let style = try StyleRequest(JSONNode(JSONValue(parsing: "{\(members)}")))
    var view = ViewRequest()
    view.layer = layer
    return try await MapDocument.open(source ?? map).styled(style, for: view)
  }

  private func labels(_ document: MapDocument, _ layer: Int = 1) -> [String] {
    document.layers[layer].layer.renderer.form.classLabels.filter { $0 != "No data" }
  }

  @Test("Classes of a layer are those of the rows that its own definition expression leaves")
  func ownDefinition() async throws {
    let document = try await styled(
      ##""colorBy": "Places: n", "classes": 2, "method": "equal-interval", "ramp": "#000000-#ffffff""##)
    // The definition expression is n > 1.
    #expect(labels(document) == ["2–4", "5–7"])
    #expect(document.layers[1].layer.definitionExpression == "n > 1")
    guard case .classBreaks(let renderer) = document.layers[1].layer.renderer.form,
      case .marker(let marker) = renderer.classBreaks[1].symbol
    else {
      Issue.record("no classes of markers")
      return
    }
    // The symbol is that of the layer, in the colours of the ramp; 6 points are 8 pixels.
    #expect(marker.size == 8 && marker.color == Color(text: "white"))
    guard case .simple = document.layers[0].layer.renderer.form else {
      Issue.record("the other layer has classes")
      return
    }
  }

  @Test("--layer names the layer of a value without a name, and an only layer needs no name")
  func unnamed() async throws {
    #expect(try await labels(styled(#""colorBy": "kind""#, layer: "Places")) == ["a", "b"])
    let failure = await #expect(throws: MapStateError.self) { try await styled(#""colorBy": "kind""#) }
    #expect(
      failure?.description
        == #"--color-by: write "NAME: FIELD" or name a layer with --layer; available: [0] Square, [1] Places"#
    )
    let alone = try folder.write(
      #"{"operationalLayers": [{"id": "p", "title": "P", "layerType": "GeoJSON", "url": "data/places.geojson"}]}"#,
      to: "alone.json")
    #expect(try await labels(styled(#""colorBy": "kind""#, source: alone), 0) == ["a", "b"])
  }

  @Test("Several layers have styles of their own, and values without a name go to those with a field")
  func several() async throws {
    let document = try await styled(
      ##""colorBy": ["Places: n", "Square: name"], "colors": ["Square: #010203"], "ramp": "OrRd""##)
    #expect(labels(document, 0) == ["square"])
    guard case .uniqueValue(let square) = document.layers[0].layer.renderer.form,
      case .fill(let fill) = square.uniqueValues[0].symbol
    else {
      Issue.record("no classes of fills")
      return
    }
    #expect(fill.color == Color(red: 1, green: 2, blue: 3))
    #expect(labels(document).count == 5)
    let symbols = try await styled(##""symbol": ["Square: #010203", "places: blue"]"##)
    #expect(symbols.layers.allSatisfy { $0.layer.renderer.form.classLabels.count == 1 })
  }

  @Test("Colours alone replace those of the classes that a layer has")
  func recolored() async throws {
    let document = try await styled(#""colorBy": "Places: kind""#)
    let json = try StyleRequest(JSONNode(JSONValue(parsing: #"{"colors": "Places: red,blue"}"#)))
    let again = try await document.styled(json)
    #expect(labels(again) == ["a", "b"])
    guard case .uniqueValue(let renderer) = again.layers[1].layer.renderer.form,
      case .marker(let marker) = renderer.uniqueValues[1].symbol
    else {
      Issue.record("no classes of markers")
      return
    }
    #expect(marker.color == Color(text: "blue"))
    let none = await #expect(throws: MapStateError.self) { try await styled(#""ramp": "Square: OrRd""#) }
    #expect(none?.description.contains("has no classes to colour") == true, "\(String(describing: none))")
  }

  @Test("Sizes and labels of a named layer leave its colours")
  func sizes() async throws {
    let document = try await styled(#""sizeBy": "Places: half", "label": "Places: kind""#)
    let layer = document.layers[1].layer
    #expect(layer.renderer.form.visualVariables.size != nil)
    #expect(layer.labelsAreEnabled && layer.labelDefinitions.count == 1)
    guard case .simple(let simple) = layer.renderer.form, case .marker(let marker) = simple.symbol else {
      Issue.record("no marker")
      return
    }
    #expect(marker.color == Color(red: 200, green: 30, blue: 30))
  }

  @Test(
    "A misspelt layer is an error with the nearest name",
    arguments: [
      (#""colorBy": "Place: n""#, "Places"), (#""symbol": "Sqare: red""#, "Square"),
      (#""ramp": "Plaecs: OrRd""#, "Places"), (#""label": "Placs: kind""#, "Places"),
      (#""colorBy": "Places: knd""#, "kind"),
    ])
  func misspelt(members: String, nearest: String) async throws {
    let failure = await #expect(throws: MapStateError.self) { try await styled(members) }
    #expect(failure?.suggestion == nearest && failure?.kind == .input, "\(String(describing: failure))")
  }

  @Test(
    "Two values for one layer, and values that lack or contradict another, are usage errors",
    arguments: [
      (["--color-by", "Places: n", "--color-by", "Places: kind"], "twice for the layer \"Places\""),
      (["--color-by", "n", "--color-by", "kind"], "--color-by is given twice"),
      (["--classes", "Places: 3"], "--classes needs --color-by"),
      (
        ["--color-by", "Places: n", "--breaks", "Places: 1,2", "--method", "Places: quantile"], "contradicts"
      ),
      (["--color-by", "Places: n", "--ramp", "Places: virdis"], "did you mean \"viridis\"?"),
      (["--color-by", "Places: n", "--edges", "uper"], "did you mean \"upper\"?"),
      (["--color-by", "Places: n", "--ramp", "#ff0000"], "two colours or more"),
      (["--color-by", "Places: n", "--ramp", "#ff0000-#00ff0"], "\"#00ff0\" is no colour"),
      (["--color-by", "Places: "], "expected a value"),
    ])
  func usage(options: [String], message: String) async throws {
    let run = try await Tool.run(["render", map, "-o", folder.path("a.png")] + options)
    #expect(run.code == 64 && run.err.contains(message), "\(run)")
  }

  @Test("The names of a data file's fields may have a colon and a blank")
  func colons() async throws {
    let data = try folder.write("\"a: b\",lon,lat\n1,1,1\n2,2,2\n", to: "c.csv")
    #expect(try await labels(styled(#""colorBy": "a: b""#, source: data), 0) == ["1", "2"])
    #expect(try await labels(styled(#""colorBy": "c: a: b""#, source: data), 0) == ["1", "2"])
  }

  @Test("The image of a styled layer has its legend, and the counts stay")
  func command() async throws {
    let out = folder.path("a.png")
    let run = try await Tool.run(
      "render", map, "-o", out, "--color-by", "Places: n", "--edges", "lower", "--breaks", "4,6", "--legend",
      "--report", folder.path("r.json"))
    #expect(run.code == 0 && run.err.isEmpty, "\(run)")
    let plain = try await Tool.run(
      "render", map, "-o", folder.path("b.png"), "--report", folder.path("s.json"))
    #expect(plain.code == 0)
    func funnel(_ name: String) throws -> JSONValue? {
      let json = try JSONValue(parsing: Array(Data(contentsOf: folder.url(name))))
      return json["layers"]?[1]?["funnel"]
    }
    #expect(try funnel("r.json") == funnel("s.json"))
    let counts = try await Tool.run(
      "count", map, "--layer", "Places", "--everywhere", "--by-class", "--color-by", "Places: n", "--edges",
      "lower", "--breaks", "4,6")
    #expect(counts.out.contains("2–3\t2\n4–5\t2\n6–7\t2\n"), "\(counts)")
  }
}
