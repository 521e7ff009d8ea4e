import MapJSON
import Testing

import MapStyles

@Suite struct StyleZoomTests {
  private func layer(_ members: JSONObject) throws -> StyleLayer {
    var layer: JSONObject = ["id": "a", "source": "s", "source-layer": "x"]
    for member in members.members { layer[member.name] = member.value }
    let style = try StyleDocument([
      "version": 8, "sources": ["s": ["type": "vector", "url": "x"]], "layers": [.object(layer)],
    ])
    #expect(style.problems.isEmpty, "\(style.problems)")
    return try #require(style.layers.first)
  }

  private static let ramp: JSONValue = ["interpolate", ["linear"], ["zoom"], 4, 10, 8, 50]

  @Test("Paint properties use the zoom as it is, layout properties and filters its whole part")
  func wholePart() throws {
    let line = try layer([
      "type": "line", "paint": ["line-width": Self.ramp], "layout": ["line-miter-limit": Self.ramp],
      "filter": [">=", ["zoom"], 6],
    ])
    let context = StyleContext(zoom: 5.75)
    #expect(line.value(of: "line-width", context)?.value == .number(27.5))
    #expect(line.value(of: "line-miter-limit", context)?.value == .number(20))
    #expect(!line.accepts(StyleFeature(), context))
    #expect(line.accepts(StyleFeature(), StyleContext(zoom: 6.1)))
  }

  @Test("Sizes of texts and icons are interpolated between the whole zooms beside, steps are not")
  func sizes() throws {
    let symbol = try layer([
      "type": "symbol",
      "layout": [
        "text-size": ["interpolate", ["exponential", 2], ["zoom"], 5, 8, 6, ["get", "size"]],
        "icon-size": ["step", ["zoom"], 1, 5.5, 2, 6, 3],
      ],
    ])
    let feature = StyleFeature(properties: StyleObject([("size", .number(16))]))
    let size = try #require(
      symbol.value(of: "text-size", StyleContext(zoom: 5.5), feature: feature)?.value.number)
    // (2^0.5 - 1) / (2 - 1) of the way.
    #expect(abs(size - (8 + 8 * 0.414_213_562)) < 1e-6)
    #expect(symbol.value(of: "icon-size", StyleContext(zoom: 5.9), feature: feature)?.value == .number(1))
    #expect(symbol.value(of: "icon-size", StyleContext(zoom: 6), feature: feature)?.value == .number(3))
  }

  @Test("An error at evaluation gives the default and the error")
  func failure() throws {
    let line = try layer([
      "type": "line", "paint": ["line-width": ["number", ["get", "w"]], "line-dasharray": [2, 1]],
    ])
    let answer = try #require(line.value(of: "line-width", StyleContext(zoom: 5), feature: StyleFeature()))
    #expect(answer.value == .number(1))
    #expect(answer.error?.message == "Expected value to be of type number, but found null instead.")
  }

  @Test("An explanation says what decided each property")
  func explanation() throws {
    let line = try layer([
      "type": "line",
      "paint": [
        "line-width": ["number", ["get", "w"]], "line-color": "red",
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 0, 0, 10, 1],
      ],
    ])
    let feature = StyleFeature(properties: StyleObject([("w", .string("x"))]))
    let explanations = line.explanations(StyleContext(zoom: 5), feature: feature)
    #expect(explanations.count == StyleLayerType.line.properties.count)
    func explanation(_ name: String) -> StyleExplanation? { explanations.first { $0.property.name == name } }
    #expect(explanation("line-cap")?.cause == .standard)
    #expect(explanation("line-color")?.cause == .constant)
    #expect(explanation("line-color")?.value.json == "rgba(255,0,0,1)")
    #expect(explanation("line-opacity")?.cause == .expression)
    #expect(explanation("line-opacity")?.value == .number(0.5))
    #expect(explanation("line-opacity")?.dependsOnZoom == true)
    guard case .error(let error)? = explanation("line-width")?.cause else {
      Issue.record("the width must have failed")
      return
    }
    #expect(error.message.contains("found string"))
  }
}
