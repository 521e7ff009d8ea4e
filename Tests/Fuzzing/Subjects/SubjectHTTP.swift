import MapHTTP
import MapSystem
import Synchronization

/// Requests to the server: any bytes are answered or refused, and no answer is a fault of the server.
enum SubjectHTTP {
  private static let services = Mutex<[String: MapService]>([:])

  private static let document = """
    {"version": "2.31", "spatialReference": {"wkid": 102100}, "operationalLayers": [{"id": "a", "title": "A",
    "featureCollection": {"layers": [{"layerDefinition": {"name": "A", "geometryType": "esriGeometryPoint",
    "objectIdField": "id", "fields": [{"name": "id", "type": "esriFieldTypeOID"},
    {"name": "n", "type": "esriFieldTypeInteger"}]}, "featureSet": {"geometryType": "esriGeometryPoint",
    "spatialReference": {"wkid": 4326}, "features": [{"attributes": {"id": 1, "n": 2},
    "geometry": {"x": 1, "y": 2}}]}}]}}]}
    """

  /// Reads the head of a request and answers it from a map with one point.
  static func request(_ bytes: [UInt8], folder: String) async -> Bool {
    guard var request = try? HTTPRequest(head: bytes) else { return false }
    // So that the headers of a proxy are read, too.
    request.peer = NetworkAddress("127.0.0.1")
    let maps = folder + "/maps"
    if services.withLock({ $0[maps] }) == nil {
      var limits = ServerLimits()
      limits.pixels = 480_000
      do {
        try FileAccess.makeFolder(maps)
        try FileAccess.write(Array(document.utf8), to: maps + "/a.json")
        let origin = OriginCheck(
          origins: try AllowedOrigins(["http://a.example"]), proxies: [try NetworkRange(text: "127.0.0.1")])
        let service = MapService(try MapFolder(maps), limits: limits, origin: origin)
        services.withLock { $0[maps] = service }
      } catch {
        return false
      }
    }
    guard let service = services.withLock({ $0[maps] }) else { return false }
    let status = await service.answer(request).status
    precondition(status < 500, "a request must not cause a fault of the server")
    return status < 400
  }
}
