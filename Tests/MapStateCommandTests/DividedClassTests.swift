import Foundation
import MapDrawing
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Classes around a midpoint, classes of two fields, and hatches.
@Suite struct DividedClassTests {
  private let folder: ScratchFolder
  private let points: String
  private let areas: String

  init() throws {
    folder = try ScratchFolder()
    // Whole numbers from -20 to 79, and their squares.
    let rows = (-20..<80).map { "\($0),\($0 * $0),\($0 % 3),\(Double($0) / 2),1" }
    points = try folder.write("n,m,few,lon,lat\n" + rows.joined(separator: "\n") + "\n", to: "p.csv")
    let squares = (0..<9).map { n in
      let (x, y) = (Double(n % 3), Double(n / 3))
      return """
        {"type":"Feature","properties":{"a":\(n % 3),"b":\(n / 3),"kind":"k\(n)"},"geometry":{"type":"Polygon",
        "coordinates":[[[\(x),\(y)],[\(x + 1),\(y)],[\(x + 1),\(y + 1)],[\(x),\(y + 1)],[\(x),\(y)]]]}}
        """
    }
    areas = try folder.write(
      "{\"type\":\"FeatureCollection\",\"features\":[" + squares.joined(separator: ",") + "]}",
      to: "areas.geojson")
  }

  private func renderer(
    _ data: String, _ change: (inout StyleRequest) throws -> Void
  ) async throws -> RendererForm {
    var style = StyleRequest()
    try change(&style)
    return try await MapDocument.open(data).styled(style).layers[0].layer.renderer.form
  }

  private func breaks(_ change: (inout StyleRequest) throws -> Void) async throws -> ClassBreaksRenderer {
    guard case .classBreaks(let renderer) = try await renderer(points, change) else {
      throw MapStateError(.input, "no classes of numbers")
    }
    return renderer
  }

  private func colors(_ renderer: ClassBreaksRenderer) -> [Color] {
    renderer.classBreaks.compactMap(\.symbol.mainColor)
  }

  @Test("A midpoint divides the classes, and each side has the colours of its half of a diverging ramp")
  func midpoint() async throws {
    let renderer = try await breaks { ($0.colorBy, $0.midpoint) = ("n", 0) }
    #expect(renderer.classBreaks.count == 6)
    #expect(renderer.classBreaks[2].maximum == 0 && renderer.classBreaks[3].minimum == 0)
    #expect(colors(renderer) == ColorRamp.diverging.colors(count: 6))
    let lower = try await breaks { ($0.colorBy, $0.midpoint, $0.edges) = ("n", 0, .lower) }
    #expect(lower.classIndex(of: 0) == 3 && renderer.classIndex(of: 0) == 2)
    #expect(lower.classIndex(of: -1) == 2 && colors(lower) == colors(renderer))
  }

  @Test("Equal intervals have one width on both sides, and equally distant classes are equally strong")
  func equalIntervals() async throws {
    let renderer = try await breaks {
      ($0.colorBy, $0.midpoint, $0.classes, $0.method) = ("n", 0, 8, .equalInterval)
    }
    // Four classes up to 79 have a width of 19.75, and those from -20 are two, the outer one cut.
    let bounds = [-19.75, 0, 19.75, 39.5, 59.25, 79]
    #expect(zip(renderer.classBreaks, bounds).allSatisfy { abs($0.maximum - $1) < 1e-9 })
    #expect(renderer.classBreaks.count == 6)
    #expect(colors(renderer) == Array(ColorRamp.diverging.colors(count: 8)[2...]))
  }

  @Test("The class of a value that is the midpoint has the colour of the middle")
  func values() async throws {
    let renderer = try await breaks { ($0.colorBy, $0.midpoint) = ("few", 0) }
    #expect(renderer.classBreaks.map(\.label) == ["-2", "-1", "0", "1", "2"])
    #expect(colors(renderer) == ColorRamp.diverging.colors(count: 5))
    let beyond = try await breaks { ($0.colorBy, $0.midpoint) = ("n", 100) }
    #expect(colors(beyond) == Array(ColorRamp.diverging.colors(count: 6)[..<3]))
  }

  @Test(
    "Values that contradict a midpoint, a second field or hatches are errors",
    arguments: [
      (["--midpoint", "0", "--classes", "5"], "--classes 5 is odd"),
      (["--midpoint", "0", "--ramp", "OrRd"], "--midpoint needs a diverging ramp"),
      (["--midpoint", "0", "--colors", "red,blue"], "--midpoint contradicts --colors"),
      (["--midpoint", "0", "--method", "standard-deviation"], "--midpoint contradicts --method"),
      (["--cross-by", "b", "--classes", "4"], "--classes 4 is impossible with --cross-by"),
      (["--cross-by", "b", "--ramp", "OrRd"], "--ramp contradicts --cross-by"),
      (["--cross-by", "kind"], "\"kind\" holds"),
      (["--hatch", "black", "--ramp", "OrRd"], "--hatch contradicts"),
    ])
  func errors(options: [String], message: String) async throws {
    let run = try await Tool.run(
      ["render", areas, "-o", folder.path("a.png"), "--color-by", "a"] + options)
    #expect(run.code != 0 && run.err.contains(message), "\(run)")
  }

