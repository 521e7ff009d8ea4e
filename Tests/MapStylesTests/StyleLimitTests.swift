import Foundation
import MapJSON
import MapTestSupport
import Testing

import MapStyles

@Suite struct StyleLimitTests {
  private func nested(_ depth: Int, _ wrap: (JSONValue) -> JSONValue, _ core: JSONValue) -> JSONValue {
    (0..<depth).reduce(core) { value, _ in wrap(value) }
  }

  @Test("Expressions, values and filters that are nested too deeply are refused")
  func depth() {
    for wrap: (JSONValue) -> JSONValue in [
      { ["+", 1, $0] }, { ["all", true, $0] }, { ["semiliteral", [$0]] }, { ["case", true, $0, 1] },
      { ["format", $0] }, { ["literal", [$0]] }, { ["let", "a", 1, $0] },
    ] {
      #expect(throws: StyleExpressionErrors.self) {
        try StyleExpression(nested(400, wrap, true), decidedBy: .featureState)
      }
    }
    #expect(throws: StyleExpressionErrors.self) {
      try StyleExpression(filter: nested(400, { ["all", ["==", "a", 1], $0] }, ["==", "a", 1]))
    }
    let field = StyleLayerType.symbol.properties.first { $0.name == "text-font" }
    #expect(throws: StyleExpressionErrors.self) {
      try StylePropertyValue(nested(400, { [$0] }, "a"), for: try #require(field))
    }
  }

  @Test(
    "Reading an expression with an error takes bounded time, also when it must be read again for the message")
  func readingTime() {
    #expect(throws: StyleExpressionErrors.self) {
      try StyleExpression(nested(40, { ["all", $0, $0] }, 1), decidedBy: .featureState)
    }
    #expect(throws: StyleExpressionErrors.self) {
      try StyleExpression(nested(40, { ["all", true, $0] }, 1), decidedBy: .featureState)
    }
  }

  @Test("2,000 nested filters around an error are read in linear time", .timeLimit(.minutes(1)))
  func nestedFilters() throws {
    for name: JSONValue in ["all", "any"] {
      // Both signatures of a filter with two parts fit, and its message is made of one more reading.
      let filter = nested(30, { [name, true, $0] }, ["+", "a"])
      let errors = #expect(throws: StyleExpressionErrors.self) { try StyleExpression(filter: filter) }
      #expect(errors?.errors.count == 1)
      #expect(errors?.errors.first?.message == "Expected number but found string instead.")
      #expect(errors?.errors.first?.key.indices.count == 31)
      let layers = (0..<1000).map { index -> JSONValue in
        ["id": .string("\(index)"), "type": "background", "filter": filter]
      }
      let style = try StyleDocument(["version": 8, "sources": [:], "layers": .array(layers)])
      #expect(style.problems.count { $0.message == "Expected number but found string instead." } == 1000)
    }
  }

  @Test("Variables that double a text are stopped, and those that double a sum are computed once")
  func doubling() throws {
    func doubled(_ name: String, _ start: JSONValue, _ count: Int) -> JSONValue {
      (1...count).reversed().reduce(["var", .string("a\(count)")]) { body, index in
        let inner: JSONValue =
          index == 1
          ? start : [.string(name), ["var", .string("a\(index - 1)")], ["var", .string("a\(index - 1)")]]
        return ["let", .string("a\(index)"), inner, body]
      }
    }
    let sum = try StyleExpression(doubled("+", ["number", ["get", "x"]], 40), decidedBy: .featureState)
    let feature = StyleFeature(properties: StyleObject([("x", .number(1)), ("t", .string("long text"))]))
    #expect(try sum.value(StyleContext(zoom: 1), feature: feature) == .number(exp2(39)))
    let text = try StyleExpression(
      doubled("concat", ["string", ["get", "t"]], 40), decidedBy: .featureState)
    #expect(throws: StyleExpressionError.self) { try text.value(StyleContext(zoom: 1), feature: feature) }
  }

  @Test("2,000 damaged expressions are read and evaluated without a crash")
  func damage() throws {
    let cases = try ExpressionCase.all()
    var generator = SeededGenerator(seed: 51)
    let scraps: [JSONValue] = [
      .null, true, 0, -1, 1e300, "", "x", [], [:], ["get", "x"], ["zoom"], ["literal", [1, [2]]],
      ["var", "a"],
      ["type": "Polygon", "coordinates": [[[0, 0]]]], "#ff", ["id"], 9_007_199_254_740_993, [["", 1]],
    ]
    func damaged(_ json: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
      guard case .array(var parts) = json, !parts.isEmpty, Int.random(in: 0..<6, using: &generator) > 0 else {
        return scraps.randomElement(using: &generator) ?? .null
      }
      let index = Int.random(in: 0..<parts.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: parts.remove(at: index)
      case 1: parts.insert(scraps.randomElement(using: &generator) ?? .null, at: index)
      case 2: parts.swapAt(index, Int.random(in: 0..<parts.count, using: &generator))
      case 3: parts.append(json)
      default: parts[index] = damaged(parts[index], &generator)
      }
      return .array(parts)
    }
    let feature = StyleFeature(
      id: .number(1), kind: .line, properties: StyleObject([("x", .string("a")), ("y", .number(2))]),
      parts: [[StylePoint(0, 0), StylePoint(9, 9)]], tile: StyleTile(zoom: 3, x: 3, y: 3))
    var (readCount, valueCount) = (0, 0)
    for round in 0..<2_000 {
      var json = cases[round % cases.count].json["expression"] ?? .null
      for _ in 0...round % 3 { json = damaged(json, &generator) }
      _ = try? StyleExpression(filter: json)
      for property in [StyleLayerType.symbol.properties[0], StyleLayerType.fill.properties[4]] {
        _ = try? StylePropertyValue(json, for: property)
      }
      guard let expression = try? StyleExpression(json, decidedBy: .featureState) else { continue }
      readCount += 1
      if (try? expression.value(StyleContext(zoom: 3), feature: feature)) != nil { valueCount += 1 }
    }
    #expect(readCount > 200 && valueCount > 100, "\(readCount) read, \(valueCount) evaluated")
  }
}
