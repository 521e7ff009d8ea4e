import Foundation
import MapJSON
import Testing

import MapStyles

@Suite struct StyleDocumentTests {
  /// The style OSM Bright.
  static func bright() throws -> StyleDocument {
    let url = try #require(Bundle.module.url(forResource: "Cases/osm-bright", withExtension: "json"))
    return try StyleDocument(JSONValue(parsing: Array(Data(contentsOf: url))))
  }

  private func style(_ layer: JSONValue, _ more: JSONObject = [:]) throws -> StyleDocument {
    var root: JSONObject = [
      "version": 8, "sources": ["tiles": ["type": "vector", "url": "tiles.json"]], "layers": [layer],
    ]
    for member in more.members { root[member.name] = member.value }
    return try StyleDocument(.object(root))
  }

  @Test("OSM Bright is read without a problem")
  func realStyle() throws {
    let style = try Self.bright()
    #expect(style.layers.count > 100)
    #expect(style.problems.isEmpty, "\(style.problems.prefix(5))")
    #expect(style.sources.map(\.name) == ["openmaptiles"])
  }

  @Test("Unknown members are reported by path with the nearest name")
  func unknown() throws {
    let layer: JSONValue = [
      "id": "a", "type": "line", "source": "tiles", "source-layer": "x", "fliter": true,
      "paint": ["line-colour": "red", "line-color-transition": ["duration": 1], "line-cap": "round"],
      "layout": ["line-join": "bewel"],
    ]
    let style = try style(layer, ["glyps": "x"])
    let problems = Dictionary(grouping: style.problems, by: \.path).mapValues { $0[0] }
    #expect(problems["$.glyps"]?.suggestion == "glyphs")
    #expect(problems["$.layers[0].fliter"]?.suggestion == "filter")
    #expect(problems["$.layers[0].paint['line-colour']"]?.suggestion == "line-color")
    #expect(problems["$.layers[0].paint['line-colour']"]?.kind == .unknown)
    #expect(problems["$.layers[0].paint['line-cap']"]?.kind == .invalid)
    #expect(problems["$.layers[0].layout['line-join']"]?.kind == .invalid)
    #expect(style.problems.count == 5)
  }

