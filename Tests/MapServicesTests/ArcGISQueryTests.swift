import MapFeatures
import MapFilter
import MapGeometry
import MapServices
import MapTestSupport
import Testing

/// The parts of a query sent to the service, and that its answers equal local ones: SQLite and geometry in
/// Python compared with our own.
@Suite struct ArcGISQueryTests {
  private static let now = Instant(rfc3339: "2011-01-01T00:00:00Z")

  private static let pushed: [(layer: Int, clause: String)] = [
    (0, "POP_RANK = 1"), (0, "POP > 1000000 AND CNTRY_NAME = 'China'"),
    (0, "POP IS NULL OR STATUS = 'capital'"),
    (0, "NOT (POP >= 1000000)"), (0, "CITY_NAME LIKE 'San %'"), (0, "CITY_NAME LIKE '%o_'"),
    (0, "CITY_NAME = 'N''Djamena'"), (0, "UPPER(CITY_NAME) = 'SÃO PAULO'"), (0, "lower(cntry_name) = 'peru'"),
    (0, "POP_RANK IN (1, 3, 5)"), (0, "CNTRY_NAME NOT IN ('China', 'India')"),
    (0, "POP BETWEEN 10000 AND 20000"),
    (0, "CNTRY_NAME <> 'China'"), (0, "1 = 0"), (0, "POP > -5 AND POP < 1.5E5"),
    (1, "unemployment_rate > 12"), (1, "unemployment_rate = 9.7"), (1, "FLOOR(unemployment_rate) = 9"),
    (1, "NAME LIKE 'San%' AND STATE IN ('CA', 'TX')"), (1, "unemployment_rate IS NULL"),
    (2, "req_date >= TIMESTAMP '2010-06-01 12:00:00'"),
    (2, "req_date < DATE '2010-02-01' AND status = 'Open'"),
    (2, "req_date IS NULL"), (2, "EXTRACT(MONTH FROM req_date) = 3"),
    (2, "req_date > CURRENT_TIMESTAMP - INTERVAL '30' DAY"),
    (2, "req_type LIKE 'Tree Maintenance or Damage'"),
    (4, "SHARE > 2.5"), (4, "DAY < DATE '1940-01-01'"), (4, "BIG = 1125899906842634"),
    (4, "\"KEY\" = '{00000010-0000-0000-0000-000000000000}'"),
  ]

  @Test("Pushed filters give the same counts as local evaluation")
  func filtersAreAnsweredAsHere() async throws {
    var tables: [Int: (ArcGISLayer, InMemorySource)] = [:]
    var selecting = 0
    for (number, clause) in Self.pushed {
      if tables[number] == nil {
        let layer = try await ArcGISServer.layer(number)
        tables[number] = (layer, InMemorySource(try await ArcGISServer.table(number)))
      }
      let (layer, local) = try #require(tables[number])
      let query = try FeatureQuery(where: clause, at: Self.now)
      #expect(layer.pushable(query) == query, "\(clause)")
      let (there, here) = (try await layer.count(query), try local.count(query))
      #expect(there == here, "\(clause)")
      if here > 0, here < local.rowCount { selecting += 1 }
    }
    #expect(selecting == Self.pushed.count - 1)
  }

  @Test(
    "Filters that databases evaluate differently are not pushed",
    arguments: [
      (0, "POP / 2 > 1000"), (0, "POP * 2 > 10"), (0, "CITY_NAME < 'M'"),
      (0, "CITY_NAME BETWEEN 'A' AND 'C'"),
      (0, "CASE WHEN POP > 5 THEN 1 ELSE 0 END = 1"), (0, "CONCAT(CITY_NAME, STATUS) = 'x'"),
      (4, "SHARE = 0.100000001490116"),
      (4, "SHARE * 2 > 1"), (4, "CLOCK = '10:13:00'"), (4, "NOTED > DATE '2022-01-01'"),
      (0, "UPPER(CITY_NAME) > 'B'"),
      (2, "req_date > CURRENT_TIMESTAMP"), (0, "CITY_NAME LIKE '[a]%'"), (0, "CITY_NAME LIKE 'a\\%'"),
      (0, "STATUS = ''"), (0, "NOSUCH = 1"), (0, "POP = 'x'"),
    ])
  func filtersThatDatabasesAnswerDifferentlyStay(number: Int, clause: String) async throws {
    let layer = try await ArcGISServer.layer(number)
    let query = try FeatureQuery(where: clause)
    #expect(layer.pushable(query).filters == [])
  }

