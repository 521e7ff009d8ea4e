import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

/// The paths of OGC API Features and OGC API Maps below `/maps/{id}/ogc`; the collections are the layers.
///
/// - Source: OGC 17-069r4 (Features, part 1), 18-058r1 (part 2), 19-079r2 (part 3), 20-058 (Maps).
struct OGCService {
  let map: ServedMap
  let request: HTTPRequest
  let limits: ServerLimits

  private static let wgs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
  private static let webMercator = "http://www.opengis.net/def/crs/EPSG/0/3857"
  private static let conformance = [
    "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
    "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
    "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
    "http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/core",
  ]

  static let format = RequestParameter("f", .choice(["json"]), "Format of the answer.")
  static let items: [RequestParameter] = [
    format, RequestParameter("limit", .integer, "Maximum number of features."),
    RequestParameter("offset", .integer, "Number of features to skip."),
    RequestParameter("bbox", .text, "West, south, east and north."),
    RequestParameter(
      "bbox-crs", .choice([wgs84, webMercator]), "Spatial reference of bbox; default: CRS84."),
    RequestParameter("datetime", .text, "Time or START/END in RFC 3339."),
    RequestParameter("filter", .text, "Condition in CQL2."),
    RequestParameter("filter-lang", .choice(["cql2-text", "cql2-json"]), "Form of the filter."),
    RequestParameter("crs", .choice([wgs84, webMercator]), "Spatial reference of the features."),
  ]
  static let image: [RequestParameter] = [
    RequestParameter("f", .choice(["png", "jpg"]), "Format of the image."),
    RequestParameter("width", .integer, "Width in pixels; default: 800."),
    RequestParameter("height", .integer, "Height in pixels; default: 600."),
    RequestParameter("bbox", .text, "West, south, east and north."),
    RequestParameter(
      "bbox-crs", .choice([wgs84, webMercator]), "Spatial reference of bbox; default: CRS84."),
    RequestParameter(
      "crs", .choice([wgs84, webMercator]), "Spatial reference of the image; default: CRS84."),
    RequestParameter("datetime", .text, "Time or START/END in RFC 3339."),
    RequestParameter("transparent", .boolean, "Draw no background."),
  ]

  /// Returns the address of a path below the map.
  private func root(_ path: String = "", _ query: [HTTPRequest.Parameter] = []) -> String {
    request.link("/maps/\(FilePath.percentEncoded(request.path[1]))/ogc\(path)", query)
  }

  /// Answers the path below `ogc`.
  func answer() async throws -> HTTPResponse {
    let path = Array(request.path.dropFirst(3))
    switch (path.first, path.count) {
    case (nil, _):
      try plain()
      return HTTPResponse(json: [
        "title": .string(request.path[1]),
        "links": [
          link("self", root()), link("data", root("/collections")), link("conformance", root("/conformance")),
          link(
            "service-desc", request.link("/openapi.json"),
            "application/vnd.oai.openapi+json;version=3.0"),
          link("http://www.opengis.net/def/rel/ogc/1.0/map", root("/map"), "image/png"),
        ],
      ])
    case ("conformance", 1):
      try plain()
      return HTTPResponse(json: ["conformsTo": .array(Self.conformance.map { .string($0) })])
    case ("map", 1): return try await draw(nil)
    case ("collections", 1):
      try plain()
      let state = try await state()
      let collections = try state.layers.indices.filter { isRead($0, state) }.map {
        try collection($0, state)
      }
      return HTTPResponse(json: [
        "links": [link("self", root("/collections"))], "collections": .array(collections),
      ])
    case ("collections", 2...): break
    default: throw HTTPFault(404, "no such path; follow the links of /maps/{id}/ogc")
    }
    let state = try await state()
    guard let index = state.layers.indices.first(where: { id($0) == path[1] && isRead($0, state) }) else {
      let known = state.layers.indices.map(id)
      throw HTTPFault(
        404, "no collection named \"\(path[1])\"; available: \(known.joined(separator: ", "))",
        suggestion: NearestName.of(path[1], among: known))
    }
    switch (path.count == 2 ? "" : path[2], path.count) {
    case ("", _):
      try plain()
      return HTTPResponse(json: try collection(index, state))
    case ("queryables", 3):
      try plain()
      return queryables(index, state)
    case ("map", 3): return try await draw(index)
    case ("items", 3): return try await items(index, state)
    case ("items", 4):
      let parameters = try RequestParameter.decode(request.query, [Self.format, Self.items[8]])
      return try await item(path[3], index, parameters)
    default: throw HTTPFault(404, "no such path; follow the links of /maps/{id}/ogc")
    }
  }

  private func plain() throws { _ = try RequestParameter.decode(request.query, [Self.format]) }

  private func state() async throws -> ViewState {
    var view = ViewRequest()
    view.fitsDefaultView = false
    return try await map.state(view)
  }

