import Foundation
import MapJSON
import MapScript
import MapSnapshots
import Testing

/// The published schema and the reader accept and refuse the same cases.
@Suite struct SchemaTests {
  private static let root =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Snapshots"

  @Test("The schema accepts every case of the project")
  func takesTheProjectsCases() throws {
    let schema = try Schema()
    var count = 0
    for name in try SnapshotCase.names(in: Self.root) {
      let json = try JSONValue(
        parsing: Array(Data(contentsOf: URL(filePath: "\(Self.root)/\(name)/case.json"))))
      #expect(try schema.failures(json) == [], "\(name)")
      count += 1
    }
    #expect(count >= 90)
  }

  @Test(
    "The schema accepts exactly the cases that the reader accepts",
    arguments: [
      (#""skip": true, "reason": "r""#, true),
      (#""tolerance": {"perceptual": 0.1, "pixels": 3}, "reason": "r""#, true),
      (#""masks": [{"rectangle": [0, 0, 1, 1], "channel": 3, "reason": "r"}]"#, true),
      (#""references": [{"folder": "a", "platform": "p", "reason": "r"}]"#, true),
      (#""references": [{"folder": "a", "platform": "p"}]"#, false),
      (#""references": [{"folder": "a/b", "platform": "p", "reason": "r"}]"#, false),
      (#""references": [{"folder": "a", "platform": "", "reason": "r"}]"#, false),
      (#""expect": {"counts": [{"layer": "a", "drawn": "3..4"}]}"#, true),
      (
        #""expect": {"statistics": [{"layer": "a", "statistic": "sum:n", "value": 1.5, "within": 0.1}]}"#,
        true
      ),
      (#""only": {"layer": "a", "class": -1}, "blank": true"#, true), (#""sise": [1, 1]"#, false),
      (#""tolerance": {"chanel": 1}"#, false), (#""tolerance": {"channel": 256}"#, false),
      (#""tolerance": {"pixels": -1}"#, false), (#""tolerance": {"perceptual": 2}, "reason": "r""#, false),
      (#""masks": [{"rectangle": [0, 0, 1, 1]}]"#, false),
      (#""masks": [{"rectangle": [0, 0, 1, 1], "picture": "a.png", "reason": "r"}]"#, false),
      (#""masks": [{"reason": "r"}]"#, false),
      (#""masks": [{"rectangle": [0, 0, 1], "reason": "r"}]"#, false),
      (#""expect": {"counts": [{"layer": "a"}]}"#, false),
      (#""expect": {"counts": [{"layer": "a", "drawn": "3"}]}"#, false),
      (#""expect": {"sums": []}"#, false), (#""skip": "yes", "reason": "r""#, false),
      (#""document": "a.json""#, false), (#""fonts": ["a.ttf"]"#, true), (#""fonts": "a.ttf""#, false),
    ])
  func agreesWithTheReader(_ members: String, isRight: Bool) throws {
    let json = try JSONValue(parsing: "{\"map\": {}, \(members)}")
    let isRead = (try? SnapshotCase(json, folder: ".", name: "case")) != nil
    #expect(isRead == isRight)
    let failures = try Schema().failures(json)
    #expect(failures.isEmpty == isRight, "\(failures)")
  }

  @Test(
    "The schema accepts exactly the views that the reader accepts",
    arguments: [
      (#""bounds": "1,2,3,4""#, true), (#""bounds": [1, 2, 3, 4, 3857], "padding": 5"#, true),
      (#""viewpoint": "50,12,2000000""#, true),
      (#""viewpoint": {"bounds": [1, 2, 3, 4], "rotation": 9}"#, true),
      (#""fit": "a", "size": "80x60", "reference": 25832"#, true),
      (#""only": ["a", "b"], "hide": "c", "definition": ["a: n = 1"], "displayFilter": "n = 1""#, true),
      (#""only": {"layer": "a", "class": 1}"#, true), (#""bounds": [1, 2, 3]"#, false),
      (#""bounds": 5"#, false), (#""padding": -1"#, false), (#""size": "80""#, false),
      (#""size": [80]"#, false),
      (#""viewpoint": {"scale": 5}"#, false),
      (#""viewpoint": {"centre": {"x": 0, "y": 0}, "scale": 5}"#, false),
      (#""only": 3"#, false), (#""filters": "both""#, false), (#""reference": "25832""#, true),
      (#""reference": [25832]"#, false),
    ])
  func agreesOnViews(_ members: String, isRight: Bool) throws {
    let json = try JSONValue(parsing: "{\"map\": {}, \(members)}")
    let isRead = (try? SnapshotCase(json, folder: ".", name: "case").request()) != nil
    #expect(isRead == isRight)
    let failures = try Schema().failures(json)
    #expect(failures.isEmpty == isRight, "\(failures)")
  }

  @Test("The schema lists exactly the keys that the reader takes")
  func listsAllKeys() throws {
    let root = try JSONValue(parsing: SnapshotCase.schema)
    func keys(_ schema: JSONValue?) throws -> [String] {
      try #require(schema?["properties"]?.object).members.map(\.name).sorted()
    }
    let expected = root["properties"]?["expect"]?["properties"]
    #expect(try keys(root) == SnapshotCase.keys.sorted())
    #expect(try keys(root["properties"]?["viewpoint"]?["oneOf"]?[1]) == ViewRequest.placeFields.sorted())
    #expect(try keys(expected?["counts"]?["items"]) == (["layer"] + SnapshotExpectation.stages).sorted())
    #expect(try keys(expected?["statistics"]?["items"]) == SnapshotExpectation.statisticKeys.sorted())
  }
}

/// The part of JSON Schema that the case's schema uses; an unknown keyword fails.
private struct Schema {
  private let root: JSONValue

  init() throws { root = try JSONValue(parsing: SnapshotCase.schema) }

  func failures(_ value: JSONValue) throws -> [String] { try failures(value, root, "$") }

  private func failures(_ value: JSONValue, _ schema: JSONValue, _ path: String) throws -> [String] {
    var found: [String] = []
    func expect(_ isRight: Bool, _ what: String) { if !isRight { found.append("\(path): \(what)") } }
    guard case .object(let rules) = schema else { return found }
    for rule in rules.members {
      switch (rule.name, rule.value) {
      case ("title", _), ("description", _), ("$schema", _), ("$defs", _), ("additionalProperties", _): break
      case ("$ref", .string(let reference)):
        let name = try #require(reference.split(separator: "/").last)
        found += try failures(value, #require(root["$defs"]?[String(name)]), path)
      case ("type", .string(let type)): expect(matches(value, type), "is not \(type)")
      case ("type", .array(let types)):
        expect(types.contains { matches(value, $0.string ?? "") }, "is none of \(types)")
      case ("enum", .array(let values)): expect(values.contains(value), "is none of \(values.count)")
      case ("oneOf", .array(let choices)):
        expect(
          try choices.count { try failures(value, $0, path).isEmpty } == 1, "fits not one of the choices")
      case ("required", .array(let names)):
        for name in names { expect(value[name.string ?? ""] != nil, "lacks \(name.string ?? "")") }
      case ("properties", .object(let properties)):
        guard case .object(let object) = value else { break }
        for member in object.members {
          if let rule = properties[member.name] {
            found += try failures(member.value, rule, "\(path).\(member.name)")
          } else {
            expect(rules["additionalProperties"] != .boolean(false), "has \(member.name)")
          }
        }
      case ("items", let rule):
        guard case .array(let elements) = value else { break }
        for (index, element) in elements.enumerated() {
          found += try failures(element, rule, "\(path)[\(index)]")
        }
      case ("minItems", let limit): expect(count(value) >= limit.double ?? 0, "is too short")
      case ("maxItems", let limit): expect(count(value) <= limit.double ?? 0, "is too long")
      case ("minProperties", let limit): expect(count(value) >= limit.double ?? 0, "has too few members")
      case ("minLength", let limit):
        expect(Double(value.string?.count ?? 0) >= limit.double ?? 0, "is too short")
      case ("minimum", let limit):
        if let number = value.double { expect(number >= limit.double ?? 0, "is too small") }
      case ("maximum", let limit):
        if let number = value.double { expect(number <= limit.double ?? 0, "is too large") }
      case ("exclusiveMinimum", let limit):
        if let number = value.double { expect(number > limit.double ?? 0, "is too small") }
      case ("pattern", .string(let pattern)):
        if let text = value.string { expect(try text.firstMatch(of: Regex(pattern)) != nil, "does not fit") }
      default: found.append("\(path): the schema's keyword \(rule.name) is not known here")
      }
    }
    return found
  }

  private func matches(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.object, "object"), (.array, "array"), (.string, "string"), (.boolean, "boolean"),
      (.number, "number"):
      true
    case (.number(let number), "integer"): number.integer != nil
    default: false
    }
  }

  private func count(_ value: JSONValue) -> Double {
    switch value {
    case .array(let elements): Double(elements.count)
    case .object(let object): Double(object.count)
    default: .infinity
    }
  }
}
