import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import Testing

/// Rules of CQL2 that the standard's counts do not cover, each from the standard's text.
@Suite struct CQL2RuleTests {
  private static func count(
    _ filter: String, _ layer: String = "ne_110m_populated_places_simple", namesHaveCase: Bool = true
  ) throws -> Int {
    let source = try #require(try CQL2ConformanceTests.sources.get()[layer])
    var conditions = QueryConditions()
    conditions.question.cql2 = filter
    conditions.question.cql2NamesHaveCase = namesHaveCase
    return try source.count(conditions.query(for: .query))
  }

  /// Filters over 243 points, 3 of them with dates and times.
  @Test(
    "CQL2 filters over points give the expected counts or errors",
    arguments: [
      // Parentheses, signs and powers.
      ("(pop_max - pop_min) * 2 > 1000000 AND (name = 'a' OR TRUE)", 83), ("-2^2 = 4", 243),
      ("2^-1 = 0.5", 243),
      ("-(pop_max + 1) < 0", 243), ("pop_max--1 = pop_max+1", 243), ("3-+2 = 1", 243), ("7 div -2 = -3", 243),
      ("-7 div 2 = -3", 243), ("-7 % 2 = -1", 243), ("7.5 div 2 = 3", 243), ("7.5 % 2 = 1.5", 243),
      ("5 / 2 = 2.5", 243), ("5 % 0 IS NULL", 243), ("5 div 0 IS NULL", 243), ("0^-1 IS NULL", 243),
      ("((((pop_max)))) > ((0))", 243), ("(pop_max) IN ((1), (2)) OR (TRUE)", 243),
      // Keywords in any case; names are case-sensitive and quoted where they are keywords.
      ("nOt FALSE aNd tRuE", 243), ("t_AFTER(\"date\", DATE('2022-04-16'))", 1), ("\"name\" = 'Berlin'", 1),
      // Nulls.
      ("capin <> 'x'", 33), ("NOT (capin = 'x')", 33), ("capin NOT IN ('x')", 33), ("capin = capin", 33),
      ("NOT \"date\" IS NULL", 3), ("5 BETWEEN 10 AND 1", 0), ("NOT 5 BETWEEN 10 AND 1", 243),
      ("NOT pop_max BETWEEN 99999999 AND CAST(capin, 'INT')", 0),
      ("COALESCE(boolean, FALSE)", 2), ("NOT COALESCE(boolean, FALSE)", 241),
      ("COALESCE(boolean, boolean)", 2),
      // Text.
      ("name = 'Saint John''s'", 1), ("'a\\tb' = 'a\tb'", 243), ("'a\\\\b' LIKE 'a\\\\\\\\b'", 243),
      ("'a%b' LIKE 'a\\%b'", 243), ("'axb' LIKE 'a\\%b'", 0), ("CASEI('ΟΔΟΣ') = CASEI('Οδος')", 243),
      ("CASEI('ŒUVRE') LIKE CASEI('œuv%')", 243), ("ACCENTI('København') = 'Kobenhavn'", 0),
      ("name LIKE ACCENTI('Ch%')", 3), ("name BETWEEN 'A' AND 'B'", 19),
      // Times.
      ("T_DURING(INTERVAL(start, end), INTERVAL('2021-04-16','2022-04-16'))", 1),
      ("T_INTERSECTS(start, INTERVAL('2022-04-16','2022-04-16'))", 2),
      ("T_INTERSECTS(start, DATE('2022-04-16'))", 0),
      ("NOT T_INTERSECTS(start, INTERVAL('2022-04-16','2022-04-16'))", 1),
      ("T_DISJOINT(\"date\", INTERVAL(start, end))", 2), ("NOT T_AFTER(\"date\", DATE('2022-04-16'))", 2),
      ("T_AFTER(\"date\", INTERVAL(start, '..'))", 0), ("NOT T_AFTER(\"date\", INTERVAL(start, '..'))", 3),
      ("T_EQUALS(INTERVAL('..','..'), INTERVAL('..','..'))", 243),
      ("T_MEETS(INTERVAL(start,end),INTERVAL(end,'..'))", 3),
      ("T_OVERLAPS(INTERVAL('..','2022-04-16T10:14:00Z'),INTERVAL(start,end))", 2),
      ("T_BEFORE(name, DATE('2022-01-01'))", 0), ("T_BEFORE('2020-01-01', \"date\")", 3),
      ("start > DATE('2022-04-16') AND start < DATE('2022-04-17')", 2), ("INTERVAL(start, end) IS NULL", 240),
      // Arrays.
      ("A_CONTAINS((name, 'x'), ('Berlin'))", 1), ("A_EQUALS((), ())", 243), ("A_OVERLAPS((), (1))", 0),
      ("A_CONTAINS((1, 2), ())", 243), ("A_EQUALS(('1'), (1))", 0), ("A_EQUALS((1.0), (1))", 243),
      ("A_EQUALS(((1, 2), (3)), ((3), (2, 1)))", 243), ("NOT A_CONTAINS((capin), ('x'))", 33),
      ("A_CONTAINS((DATE('2022-04-16')), (\"date\"))", 1),
      // Geometries.
      ("geom IS NOT NULL", 243), ("S_INTERSECTS(geom, geom)", 243), ("S_TOUCHES(geom, geom)", 0),
      ("S_WITHIN(geom,BBOX(150,-90,-150,90))", 12), ("S_DISJOINT(geom,BBOX(150,-90,-150,90))", 231),
      ("S_INTERSECTS(geom,GEOMETRYCOLLECTION(POINT(0 0),BBOX(0,0,1,1)))", -1),
      ("S_INTERSECTS(POINT(1 1),GEOMETRYCOLLECTION(POINT(0 0),LINESTRING(0 0,2 2)))", 243),
      ("S_DISJOINT(GEOMETRYCOLLECTION(POINT(0 0),LINESTRING(0 0,2 2)), POINT(5 5))", 243),
      (
        "S_WITHIN(geom,GEOMETRYCOLLECTION(POLYGON((0 40,10 40,10 45,0 45,0 40)),POLYGON((0 46,10 46,10 50,0 50,0 46))))",
        7
      ),
      ("S_CONTAINS(BBOX(170,0,-170,10),POINT(-175 5))", 243),
      ("S_CROSSES(LINESTRING(0 0,2 2),LINESTRING(0 2,2 0))", 243),
      // Refused.
      ("POINT(0 0) = geom", -1), ("S_INTERSECTS(geom,POINT(90 180))", -1),
      ("S_INTERSECTS(geom,BBOX(0,10,1,5))", -1),
      ("S_INTERSECTS(geom,LINESTRING(0 0))", -1), ("S_INTERSECTS(geom,POINT(1 2, 3 4))", -1),
      ("S_INTERSECTS(geom,POINT EMPTY)", -1), ("S_INTERSECTS(geom)", -1),
      ("S_INTERSECTS(geom,'POINT(0 0)')", -1),
      ("a.name = 1", -1), ("NAME = 'Berlin'", -1), ("geometry IS NULL", -1), ("NOT NOT TRUE", -1),
      ("2^2^2 = 16", -1),
      ("name = NULL", -1), ("name != 'a'", -1), ("name == 'a'", -1), ("date IS NULL", -1),
      ("name = \"Berlin\"", -1),
      ("name LIKE nameascii", -1), ("name LIKE 'a\\'", -1), ("pop_max = 'abc'", -1), ("'5' > 4", -1),
      ("pop_max", -1),
      ("TRUE AND 1", -1), ("name = 'a' name = 'b'", -1), ("T_CONTAINS(start, INTERVAL(start, end))", -1),
      ("T_AFTER(name, start)", -1), ("T_AFTER(pop_max, DATE('2022-01-01'))", -1),
      ("T_BEFORE(start, 'x')", -1),
      ("T_AFTER(start, INTERVAL('2022-01-01','2022-13-01'))", -1),
      ("start > TIMESTAMP('2022-01-01T24:00:00Z')", -1),
      ("INTERVAL(start, end) = start", -1), ("foo(name) = 1", -1), ("UPPER(name, name) = 'A'", -1),
      ("UPPER(geom) = 'A'", -1),
      ("UPPER((name, 'a')) = 'A'", -1), ("A_EQUALS((geom), (1))", -1), ("(1, 2) = (1, 2)", -1),
      ("(1, 2) IS NULL AND", -1),
      ("S_OVERLAPS(geom,GEOMETRYCOLLECTION(POINT(0 0),LINESTRING(0 0,1 1)))", -2),
      ("S_WITHIN(geom,POLYGON((0 0,2 2,2 0,0 2,0 0)))", -2),
    ])
  func rules(_ filter: String, _ expected: Int) throws {
    switch expected {
    case -1: #expect(throws: QueryConditionError.self) { try Self.count(filter) }
    case -2: #expect(throws: SpatialOperationError.self) { try Self.count(filter) }
    default: #expect(try Self.count(filter) == expected)
    }
  }

  /// LIKE takes a literal pattern.
  @Test("Field names match without regard to case only where the table allows it")
  func names() throws {
    #expect(try Self.count("NAME = 'Berlin'", namesHaveCase: false) == 1)
    #expect(try Self.count("S_WITHIN(GEOM, BBOX(0,40,10,50))", namesHaveCase: false) == 7)
    let error = #expect(throws: QueryConditionError.self) { try Self.count("TRUE AND NAME = 'Berlin'") }
    #expect(error?.description == "CQL2 filter: unknown field 'NAME'; did you mean 'name'?")
    #expect(error?.caretPicture == "TRUE AND NAME = 'Berlin'\n         ^")
  }
}