  @Test("Only the conditions that the service can evaluate are pushed")
  func ofSeveralConditionsThoseGoThatCan() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.cities)
    let query = try FeatureQuery(
      where: "POP_RANK = 1 AND CITY_NAME < 'M' AND (POP > 5 OR POP / 2 > 3) AND STATUS = 'capital'")
    let pushed = layer.pushable(query)
    #expect(pushed.filters.count == 2)
    let fetched = try await layer.features(pushed)
    #expect(fetched.rowCount == 19)
    let local = InMemorySource(try await ArcGISServer.table(ArcGISServer.cities))
    #expect(try InMemorySource(fetched).count(query) == local.count(query))
    #expect(try local.count(query) > 5)
  }

  @Test("Conditions that a service does not support are evaluated locally")
  func whatAServiceLacksStays() async throws {
    let plain = try await ArcGISServer.layer(ArcGISServer.cities, "plain")
    #expect(plain.pushable(try FeatureQuery(where: "UPPER(CITY_NAME) = 'ROME'")).filters == [])
    #expect(plain.pushable(try FeatureQuery(where: "CITY_NAME = 'Rome'")).filters.count == 1)
    let local = try await ArcGISServer.layer(ArcGISServer.incidents, "fault/local-dates")
    #expect(local.pushable(try FeatureQuery(where: "req_date > DATE '2010-02-01'")).filters == [])
    #expect(local.pushable(try FeatureQuery(where: "req_date IS NULL")).filters.count == 1)
    let table = try await ArcGISServer.layer(ArcGISServer.counties)
    let crossing = try FeatureQuery.asking {
      $0.question.geometry = try SpatialCondition(Self.triangle(at: -100, 40), .crosses)
    }
    #expect(table.pushable(crossing).geometry == nil)
    let cql = try FeatureQuery.asking { $0.question.cql2 = "S_INTERSECTS(geometry, BBOX(-125,32,-114,42))" }
    #expect(table.pushable(cql).filters == [])
    let times = try FeatureQuery.asking {
      $0.question.cql2 = "T_INTERSECTS(req_date, INTERVAL('2010-02-01T00:00:00Z', '2010-03-01T00:00:00Z'))"
    }
    let incidents = try await ArcGISServer.layer(ArcGISServer.incidents)
    #expect(incidents.pushable(times) == times)
    #expect(
      try await incidents.count(times)
        == InMemorySource(try await ArcGISServer.table(ArcGISServer.incidents)).count(times))
  }

  private static func triangle(at x: Double, _ y: Double, _ reference: SpatialReference = .wgs84) -> Polygon {
    let size = reference == .wgs84 ? 7.0 : 4000
    return Polygon(
      parts: [[(0.0, 0.0), (size, 0.3 * size), (0.2 * size, size)].map { Point(x: x + $0.0, y: y + $0.1) }],
      spatialReference: reference)
  }

  @Test("Pushed envelopes give the same counts as local evaluation", arguments: [0, 1, 2, 3, 5])
  func envelopesAreAnsweredAsHere(number: Int) async throws {
    let layer = try await ArcGISServer.layer(number)
    let table = try await ArcGISServer.table(number)
    let (local, geometry) = (InMemorySource(table), try #require(table.geometry))
    var random = SeededGenerator(seed: UInt64(number) + 7)
    var found = 0
    for round in 0..<12 {
      // Sides on vertices, so that boundary cases occur.
      let corners = (0..<2).map { _ in Int.random(in: 0..<geometry.vertexCount, using: &random) }
      let (xs, ys) = (corners.map { geometry.x[$0] }.sorted(), corners.map { geometry.y[$0] }.sorted())
      guard !xs[0].isNaN, !ys[0].isNaN, !xs[1].isNaN, !ys[1].isNaN else { continue }
      var box = Envelope(
        xMin: xs[0], yMin: ys[0], xMax: xs[1], yMax: ys[1], spatialReference: table.schema.spatialReference)
      if round % 3 == 1 {
        box = try #require(box.projected(to: box.spatialReference == .wgs84 ? .webMercator : .wgs84))
      }
      var envelopes = [box]
      if round % 3 == 2 {
        envelopes = Envelope(
          xMin: xs[1], yMin: ys[0], xMax: xs[0], yMax: ys[1], spatialReference: table.schema.spatialReference
        ).splitAtAntimeridian()
      }
      let query = try FeatureQuery.asking { $0.question.area = .envelopes(envelopes) }
      #expect(layer.pushable(query) == query)
      let here = try local.count(query)
      #expect(try await layer.count(query) == here, "\(envelopes)")
      found += here
    }
    #expect(found > 100)
    let nowhere = try FeatureQuery.asking { $0.question.area = .envelopes([]) }
    #expect(try await layer.count(nowhere) == 0)
    #expect(try await layer.features(nowhere).rowCount == 0)
  }

  @Test("Pushed geometries give the same counts as local evaluation")
  func geometriesAreAnsweredAsHere() async throws {
    let conditions: [(Int, SpatialCondition)] = [
      (0, try SpatialCondition(Self.triangle(at: 2, 42))),
      (0, try SpatialCondition(Self.triangle(at: 2, 42), .contains)),
      (2, try SpatialCondition(Self.triangle(at: -13_630_000, 4_544_000, .webMercator))),
      (0, try SpatialCondition(Self.triangle(at: 260_000, 6_248_000, .webMercator), .envelopeIntersects)),
      (0, try SpatialCondition(Point(latitude: 31.222, longitude: 121.458))),
    ]
    for (number, condition) in conditions {
      let layer = try await ArcGISServer.layer(number)
      let query = try FeatureQuery.asking { $0.question.geometry = condition }
      #expect(layer.pushable(query) == query)
      let here = try InMemorySource(try await ArcGISServer.table(number)).count(query)
      #expect(here > 0)
      #expect(try await layer.count(query) == here)
    }
  }

  @Test("Large sets of object ids are requested in parts")
  func idsAreAskedForInParts() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.cities)
    let everything = try await ArcGISServer.table(ArcGISServer.cities)
    let all = ObjectIDs(everything)
    let wanted = Set((0..<2500).map { all.id(ofRow: $0 * 4) } + [2, 4, 999_999])
    let query = try FeatureQuery.asking {
      $0.question.objectIDs = Array(wanted)
      $0.question.whereClause = "POP_RANK > 2"
    }
    #expect(layer.pushable(query) == query)
    let table = try await layer.features(query)
    let local = InMemorySource(everything)
    #expect(table.rowCount == (try local.count(query)))
    #expect(try await layer.count(query) == table.rowCount)
    #expect(table.rowCount > 1000)
  }

  @Test(
    "Pages of any size give the same table",
    arguments: [
      "page/7", "page/199", "page/200", "ids/page/30", "json/page/13", "json/page/50/fault/small-pages",
    ])
  func pagesOfAnySizeAreTheSameTable(variant: String) async throws {
    let whole = try await ArcGISServer.table(ArcGISServer.rivers)
    let paged = try await ArcGISServer.layer(ArcGISServer.rivers, variant).everything()
    #expect(paged.geometry == whole.geometry)
    #expect(paged.columns == whole.columns)
  }
}
