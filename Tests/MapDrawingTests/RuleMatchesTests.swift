import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// The rules that rows match.
///
/// Source: Symbology Encoding 1.1 (OGC 05-077r4), 10: a feature may match several rules, and an else rule applies to those
/// that no other rule in scale matches.
@Suite struct RuleMatchesTests {
  typealias Rule = RuleRenderer.Rule
  typealias Pass = RuleRenderer.Pass

  private static func rule(
    _ filter: String, isElse: Bool = false, from maxScale: Double = 0, below minScale: Double = 0
  ) -> Rule {
    var rule = Rule(filter: filter, symbol: SimpleMarkerSymbol(size: 5))
    (rule.isElse, rule.minScale, rule.maxScale) = (isElse, minScale, maxScale)
    return rule
  }

  /// The rules of each row of a table with a field A.
  private static func rules(
    _ passes: [[Rule]], _ values: [String], scale: Double = 1000
  ) throws -> [[Int]] {
    let renderer = RuleRenderer(passes: passes.map { Pass(rules: $0) })
    let table = try Scene.table("Point", values.map { "{\"attributes\":{\"A\":\($0)}}" })
    let classifier = try RowClassifier(renderer.form.resolved(atScale: scale), table: table)
    let matches = try #require(classifier.matches)
    let found = values.indices.map { matches.rules(ofRow: $0) }
    // The class of a row is the first of its rules, and its counts are those of its rules.
    #expect(classifier.classes == found.map { $0.first.map { Int32($0) } ?? RowClassifier.notDrawn })
    let all = RowSet(rowCount: values.count, all: true)
    let counts = matches.counts(of: all, ruleCount: renderer.rules.count)
    #expect(counts.byRule == renderer.rules.indices.map { rule in found.count { $0.contains(rule) } })
    #expect(counts.none == found.count(where: \.isEmpty))
    #expect(matches.distinct(among: all).reduce(0) { $0 + $1.rowCount } == values.count)
    #expect(Set(matches.distinct(among: all).map { $0.rules }) == Set(found))
    return found
  }

  @Test("A row matches all rules whose filters are true, and a filter that is unknown does not match")
  func several() throws {
    let rules = [Self.rule("A > 1"), Self.rule("A > 2"), Self.rule(""), Self.rule("NOT (A > 2)")]
    #expect(
      try Self.rules([rules], ["1", "2", "3", "null"]) == [[2, 3], [0, 2, 3], [0, 1, 2], [2]])
  }

  @Test("An else rule applies to the rows that no other rule of its pass matches")
  func others() throws {
    let first = [Self.rule("A = 1"), Self.rule("", isElse: true), Self.rule("A = 2")]
    let second = [Self.rule("A = 3"), Self.rule("", isElse: true)]
    #expect(
      try Self.rules([first, second], ["1", "2", "3", "null"]) == [[0, 4], [2, 4], [1, 3], [1, 4]])
  }

  @Test("A rule out of scale matches nothing, and an else rule takes its rows")
  func scales() throws {
    let rules = [Self.rule("A = 1", from: 100, below: 1000), Self.rule("", isElse: true, below: 5000)]
    #expect(try Self.rules([rules], ["1", "2"], scale: 999) == [[0], [1]])
    #expect(try Self.rules([rules], ["1", "2"], scale: 100) == [[0], [1]])
    // The smallest scale is not in the range of a rule, so that neighbouring ranges never overlap.
    #expect(try Self.rules([rules], ["1", "2"], scale: 1000) == [[1], [1]])
    #expect(try Self.rules([rules], ["1", "2"], scale: 99) == [[1], [1]])
    #expect(try Self.rules([rules], ["1", "2"], scale: 5000) == [[], []])
  }

  @Test("Random rules match the rows for which each filter alone is true")
  func random() throws {
    var random = SeededGenerator(seed: 62)
    for _ in 0..<50 {
      let values = (0..<200).map { _ in
        Int.random(in: 0..<9, using: &random) == 0 ? nil : Int.random(in: 0...9, using: &random)
      }
      let bounds = (0..<12).map { _ in Int.random(in: 0...9, using: &random) }
      let found = try Self.rules(
        [bounds.map { Self.rule("A >= \($0)") }], values.map { $0.map { "\($0)" } ?? "null" })
      for (value, rules) in zip(values, found) {
        #expect(rules == bounds.indices.filter { index in value.map { $0 >= bounds[index] } ?? false })
      }
    }
  }

  @Test("Some rows alone match the same rules, and the others match none")
  func some() throws {
    let renderer = RuleRenderer(rules: [Self.rule("A > 1"), Self.rule("", isElse: true)])
    let table = try Scene.table("Point", (1...100).map { "{\"attributes\":{\"A\":\($0 % 3)}}" })
    let rows = RowSet(rowCount: 100, rows: [1, 2, 70])
    let all = try #require(try RowClassifier(renderer.form, table: table).matches)
    let few = try #require(try RowClassifier(renderer.form, table: table, rows: rows).matches)
    for row in 0..<100 { #expect(few.rules(ofRow: row) == (rows.contains(row) ? all.rules(ofRow: row) : [])) }
  }

  @Test("An unknown field of a filter is an error that names the rule and the nearest field")
  func unknownField() throws {
    var rule = Self.rule("HEIGTH > 1")
    rule.name = "tall"
    let table = try Scene.table("Point", ["{\"attributes\":{\"HEIGHT\":1}}"])
    let error = #expect(throws: RendererFieldError.self) {
      try RowClassifier(RuleRenderer(rules: [rule]).form, table: table)
    }
    let text = try #require(error).description
    #expect(text.hasPrefix("rule \"tall\": ") && text.contains("HEIGHT"), "\(text)")
  }

  @Test("Spatial conditions of a filter are evaluated")
  func spatial() throws {
    let rule = Rule(
      filter: ParsedFilter("S_INTERSECTS(geometry, BBOX(-1, -1, 1, 1))", in: .cql2Text),
      symbol: SimpleMarkerSymbol(size: 5).form)
    let table = try Scene.table(
      "Point",
      [
        "{\"attributes\":{\"A\":1},\"geometry\":{\"x\":0,\"y\":0}}",
        "{\"attributes\":{\"A\":1},\"geometry\":{\"x\":5000000,\"y\":0}}",
      ])
    let source = InMemorySource(table)
    for columns in [table, source.columns()] {
      #expect(try RowClassifier(RuleRenderer(rules: [rule]).form, table: columns).classes == [0, -2])
    }
  }
}
