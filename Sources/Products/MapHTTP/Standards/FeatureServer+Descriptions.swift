import MapGeometry
import MapJSON
import MapModel
import MapState

extension FeatureServer {
  func service(_ state: ViewState, isMap: Bool) -> JSONValue {
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

  func layer(_ index: Int, _ state: ViewState) -> JSONValue {
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
      ("supportsStatistics", true), ("supportsAdvancedQueries", true), ("useStandardizedQueries", true),
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

  private func fields(_ schema: FeatureSchema) -> [JSONValue] {
    (addedField(schema).map { [Self.idJSON($0)] } ?? []) + schema.fields.map(\.serviceJSON)
  }
}

extension Field {
  /// The field as a service of the declared version has it.
  ///
  /// Types that came later are left out by older clients, among them QGIS before version 3.34: whole numbers of 64 bits
  /// are declared as decimal numbers, timestamps with an offset as timestamps, and dates without a time as text.
  var serviceJSON: JSONValue {
    let type =
      switch fieldType {
      case .int64: "esriFieldTypeDouble"
      case .dateOnly, .timeOnly: "esriFieldTypeString"
      case .timestampOffset: "esriFieldTypeDate"
      default: nil as String?
      }
    guard let type, var object = esriJSON.object else { return esriJSON }
    object["type"] = .string(type)
    return .object(object)
  }
}
