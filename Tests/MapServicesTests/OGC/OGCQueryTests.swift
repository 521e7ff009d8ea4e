import MapFeatures
import MapFilter
import MapGeometry
import MapServices
import MapSystem
import Testing

/// The parts of a query sent to the service, and their form.
@Suite struct OGCQueryTests {
  private static let queryables = #"""
    {"type":"object","properties":{
      "geom":{"format":"geometry-point","x-ogc-role":"primary-geometry"},"name":{"type":"string"},
      "pop":{"type":["integer","null"]},"area":{"type":"number"},"open":{"type":"boolean"},
      "day":{"type":"string","format":"date"},"seen":{"type":"string","format":"date-time","x-ogc-role":"primary-instant"},
      "id":{"type":"integer","x-ogc-role":"id"}}}
    """#
  private static let all = [
    "features-filter", "cql2-text", "basic-cql2", "advanced-comparison-operators", "basic-spatial-functions",
    "spatial-functions", "temporal-functions", "queryables",
  ]

  private func stub(_ classes: [String], queryables: Bool = true) -> OGCStub {
    var settings = OGCStub.Settings()
    (settings.conformance, settings.queryables) = (classes, queryables ? Self.queryables : nil)
    settings.features = [
      OGCStub.feature(
        "1",
        #""name":"Oslo","pop":5,"area":2.5,"open":true,"day":"2020-01-02","seen":"2020-01-02T03:04:05Z","other":1"#
      ),
      OGCStub.feature(
        "2",
        #""name":"Ny","pop":null,"area":3,"open":false,"day":null,"seen":null,"other":2"#, at: (20, 60)),
    ]
    return OGCStub(settings)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let filter: String
    /// The decoded parameter; nil if the filter is evaluated locally.
    let sent: String?
    var testDescription: String { filter }

    init(_ filter: String, _ sent: String?) { (self.filter, self.sent) = (filter, sent) }

    /// A filter that is sent unchanged.
    init(_ filter: String) { self.init(filter, filter) }
  }

  static let cases = [
    Case("name = 'Oslo'"), Case("name <> 'O''slo'"), Case("pop > 5 AND area <= 2.5 OR NOT open = TRUE"),
    Case("name LIKE 'O%'"), Case("pop BETWEEN 1 AND 3"), Case("name IN ('a', 'b')"), Case("name IS NOT NULL"),
    Case("day > DATE('2020-01-01')"), Case("seen >= TIMESTAMP('2020-01-01T00:00:00Z')"),
    Case("S_INTERSECTS(geom,BBOX(0,0,30,60))", "S_INTERSECTS(geom, BBOX(0, 0, 30, 60))"),
    Case(
      "S_WITHIN(geom,POLYGON((0 0,9 0,9 9,0 0)))",
      "S_WITHIN(geom, POLYGON((0 0, 9 0, 9 9, 0 0)))"),
    // Only the basic spatial functions are declared.
    Case("S_INTERSECTS(geom,LINESTRING(0 0,30 60))", nil),
    Case(
      "T_AFTER(seen,TIMESTAMP('2020-01-01T00:00:00Z'))", "T_AFTER(seen, TIMESTAMP('2020-01-01T00:00:00Z'))"),
    Case("TRUE"),
    // Filters that depend on collation, case folding, arithmetic, unknown queryables or ambiguous types.
    Case("name < 'P'", nil), Case("CASEI(name) = 'oslo'", nil), Case("pop + 1 = 6", nil),
    Case("other = 1", nil),
    Case("seen > DATE('2020-01-01')", nil), Case("pop = 5 AND CASEI(name) = CASEI('X')", nil),
  ]

  @Test("A filter is pushed when the service declares its conformance class", arguments: cases)
  func filtersGoWhereTheirClassIsDeclared(_ one: Case) async throws {
    let stub = stub(Self.all)
    let layer = try await stub.opened()
    #expect(layer.notices.isEmpty)
    #expect(layer.schema.geometryName == "geom")
    let query = try OGCStub.query(cql2: one.filter)
    let pushed = layer.pushable(query)
    #expect(pushed.filters.count == (one.sent == nil ? 0 : 1))
    guard let sent = one.sent else { return }
    _ = try await layer.features(pushed)
    let parameters = OGCStub.parts(OGCStub.root + (stub.requests.last ?? "")).query
    #expect(parameters["filter"].flatMap { PercentEncoding.decode($0) } == sent)
    #expect(parameters["filter-lang"] == "cql2-text")
    #expect(try await layer.count(pushed) == 2)
    #expect(stub.requests.last?.contains("limit=1&filter=") == true)
  }

  @Test("Filters of undeclared conformance classes are evaluated locally")
  func fewerClassesLeaveMoreHere() async throws {
    let layer = try await stub(["features-filter", "cql2-text", "basic-cql2"]).opened()
    for (filter, goes) in [("name = 'a'", true), ("name LIKE 'a%'", false), ("pop IN (1)", false)] {
      #expect(layer.pushable(try OGCStub.query(cql2: filter)).filters.isEmpty != goes)
    }
    for classes in [["core"], ["cql2-text", "basic-cql2"]] {
      let layer = try await stub(classes).opened()
      #expect(layer.pushable(try OGCStub.query(cql2: "name = 'a'")).filters.isEmpty)
      #expect(
        layer.notices == [
          "filters are evaluated locally: the service does not offer CQL2 for this collection"
        ])
    }
  }

  /// The service declares filtering but no language.
  @Test(
    "A service that does not declare its filter language is tested with one request", arguments: [200, 400])
  func undeclaredLanguageIsTried(_ status: Int) async throws {
    var settings = OGCStub.Settings()
    (settings.conformance, settings.queryables) = (["filter"], Self.queryables)
    settings.change = { request, response in
      request.url.contains("filter=") ? OGCStub.response("{}", status: status, at: request.url) : nil
    }
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    #expect(stub.requests.last?.hasSuffix("limit=1&filter=name%20IS%20NULL&filter-lang=cql2-text") == true)
    #expect(layer.pushable(try OGCStub.query(cql2: "pop = 1")).filters.isEmpty == (status != 200))
  }

  @Test("A where clause is pushed when its field names match the service's case")
  func whereClausesGoUnderTheNamesOfTheService() async throws {
    let layer = try await stub(Self.all).opened()
    #expect(layer.pushable(try OGCStub.query(where: "pop > 3 AND name LIKE 'O%'")).filters.count == 1)
    #expect(layer.pushable(try OGCStub.query(where: "POP > 3")).filters.isEmpty)
  }

  @Test("A time extent is sent as a datetime parameter or a filter")
  func spansOfTimeGoByTheRoleOfTheField() async throws {
    let span = TimeExtent(
      start: Instant(rfc3339: "2019-01-01T00:00:00Z"), end: Instant(rfc3339: "2021-01-01T00:00:00Z"))
    let info = TimeInfo(startField: "seen")
    for (classes, sent) in [
      (["core"], "datetime=2019-01-01T00%3A00%3A00Z%2F2021-01-01T00%3A00%3A00Z"), (Self.all, "filter="),
    ] {
      let stub = stub(classes)
      let layer = try await stub.opened()
      #expect(layer.metadata.timeInfo == info)
      let query = try OGCStub.query(time: span, timeInfo: info)
      #expect(layer.pushable(query) == query)
      // The stub ignores the parameter, as some servers do, so features with no time or another time are
      // removed.
      let found = try await layer.features(query)
      #expect(found.rowCount == (classes == Self.all ? 2 : 1))
      #expect(stub.requests.last?.contains(sent) == true)
      if classes != Self.all { #expect(try await layer.count(query) == 1) }
      let other = try OGCStub.query(time: span, timeInfo: TimeInfo(startField: "day"))
      #expect(layer.pushable(other).filters.isEmpty)
      let open = try OGCStub.query(time: TimeExtent(start: nil, end: span.end), timeInfo: info)
      _ = try await layer.features(open)
      if classes != Self.all { #expect(stub.requests.last?.contains("datetime=..%2F2021") == true) }
    }
  }

  @Test("Boxes are sent in the table's spatial reference")
  func boxesAreInTheReferenceOfTheTable() async throws {
    let mercator = "http://www.opengis.net/def/crs/EPSG/0/3857"
    var settings = OGCStub.Settings()
    settings.features = [OGCStub.feature("1", at: (1_113_194.9, 6_446_275.8))]
    settings.collectionMembers =
      #","crs":["http://www.opengis.net/def/crs/OGC/1.3/CRS84","\#(mercator)"],"storageCrs":"\#(mercator)","extent":{"spatial":{"bbox":[[170,-10,-170,10]]}}"#
    settings.contentCRS = mercator
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    #expect(layer.schema.spatialReference == .webMercator)
    let extent = try #require(layer.statedExtent)
    #expect(
      abs(extent.width - 2 * WebMercator.halfWorld) < 1e-6,
      "the box crosses the antimeridian, so the extent is the whole world")
    let query = try OGCStub.query(in: [OGCStub.box(9, 40, 11, 90)])
    #expect(layer.pushable(query) == query)
    #expect(try await layer.features(query).rowCount == 1)
    let crs = "http%3A%2F%2Fwww.opengis.net%2Fdef%2Fcrs%2FEPSG%2F0%2F3857"
    #expect(stub.requests.last?.contains("&crs=\(crs)&bbox=1001875.4") == true)
    #expect(stub.requests.last?.hasSuffix("%2C1000000000.0&bbox-crs=\(crs)") == true)
    // A box in another spatial reference is not sent.
    let other = try OGCStub.query(in: [OGCStub.box(0, 0, 1, 1, in: SpatialReference(wkid: 25832))])
    #expect(layer.pushable(other).envelopes == nil)
  }

  @Test("Boxes and coordinates use the axis order of the spatial reference")
  func northComesFirstWhereTheReferenceHasItSo() async throws {
    let uri = "http://www.opengis.net/def/crs/EPSG/0/4326"
    var settings = OGCStub.Settings()
    settings.features = [OGCStub.feature("1", at: (50, 10))]
    settings.collectionMembers = #","crs":["\#(uri)","urn:ogc:def:crs:EPSG::25832"]"#
    settings.contentCRS = uri
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    let found = try await layer.features(try OGCStub.query(in: [OGCStub.box(9, 40, 11, 60)]))
    #expect(found.geometry?.x == [10])
    #expect(found.geometry?.y == [50])
    #expect(stub.requests.last?.contains("bbox=40.0%2C9.0%2C60.0%2C11.0&bbox-crs=http") == true)
  }

  @Test("A stated number that may include other features is replaced by a local count")
  func countsThatMayMeanSomethingElseAreCountedHere() async throws {
    var settings = OGCStub.Settings()
    settings.features = [
      OGCStub.feature("1"), #"{"type":"Feature","id":2,"properties":{},"geometry":null}"#,
    ]
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    let query = try OGCStub.query(in: [OGCStub.box(0, 0, 90, 90)])
    #expect(try await layer.count(query) == 1)
    #expect(stub.requests.last?.contains("limit=10000") == true)
    #expect(try await layer.count(try OGCStub.query()) == 2)
    #expect(stub.requests.last?.contains("limit=1") == true)
    // Without a stated number, the pages are counted.
    settings.numbers = { _, _ in "" }
    #expect(try await OGCStub(settings).opened().count(try OGCStub.query()) == 2)
  }

  /// The numbers in the other spatial reference are smaller.
  @Test("Features fetched for a box in one spatial reference do not answer a box in another")
  func boxesOfTwoReferencesAreApart() async throws {
    var settings = OGCStub.Settings()
    settings.collectionMembers = #","extent":{"spatial":{"bbox":[[-180,-90,180,90]]}}"#
    settings.features = [
      OGCStub.feature("1", at: (1, 1)), OGCStub.feature("2", at: (100, 50)),
      OGCStub.feature("3", at: (-100, 50)),
    ]
    settings.select = { parameters in
      // As the service would answer: the first box contains only the first feature.
      parameters["bbox"].map { $0.hasPrefix("-8.98") ? [OGCStub.feature("1", at: (1, 1))] : nil } ?? nil
    }
    let source = try await ServiceSource(try await OGCStub(settings).opened(), operations: .builtIn)
    let near = try OGCStub.query(in: [OGCStub.box(-1e6, -1e6, 1e6, 1e6, in: .webMercator)])
    #expect(try await source.fetch(near).count(near) == 1)
    #expect(try await source.count(try OGCStub.query(in: [OGCStub.box(-170, -80, 170, 80)])) == 3)
  }

  @Test("A query geometry is requested by its box and tested locally")
  func geometriesAreAskedByTheirBox() async throws {
    var settings = OGCStub.Settings()
    settings.collectionMembers = #","extent":{"spatial":{"bbox":[[-180,-90,180,90]]}}"#
    settings.features = [OGCStub.feature("1", at: (1, 1)), OGCStub.feature("2", at: (3, 0.5))]
    let stub = OGCStub(settings)
    let source = try await ServiceSource(try await stub.opened(), operations: .builtIn)
    let corners = [(0.0, 0.0), (4, 0), (0, 4), (0, 0)].map { Point(x: $0.0, y: $0.1) }
    for (relationship, count) in [(SpatialRelationship.intersects, 2), (.contains, 2), (.disjoint, 0)] {
      var conditions = QueryConditions()
      conditions.question.geometry = try SpatialCondition(
        Polygon(parts: [corners], spatialReference: .wgs84), relationship)
      #expect(try await source.count(try conditions.query(for: .query)) == count)
      #expect(stub.requests.last?.contains("bbox=0.0%2C0.0%2C4.0%2C4.0") == (relationship != .disjoint))
    }
  }
}