  /// The id of a collection: that of the layer, or its index if several layers have the same id.
  private func id(_ index: Int) -> String {
    let ids = map.document.layers.map(\.layer.id)
    return ids.count { $0 == ids[index] } == 1 && !ids[index].isEmpty && !ids[index].contains("/")
      ? ids[index] : "\(index)"
  }

  private func isRead(_ index: Int, _ state: ViewState) -> Bool {
    map.document.layers[index].unreadReason == nil
  }

  private func link(_ relation: String, _ address: String, _ type: String = "application/json") -> JSONValue {
    ["rel": .string(relation), "href": .string(address), "type": .string(type)]
  }

  private func collection(_ index: Int, _ state: ViewState) throws -> JSONValue {
    let layer = state.layers[index]
    let address = "/collections/\(FilePath.percentEncoded(id(index)))"
    let box = layer.extent(in: .wgs84)
    var object: JSONObject = ["id": .string(id(index)), "title": .string(layer.name)]
    if !box.isEmpty {
      let sides = [box.xMin, box.yMin, box.xMax, box.yMax].map { JSONValue.number($0) }
      object["extent"] = ["spatial": ["bbox": [.array(sides)], "crs": .string(Self.wgs84)]]
    }
    object["itemType"] = "feature"
    object["crs"] = [.string(Self.wgs84), .string(Self.webMercator)]
    object["storageCrs"] = .string(Self.wgs84)
    object["links"] = [
      link("self", root(address)), link("items", root(address + "/items"), "application/geo+json"),
      link(
        "http://www.opengis.net/def/rel/ogc/1.0/queryables", root(address + "/queryables"),
        "application/schema+json"),
      link("http://www.opengis.net/def/rel/ogc/1.0/map", root(address + "/map"), "image/png"),
    ]
    return .object(object)
  }

  private func queryables(_ index: Int, _ state: ViewState) -> HTTPResponse {
    var properties = JSONObject()
    for field in state.layers[index].source.schema.fields {
      let type: JSONValue
      switch field.fieldType {
      case .date: type = ["type": "string", "format": "date-time"]
      case .oid, .int16, .int32, .int64: type = ["type": "integer"]
      case .float32, .float64: type = ["type": "number"]
      default: type = ["type": "string"]
      }
      properties[field.name] = type
    }
    return HTTPResponse(
      json: [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": .string(root("/collections/\(FilePath.percentEncoded(id(index)))/queryables")),
        "type": "object", "title": .string(state.layers[index].name), "properties": .object(properties),
        "additionalProperties": false,
      ], type: "application/schema+json")
  }

  private func wkid(_ crs: JSONValue?) -> Int { crs?.string == Self.webMercator ? 3857 : 4326 }

  private func items(_ index: Int, _ state: ViewState) async throws -> HTTPResponse {
    let fields = state.layers[index].source.schema.fields
    func field(_ item: HTTPRequest.Parameter) -> Field? {
      Self.items.contains { $0.name == item.name } ? nil : fields.first { $0.name == item.name }
    }
    let asked = try RequestParameter.decode(request.query.filter { field($0) == nil }, Self.items)
    var parameters: JSONObject = ["layer": .string(name(index))]
    let equal = try request.query.compactMap { item in try field(item).map { try condition($0, item.value) } }
    if !equal.isEmpty { parameters["where"] = .string(equal.joined(separator: " AND ")) }
    if let limit = asked["limit"]?.integer {
      guard limit > 0 else { throw HTTPFault(400, "limit is \(limit); it must be 1 or more") }
      parameters["maxFeatures"] = .number(limit)
    }
    parameters["offset"] = asked["offset"]
    if let text = asked["bbox"]?.string {
      BoxParameter.set(
        try BoxParameter.numbers(text, "bbox"), wkid: wkid(asked["bbox-crs"]),
        kind: state.layers[index].source.schema.geometryKind, in: &parameters)
    } else {
      parameters["everywhere"] = true
    }
    parameters["time"] = asked["datetime"]
    if let filter = asked["filter"]?.string {
      guard asked["filter-lang"]?.string == "cql2-json" else {
        parameters["cql2"] = .string(filter)
        return try await page(index, asked, parameters)
      }
      guard let json = try? JSONValue(parsing: Array(filter.utf8)), json.object != nil else {
        throw HTTPFault(400, "filter: expected an object in JSON")
      }
      parameters["cql2"] = json
    }
    return try await page(index, asked, parameters)
  }

  /// Returns the condition in SQL that a field has a value.
  ///
  /// - Source: OGC 17-069r4, 7.15.5 (parameters for filtering on feature properties).
  private func condition(_ field: Field, _ value: String) throws(HTTPFault) -> String {
    let name = "\"" + field.name.replacing("\"", with: "\"\"") + "\""
    switch field.fieldType {
    case .oid, .int16, .int32, .int64, .float32, .float64:
      if let number = Int64(value) { return "\(name) = \(number)" }
      guard let number = Double(value), number.isFinite else {
        throw HTTPFault(400, "\(field.name): \"\(value)\" is not a decimal number")
      }
      return "\(name) = \(number)"
    case .date, .dateOnly, .timestampOffset:
      throw HTTPFault(400, "\(field.name): a field of dates; give a condition in filter")
    default: return "\(name) = '\(value.replacing("'", with: "''"))'"
    }
  }