  @Test("Misspelt names in expressions have suggestions")
  func unknownExpressions() throws {
    let style = try style([
      "id": "a", "type": "line", "source": "tiles", "source-layer": "x",
      "filter": ["==", ["gett", "class"], "river"],
      "paint": [
        "line-width": ["interpolate", ["exponentail", 2], ["zoom"], 5, 1, 9, 3],
        "line-color": ["mtach", ["get", "class"], "river", "#00f", "#000"],
        "line-opacity": ["nosuchthing", 1],
      ],
    ])
    let problems = Dictionary(grouping: style.problems, by: \.path).mapValues { $0[0] }
    #expect(problems["$.layers[0].filter[1][0]"]?.suggestion == "get")
    #expect(problems["$.layers[0].paint['line-width'][1][0]"]?.suggestion == "exponential")
    #expect(
      problems["$.layers[0].paint['line-color']"]?.description
        == "$.layers[0].paint['line-color']: unknown expression 'mtach', did you mean 'match'?")
    #expect(
      problems["$.layers[0].paint['line-opacity']"]?.message
        == #"Expected number, but found ["nosuchthing",1] instead."#)
    #expect(style.problems.count == 4)
  }

  @Test("Geometry types that no feature has are reported", arguments: [true, false])
  func geometryTypes(isOld: Bool) throws {
    let subject: JSONValue = isOld ? "$type" : ["geometry-type"]
    let filter: JSONValue = ["all", ["==", subject, "point"], ["!=", subject, "LineString"]]
    let style = try style([
      "id": "a", "type": "line", "source": "tiles", "source-layer": "x", "filter": filter,
    ])
    #expect(
      style.problems.map(\.description)
        == ["$.layers[0].filter[1][2]: unknown geometry type 'point', did you mean 'Point'?"])
  }

  @Test("The state of features in a filter or in a layout, and a layer of GeoJSON, have no effect")
  func withoutEffect() throws {
    let shown: JSONValue = ["boolean", ["feature-state", "shown"], true]
    let layout: JSONObject = ["line-sort-key": ["case", shown, 1, 2]]
    let style = try style(
      [
        "id": "a", "type": "line", "source": "roads", "source-layer": "x", "filter": ["all", shown],
        "layout": .object(layout), "paint": ["line-opacity": ["case", shown, 1, 0.5]],
      ],
      ["sources": ["roads": ["type": "geojson", "data": "roads.geojson"]]])
    #expect(
      style.problems.map(\.description) == [
        "$.layers[0]['source-layer']: has no effect on a source of the type 'geojson'",
        "$.layers[0].filter: 'feature-state' has no value in filters",
        "$.layers[0].layout['line-sort-key']: 'feature-state' has no value in 'line-sort-key'",
      ])
  }

  @Test("The problems of a layer are its own and those outside the layers")
  func problemsOfLayer() throws {
    let layers = (0..<12).map { index -> JSONValue in
      ["id": .string("\(index)"), "type": "background", "fliter": true]
    }
    let style = try StyleDocument([
      "version": 8, "glyps": "a", "sources": [:], "layers": .array([["id": "x"]] + layers),
    ])
    #expect(style.problems.count == 14)
    let layer = try #require(style.layer("0"))
    #expect(style.problems(of: layer).map(\.path) == ["$.glyps", "$.layers[1].fliter"])
  }

  @Test("JSON with sources, layers and a number as version is meant as a style, with its faults")
  func recognition() throws {
    for json: JSONValue in [
      ["version": 8, "sources": [:], "layers": []], ["version": 7, "sources": [:], "layers": []],
      ["version": 8, "sources": [], "layers": [:]],
    ] { #expect(StyleDocument.isStyle(json)) }
    for json: JSONValue in [
      [:], [1], ["version": 8], ["version": "2.30", "sources": [:], "layers": []],
      ["version": 8, "layers": []],
    ] { #expect(!StyleDocument.isStyle(json)) }
    let style = try StyleDocument(["version": 8, "sources": [], "layers": [:]])
    #expect(
      style.problems.map(\.description) == ["$.sources: must be an object", "$.layers: must be an array"])
  }

  @Test("Unknown types of layers and sources have suggestions, and what is not drawn is said")
  func types() throws {
    let style = try style(
      ["id": "a", "type": "fil", "source": "tiles"],
      [
        "sources": ["tiles": ["type": "vektor"], "b": ["type": "vector"]], "sky": ["sky-colour": "red"],
        "pitch": 60,
      ])
    let problems = Dictionary(grouping: style.problems, by: \.path).mapValues { $0[0] }
    #expect(problems["$.layers[0].type"]?.suggestion == "fill")
    #expect(problems["$.sources.tiles.type"]?.suggestion == "vector")
    #expect(problems["$.sources.b"]?.kind == .invalid)
    #expect(problems["$.sky"]?.kind == .undrawn)
    #expect(problems["$.sky['sky-colour']"]?.suggestion == "sky-color")
    #expect(problems["$.pitch"]?.kind == .undrawn)
    #expect(style.layers.isEmpty)
  }

  @Test("Errors of expressions are reported at their place")
  func expressionErrors() throws {
    let style = try style([
      "id": "a", "type": "line", "source": "tiles", "source-layer": "x",
      "paint": ["line-width": ["+", 1, ["number", ["gett", "a"]]], "line-opacity": ["stops": [[1]]]],
      "filter": ["==", ["get", "a"], ["literal", [1]]],
    ])
    #expect(
      style.problems.map(\.path) == [
        "$.layers[0].filter[2]", "$.layers[0].paint['line-width'][2][1][0]",
        "$.layers[0].paint['line-opacity']",
      ])
    #expect(style.problems.map(\.kind) == [.invalid, .unknown, .invalid])
  }

  @Test("A layer with a ref takes what the other layer has, but not its paint")
  func reference() throws {
    let root: JSONValue = [
      "version": 8, "sources": ["tiles": ["type": "vector", "url": "tiles.json"]],
      "layers": [
        [
          "id": "a", "type": "line", "source": "tiles", "source-layer": "roads", "minzoom": 3,
          "filter": ["==", "class", "major"], "layout": ["line-cap": "round"], "paint": ["line-width": 5],
        ],
        ["id": "b", "ref": "a", "paint": ["line-color": "red"]],
        ["id": "c", "ref": "none"],
      ],
    ]
    let style = try StyleDocument(root)
    let layer = try #require(style.layer("b"))
    #expect(layer.type == .line && layer.sourceLayer == "roads" && layer.minzoom == 3)
    #expect(layer.value(of: "line-cap", StyleContext(zoom: 5))?.value == .string("round"))
    #expect(layer.value(of: "line-width", StyleContext(zoom: 5))?.value == .number(1))
    #expect(layer.value(of: "line-color", StyleContext(zoom: 5))?.value == .color(StyleColor(1, 0, 0)))
    #expect(layer.filter != nil)
    #expect(style.problems.map(\.path).contains("$.layers[2].ref"))
  }

  @Test("Visibility, zooms and the style's state decide whether a layer is shown")
  func visibility() throws {
    let style = try style(
      [
        "id": "a", "type": "background", "minzoom": 2, "maxzoom": 4,
        "layout": ["visibility": ["case", ["global-state", "on"], "visible", "none"]],
      ], ["state": ["on": ["default": true]]])
    #expect(style.problems.isEmpty, "\(style.problems)")
    let layer = try #require(style.layers.first)
    #expect(layer.isVisible(StyleContext(zoom: 2, state: style.state)))
    #expect(!layer.isVisible(StyleContext(zoom: 1.9, state: style.state)))
    #expect(!layer.isVisible(StyleContext(zoom: 4, state: style.state)))
    #expect(!layer.isVisible(StyleContext(zoom: 2, state: StyleObject([("on", .boolean(false))]))))
  }

  @Test("A style of 100,000 layers is read up to a limit, in bounded time")
  func manyLayers() throws {
    let layers = (0..<100_000).map { index -> JSONValue in
      ["id": .string("layer \(index)"), "ref": .string("layer \(index)x"), "type": "fil", "paint": ["q": 1]]
    }
    let style = try StyleDocument(["version": 8, "sources": [:], "layers": .array(layers)])
    #expect(style.layers.isEmpty)
    #expect(style.problems.count == StyleProblems.limit)
    #expect(style.omittedProblemCount > 10_000)
  }

  @Test("JSON that is no style of version 8 is refused with the path")
  func refusal() {
    #expect(throws: StyleDocumentError.self) { try StyleDocument([1]) }
    #expect(throws: StyleDocumentError.self) { try StyleDocument(["version": 7]) }
  }
}
