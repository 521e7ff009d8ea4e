import MapFeatures
import MapFilter
import MapJSON
import MapTestSupport
import Testing

import MapStyles

@Suite struct StyleBlockTests {
  /// Features with a text, a number, an integer and a flag, each missing now and then.
  private struct Sample {
    var features: StyleFeatures
    var single: [StyleFeature] = []

    init(count: Int) {
      var generator = SeededGenerator(seed: 7)
      var (kinds, classes, widths, levels, flags) = (
        [StyleGeometryKind](), [Int32](), [Double](), [Int64](), [Bool]()
      )
      let words = ["motorway", "primary", "path", ""]
      var valid = [Bool]()
      for _ in 0..<count {
        let kind = StyleGeometryKind(rawValue: UInt8.random(in: 1...3, using: &generator)) ?? .point
        kinds.append(kind)
        classes.append(Int32.random(in: -1..<4, using: &generator))
        widths.append(Double.random(in: 0...9, using: &generator))
        levels.append(Int64.random(in: -3...9, using: &generator))
        flags.append(Bool.random(using: &generator))
        valid.append(Int.random(in: 0..<8, using: &generator) > 0)
        var members: [(String, StyleValue)] = []
        if let code = classes.last, code >= 0 { members.append(("class", .string(words[Int(code)]))) }
        if valid[valid.count - 1] {
          members.append(("width", .number(widths[widths.count - 1])))
          members.append(("level", .number(Double(levels[levels.count - 1]))))
        }
        members.append(("flag", .boolean(flags[flags.count - 1])))
        single.append(StyleFeature(kind: kind, properties: StyleObject(members)))
      }
      let rows = RowSet(rowCount: count, rows: (0..<count).filter { valid[$0] })
      let classRows = RowSet(rowCount: count, rows: (0..<count).filter { classes[$0] >= 0 })
      features = StyleFeatures(
        kinds: kinds,
        columns: [
          ("class", Column(.text(codes: classes, dictionary: words), validity: classRows)),
          ("width", Column(.reals(widths), validity: rows)),
          ("level", Column(.integers(levels), validity: rows)),
          ("flag", Column(.booleans(flags))),
        ])
    }
  }

  private static let conditions: [JSONValue] = [
    ["==", "class", "primary"],
    ["all", ["in", "class", "path", ""], [">", "width", 4], ["==", "$type", "LineString"]],
    ["any", ["!has", "class"], ["<=", "level", 0], ["==", "flag", true]],
    ["none", ["==", "class", "path"], ["!in", "level", 1, 2, 3]],
    ["any", [">", ["get", "width"], 5], ["==", ["get", "class"], "path"]],
    [
      "all", ["!", ["==", ["geometry-type"], "Point"]], [">=", ["zoom"], 4],
      ["to-boolean", ["get", "flag"]],
    ],
    ["match", ["get", "class"], ["path", "primary"], [">", ["number", ["get", "level"]], 2], false],
    [
      "let", "w", ["number", ["get", "width"]], ["all", [">", ["var", "w"], 2], ["<", ["var", "w"], 7]],
    ],
  ]

  @Test("A filter over columns passes the same features as one by one", arguments: conditions)
  func filters(json: JSONValue) throws {
    let sample = Sample(count: 500)
    let filter = try StyleExpression(filter: json)
    let context = StyleContext(zoom: 5)
    let rows = StyleProgram(filter, context).passing(sample.features, rows: Array(0..<500))
    let expected = sample.single.indices.filter { index in
      (try? filter.value(context, feature: sample.single[index]))?.isTrue ?? false
    }
    #expect(rows.map { Int($0) } == expected)
    #expect(!expected.isEmpty && expected.count < 500)
  }

  private static let expressions: [JSONValue] = [
    ["match", ["get", "class"], "motorway", 8, "primary", 4, 1], ["number", ["get", "width"]],
    ["interpolate", ["exponential", 1.5], ["zoom"], 4, 1, 8, ["match", ["get", "class"], "path", 2, 20]],
    ["case", ["boolean", ["get", "flag"]], ["+", 1, ["coalesce", ["get", "level"], 0]], 3],
    ["step", ["number", ["get", "level"], 0], 1, 2, ["number", ["get", "width"]], 4, 9],
    ["stops": [[4, 1], [8, 5]], "base": 1.2],
    ["property": "level", "stops": [[0, 1], [5, 6]], "default": 2],
    [
      "property": "width",
      "stops": [
        [["zoom": 4, "value": 0], 0], [["zoom": 4, "value": 9], 9], [["zoom": 9, "value": 0], 100],
      ],
    ],
    ["error", ["get", "class"]],
  ]

  @Test("Values over columns, and their errors, are the same as one by one", arguments: expressions)
  func values(json: JSONValue) throws {
    let sample = Sample(count: 300)
    let style = try StyleDocument([
      "version": 8, "sources": ["s": ["type": "vector", "url": "x"]],
      "layers": [
        ["id": "a", "type": "line", "source": "s", "source-layer": "x", "paint": ["line-width": json]],
        ["id": "b", "type": "symbol", "source": "s", "source-layer": "x", "layout": ["text-size": json]],
      ],
    ])
    #expect(style.problems.isEmpty, "\(style.problems)")
    let context = StyleContext(zoom: 5.25)
    for (layer, name) in zip(style.layers, ["line-width", "text-size"]) {
      let index = try #require(layer.type.index(of: name))
      let view = StyleLayerView(layer, context)
      let rows: [Int32] = (0..<300).filter { $0 % 3 > 0 }
      let answers = view.answers(index, sample.features, rows: rows)
      for (position, row) in rows.enumerated() {
        let expected = layer.value(of: index, context, feature: sample.single[Int(row)])
        #expect(answers[position] == expected)
      }
    }
  }
}
