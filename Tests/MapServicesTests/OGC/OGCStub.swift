import MapFeatures
import MapFilter
import MapGeometry
import MapServices
import Synchronization

/// An in-memory OGC API: documents by path, features by page, and a log of all requests.
final class OGCStub: HTTPTransport {
  static let root = "https://api.example/ogc"

  /// Features as JSON text.
  var features: [String] { settings.features }

  struct Settings: Sendable {
    var features: [String] = []
    /// The largest number of features per page.
    var pageSize = 1000
    /// Conformance classes by their short names.
    var conformance: [String] = ["core", "geojson"]
    var schema: String?
    var queryables: String?
    /// Members of the collection object besides id and links, each preceded by a comma.
    var collectionMembers = ""
    var contentCRS: String?
    /// Replaces an answer; nil keeps it.
    var change: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse? = { _, _ in nil }
    /// The matching features; nil means all.
    var select: @Sendable (_ parameters: [String: String]) -> [String]? = { _ in nil }
    /// Members of a page after its features: the number matched on all pages and returned on this one.
    var numbers: @Sendable (_ matched: Int, _ returned: Int) -> String = { matched, returned in
      #","numberMatched":\#(matched),"numberReturned":\#(returned)"#
    }
  }

  private let settings: Settings
  private let asked = Mutex<[String]>([])

  init(_ settings: Settings) { self.settings = settings }

  /// The requested addresses in order, without the root.
  var requests: [String] { asked.withLock { $0 } }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    asked.withLock { $0.append(String(request.url.dropFirst(Self.root.count))) }
    let answer = answer(request)
    return settings.change(request, answer) ?? answer
  }

  static func response(
    _ body: String, status: Int = 200, type: String = "application/json", at url: String,
    header: [String: String] = [:]
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, header: header.merging(["content-type": type]) { first, _ in first },
      body: Array(body.utf8),
      url: url)
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let (path, query) = Self.parts(request.url)
    let classes = settings.conformance.map { "\"http://www.opengis.net/spec/x/1.0/conf/\($0)\"" }
    func json(_ text: String) -> HTTPResponse { Self.response(text, at: request.url) }
    switch path {
    case "": return json(#"{"title":"Stub","links":[{"rel":"data","href":"/ogc/collections"}]}"#)
    case "/conformance": return json(#"{"conformsTo":[\#(classes.joined(separator: ","))]}"#)
    case "/collections": return json(#"{"collections":[{"id":"places"},{"id":"roads"}]}"#)
    case "/collections/places":
      let schema = settings.schema.map { _ in
        #",{"rel":"http://www.opengis.net/def/rel/ogc/1.0/schema","href":"places/schema"}"#
      }
      let queryables = settings.queryables.map { _ in
        #",{"rel":"[ogc-rel:queryables]","href":"places/queryables","type":"application/schema+json"}"#
      }
      return json(
        #"{"id":"places","title":"Places","links":[{"rel":"items","href":"places/items"}"# + (schema ?? "")
          + (queryables ?? "") + "]" + settings.collectionMembers + "}")
    case "/collections/places/schema": if let text = settings.schema { return json(text) }
    case "/collections/places/queryables": if let text = settings.queryables { return json(text) }
    case "/collections/places/items": return page(request, query)
    default: break
    }
    return Self.response(#"{"code":"NotFound","description":"no such thing"}"#, status: 404, at: request.url)
  }

  private func page(_ request: HTTPRequest, _ query: [String: String]) -> HTTPResponse {
    let found = settings.select(query) ?? settings.features
    let start = query["offset"].flatMap { Int($0) } ?? 0
    let limit = min(query["limit"].flatMap { Int($0) } ?? 10, settings.pageSize)
    let page = found.dropFirst(start).prefix(limit)
    var links = ""
    if start + page.count < found.count {
      let kept = query.filter { $0.key != "offset" }.sorted { $0.key < $1.key }.map {
        "\($0.key)=\($0.value)"
      }
      let address = "items?" + (kept + ["offset=\(start + limit)"]).joined(separator: "&")
      links = #"{"rel":"next","href":"\#(address)","type":"application/geo+json"}"#
    }
    let text =
      #"{"type":"FeatureCollection","features":[\#(page.joined(separator: ","))],"links":[\#(links)]"#
      + settings.numbers(found.count, page.count) + "}"
    return Self.response(
      text, type: "application/geo+json", at: request.url,
      header: settings.contentCRS.map { ["content-crs": "<\($0)>"] } ?? [:])
  }

  /// The path below the root and the parameters, as written.
  static func parts(_ url: String) -> (path: String, query: [String: String]) {
    let parts = url.dropFirst(root.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
    return (String(parts[0]), Dictionary(pairs) { first, _ in first })
  }

  /// A feature with a point.
  static func feature(_ id: String, _ properties: String = "", at place: (Double, Double)? = (10, 50))
    -> String
  {
    let geometry = place.map { #"{"type":"Point","coordinates":[\#($0.0),\#($0.1)]}"# } ?? "null"
    return #"{"type":"Feature","id":\#(id),"properties":{\#(properties)},"geometry":\#(geometry)}"#
  }

  static func features(_ count: Int) -> [String] {
    (0..<count).map { feature("\($0 + 1)", #""n":\#($0)"#, at: (Double($0 % 360) - 180, Double($0 % 90))) }
  }
}

extension OGCStub {
  /// The stub's collection, opened.
  func opened() async throws -> OGCFeatureCollection {
    try await OGCFeatureCollection.open(
      Self.root + "/collections/places", client: ServiceClient(transport: self))
  }
}

// Queries of the tests.
extension OGCStub {
  static func query(
    where clause: String = "", cql2: String = "", in envelopes: [Envelope]? = nil, time: TimeExtent? = nil,
    timeInfo: TimeInfo? = nil
  ) throws -> FeatureQuery {
    var conditions = QueryConditions()
    (conditions.question.whereClause, conditions.question.cql2) = (clause, cql2)
    conditions.question.area = envelopes.map { .envelopes($0) } ?? .everywhere
    conditions.question.time = time
    conditions.timeInfo = timeInfo
    return try conditions.query(for: .query)
  }

  static func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double, in reference: SpatialReference = .wgs84
  ) -> Envelope {
    Envelope(xMin: west, yMin: south, xMax: east, yMax: north, spatialReference: reference)
  }
}