  /// The name of a layer that only it has.
  private func name(_ index: Int) -> String {
    let layers = map.document.layers.map(\.layer)
    return layers.count { $0.title == layers[index].title } == 1 && !layers[index].title.isEmpty
      ? layers[index].title : id(index)
  }

  private func page(
    _ index: Int, _ asked: JSONObject, _ parameters: JSONObject
  ) async throws -> HTTPResponse {
    let wkid = wkid(asked["crs"])
    let found = try await MapRequest(map: map, parameters: parameters, limits: limits).found(
      SpatialReference(wkid: wkid))
    let address = "/collections/\(FilePath.percentEncoded(id(index)))/items"
    func page(_ offset: Int) -> String {
      let query = request.query.filter { $0.name != "offset" }
      return root(address, query + [HTTPRequest.Parameter(name: "offset", value: "\(offset)")])
    }
    var members = found.members
    var links = [link("self", page(found.offset), "application/geo+json")]
    if found.isCut {
      links.append(link("next", page(found.offset + found.rows.rows.count), "application/geo+json"))
    }
    members["links"] = .array(links)
    return response(MapRequest.adding(members, to: try geoJSON(found, wkid)), wkid)
  }

  private func item(_ text: String, _ index: Int, _ asked: JSONObject) async throws -> HTTPResponse {
    guard let number = Int64(text) else { throw HTTPFault(404, "no feature with the id \"\(text)\"") }
    var question = MapRequest(
      map: map, parameters: ["layer": .string(name(index)), "everywhere": true], limits: limits)
    question.objectIDs = [number]
    let wkid = wkid(asked["crs"])
    let found = try await question.found(SpatialReference(wkid: wkid))
    let collection = try JSONValue(parsing: try geoJSON(found, wkid))
    guard var feature = collection["features"]?[0]?.object else {
      throw HTTPFault(404, "no feature with the id \"\(text)\"")
    }
    feature["links"] = [
      link(
        "self", root("/collections/\(FilePath.percentEncoded(id(index)))/items/\(number)"),
        "application/geo+json"),
      link("collection", root("/collections/\(FilePath.percentEncoded(id(index)))")),
    ]
    return response(Array((JSONValue.object(feature).text() + "\n").utf8), wkid)
  }

  private func geoJSON(_ found: FoundFeatures, _ wkid: Int) throws -> [UInt8] {
    try FeatureFile.geoJSON.bytes(of: found.rows, keepsReference: wkid != 4326, layer: "").bytes
  }

  private func response(_ body: [UInt8], _ wkid: Int) -> HTTPResponse {
    var response = HTTPResponse(body, type: "application/geo+json")
    response.headers.append(contentReference(wkid))
    return response
  }

  private func contentReference(_ wkid: Int) -> (String, String) {
    ("Content-Crs", "<\(wkid == 4326 ? Self.wgs84 : Self.webMercator)>")
  }

  /// Draws an image in the spatial reference of the request, by default that of the collections, and names its area.
  ///
  /// - Source: OGC 20-058, requirement `/req/core/map-response`.
  private func draw(_ index: Int?) async throws -> HTTPResponse {
    let asked = try RequestParameter.decode(request.query, Self.image)
    var parameters = JSONObject()
    let (width, height) = (asked["width"]?.integer ?? 800, asked["height"]?.integer ?? 600)
    guard width > 0, height > 0 else { throw HTTPFault(400, "width and height must be 1 or more") }
    parameters["size"] = .string("\(width)x\(height)")
    if let text = asked["bbox"]?.string {
      let box = try BoxParameter.numbers(text, "bbox").map { "\($0)" }.joined(separator: ",")
      parameters["bounds"] = .string("\(box),\(wkid(asked["bbox-crs"]))")
    }
    let reference = wkid(asked["crs"])
    parameters["reference"] = .number(reference)
    if let index { parameters["only"] = [.string(name(index))] }
    parameters["time"] = asked["datetime"]
    let drawn = MapRequest(map: map, parameters: parameters, limits: limits)
    var view = try drawn.view()
    if asked["transparent"]?.boolean == true { view.background = .some(nil) }
    let format = asked["f"]?.string ?? "png"
    var response = try await drawn.image(
      view, LayoutRequest(), format, type: format == "png" ? "image/png" : "image/jpeg")
    if let area = response.header("X-Map-Extent") { response.headers.append(("Content-Bbox", area)) }
    response.headers.append(contentReference(reference))
    return response
  }
}