  @Test("The classes of two fields have the values and colours of a square, which a saved document keeps")
  func crossed() async throws {
    let saved = folder.path("map.json")
    let run = try await Tool.run(
      "render", areas, "-o", folder.path("a.png"), "--size", "300x200", "--color-by", "a", "--cross-by", "b",
      "--legend", "--save-document", saved)
    #expect(run.code == 0 && run.err.isEmpty, "\(run)")
    let counts = try await Tool.run("count", saved, "--everywhere", "--by-class")
    let lines = counts.out.split(separator: "\n").map(String.init)
    #expect(lines.count == 11 && lines.prefix(9).allSatisfy { $0.hasSuffix("\t1") }, "\(counts)")
    #expect(lines.first == "Low a, low b\t1")
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: saved))))
    let layer = json["operationalLayers"]?[0]
    let renderer = layer?["layerDefinition"]?["drawingInfo"]?["renderer"]
    let info = renderer?["authoringInfo"]
    #expect(renderer?["type"]?.string == "uniqueValue" && renderer?["field1"] == nil)
    #expect(
      renderer?["uniqueValueInfos"]?.array?.map { $0["value"]?.string } == [
        "LL", "ML", "HL", "LM", "MM", "HM", "LH", "MH", "HH",
      ])
    #expect(info?["type"]?.string == "relationship" && info?["numClasses"]?.integer == 3)
    #expect(info?["field2"]?["field"]?.string == "b")
    let legend = try await MapDocument.open(saved).view(ViewRequest()).freeze().legend()
    guard case .square(let square)? = legend.layers.first?.entries.first?.graphic else {
      Issue.record("no square")
      return
    }
    #expect(square.colors.count == 3 && square.colors[2][2] == .black && square.titles == ["a", "b"])
  }

  @Test("Hatches become denser with the numbers, and other values have different ones")
  func hatches() async throws {
    func separations(_ renderer: RendererForm) -> [Double?] {
      renderer.classSymbols.map { symbol in
        guard case .pattern(let fill) = symbol.simpleParts[0],
          case .lines(_, let separation, _) = fill.pattern
        else { return nil }
        return separation
      }
    }
    let numbers = try await renderer(areas) { ($0.colorBy, $0.hatch) = ("a", .black) }
    let found = separations(numbers)
    try #require(found.count == 3)
    #expect(found[0] ?? 0 > found[1] ?? 99 && found[2] == nil)
    guard case .fill(let solid) = numbers.classSymbols[2] else {
      Issue.record("no solid class")
      return
    }
    #expect(solid.color == .black && solid.outline?.color == .white)
    // A border has a light line below it, which keeps its proportion where both are narrower.
    let parts = numbers.classSymbols[0].simpleParts
    let outlines = parts.compactMap { if case .fill(let fill) = $0 { fill.outline } else { nil } }
    #expect(outlines.map(\.color) == [.white, .black] && numbers.classSymbols[0].topOutlineWidth == 0.8)
    let wide = try #require(numbers.visualVariables.outlineWidth?.upperBound(atScale: 1))
    #expect(abs(wide - 0.8) < 1e-9)
    var narrow = SymbolVariation()
    narrow.outlineWidth = 0.4
    let narrower = numbers.classSymbols[0].applying(narrow).simpleParts.compactMap(\.topOutlineWidth)
    #expect(narrower.count == 2 && abs(narrower[0] - 1.4) < 1e-9 && narrower[1] == 0.4, "\(narrower)")
    let texts = try await renderer(areas) { ($0.colorBy, $0.hatch, $0.classes) = ("kind", .black, 9) }
    #expect(Set(texts.classSymbols).count == 9)
    let points = await #expect(throws: MapStateError.self) {
      try await renderer(self.points) { ($0.colorBy, $0.hatch) = ("n", .black) }
    }
    #expect(points?.description.contains("are no areas") == true)
  }

  @Test(
    "Names over hatches have the colours for the ground, and those over the solid class the opposite ones")
  func namesOverHatches() async throws {
    let drawn = folder.path("a.svg")
    let run = try await Tool.run(
      "render", areas, "-o", drawn, "--color-by", "a", "--hatch", "black", "--label", "kind", "--svg-text")
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOfFile: drawn, encoding: .utf8)
    let dark = text.matches(of: /<text [^>]*fill="#000000" stroke="#ffffff"/).count
    let light = text.matches(of: /<text [^>]*fill="#ffffff" stroke="#000000"/).count
    #expect(dark == 6 && light == 3, "\(dark), \(light)")
  }
}
