import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapState

extension FeatureServer {
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
    RequestParameter("geometryPrecision", .integer, "Accepted; all digits are returned."),
    RequestParameter(
      "resultType", .choice(["none", "standard", "tile"]), "Accepted; pages have their length."),
    RequestParameter("maxRecordCountFactor", .number, "Accepted; pages have their length."),
    RequestParameter("cacheHint", .boolean, "Accepted; answers have an ETag."),
    RequestParameter("sqlFormat", .choice(["none", "standard"]), "Accepted; where is standard SQL."),
    RequestParameter("returnDistinctValues", .choice(["false"]), "Whether equal records are left out."),
    RequestParameter("returnTrueCurves", .choice(["false"]), "Whether curves are returned."),
  ]

  private static let relations: [(esri: String, own: String)] = [
    ("esriSpatialRelIntersects", "intersects"), ("esriSpatialRelContains", "contains"),
    ("esriSpatialRelCrosses", "crosses"), ("esriSpatialRelEnvelopeIntersects", "envelopeIntersects"),
    ("esriSpatialRelIndexIntersects", "envelopeIntersects"), ("esriSpatialRelOverlaps", "overlaps"),
    ("esriSpatialRelTouches", "touches"), ("esriSpatialRelWithin", "within"),
  ]

  func query(_ index: Int, _ state: ViewState) async throws -> HTTPResponse {
    let asked = try RequestParameter.decode(request.query.filter { !$0.value.isEmpty }, Self.query)
    let layer = state.layers[index]
    var parameters: JSONObject = ["layer": .string(name(index))]
    parameters["everywhere"] = true
    parameters["where"] = asked["where"]
    try setGeometry(asked, layer, &parameters)
    if let time = asked["time"]?.string { parameters["time"] = .string(try Self.time(time)) }
    let added = addedField(layer.source.schema)
    let isAdded = { (name: Substring) in name.lowercased() == added?.lowercased() }
    if let added, ParsedFilter(asked["where"]?.string ?? "").fieldNames.contains(where: { isAdded($0[...]) })
    {
      throw HTTPFault(
        400, "where: \(added) is the number of the row and no field of the data; give objectIds",
        suggestion: "objectIds")
    }
    let fields = (asked["outFields"]?.string ?? "*").filter { $0 != " " }
      .split(separator: ",", omittingEmptySubsequences: false)
    parameters["outFields"] = .string(fields.filter { !isAdded($0) }.joined(separator: ","))
    let hasFields = !fields.allSatisfy(isAdded)
    if !hasFields { parameters["outFields"] = "*" }
    if let order = asked["orderByFields"]?.string {
      let fields = try Self.order(order, isAdded)
      if !fields.isEmpty { parameters["orderBy"] = .string(fields) }
    }
    for (name, least) in [("resultOffset", 0), ("resultRecordCount", 1)] {
      guard let number = asked[name]?.integer, number < least else { continue }
      throw HTTPFault(400, "\(name) is \(number); it must be \(least) or more")
    }
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
    if asked["outStatistics"] != nil { return try await statistics(asked, question, isAdded) }
    let isGeoJSON = asked["f"]?.string == "geojson"
    let wkid = try Self.wkid(asked["outSR"], "outSR") ?? (isGeoJSON ? 4326 : state.spatialReference.wkid)
    if asked["returnCountOnly"]?.boolean == true || asked["returnIdsOnly"]?.boolean == true
      || asked["returnExtentOnly"]?.boolean == true
    {
      return try await summary(asked, question, layer, wkid)
    }
    let found = try await question.found(SpatialReference(wkid: wkid))
    guard !isGeoJSON else {
      guard hasFields else {
        throw HTTPFault(400, "outFields: with f=geojson, give a field besides \(added ?? "")")
      }
      var members = found.members
      if found.isCut { members["exceededTransferLimit"] = true }
      let bytes = try FeatureFile.geoJSON.bytes(of: found.rows, keepsReference: wkid != 4326, layer: "").bytes
      return HTTPResponse(MapRequest.adding(members, to: bytes), type: "application/geo+json")
    }
    return HTTPResponse(json: featureSet(found, wkid, hasFields: hasFields))
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

  /// Returns the order in the form of `orderBy`.
  ///
  /// The ids that the service adds are the numbers of the rows, so rows that compare equal are in their order.
  private static func order(
    _ text: String, _ isAdded: (Substring) -> Bool
  ) throws(HTTPFault) -> String {
    var fields: [String] = []
    for item in text.split(separator: ",") {
      let words = item.split(separator: " ")
      guard let field = words.first, words.count <= 2,
        ["asc", "desc", nil].contains(words.dropFirst().first?.lowercased())
      else { throw HTTPFault(400, "orderByFields: expected FIELD ASC or FIELD DESC between commas") }
      if isAdded(field) {
        guard words.last?.lowercased() != "desc" else {
          throw HTTPFault(400, "orderByFields: \(field) is the number of the row; only ASC is supported")
        }
        break
      }
      fields.append(field + (words.count == 2 ? ":\(words[1].lowercased())" : ""))
    }
    return fields.joined(separator: ",")
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

  private func featureSet(_ found: FoundFeatures, _ wkid: Int, hasFields: Bool) -> JSONValue {
    let (rows, table) = (found.rows, found.rows.table)
    let fields = hasFields ? rows.fields : []
    let added = addedField(table.schema)
    let selected = fields.map { table.schema.fields[$0] }
    var object: JSONObject = ["objectIdFieldName": .string(idField(table.schema))]
    if let kind = table.schema.geometryKind {
      object["geometryType"] = .string(kind.esriName)
      object["spatialReference"] = Self.reference(wkid)
    }
    object["fields"] = .array((added.map { [Self.idJSON($0)] } ?? []) + selected.map(\.serviceJSON))
    let features: [JSONValue] = zip(rows.rows, rows.objectIDs).map { row, id in
      var attributes = JSONObject()
      if let added { attributes[added] = .number(JSONNumber(id)) }
      for field in fields {
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

  private func statistics(
    _ asked: JSONObject, _ request: MapRequest, _ isAdded: (Substring) -> Bool
  ) async throws -> HTTPResponse {
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
      // Clients count rows as the values of the object ids.
      let counted = name == "count" && isAdded(field[...]) ? StatisticDefinition.allRows : field
      return "\(name):\(counted):\(item["outStatisticFieldName"]?.string ?? "\(type)_\(field)")"
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
}
