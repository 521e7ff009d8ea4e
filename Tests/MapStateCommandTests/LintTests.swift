import Foundation
import MapJSON
import MapScript
import MapState
import MapTestSupport
import Testing

/// Findings of `lint` in documents in memory.
@Suite struct LintTests {
  static func findings(
    _ json: JSONValue, disabled: Set<LintRule> = []
  ) async throws -> [LintFinding] {
    let document = try await MapDocument.open(json: json, name: "map.json", folder: ".")
    var lint = DocumentLint()
    lint.disabled = disabled
    return try await lint.answer(document).findings
  }

  @Test("A document without a fault has no findings", arguments: 0..<LintedDocument.count)
  func clean(_ number: Int) async throws {
    let findings = try await Self.findings(LintedDocument(number: number, fault: nil).json)
    #expect(findings.isEmpty, "\(findings.map(\.text))")
  }

  /// The rules of maps; those after them are of styles.
  private static let mapRules = Array(LintRule.allCases.prefix { $0 != .layerNeverDrawn })

  @Test("Each planted fault is found, in each of ten documents", arguments: mapRules)
  func planted(_ rule: LintRule) async throws {
    #expect(LintedDocument.count == 10 && Self.mapRules.count == 11)
    for number in 0..<LintedDocument.count {
      let json = LintedDocument(number: number, fault: rule).json
      let findings = try await Self.findings(json)
      let found = findings.filter { $0.rule == rule }
      #expect(!found.isEmpty, "\(rule.rawValue) in \(number): \(findings.map(\.text))")
      for finding in found {
        // The path leads to a value of the document, or to a list that contains the fault.
        let path = try #require(finding.path)
        #expect(Self.value(json, path) != nil, "\(path)")
        #expect(finding.layer == (Self.valueRules.contains(rule) ? "values" : "breaks"))
      }
      let others = try await Self.findings(json, disabled: [rule])
      #expect(!others.contains { $0.rule == rule })
    }
  }

  private static let valueRules: Set<LintRule> = [
    .duplicateValue, .valueWithoutClass, .classWithoutRows, .colorConfusion, .classVisibility,
  ]

  private static func value(_ json: JSONValue, _ path: JSONPath) -> JSONValue? {
    path.steps.reduce(json) { value, step in
      switch step {
      case .member(let name): value?[name]
      case .index(let index): value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    }
  }

  @Test("Findings state the path, the numbers and a correction")
  func content() async throws {
    let gap = try await Self.findings(LintedDocument(number: 0, fault: .classGap).json)
    #expect(
      gap.map(\.text).first
        == [
          "class-gap",
          "$.operationalLayers[1].featureCollection.layers[0].layerDefinition.drawingInfo.renderer.classBreakInfos[1]",
          "layer \"breaks\": no class contains the values above 10 and up to 11 (0 rows), between \"0 to 10\" and "
            + "\"10 to 20\"; set classMinValue of \"10 to 20\" to 10",
        ].joined(separator: "\t"))
    let missing = try await Self.findings(LintedDocument(number: 3, fault: .valueWithoutClass).json)
    #expect(
      missing.map(\.message) == ["2 of 12 rows have no class and are not drawn: \"kind 4\" (2)"])
    #expect(missing.first?.numbers.map(\.value) == [2, 1])
    let contrast = try await Self.findings(LintedDocument(number: 0, fault: .textContrast).json)
    #expect(contrast.first?.message.contains("has a contrast of 2.95 to 1 with its halo, #ffffffff") == true)
  }

  @Test("A class that only a filter empties is none without rows")
  func selection() async throws {
    var json = LintedDocument(number: 0, fault: nil).json
    func set(_ name: String, _ value: JSONValue) {
      json = json.setting(
        [.member("operationalLayers"), .index(0), .member("layerDefinition"), .member(name)], value)
    }
    set(
      "displayFilterInfo",
      [
        "filterMode": "manual", "activeFilterId": "x",
        "filters": [["id": "x", "title": "X", "where": "size < 0"]],
      ])
    #expect(try await Self.findings(json).isEmpty)
    set("definitionExpression", "kind <> 'kind 1'")
    #expect(try await Self.findings(json).isEmpty)
  }

  @Test("A first class of the lowest number alone is no fault, and a second one is")
  func lowestAlone() async throws {
    // The bicycles have such a class: none, 1 to 4, 5 or more.
    let path = URL(fileURLWithPath: Tool.style("helsinki-bicycles.json"))
    var json = try JSONValue(parsing: Array(Data(contentsOf: path)))
    let breaks: [JSONPath.Step] = [
      .member("operationalLayers"), .index(0), .member("layerDefinition"), .member("drawingInfo"),
      .member("renderer"), .member("classBreakInfos"),
    ]
    func unreachable(_ json: JSONValue) async throws -> Int {
      let document = try await MapDocument.open(
        json: json, name: "map.json", folder: path.deletingLastPathComponent().path)
      return try await DocumentLint().answer(document).findings.count { $0.rule == .unreachableClass }
    }
    #expect(try await unreachable(json) == 0)
    let infos = try #require(Self.value(json, JSONPath(steps: breaks))?.array)
    try #require(infos.count == 3)
    json = json.setting(breaks, .array([infos[0]] + infos))
    #expect(try await unreachable(json) == 1)
  }

  @Test("A unique value that its field cannot hold is unreachable")
  func impossibleValues() async throws {
    var json = LintedDocument(number: 0, fault: nil).json
    let renderer: [JSONPath.Step] = [
      .member("operationalLayers"), .index(0), .member("featureCollection"), .member("layers"), .index(0),
      .member("layerDefinition"), .member("drawingInfo"), .member("renderer"),
    ]
    json = json.setting(renderer + [.member("field1")], "size")
    let findings = try await Self.findings(json, disabled: [.valueWithoutClass])
    #expect(findings.map(\.rule) == [.unreachableClass, .unreachableClass, .unreachableClass])
    #expect(findings.allSatisfy { $0.message.hasSuffix("field \"size\" holds numbers") })
    json = json.setting(renderer + [.member("uniqueValueInfos"), .index(0), .member("value")], "3.0")
    // A number is compared as a number, however it is written.
    let second = try await Self.findings(json, disabled: [.valueWithoutClass])
    #expect(second.map(\.rule).filter { $0 == .unreachableClass }.count == 2)
  }

  @Test("Only pairs of the same shape and size are confused, and neighbours in a ramp are not")
  func shapes() async throws {
    let json = LintedDocument(number: 0, fault: .colorConfusion).json
    let symbol: [JSONPath.Step] = [
      .member("operationalLayers"), .index(0), .member("featureCollection"), .member("layers"), .index(0),
      .member("layerDefinition"), .member("drawingInfo"), .member("renderer"), .member("uniqueValueInfos"),
      .index(0), .member("symbol"),
    ]
    #expect(try await Self.findings(json).map(\.rule) == [.colorConfusion])
    for (name, value, count) in [
      ("style", "esriSMSSquare", 0), ("size", 9, 0), ("size", 6.5, 1), ("angle", 10, 0),
    ] as [(String, JSONValue, Int)] {
      let findings = try await Self.findings(json.setting(symbol + [.member(name)], value))
      #expect(findings.count == count, "\(name) \(value)")
    }
  }

  @Test("Lists of rules name the nearest rule")
  func names() {
    #expect(throws: MapStateError.self) { try LintRule(named: "class-gaps") }
    do {
      _ = try LintRule(named: "class-gaps")
    } catch {
      #expect("\(error)" == "no rule named \"class-gaps\"; did you mean \"class-gap\"?")
    }
  }
}

