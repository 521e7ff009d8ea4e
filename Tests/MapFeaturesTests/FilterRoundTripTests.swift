import MapFeatures
import MapFilter
import Testing

/// A written filter parses to the same tree, or to one of the same meaning.
@Suite struct FilterRoundTripTests {
  private static func rows(
    _ filter: FilterExpression, in table: FilterTable, _ names: FilterNames
  ) throws -> (isTrue: RowSet, isFalse: RowSet) {
    let truth = try CompiledFilter(filter, for: table.columns, names: names).truth(in: table.columns)
    var isFalse = truth.isTrue
    isFalse.formUnion(truth.isUnknown)
    return (truth.isTrue, isFalse.inverted())
  }

  @Test("Random CQL2 filters survive a round trip through text and JSON")
  func cql2() throws {
    var generator = CQL2Generator(seed: 51, hasGeometry: true)
    var (text, json) = (0, 0)
    for number in 0..<10_000 {
      let tree = generator.condition(depth: 4)
      let asText = try tree.text(in: .cql2Text)
      #expect(try CQL2TextParser.parse(asText) == tree, "\(number): \(asText)")
      text += asText.utf8.count
      let asJSON = try tree.text(in: .cql2JSON)
      #expect(try CQL2JSONReader.parse(asJSON) == tree, "\(number): \(asJSON)")
      json += asJSON.utf8.count
    }
    #expect(generator.histogram.count == 14)
    #expect(text > 500_000)
    #expect(json > text)
  }

  @Test("Random where clauses survive a round trip through their text")
  func whereClauses() throws {
    var (generator, identical) = (FilterGenerator(seed: 52), 0)
    for number in 0..<10_000 {
      let made = generator.condition(depth: 3)
      let tree = try #require(try SQLWhereParser.parse(made.whereClause))
      let written = try tree.text(in: .sqlWhere)
      let again = try SQLWhereParser.parse(written)
      // A needless escape is dropped, which gives another tree with the same meaning.
      func escapes(_ text: String) -> Int { text.components(of: " ESCAPE ") }
      #expect(again == tree || escapes(written) < escapes(made.whereClause), "\(number): \(written)")
      #expect(try again?.text(in: .sqlWhere) == written)
      #expect(written.components(of: "(") <= made.whereClause.components(of: "("))
      identical += again == tree ? 1 : 0
    }
    #expect(identical > 8_000, "\(identical)")
  }

  /// Also holds under NOT.
  @Test("CQL2 filters written as where clauses select the same rows")
  func cql2AsWhereClauses() throws {
    var (generator, tables) = (CQL2Generator(seed: 53, hasGeometry: false), FilterGenerator(seed: 54))
    let table = tables.table(rowCount: 60)
    let fields = FilterFields(zip(FilterGenerator.names, FilterGenerator.types).map { ($0, $1) })
    var (written, found, refused) = (0, 0, [String: Int]())
    for number in 0..<10_000 {
      let tree = generator.condition(depth: 2)
      let clause: String
      do throws(FilterWritingError) { clause = try tree.text(in: .sqlWhere, fields: fields) } catch {
        refused[error.part, default: 0] += 1
        continue
      }
      let read = try #require(try SQLWhereParser.parse(clause))
      let expected = try Self.rows(tree, in: table, .ofCQL2).isTrue
      let selected = try Self.rows(read, in: table, .ofWhereClauses).isTrue
      #expect(selected == expected, "\(number): \(clause)")
      written += 1
      found += expected.count
    }
    #expect(written > 4_000, "\(written) \(found)")
    #expect(found > 60_000, "\(written) \(found)")
    #expect(refused["the function CASEI", default: 0] > 100, "\(refused)")
    #expect(refused["A_OVERLAPS", default: 0] > 10, "\(refused)")
  }

  @Test("Where clauses written as CQL2 have the same truth value for every row")
  func whereClausesAsCQL2() throws {
    var generator = FilterGenerator(seed: 55)
    let table = generator.table(rowCount: 60)
    var (written, refused) = (0, [String: Int]())
    for number in 0..<10_000 {
      let tree = generator.condition(depth: 2)
      for language in [FilterLanguage.cql2Text, .cql2JSON] {
        let text: String
        do throws(FilterWritingError) { text = try tree.text(in: language) } catch {
          refused[error.part, default: 0] += 1
          continue
        }
        let read = try #require(try FilterText(text, in: language)).expression
        let (expected, answer) = (
          try Self.rows(tree, in: table, .ofCQL2), try Self.rows(read, in: table, .ofCQL2)
        )
        #expect(answer.isTrue == expected.isTrue, "\(number): \(text)")
        #expect(answer.isFalse == expected.isFalse, "\(number): \(text)")
        written += 1
      }
    }
    #expect(written > 10_000, "\(written)")
    #expect(refused["CASE", default: 0] > 100, "\(refused)")
    #expect(refused["NULL", default: 0] > 100, "\(refused)")
  }

