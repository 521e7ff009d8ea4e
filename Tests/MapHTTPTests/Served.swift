import Foundation
import MapHTTP
import MapJSON
import MapSystem
import Testing

/// The project's folders, and requests to a service without a network.
enum Served {
  static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let styles = project.appending(path: "Styles").path

  /// Returns the answers for a folder, by default the documents of the project.
  static func service(
    _ folder: String = styles, limits: ServerLimits = ServerLimits(), hosts: [String] = []
  ) throws -> MapService {
    MapService(try MapFolder(folder), limits: limits, origin: OriginCheck(hosts: hosts))
  }

  /// Returns a text as the value of a query.
  static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Creates a folder that the caller removes.
  static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A web map of points at some longitudes on the equator, with the field `n`.
  static func document(_ longitudes: [Int], definition: String = "") -> String {
    let features = longitudes.map {
      #"{"attributes": {"OBJECTID": \#($0), "n": \#($0)}, "geometry": {"x": \#($0), "y": 0}}"#
    }
    return """
      {"version": "2.31", "spatialReference": {"wkid": 102100}, "operationalLayers": [
        {"id": "points", "title": "Points", "featureCollection": {"layers": [{
          "layerDefinition": {"name": "Points", "geometryType": "esriGeometryPoint", "objectIdField": "OBJECTID",
            "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID"}, {"name": "n", "type": "esriFieldTypeInteger"}],
            "definitionExpression": "\(definition)",
            "drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle",
              "color": [200, 30, 30, 255], "size": 6}}}},
          "featureSet": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 4326},
            "features": [\(features.joined(separator: ", "))]}}]}}]}
      """
  }
}

extension MapService {
  func get(
    _ target: String, _ headers: [String: String] = [:]
  ) async throws -> HTTPResponse {
    var all = ["host": "localhost:8080"]
    for (name, value) in headers { all[name] = value }
    return await answer(try HTTPRequest(target, headers: all))
  }

  func json(_ target: String) async throws -> JSONValue {
    let response = try await get(target)
    try #require(response.status == 200, "\(target): \(String(decoding: response.body, as: UTF8.self))")
    return try JSONValue(parsing: response.body)
  }
}