extension JSONValue {
  /// Returns the value with another value at a path; makes missing objects.
  func setting(_ path: some Collection<JSONPath.Step>, _ value: JSONValue) -> JSONValue {
    guard let step = path.first else { return value }
    let rest = path.dropFirst()
    switch step {
    case .member(let name):
      var object = self.object ?? JSONObject()
      object[name] = (object[name] ?? .null).setting(rest, value)
      return .object(object)
    case .index(let index):
      guard var elements = array, elements.indices.contains(index) else { return self }
      elements[index] = elements[index].setting(rest, value)
      return .array(elements)
    }
  }
}

extension LintTests {
  /// A layer of two areas, each with its own symbol.
  private static func areas(_ first: JSONValue, _ second: JSONValue, labels: [JSONValue] = []) -> JSONValue {
    func area(_ x: Double, _ kind: String) -> JSONValue {
      let ring: [JSONValue] = [(x, 0.0), (x, 9), (x + 9, 9), (x + 9, 0), (x, 0)].map {
        [.number($0.0), .number($0.1)]
      }
      return ["attributes": ["kind": .string(kind)], "geometry": ["rings": [.array(ring)]]]
    }
    let infos: [JSONValue] = [("a", first), ("b", second)].map {
      ["value": .string($0.0), "label": .string($0.0), "symbol": $0.1]
    }
    return [
      "operationalLayers": [
        [
          "title": "areas", "showLabels": true,
          "featureCollection": [
            "layers": [
              [
                "layerDefinition": [
                  "geometryType": "esriGeometryPolygon", "spatialReference": ["wkid": 3857],
                  "fields": [["name": "kind", "type": "esriFieldTypeString"]],
                  "drawingInfo": [
                    "renderer": ["type": "uniqueValue", "field1": "kind", "uniqueValueInfos": .array(infos)],
                    "labelingInfo": .array(labels),
                  ],
                ],
                "featureSet": ["features": [area(0, "a"), area(20, "b")]],
              ]
            ]
          ],
        ]
      ]
    ]
  }

  private static func fill(_ color: JSONValue, outline: JSONValue? = nil) -> JSONValue {
    var fill: JSONObject = ["type": "esriSFS", "style": "esriSFSSolid", "color": color]
    if let outline { fill["outline"] = outline }
    return .object(fill)
  }

  @Test("Text is compared with the fills of the areas that its class labels", arguments: ["a", "b"])
  func contrastOfLabelledAreas(_ kind: String) async throws {
    let labels: JSONValue = [
      "labelExpressionInfo": ["expression": "$feature[\"kind\"]"], "where": .string("kind = '\(kind)'"),
      "symbol": ["type": "esriTS", "color": [0, 0, 0, 255], "font": ["family": "Noto Sans", "size": 9]],
    ]
    let json = Self.areas(
      Self.fill([255, 255, 255, 255]), Self.fill([30, 30, 30, 255]), labels: [labels])
    let findings = try await Self.findings(json, disabled: [.classVisibility])
    #expect(findings.map(\.rule) == (kind == "a" ? [] : [.textContrast]), "\(findings.map(\.text))")
  }

  @Test("An invisible outline does not tell classes apart")
  func invisibleOutline() async throws {
    let outline: JSONValue = [
      "type": "esriSLS", "style": "esriSLSSolid", "color": [0, 0, 0, 0], "width": 1,
    ]
    let json = Self.areas(
      Self.fill([200, 0, 0, 255], outline: outline), Self.fill([201, 0, 0, 255]))
    #expect(try await Self.findings(json).map(\.rule) == [.colorConfusion])
  }
}
