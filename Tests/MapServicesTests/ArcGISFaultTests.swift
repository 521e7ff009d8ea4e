import Foundation
import MapFeatures
import MapServices
import MapTestSupport
import Testing

/// What users see of a service that misbehaves: one line each, by the faults of the server of the tests.
@Suite struct ArcGISFaultTests {
  /// The fault, as the server calls it, and what is said behind the address of the layer.
  static let faults: [(variant: String, line: String)] = [
    (
      "json/page/50/fault/cut-page",
      "…/query: 49 features came of 50 from number 51 on, of 199 that it counts"
    ),
    (
      "json/page/50/fault/wrong-count",
      "…/query: 49 features came of 50 from number 151 on, of 200 that it counts"
    ),
    (
      "json/page/50/fault/less-counted",
      "…/query: its pages hold 199 features where it counts 198"
    ),
    ("fault/text-count", "…/query: its answer is malformed: $.count: not a number of features"),
    ("fault/negative-count", "…/query: its answer is malformed: $.count: not a number of features"),
    ("fault/no-count", "…/query: its answer is malformed: $.count: missing"),
    (
      "json/page/50/fault/empty-pages",
      "…/query: 0 features came of 50 from number 51 on, of 199 that it counts"
    ),
    ("page/50/fault/ignores-offset", "…/query: the feature with object id 3 comes twice in its pages"),
    ("page/50/fault/overlapping-pages", "…/query: the feature with object id 101 comes twice in its pages"),
    ("page/50/fault/page-twice", "…/query: the feature with object id 103 comes twice in its pages"),
    ("ids/page/50/fault/other-ids", "…/query: 49 features came where 50 ids were asked for"),
    ("ids/page/50/fault/no-object-ids", "…/query: its answer is malformed: $.objectIds: missing"),
    (
      "json/fault/error-200",
      "…/query: it answers with error 400: Cannot perform query.; 'Invalid field: X' parameter is invalid"
    ),
    (
      "fault/loud-error",
      "…/query: it answers with error 500: a b [31m xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…; yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…"
    ),
    ("fault/bare-error", "…/query: it answers with an error and no word about it"),
    (
      "fault/token-required", "…/query: it answers with error 499: Token Required; give a token for this host"
    ),
    (
      "fault/token-invalid",
      "…/query: it answers with error 498: Invalid token.; Token is expired; the token is not valid or too old: give another"
    ),
    (
      "fault/login-page",
      #"…/query: it answers with a web page "Sign In", not with JSON; it may ask to sign in"#
    ),
    ("json/fault/no-features", "…/query: its answer is malformed: $.features: missing"),
    ("json/fault/no-attribute", "…/query: its answer is malformed: $.features[0].attributes.RANK: missing"),
    ("json/fault/array", "…/query: its answer is malformed: expected an object, found an array"),
    (
      "json/fault/garbage",
      "…/query: its answer is malformed: no JSON: line 1, column 1: expected a value, found byte 0"
    ),
    (
      "json/fault/cut-json",
      "…/query: its answer is malformed: no JSON: line 1, column 44788: the text ends inside a JSON value"
    ),
    ("json/page/50/fault/cut-connection", "…/query: the connection ended before the answer did"),
    (
      "json/fault/curves",
      "…/query: its answer is malformed: $.features[0].geometry.curvePaths: curves are not supported"
    ),
    (
      "json/fault/text-number",
      "…/query: its answer is malformed: $.features[0].attributes.RANK: expected a number, found a string"
    ),
    ("json/fault/null-id", "…/query: a feature without an object id"),
    ("fault/garbage-pbf", "…/query: its answer is malformed: protocol buffers: field 7 has wire type 6"),
    ("fault/cut-pbf", "…/query: its answer is malformed: protocol buffers: field 2 reaches past the end"),
    ("fault/empty-pbf", "…/query: its answer is malformed: protocol buffers: no features in it"),
    ("fault/json-for-pbf", "…/query: it answers with error 400: PBF is switched off"),
    (
      "fault/other-reference",
      "…/query: its answer is malformed: $.spatialReference: coordinates in 3857 where 4326 was asked for"
    ),
    (
      "json/fault/other-reference",
      "…/query: its answer is malformed: $.spatialReference: coordinates in 3857 where 4326 was asked for"
    ),
    ("fault/always-busy", "…/query: it answers with error 429: Too many requests"),
    ("fault/unavailable", #"…/query: HTTP 503 "Service Unavailable""#),
    ("fault/failing", "…/query: HTTP 500"),
    ("fault/no-such-page", "…/query: HTTP 404; there is nothing at this address"),
    ("page/50/fault/dies", "…/query: the connection ended before the answer did"),
    ("fault/no-fields", "…: its answer is malformed: $.fields: missing"),
    ("fault/not-queryable", "…: it lets nobody query it: its capabilities are Create,Update"),
    ("fault/raster", "…: a Raster Layer has no features of its own"),
    (
      "fault/unknown-field-type",
      #"…: its answer is malformed: $.fields[1].type: field type "esriFieldTypeTensor" is not known"#
    ),
    ("fault/zero-records", "…: maxRecordCount is 0"),
    ("page/50/fault/no-ids", "…: 199 features, and no field of object ids to fetch them by in pages of 50"),
    ("fault/hidden-layer", "…: it answers with error 404: Requested operation is not supported"),
  ]

  @Test(arguments: faults)
  func aFaultIsOneLine(variant: String, line: String) async throws {
    let address = try ArcGISServer.address("Places/FeatureServer/3", variant)
    let error = await #expect(throws: ServiceError.self) {
      try await ArcGISServer.layer(ArcGISServer.rivers, variant).everything()
    }
    let shown = "\(try #require(error))".replacing(address, with: "…")
    #expect(shown == line)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test func aSlowServiceEndsWithItsTime() async throws {
    var limits = ServiceLimits()
    limits.request = .seconds(1)
    let client = ServiceClient(transport: CurlTransport(environment: [:]), limits: limits)
    let layer = try await ArcGISLayer.open(
      ArcGISServer.address("Places/FeatureServer/3", "fault/slow"), client: client)
    let start = ContinuousClock.now
    await #expect(throws: ServiceError.self) { try await layer.everything() }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func cancellingEndsAtOnce() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.rivers, "fault/slow")
    let start = ContinuousClock.now
    let task = Task { try await layer.everything() }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: ServiceError.self) { try await task.value }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func moreThanTheLimitIsNotFetched() async throws {
    var limits = ServiceLimits()
    limits.features = 100
    let client = ServiceClient(transport: CurlTransport(environment: [:]), limits: limits)
    let layer = try await ArcGISLayer.open(ArcGISServer.address("Places/FeatureServer/3"), client: client)
    await #expect(throws: ServiceError.self) { try await layer.everything() }
    #expect(try await layer.features(FeatureQuery(where: "RANK < 2")).rowCount < 100)
  }

  @Test func aServerThatEndsHalfWayIsAnError() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let server = try TestServer(
      folder.appending(path: "Servers/arcgis_server.py"), [folder.appending(path: "../../Styles/data").path])
    let layer = try await ArcGISLayer.open(
      server.address + "/page/20/fault/ends/arcgis/rest/services/Places/FeatureServer/0",
      client: ArcGISServer.client)
    let error = await #expect(throws: ServiceError.self) { try await layer.everything() }
    #expect(error?.kind == .connection)
  }
}
