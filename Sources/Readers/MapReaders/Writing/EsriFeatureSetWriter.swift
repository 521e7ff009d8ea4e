package import MapFeatures
import MapFilter
import MapGeometry
package import MapJSON

extension EsriFeatureSet {
  /// Returns a table as an entry of a web map's `featureCollection.layers`: its fields and its features.
  ///
  /// Reading the result gives the same table, with timestamps to the millisecond.
  package static func json(_ table: FeatureColumns, name: String) -> JSONValue {
    var definition: JSONObject = ["name": .string(name)]
    var set = JSONObject()
    if let kind = table.schema.geometryKind {
      definition["geometryType"] = .string(kind.esriName)
      set["geometryType"] = .string(kind.esriName)
    }
    let fields = table.schema.fields
    if let id = fields.first(where: { $0.fieldType == .oid }) {
      definition["objectIdField"] = .string(id.name)
    }
    // No field type holds booleans: undeclared fields are read with their actual type.
    definition["fields"] = .array(
      zip(fields, table.columns).filter { $1.type != .boolean }.map { field, _ in field.esriJSON })
    if let reference = table.schema.spatialReference {
      set["spatialReference"] = ["wkid": .number(reference.wkid)]
    }
    set["features"] = .array(
      (0..<table.rowCount).map { row in
        var attributes = JSONObject()
        for (field, column) in zip(fields, table.columns) {
          attributes[field.name] = column.value(at: row).esriJSON
        }
        var feature: JSONObject = ["attributes": .object(attributes)]
        if let geometry = table.buffer(ofRow: row),
          let form = geometry.geometry(ofRow: row, spatialReference: nil)
        {
          feature["geometry"] = EsriGeometryJSON.json(form)
        }
        return .object(feature)
      })
    return ["layerDefinition": .object(definition), "featureSet": .object(set)]
  }
}

extension GeometryKind {
  /// The name in Esri JSON.
  package var esriName: String {
    switch self {
    case .point: "esriGeometryPoint"
    case .multipoint: "esriGeometryMultipoint"
    case .polyline: "esriGeometryPolyline"
    case .polygon: "esriGeometryPolygon"
    }
  }
}

extension Field {
  /// The field as Esri JSON, without members that have their default value.
  package var esriJSON: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "type": .string(EsriColumn.name(of: fieldType)), "alias": .string(alias),
    ]
    let usual = Field(name: name, type: fieldType)
    if length != usual.length { object["length"] = .number(length) }
    if isNullable != usual.isNullable { object["nullable"] = .boolean(isNullable) }
    if isEditable != usual.isEditable { object["editable"] = .boolean(isEditable) }
    if let domain { object["domain"] = domain.esriJSON }
    return .object(object)
  }
}

extension FieldDomain {
  /// The domain in the form that ``init(_:)`` reads.
  fileprivate var esriJSON: JSONValue {
    switch self {
    case .codedValues(let name, let values):
      [
        "type": "codedValue", "name": .string(name),
        "codedValues": .array(values.map { ["name": .string($0.name), "code": $0.code.esriJSON] }),
      ]
    case .range(let name, let least, let greatest):
      ["type": "range", "name": .string(name), "range": [least.esriJSON, greatest.esriJSON]]
    }
  }
}

extension AttributeValue {
  /// The value as an attribute of Esri JSON: timestamps in milliseconds since 1970.
  package var esriJSON: JSONValue {
    guard case .instant(let instant) = self else { return json }
    let (whole, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1000)
    return .number(Int(rest < 0 ? whole - 1 : whole))
  }
}
