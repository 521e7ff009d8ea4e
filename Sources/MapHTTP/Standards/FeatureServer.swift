import MapGeometry
import MapJSON
import MapModel
import MapReaders
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
  static let query: [RequestParameter] = [
    RequestParameter("f", .choice(["json", "pjson", "geojson"]), "Format of the answer."),
    RequestParameter("where", .text, "Condition in SQL."),
    RequestParameter("objectIds", .text, "Object ids between commas."),
    RequestParameter("geometry", .text, "Query geometry: XMIN,YMIN,XMAX,YMAX, X,Y or Esri JSON."),
    RequestParameter(
      "geometryType",
      .choice([
        "esriGeometryEnvelope", "esriGeometryPoint", "esriGeometryMultipoint", "esriGeometryPolyline",
        "esriGeometryPolygon",
      ]), "Kind of the query geometry."),
    RequestParameter("inSR", .text, "WKID of the query geometry."),
    RequestParameter(
      "spatialRel", .choice(relations.map(\.esri)), "Relation of the query geometry to a feature."),
    RequestParameter("time", .text, "Time or START,END in milliseconds since 1970."),
    RequestParameter("outFields", .text, "Fields to return, between commas, or *."),
    RequestParameter("returnGeometry", .boolean, "Whether to return geometries; default: true."),
    RequestParameter("outSR", .text, "WKID of the geometries; default: that of the map."),
    RequestParameter("orderByFields", .text, "FIELD [ASC|DESC], between commas."),
    RequestParameter("resultOffset", .integer, "Number of features to skip."),
    RequestParameter("resultRecordCount", .integer, "Maximum number of features."),
    RequestParameter("maxAllowableOffset", .number, "Simplify geometries by at most this distance."),
    RequestParameter("returnCountOnly", .boolean, "Return only the number of features."),
    RequestParameter("returnIdsOnly", .boolean, "Return only the object ids."),
    RequestParameter("returnExtentOnly", .boolean, "Return only the extent of the features."),
    RequestParameter("outStatistics", .text, "Statistics as an array in JSON."),
    RequestParameter("groupByFieldsForStatistics", .text, "Fields of groups, between commas."),
    RequestParameter("returnZ", .boolean, "Accepted; Z values are returned."),
    RequestParameter("returnM", .boolean, "Accepted; M values are returned."),
  ]
  static let export: [RequestParameter] = [
    RequestParameter("f", .choice(["image"]), "Format of the answer."),
    RequestParameter("bbox", .text, "XMIN,YMIN,XMAX,YMAX."),
    RequestParameter("bboxSR", .text, "WKID of bbox; default: that of the map."),
    RequestParameter("imageSR", .text, "WKID of the image; default: that of bbox."),
    RequestParameter("size", .text, "WIDTH,HEIGHT in pixels; default: 400,400."),
    RequestParameter("dpi", .integer, "Output pixels per inch; default: 96."),
    RequestParameter(
      "format", .choice(["png", "png24", "png32", "jpg", "svg", "pdf"]), "Format of the image."),
    RequestParameter("transparent", .boolean, "Draw no background."),
    RequestParameter("layers", .text, "show:N,N or hide:N,N."),
  ]

  private static let relations: [(esri: String, own: String)] = [
    ("esriSpatialRelIntersects", "intersects"), ("esriSpatialRelContains", "contains"),
    ("esriSpatialRelCrosses", "crosses"), ("esriSpatialRelEnvelopeIntersects", "envelopeIntersects"),
    ("esriSpatialRelIndexIntersects", "envelopeIntersects"), ("esriSpatialRelOverlaps", "overlaps"),
    ("esriSpatialRelTouches", "touches"), ("esriSpatialRelWithin", "within"),
  ]

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

  // MARK: Descriptions

  private func extent(_ box: Envelope, _ wkid: Int) -> JSONValue {
    guard !box.isEmpty else { return .null }
    return [
      "xmin": .number(box.xMin), "ymin": .number(box.yMin), "xmax": .number(box.xMax),
      "ymax": .number(box.yMax), "spatialReference": Self.reference(wkid),
    ]
  }

  private static func reference(_ wkid: Int) -> JSONValue {
    wkid == 3857 || wkid == 102100
      ? ["wkid": 102100, "latestWkid": 3857] : ["wkid": .number(wkid), "latestWkid": .number(wkid)]
  }

  private func service(_ state: ViewState, isMap: Bool) -> JSONValue {
    let wkid = state.spatialReference.wkid
    var box = Envelope.empty
    var layers: [JSONValue] = []
    for (index, layer) in state.layers.enumerated() where map.document.layers[index].unreadReason == nil {
      box = box.union(layer.extent(in: state.spatialReference))
      layers.append([
        "id": .number(index), "name": .string(layer.name), "type": "Feature Layer", "parentLayerId": -1,
        "defaultVisibility": .boolean(layer.isVisible), "subLayerIds": .null, "minScale": 0, "maxScale": 0,
        "geometryType": layer.source.schema.geometryKind.map { .string($0.esriName) } ?? .null,
      ])
    }
    var object: JSONObject = [
      "currentVersion": 10.91, "serviceDescription": "",
      "capabilities": .string(isMap ? "Map,Query" : "Query"),
      "maxRecordCount": .number(limits.features), "layers": .array(layers), "tables": [],
      "spatialReference": Self.reference(wkid), "fullExtent": extent(box, wkid),
      "initialExtent": extent(box, wkid), "supportedQueryFormats": "JSON, geoJSON",
    ]
    if isMap {
      object["mapName"] = .string(request.path[1])
      object["singleFusedMapCache"] = false
      object["supportedImageFormatTypes"] = "PNG32,PNG24,PNG,JPG,SVG,PDF"
      object["units"] = .string(wkid == 4326 ? "esriDecimalDegrees" : "esriMeters")
    }
    return .object(object)
  }

  private func layer(_ index: Int, _ state: ViewState) -> JSONValue {
    let layer = state.layers[index]
    let schema = layer.source.schema
    let box = layer.extent(in: state.spatialReference)
    var object: JSONObject = [
      "currentVersion": 10.91, "id": .number(index), "name": .string(layer.name), "type": "Feature Layer",
    ]
    if let kind = schema.geometryKind { object["geometryType"] = .string(kind.esriName) }
    let members: [(String, JSONValue)] = [
      ("objectIdField", .string(idField(schema))), ("fields", .array(fields(schema))),
      ("extent", extent(box, state.spatialReference.wkid)), ("capabilities", "Query"),
      ("maxRecordCount", .number(limits.features)), ("supportedQueryFormats", "JSON, geoJSON"),
      ("supportsStatistics", true), ("supportsAdvancedQueries", true),
      (
        "advancedQueryCapabilities",
        [
          "supportsPagination": true, "supportsOrderBy": true, "supportsStatistics": true,
          "supportsReturningQueryExtent": true, "supportsDistinct": false,
        ]
      ),
    ]
    for (name, value) in members { object[name] = value }
    return .object(object)
  }

  private func idField(_ schema: FeatureSchema) -> String {
    schema.fields.first { $0.fieldType == .oid }?.name ?? "OBJECTID"
  }

  private func fields(_ schema: FeatureSchema) -> [JSONValue] {
    let known = schema.fields.map(\.esriJSON)
    guard !schema.fields.contains(where: { $0.fieldType == .oid }) else { return known }
    return [["name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"]] + known
  }

  // MARK: Queries

  private func query(_ index: Int, _ state: ViewState) async throws -> HTTPResponse {
    let asked = try RequestParameter.decode(request.query.filter { !$0.value.isEmpty }, Self.query)
    let layer = state.layers[index]
    var parameters: JSONObject = ["layer": .string(name(index))]
    parameters["everywhere"] = true
    parameters["where"] = asked["where"]
    try setGeometry(asked, layer, &parameters)
    if let time = asked["time"]?.string { parameters["time"] = .string(try Self.time(time)) }
    let fields = asked["outFields"]?.string.map { $0.filter { $0 != " " } } ?? "*"
    parameters["outFields"] = .string(fields)
    parameters["orderBy"] = try asked["orderByFields"]?.string.map { .string(try Self.order($0)) }
    parameters["offset"] = asked["resultOffset"]
    parameters["maxFeatures"] = asked["resultRecordCount"]
    parameters["maxOffset"] = asked["maxAllowableOffset"]
    if asked["returnGeometry"]?.boolean == false { parameters["noGeometry"] = true }
    var question = MapRequest(map: map, parameters: parameters, limits: limits)
    if let ids = asked["objectIds"]?.string {
      question.objectIDs = try ids.split(separator: ",").map { text throws(HTTPFault) in
        guard let id = Int64(text.filter { $0 != " " }) else {
          throw HTTPFault(400, "objectIds: \"\(text)\" is not a whole number")
        }
        return id
      }
    }
    if asked["outStatistics"] != nil { return try await statistics(asked, question) }
    let isGeoJSON = asked["f"]?.string == "geojson"
    let wkid = try Self.wkid(asked["outSR"], "outSR") ?? (isGeoJSON ? 4326 : state.spatialReference.wkid)
    if asked["returnCountOnly"]?.boolean == true || asked["returnIdsOnly"]?.boolean == true
      || asked["returnExtentOnly"]?.boolean == true
    {
      return try await summary(asked, question, layer, wkid)
    }
    let found = try await question.found(wkid: wkid)
    guard !isGeoJSON else {
      var members = found.members
      if found.isCut { members["exceededTransferLimit"] = true }
      let bytes = try FeatureFile.geoJSON.bytes(of: found.rows, keepsReference: wkid != 4326, layer: "").bytes
      return HTTPResponse(MapRequest.adding(members, to: bytes), type: "application/geo+json")
    }
    return HTTPResponse(json: featureSet(found, wkid))
  }

  private func setGeometry(
    _ asked: JSONObject, _ layer: LayerState, _ parameters: inout JSONObject
  ) throws {
    guard let text = asked["geometry"]?.string else { return }
    let relation = asked["spatialRel"]?.string
    let own = Self.relations.first { $0.esri == relation }?.own ?? "intersects"
    let given = try Self.wkid(asked["inSR"], "inSR")
    let own84 = layer.source.schema.spatialReference?.wkid ?? 4326
    var json = text.hasPrefix("{") ? try? JSONValue(parsing: Array(text.utf8)) : nil
    guard json != nil || !text.hasPrefix("{") else { throw HTTPFault(400, "geometry: malformed JSON") }
    let wkid = given ?? json?["spatialReference"]?["wkid"]?.integer ?? own84
    let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { json?[$0]?.double }
    let kind = asked["geometryType"]?.string ?? "esriGeometryEnvelope"
    if json == nil, kind == "esriGeometryPoint" {
      guard let point = DecimalNumbers.read(text, counts: 2...2) else {
        throw HTTPFault(400, "geometry: expected X,Y")
      }
      json = ["x": .number(point[0]), "y": .number(point[1])]
    } else if json == nil || sides.count == 4 {
      let box = try sides.count == 4 ? sides : BoxParameter.numbers(text, "geometry")
      parameters["everywhere"] = nil
      BoxParameter.set(
        box, wkid: wkid, relation: own, kind: layer.source.schema.geometryKind, in: &parameters)
      return
    }
    var geometry = json?.object ?? [:]
    geometry["spatialReference"] = ["wkid": .number(wkid)]
    (parameters["geometry"], parameters["relation"]) = (.object(geometry), .string(own))
  }

  private static func wkid(_ value: JSONValue?, _ name: String) throws(HTTPFault) -> Int? {
    guard let text = value?.string else { return nil }
    if let number = Int(text) { return number }
    // The form with an object that clients send, too.
    guard let json = try? JSONValue(parsing: Array(text.utf8)),
      let number = json["latestWkid"]?.integer ?? json["wkid"]?.integer
    else { throw HTTPFault(400, "\(name): \"\(text)\" is not a WKID") }
    return number
  }

  /// Returns a time in milliseconds since 1970 in the form of `TimeExtent`.
  private static func time(_ text: String) throws(HTTPFault) -> String {
    let ends = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard (1...2).contains(ends.count) else { throw HTTPFault(400, "time: expected START,END") }
    var written: [String] = []
    for end in ends {
      guard end.lowercased() != "null" else {
        written.append("..")
        continue
      }
      guard let number = Int64(end), (-(1 << 53)...(1 << 53)).contains(number) else {
        throw HTTPFault(400, "time: \"\(end)\" is not a number of milliseconds")
      }
      written.append(Instant(microseconds: number * 1000).description)
    }
    return written.joined(separator: "/")
  }

  private static func order(_ text: String) throws(HTTPFault) -> String {
    var fields: [String] = []
    for item in text.split(separator: ",") {
      let words = item.split(separator: " ")
      guard let field = words.first, words.count <= 2,
        ["asc", "desc", nil].contains(words.dropFirst().first?.lowercased())
      else { throw HTTPFault(400, "orderByFields: expected FIELD ASC or FIELD DESC between commas") }
      fields.append(field + (words.count == 2 ? ":\(words[1].lowercased())" : ""))
    }
    return fields.joined(separator: ",")
  }

  private func name(_ index: Int) -> String {
    let layers = map.document.layers.map(\.layer)
    for name in [layers[index].title, layers[index].id] where !name.isEmpty {
      if layers.count(where: { $0.title == name || $0.id == name }) == 1 { return name }
    }
    return "\(index)"
  }

  /// Returns the count, the ids or the extent of all features, on all pages.
  private func summary(
    _ asked: JSONObject, _ request: MapRequest, _ layer: LayerState, _ wkid: Int
  ) async throws -> HTTPResponse {
    let question = try await request.question()
    let (layer, layers, _) = try question.table()
    var options = CountOptions()
    (options.question, options.layers) = (question.question, layers)
    let answer = question.document.joined(try await question.state.counts(options), layers: layers)
    let count = JSONValue.number(answer.layers.first?.count ?? 0)
    let isExtent = asked["returnExtentOnly"]?.boolean == true
    if asked["returnCountOnly"]?.boolean == true, !isExtent { return HTTPResponse(json: ["count": count]) }
    var output = GeometryOutput()
    output.reference = SpatialReference(wkid: wkid)
    let found = try await question.state.features(
      of: layer, question.question, hasGeometry: isExtent, output: isExtent ? output : nil)
    guard isExtent else {
      return HTTPResponse(json: [
        "objectIdFieldName": .string(idField(layer.source.schema)),
        "objectIds": .array(found.objectIDs.map { .number(JSONNumber($0)) }),
      ])
    }
    var object: JSONObject = ["extent": extent(found.extent, wkid)]
    if asked["returnCountOnly"]?.boolean == true { object["count"] = count }
    return HTTPResponse(json: .object(object))
  }

  private func featureSet(_ found: FoundFeatures, _ wkid: Int) -> JSONValue {
    let (rows, table) = (found.rows, found.rows.table)
    let hasID = table.schema.fields.contains { $0.fieldType == .oid }
    let selected = rows.fields.map { table.schema.fields[$0] }
    var object: JSONObject = ["objectIdFieldName": .string(idField(table.schema))]
    if let kind = table.schema.geometryKind {
      object["geometryType"] = .string(kind.esriName)
      object["spatialReference"] = Self.reference(wkid)
    }
    let own: [JSONValue] = [["name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"]]
    object["fields"] = .array((hasID ? [] : own) + selected.map(\.esriJSON))
    let features: [JSONValue] = zip(rows.rows, rows.objectIDs).map { row, id in
      var attributes: JSONObject = hasID ? [:] : ["OBJECTID": .number(JSONNumber(id))]
      for field in rows.fields {
        attributes[table.schema.fields[field].name] = table.columns[field].value(at: row).esriJSON
      }
      var feature: JSONObject = ["attributes": .object(attributes)]
      if rows.hasGeometry, let buffer = table.buffer(ofRow: row),
        let geometry = buffer.geometry(ofRow: row, spatialReference: nil)
      {
        feature["geometry"] = EsriGeometryJSON.json(geometry)
      }
      return .object(feature)
    }
    if found.isCut { object["exceededTransferLimit"] = true }
    object["features"] = .array(features)
    return .object(object)
  }

  private func statistics(_ asked: JSONObject, _ request: MapRequest) async throws -> HTTPResponse {
    guard let list = try? JSONValue(parsing: Array((asked["outStatistics"]?.string ?? "").utf8)).array else {
      throw HTTPFault(400, "outStatistics: expected an array in JSON")
    }
    let names = [
      "count": "count", "sum": "sum", "min": "minimum", "max": "maximum", "avg": "average",
      "stddev": "standardDeviation", "var": "variance",
    ]
    let texts = try list.map { item throws(HTTPFault) in
      guard let type = item["statisticType"]?.string, let name = names[type.lowercased()],
        let field = item["onStatisticField"]?.string
      else { throw HTTPFault(400, "outStatistics: expected statisticType and onStatisticField") }
      return "\(name):\(field):\(item["outStatisticFieldName"]?.string ?? "\(type)_\(field)")"
    }
    let groups = asked["groupByFieldsForStatistics"]?.string?.split(separator: ",").map(String.init) ?? []
    let query = try StatisticsQuery(statistics: texts, groupBy: groups)
    let question = try await request.question()
    let layer = try question.table().layer
    let table = try await question.state.statistics(of: layer, query, question.question)
    let features: [JSONValue] =
      table.json["records"]?.array?.map { record in
        var attributes = record["group"]?.object ?? [:]
        for member in record["statistics"]?.object?.members ?? [] { attributes[member.name] = member.value }
        return ["attributes": .object(attributes)]
      } ?? []
    return HTTPResponse(json: ["features": .array(features)])
  }

  // MARK: Images

  private func draw(_ state: ViewState) async throws -> HTTPResponse {
    let asked = try RequestParameter.decode(request.query.filter { !$0.value.isEmpty }, Self.export)
    var parameters = JSONObject()
    let size = (asked["size"]?.string ?? "400,400").split(separator: ",").map(String.init)
    guard size.count == 2 else { throw HTTPFault(400, "size: expected WIDTH,HEIGHT") }
    let ratio = Double(asked["dpi"]?.integer ?? 96) / 96
    guard ratio > 0, let width = Double(size[0]), let height = Double(size[1]) else {
      throw HTTPFault(400, "size and dpi must be above 0")
    }
    parameters["pixelRatio"] = .number(ratio)
    let boxWkid = try Self.wkid(asked["bboxSR"], "bboxSR") ?? state.spatialReference.wkid
    if let text = asked["bbox"]?.string {
      let box = try BoxParameter.numbers(text, "bbox").map { "\($0)" }.joined(separator: ",")
      parameters["bounds"] = .string("\(box),\(boxWkid)")
    }
    let imageWkid = try Self.wkid(asked["imageSR"], "imageSR") ?? (asked["bboxSR"] == nil ? nil : boxWkid)
    if let imageWkid { parameters["reference"] = .number(imageWkid == 102100 ? 3857 : imageWkid) }
    if let text = asked["layers"]?.string {
      let parts = text.split(separator: ":").map(String.init)
      guard parts.count == 2, ["show", "hide"].contains(parts[0]) else {
        throw HTTPFault(400, "layers: expected show:N,N or hide:N,N")
      }
      let names = try parts[1].split(separator: ",").map { text throws(HTTPFault) in
        guard let index = Int(text), state.layers.indices.contains(index) else {
          throw HTTPFault(400, "layers: no layer \(text)")
        }
        return JSONValue.string(name(index))
      }
      parameters[parts[0] == "show" ? "only" : "hide"] = .array(names)
    }
    let drawn = MapRequest(map: map, parameters: parameters, limits: limits)
    var view = try drawn.view()
    view.size = ViewSize(width: width / ratio, height: height / ratio)
    view = try drawn.checked(view)
    if asked["transparent"]?.boolean == true { view.background = .some(nil) }
    let format = asked["format"]?.string ?? "png"
    let file = format.hasPrefix("png") ? "png" : format
    let type = MapRequest.imageFormats.first { $0.0 == file }?.1 ?? "image/png"
    return try await drawn.image(view, LayoutRequest(), file, type: type)
  }
}
