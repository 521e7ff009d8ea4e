import Foundation
import MapFeatures
import MapFilter
import MapServices
import MapTestSupport

/// The ArcGIS test server over this project's own data, started once.
enum ArcGISServer {
  private static let started = Result {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try TestServer(
      folder.appending(path: "Servers/arcgis_server.py"), [folder.appending(path: "../../Styles/data").path])
  }

  static let client = ServiceClient(transport: CurlTransport(environment: [:]))

  /// The address of a layer; `variant` selects the server's behaviour, such as `page/7/json`.
  static func address(_ layer: String, _ variant: String = "") throws -> String {
    try started.get().address + (variant.isEmpty ? "" : "/" + variant) + "/arcgis/rest/services/" + layer
  }

  /// A layer, by its number, of the service with all layers.
  static func layer(_ number: Int, _ variant: String = "", service: String = "FeatureServer") async throws
    -> ArcGISLayer
  {
    try await ArcGISLayer.open(address("Places/\(service)/\(number)", variant), client: client)
  }

  /// All features of a layer, fetched once.
  static func table(_ number: Int) async throws -> FeatureColumns { try await Tables.shared.table(number) }

  private actor Tables {
    static let shared = Tables()
    private var tables: [Int: Task<FeatureColumns, any Error>] = [:]

    func table(_ number: Int) async throws -> FeatureColumns {
      let task = tables[number] ?? Task { try await ArcGISServer.layer(number).everything() }
      tables[number] = task
      return try await task.value
    }
  }

  static let cities = 0, counties = 1, incidents = 2, rivers = 3, states = 4, bends = 5
}

extension ServiceLayer {
  /// All features of the layer.
  func everything() async throws -> FeatureColumns {
    try await features(QueryConditions().query(for: .query))
  }
}

extension FeatureQuery {
  /// A query with a where clause.
  init(where clause: String, at now: Instant? = nil) throws {
    self = try Self.asking {
      $0.question.whereClause = clause
      $0.now = now
    }
  }

  /// A query with the given conditions.
  static func asking(_ set: (inout QueryConditions) throws -> Void) throws -> FeatureQuery {
    var conditions = QueryConditions()
    try set(&conditions)
    return try conditions.query(for: .query)
  }
}
