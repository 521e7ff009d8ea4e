import MapFeatures
import MapScript
import MapServices
import MapState
import Synchronization

/// Answers of services: any bytes are a layer with features, or an error.
///
/// The input contains several answers, separated by lines of `====`.
enum SubjectServices {
  /// A transport without a network.
  static let unreachable = access(
    Answers { (request) throws(ServiceError) in
      throw ServiceError("not asked", at: request.url, kind: .refused)
    })

  /// The description of the layer, its number of features, its statistics and its pages of features.
  static func arcGISJSON(_ bytes: [UInt8]) async -> Bool {
    let parts = parts(bytes)
    return await open("https://gis.example/arcgis/rest/services/A/FeatureServer/0") { request, turn in
      let text = request.url + String(decoding: request.body, as: UTF8.self)
      let index: Int
      if !text.contains("/query") {
        index = 0
      } else if text.contains("returnCountOnly") {
        index = 1
      } else {
        index = text.contains("outStatistics") ? 2 : 3 + turn % max(1, parts.count - 3)
      }
      return (parts.indices.contains(index) ? parts[index] : [], "application/json")
    }
  }

  /// Pages of features in protocol buffers, after a fixed description and number.
  static func arcGISBuffers(_ bytes: [UInt8]) async -> Bool {
    let parts = parts(bytes)
    return await open("https://gis.example/arcgis/rest/services/A/FeatureServer/0") { request, turn in
      let text = request.url + String(decoding: request.body, as: UTF8.self)
      if !text.contains("/query") { return (Array(description.utf8), "application/json") }
      if text.contains("returnCountOnly") { return (Array(#"{"count":3}"#.utf8), "application/json") }
      return (parts[turn % parts.count], "application/x-protobuf")
    }
  }

  private static let description = """
    {"id":0,"name":"Places","type":"Feature Layer","geometryType":"esriGeometryPolygon","objectIdField":"OBJECTID",
    "maxRecordCount":1000,"supportedQueryFormats":"JSON, PBF","capabilities":"Query",
    "advancedQueryCapabilities":{"supportsPagination":true,"supportsOrderBy":true,"supportsStatistics":true},
    "extent":{"xmin":-180,"ymin":-90,"xmax":180,"ymax":90,"spatialReference":{"wkid":4326}},
    "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"NAME","type":"esriFieldTypeString","length":50},
    {"name":"RANK","type":"esriFieldTypeInteger"},{"name":"RATE","type":"esriFieldTypeDouble"},
    {"name":"DAY","type":"esriFieldTypeDate"}]}
    """

  /// The collection, its fields, the conformance classes and its pages of features.
  static func ogc(_ bytes: [UInt8]) async -> Bool {
    let parts = parts(bytes)
    return await open("https://api.example/collections/places") { request, turn in
      let path = request.url.prefix { $0 != "?" }
      let index: Int
      if path.hasSuffix("/items") {
        index = 3 + turn % max(1, parts.count - 3)
      } else if path.hasSuffix("/schema") || path.hasSuffix("/queryables") {
        index = 1
      } else {
        index = path.hasSuffix("/conformance") ? 2 : 0
      }
      return (parts.indices.contains(index) ? parts[index] : [], "application/geo+json")
    }
  }

  /// The pages of a list of objects.
  static func objects(_ bytes: [UInt8]) async -> Bool {
    let parts = parts(bytes)
    let turns = Mutex(0)
    let transport = Answers { (request) throws(ServiceError) in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      guard turn < 60 else { throw ServiceError("asked too often", at: request.url) }
      return HTTPResponse(
        status: 200, header: [:], body: parts[min(turn, parts.count) - 1], url: request.url)
    }
    let list = try? await ObjectList.objects(
      of: "https://store.example/maps", below: "", client: ServiceClient(transport: transport))
    return list?.isEmpty == false
  }

  private static func open(
    _ url: String, _ answer: @escaping @Sendable (HTTPRequest, Int) -> (body: [UInt8], type: String)
  ) async -> Bool {
    let turns = Mutex((requests: 0, pages: 0))
    let transport = Answers { (request) throws(ServiceError) in
      let turn = turns.withLock { turns in
        turns.requests += 1
        let isPage = request.url.contains("/query") || request.url.contains("/items")
        defer { if isPage, !request.url.contains("returnCountOnly") { turns.pages += 1 } }
        return turns
      }
      guard turn.requests < 60 else { throw ServiceError("asked too often", at: request.url) }
      let (body, type) = answer(request, turn.pages)
      return HTTPResponse(status: 200, header: ["content-type": type], body: body, url: request.url)
    }
    let catalog = SourceCatalog(services: access(transport))
    guard let document = try? await MapDocument.open(url, catalog: catalog) else { return false }
    _ = try? await Inspection(document).json.text()
    var options = ViewRequest()
    options.size = ViewSize(width: 96, height: 64)
    guard let view = try? await document.view(options) else { return false }
    _ = try? await view.freeze().counts(CountOptions())
    return (try? await view.freeze().render()) != nil
  }

  /// Services with the answers of a transport; none without the trait.
  private static func access(_ transport: Answers) -> ServiceAccess {
    #if Services
      ServiceAccess(transport: transport)
    #else
      ServiceAccess()
    #endif
  }

  private static func parts(_ bytes: [UInt8]) -> [[UInt8]] {
    let separator = Array("\n====\n".utf8)
    var (parts, start, index): ([[UInt8]], Int, Int) = ([], 0, 0)
    while index + separator.count <= bytes.count, parts.count < 20 {
      if bytes[index] == 0x0A, bytes[index..<index + separator.count].elementsEqual(separator) {
        parts.append(Array(bytes[start..<index]))
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    return parts + [Array(bytes[start...])]
  }
}

/// A service in memory.
private struct Answers: HTTPTransport {
  let answer: @Sendable (HTTPRequest) throws(ServiceError) -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) throws(ServiceError) -> HTTPResponse) {
    self.answer = answer
  }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse { try answer(request) }
}