  /// Each remaining pair is required by the grammar.
  @Test(
    "CQL2 text is written with as few parentheses as possible",
    arguments: [
      ("(a = 1 and (b = 2)) OR ((c) = (3))", "a = 1 AND b = 2 OR c = 3"),
      ("a = 1 AND (b = 2 OR NOT (c = 3))", "a = 1 AND (b = 2 OR NOT c = 3)"),
      (
        "NOT (a LIKE 'x%') AND NOT (b IS NULL) AND NOT (c BETWEEN 1 AND 2)",
        "a NOT LIKE 'x%' AND b IS NOT NULL AND c NOT BETWEEN 1 AND 2"
      ),
      ("NOT (NOT (a = 1))", "NOT (NOT a = 1)"),
      ("((a + b)) + (c * d) = (a - (b - c))", "a + b + c * d = a - (b - c)"),
      ("(a * b) ^ 2 > -(c) * 2", "(a * b) ^ 2 > -c * 2"),
      ("\"date\" = DATE('2020-01-01') AND \"a b\" = 1", "\"date\" = DATE('2020-01-01') AND \"a b\" = 1"),
      ("a = 'it\\'s' AND b LIKE '\\_%'", "a = 'it''s' AND b LIKE '\\_%'"),
      ("t_after(\"t\",'2020-01-01')", "T_AFTER(t, DATE('2020-01-01'))"),
      ("S_INTERSECTS(\"geom\",bbox(1,2,0,3,4,9))", "S_INTERSECTS(geom, BBOX(1, 2, 3, 4))"),
      ("s_within(g,polygon z((0 0 1,1. 0 1,1 1.5 1,0 0 1)))", "S_WITHIN(g, POLYGON((0 0, 1 0, 1 1.5, 0 0)))"),
    ])
  func fewestParentheses(_ text: String, _ written: String) throws {
    #expect(try CQL2TextParser.parse(text)?.text(in: .cql2Text) == written)
  }

  /// Source: the table of parts and their spellings in the reference of the three languages.
  @Test(
    "Each part of CQL2 has its spelling in where clauses",
    arguments: [
      ("a LIKE 'x\\_%'", "a LIKE 'x\\_%' ESCAPE '\\'"), ("a LIKE 'x%'", "a LIKE 'x%'"), ("TRUE", "1 = 1"),
      ("NOT FALSE", "NOT 1 = 0"), ("CASEI(a) = CASEI('Abc')", "UPPER(a) = 'ABC'"),
      ("a % 2 = b div 3", "MOD(a, 2) = TRUNCATE(b / 3, 0)"),
      ("a ^ 2 = 4", "POWER(a, 2) = 4"), ("CASEI(a) IN (CASEI('x'), CASEI('y'))", "UPPER(a) IN ('X', 'Y')"),
      ("d > TIMESTAMP('2020-01-01T00:00:00.5Z')", "d > TIMESTAMP '2020-01-01 00:00:00.5'"),
      ("T_AFTER(d, DATE('2020-01-01'))", "d > DATE '2020-01-01'"),
      (
        "T_DURING(INTERVAL(s, e), INTERVAL('2020-01-01', '..'))",
        "s > DATE '2020-01-01' AND 1 = 1 AND s IS NOT NULL AND e IS NOT NULL"
      ),
      ("EXTRACT('YEAR', d) = 2020", "EXTRACT(YEAR FROM d) = 2020"),
      ("TRIM('BOTH', ' ', a) = 'x'", "TRIM(BOTH ' ' FROM a) = 'x'"),
      ("b = TRUE", "b = 1"), ("\"order\" = 1", "\"order\" = 1"), ("-a < -(a + b)", "-1 * a < -1 * (a + b)"),
    ])
  func asWhereClause(_ text: String, _ clause: String) throws {
    #expect(try CQL2TextParser.parse(text)?.text(in: .sqlWhere) == clause)
  }

  @Test(
    "A CQL2 part without a where clause form is an error that names it",
    arguments: [
      ("S_INTERSECTS(g, POINT(1 2))", "a where clause cannot express S_INTERSECTS"),
      ("A_EQUALS(a, (1))", "a where clause cannot express A_EQUALS"),
      ("ACCENTI(a) = 'x'", "a where clause cannot express the function ACCENTI"),
      ("CASEI(a) = CASEI('é')", "a where clause cannot express the function CASEI"),
      ("Buffer(g) = 1", "a where clause cannot express the function Buffer"),
    ])
  func notInWhereClauses(_ text: String, _ message: String) throws {
    let tree = try #require(try CQL2TextParser.parse(text))
    let error = #expect(throws: FilterWritingError.self) { try tree.text(in: .sqlWhere) }
    #expect(error?.description == message)
  }

  @Test(
    "A where clause part without a CQL2 form is an error that names it",
    arguments: [
      ("CASE WHEN a = 1 THEN 1 END = 1", "CQL2 cannot express CASE"),
      ("a IN (1, NULL)", "CQL2 cannot express NULL"),
      ("d > CURRENT_DATE - INTERVAL '1' DAY", "CQL2 cannot express INTERVAL '1 00:00:00' DAY TO SECOND"),
      ("a LIKE b", "CQL2 cannot express a pattern that is not a literal"),
    ])
  func notInCQL2(_ clause: String, _ message: String) throws {
    let tree = try #require(try SQLWhereParser.parse(clause))
    for language in [FilterLanguage.cql2Text, .cql2JSON] {
      let error = #expect(throws: FilterWritingError.self) { try tree.text(in: language) }
      #expect(error?.description == message)
    }
  }
}

extension String {
  /// The number of occurrences of another text in this one.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
