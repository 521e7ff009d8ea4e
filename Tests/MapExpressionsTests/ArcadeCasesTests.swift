import Foundation
import MapExpressions
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import Testing

/// Expressions of our own with the values that Esri's pages describe; each case names its page.
@Suite struct ArcadeCasesTests {
  /// One feature: a rectangle of 10 by 5 metres with a few attributes.
  static let table: FeatureColumns = {
    let domain = FieldDomain.codedValues(
      name: "counts", [.init(name: "seven", code: .integer(7)), .init(name: "eight", code: .integer(8))])
    let fields = [
      Field(name: "NAME", type: .text), Field(name: "HEIGHT", type: .float64),
      Field(name: "COUNT", type: .int32, domain: domain), Field(name: "EMPTY", type: .text),
      Field(name: "WHEN", type: .date),
    ]
    var geometry = CoordinateBuffer(kind: .polygon)
    for (x, y) in [(0.0, 0.0), (0, 5), (10, 5), (10, 0), (0, 0)] { geometry.appendVertex(x: x, y: y) }
    geometry.endPart()
    geometry.endRow()
    return FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: .polygon, spatialReference: .webMercator),
      columns: [
        Column(of: [.text("Elm")], type: .text), Column(of: [.real(12.5)], type: .float64),
        Column(of: [.integer(7)], type: .int32), Column(of: [.null], type: .text),
        Column(of: [.instant(Instant(microseconds: 1_704_067_200_000_000))], type: .date),
      ], geometry: geometry, rowCount: 1)
  }()

  static func value(_ text: String) throws -> AttributeValue {
    let column = BoundArcade(
      try ArcadeExpression(text), table: table, scale: 5000,
      now: Instant(microseconds: 1_700_000_000_000_000)
    ).column(of: [0])
    if let failure = column.failure { throw failure }
    return column.values[0]
  }

  @Test func `Every expression has the value of its case`() throws {
    let url = try #require(Bundle.module.url(forResource: "Cases/arcade", withExtension: "json"))
    let json = try JSONValue(parsing: Array(try Data(contentsOf: url)))
    let pages = try #require(json["pages"]?.object)
    let cases = try #require(json["cases"]?.array)
    for item in cases {
      let text = try #require(item["expression"]?.string)
      let page = try #require(item["page"]?.string)
      #expect(pages[page]?.string?.hasPrefix("https://developers.arcgis.com/arcade/") ?? false)
      do {
        let found = try Self.value(text)
        #expect(
          Self.matches(found, item["value"] ?? .null), "\(text): \(found), not \(item["value"] ?? .null)")
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
    #expect(cases.count >= 400)
  }

  private static func matches(_ value: AttributeValue, _ expected: JSONValue) -> Bool {
    switch (value, expected) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.text(let a), .string(let b)): a == b
    case (.real(let a), .number(let b)): abs(a - b.double) <= 1e-12 * max(1, abs(a))
    default: false
    }
  }
}

/// Faults in expressions, and the limits that stop them.
@Suite struct ArcadeLimitTests {
  private func reason(_ text: String) -> String {
    do {
      return "\(try ArcadeCasesTests.value(text))"
    } catch {
      return "\(error)"
    }
  }

  @Test func `Faults name their place and the nearest name`() {
    let faults = [
      ("Concatinate('a')", "unknown function Concatinate; did you mean concatenate? (at offset 0)"),
      ("1 +", "expected a value, found the end (at offset 3)"),
      ("'abc", "a quoted text does not end (at offset 0)"),
      ("var total = 1; totl + 1", "unknown name totl; did you mean total? (at offset 15)"),
      ("Random()", "Random is refused, because its result changes (at offset 0)"),
      ("Left('a')", "Left takes 2 arguments, not 1 (at offset 0)"),
      ("if (1) { 2 }", "a condition must be true or false (at offset 0)"),
      ("[1, 2][5]", "place 5 is outside the list (at offset 6)"),
      ("{a: 1}.b", "there is no key b (at offset 6)"),
      ("FeatureSetByName($map, 'x')", "$map is not known here; $feature and $view.scale are (at offset 17)"),
      ("import 'x'", "import is not evaluated (at offset 0)"),
      ("1 2", "expected ; or the end of the line, found 2 (at offset 2)"),
    ]
    for (text, expected) in faults { #expect(reason(text) == expected) }
  }

  @Test func `Loops without an end stop at the limit of steps`() {
    #expect(reason("while (true) { }").hasPrefix("more than 200000 steps"))
    #expect(reason("for (;;) { 1 + 1 }").hasPrefix("more than 200000 steps"))
    #expect(reason("var a = [1]; for (var x of a) { Push(a, x) }").hasPrefix("more than "))
  }

  @Test func `Texts and arrays that double stop at the limit of memory`() {
    #expect(reason("var t = 'abc'; while (true) { t = t + t }").hasPrefix("more than 4194304 bytes"))
    #expect(reason("Array(1e9)").hasPrefix("more than 4194304 bytes"))
    #expect(reason("var a = [1]; while (true) { a = Splice(a, a) }").hasPrefix("more than 4194304 bytes"))
    #expect(reason("var a = []; Push(a, a); Text(a)").hasPrefix("a value is nested too deeply"))
  }

  @Test func `Deep expressions and calls are refused without using up the stack`() {
    #expect(reason(String(repeating: "(", count: 50_000)).hasPrefix("more than 64 nested parts"))
    #expect(reason(String(repeating: "-", count: 50_000) + "1").hasPrefix("more than 64 nested parts"))
    #expect(reason(String(repeating: "if (true) { ", count: 5000)).hasPrefix("more than 64 nested parts"))
    #expect(reason("function f(x) { return f(x + 1) } f(0)").hasPrefix("more than 400 calls"))
    #expect(
      reason(Array(repeating: "1", count: 20_000).joined(separator: "+")).hasPrefix("more than 256 operators")
    )
    #expect(
      reason("$feature" + String(repeating: ".a", count: 5000)).hasPrefix("more than 64 parts in a row"))
    let chain = (0..<3000).map { "if (\($0) < 0) { \($0) }" }.joined(separator: " else ")
    #expect(reason(chain) == "null")
  }

  @Test func `A failing row has no value, and the others keep theirs`() throws {
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int32)], geometryKind: nil, spatialReference: nil),
      columns: [Column(of: [.integer(0), .integer(7), .integer(1)], type: .int32)], geometry: nil, rowCount: 3
    )
    let bound = BoundArcade(
      try ArcadeExpression("[10, 20][$feature.n]"), table: table, scale: 1, now: Instant(microseconds: 0))
    let column = bound.column(of: [0, 1, 2])
    #expect(column.values == [.real(10), .null, .real(20)])
    #expect(column.failure?.reason == "place 7 is outside the list")
  }

  @Test func `The fields of an expression are known before it runs`() throws {
    let expression = try ArcadeExpression("var x = $feature.A; IIf(x > 1, $feature['B b'], $feature.a)")
    #expect(expression.fieldNames == ["A", "B b"])
    #expect(!expression.usesWholeFeature)
    #expect(try ArcadeExpression("var n = 'a'; $feature[n]").usesWholeFeature)
    #expect(try ArcadeExpression("$view.scale").usesScale)
  }
}
