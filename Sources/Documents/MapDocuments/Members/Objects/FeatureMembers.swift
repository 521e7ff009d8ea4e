import MapJSON

/// Members of features in a document, and of their fields.
extension DocumentObject {
  static let featureSetMembers: [DocumentMember] = .of(
    .read(.list(.members(.feature)), "features"),
    .read(.list(.members(.field)), "fields"),
    .read(.text, "geometryType"),
    .read(.members(.spatialReference), "spatialReference"),
    .read(.text, "objectIdFieldName"),
    .notDrawn(
      .anything, "exceededTransferLimit", "some features are missing: the service reached its limit",
      drawn: false, 0, "false"),
    .notDrawn(.object, "transform", "not applied: coordinates are used as written", drawn: [:]),
    .noEffect(.text, "displayFieldName", "globalIdFieldName", "name", "type"),
    .noEffect(.boolean, "hasZ", "hasM"),
    .noEffect(.object, "fieldAliases", "uniqueIdField", "geometryProperties", "crs"))

  static let featureMembers: [DocumentMember] = .of(
    .read(.object, "attributes"),
    .read(.members(.geometry), "geometry"),
    // Counted and reported for the whole table.
    .noEffect(.members(.symbol), "symbol"),
    .noEffect(.object, "popupInfo", "popupTemplate", "infoTemplate", "centroid", "aggregateGeometries"))

  static let fieldMembers: [DocumentMember] = .of(
    .read(.text, "name", "type", "alias"),
    .read(.number, "length"),
    .aside(.boolean, "nullable", "editable"),
    .read(.members(.domain), "domain"),
    .noEffect(.text, "modelName", "sqlType", "description", "actualType", "tooltip", "fieldName"),
    .noEffect(.boolean, "visible", "required"),
    .noEffect(.number, "precision", "parameterId"),
    .noEffect(.anything, "defaultValue"))

  static let domainMembers: [DocumentMember] = .of(
    .read(.word(["codedValue", "range", "inherited"]), "type"),
    .read(.text, "name"),
    .read(.list(.members(.codedValue)), "codedValues"),
    .read(.list(.either(.number, .text)), "range"),
    .noEffect(.text, "description", "mergePolicy", "splitPolicy", "fieldType"))

  static let codedValueMembers: [DocumentMember] = .of(
    .read(.text, "name"),
    .read(.either(.number, .text), "code"))
}
