import MapDocuments
import MapFilter
import MapJSON
import MapModel
import Testing

/// Renderers with rules in documents, a form of MapState.
@Suite struct RuleCodecTests {
  private static let marker = #"{"type":"esriSMS","style":"esriSMSSquare","color":[200,0,0,255],"size":6}"#

  private static func renderer(_ rules: String) -> String {
    #"{"type":"rules","passes":[{"rules":[\#(rules)]}]}"#
  }

  @Test("A renderer with rules is read with its passes, filters, scales and symbols")
  func reading() throws {
    let (form, warnings) = try DocumentReading.renderer(
      #"""
      {"type":"rules","legendOptions":{"title":"Roads"},"passes":[
        {"name":"casing","orderBy":[{"field":"z","order":"descending"}],"rules":[{"name":"major","label":"Major roads","description":"wide","where":"lanes > 2",
         "minScale":50000,"maxScale":1000,"symbol":\#(Self.marker),"skipLegend":true}]},
        {"rules":[{"filter":"lanes > 2","symbol":\#(Self.marker)},
         {"filter":{"op":"<","args":[{"property":"lanes"},3]},"symbol":\#(Self.marker)},
         {"else":true,"symbol":\#(Self.marker)}]}]}
      """#)
    #expect(warnings.isEmpty)
    guard case .rules(let renderer)? = form else {
      Issue.record("another kind of renderer")
      return
    }
    #expect(renderer.passes.map(\.name) == ["casing", ""])
    #expect(renderer.passes[0].drawingOrder == [DrawingOrder(fieldName: "z", direction: .descending)])
    #expect(renderer.legendOptions.title == "Roads")
    let rules = renderer.rules
    #expect(rules.map(\.title) == ["Major roads", "", "", ""])
    #expect(rules.map(\.$filter.language) == [.sqlWhere, .cql2Text, .cql2JSON, .sqlWhere])
    #expect(rules.map(\.isElse) == [false, false, false, true])
    #expect((rules[0].name, rules[0].description) == ("major", "wide"))
    #expect((rules[0].minScale, rules[0].maxScale, rules[0].showsInLegend) == (50000, 1000, false))
    #expect(renderer.filterFields == ["lanes"])
    #expect(
      renderer.ruleNames == [
        "Major roads", "lanes > 2", #"{"op":"<","args":[{"property":"lanes"},3]}"#, "(else)",
      ])
    #expect("\(renderer)" == "RuleRenderer(Major roads; , , )")
    #expect(try DocumentReading.rewritten(.rules(renderer)) == .rules(renderer))
  }

  @Test("A misspelt member of a rule is an error with the nearest name")
  func misspelt() throws {
    let error = #expect(throws: (any Error).self) {
      try DocumentReading.renderer(Self.renderer(#"{"wher":"a > 1","symbol":\#(Self.marker)}"#))
    }
    let text = "\(try #require(error))"
    #expect(text.contains("passes[0].rules[0].wher") && text.contains("\"where\""), "\(text)")
  }

  @Test("A rule has one filter, and an else rule has none")
  func conflicts() throws {
    for rule in [
      #"{"where":"a > 1","filter":"a > 1","symbol":\#(Self.marker)}"#,
      #"{"else":true,"where":"a > 1","symbol":\#(Self.marker)}"#,
      #"{"where":"a > 1"}"#,
    ] {
      #expect(throws: (any Error).self) { try DocumentReading.renderer(Self.renderer(rule)) }
    }
  }

  @Test("A range of scales that no scale is in is reported")
  func emptyRange() throws {
    let (_, warnings) = try DocumentReading.renderer(
      Self.renderer(#"{"minScale":1000,"maxScale":1000,"symbol":\#(Self.marker)}"#))
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasSuffix("the scale range is empty; the rule never applies") == true)
  }

  @Test("A renderer for one scale keeps the rules, and those of other scales never apply")
  func resolved() throws {
    var rule = RuleRenderer.Rule(name: "a", symbol: SimpleMarkerSymbol(size: 5))
    (rule.minScale, rule.maxScale) = (100, 10)
    let form = RuleRenderer(rules: [rule, RuleRenderer.Rule(symbol: SimpleMarkerSymbol(size: 3))]).form
    #expect(form.resolved(atScale: 10) == form)
    for scale in [9.0, 100] {
      guard case .rules(let other) = form.resolved(atScale: scale) else { return }
      #expect(other.rules.map(\.isInScale) == [false, true])
      #expect(other.rules[0].symbol == CompositeSymbol().form)
    }
    #expect(form.classLabels == ["a", ""] && form.classSymbols.count == 2)
    #expect(form.defaultSymbol == nil && form.fieldNames.isEmpty)
  }
}
