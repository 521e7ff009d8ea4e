import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapState

/// The paths of an ArcGIS feature service and map service below `/maps/{id}/FeatureServer` and `/maps/{id}/MapServer`.
///
/// - Source: ArcGIS REST API: Feature Service, Query (Feature Service/Layer), Map Service, Export Map.
struct FeatureServer {
  let map: ServedMap
  let request: HTTPRequest
  let limits: ServerLimits

  static let format = RequestParameter("f", .choice(["json", "pjson"]), "Format of the answer.")

  /// Answers the path below the map.
  func answer() async throws -> HTTPResponse {
    let path = Array(request.path.dropFirst(2))
    let state = try await state()
    if path == ["MapServer", "export"] { return try await draw(state) }
    guard path.count > 1 else {
      _ = try RequestParameter.decode(request.query, [Self.format])
      return HTTPResponse(json: service(state, isMap: path[0] == "MapServer"))
    }
    guard let index = Int(path[1]), state.layers.indices.contains(index),
      map.document.layers[index].unreadReason == nil
    else { throw HTTPFault(404, "no layer \(path[1]); layers are 0 to \(state.layers.count - 1)") }
    if path.count == 2 {
      _ = try RequestParameter.decode(request.query, [Self.format])
      return HTTPResponse(json: layer(index, state))
    }
    guard path.count == 3, path[2] == "query" else {
      throw HTTPFault(404, "no such path; a layer has the operation query", suggestion: "query")
    }
    return try await query(index, state)
  }

  private func state() async throws -> ViewState {
    var view = ViewRequest()
    view.fitsDefaultView = false
    return try await map.state(view)
  }

  func extent(_ box: Envelope, _ wkid: Int) -> JSONValue {
    guard !box.isEmpty else { return .null }
    return [
      "xmin": .number(box.xMin), "ymin": .number(box.yMin), "xmax": .number(box.xMax),
      "ymax": .number(box.yMax), "spatialReference": Self.reference(wkid),
    ]
  }

  static func reference(_ wkid: Int) -> JSONValue {
    wkid == 3857 || wkid == 102100
      ? ["wkid": 102100, "latestWkid": 3857] : ["wkid": .number(wkid), "latestWkid": .number(wkid)]
  }

  /// The name of the field with the object ids: a field of the data, or one that the service adds under a free name.
  func idField(_ schema: FeatureSchema) -> String {
    if let field = schema.fields.first(where: { $0.fieldType == .oid }) { return field.name }
    let taken = Set(schema.fields.map { $0.name.lowercased() })
    var (name, number) = ("OBJECTID", 0)
    while taken.contains(name.lowercased()) {
      number += 1
      name = "OBJECTID_\(number)"
    }
    return name
  }

  /// The name of the field that the service adds; nil for data with object ids.
  func addedField(_ schema: FeatureSchema) -> String? {
    schema.fields.contains { $0.fieldType == .oid } ? nil : idField(schema)
  }

  static func idJSON(_ name: String) -> JSONValue {
    ["name": .string(name), "type": "esriFieldTypeOID", "alias": .string(name)]
  }

  static func wkid(_ value: JSONValue?, _ name: String) throws(HTTPFault) -> Int? {
    guard let text = value?.string else { return nil }
    if let number = Int(text) { return number }
    // The form with an object that clients send, too.
    guard let json = try? JSONValue(parsing: Array(text.utf8)),
      let number = json["latestWkid"]?.integer ?? json["wkid"]?.integer
    else { throw HTTPFault(400, "\(name): \"\(text)\" is not a WKID") }
    return number
  }

  func name(_ index: Int) -> String {
    let layers = map.document.layers.map(\.layer)
    for name in [layers[index].title, layers[index].id] where !name.isEmpty {
      if layers.count(where: { $0.title == name || $0.id == name }) == 1 { return name }
    }
    return "\(index)"
  }
}
