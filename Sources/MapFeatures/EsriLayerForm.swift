package import MapGeometry
package import MapJSON

/// What the features of a layer look like by its definition, and so how each of their attributes becomes a column.
package struct EsriLayerForm: Sendable {
  let columns: [EsriColumn]
  /// What the geometries are; nil where the definition does not say, and for a table.
  package let kind: GeometryKind?
  /// The reference of the coordinates; nil where it is not known before a geometry is read.
  package let reference: SpatialReference?
  /// The fields that are left out.
  package let warnings: [String]

  /// Reads fields and a type of geometry.
  package init(
    fields: JSONNode?, geometryType: JSONNode?, reference: SpatialReference?
  ) throws(JSONDecodingError) {
    let declared = try fields?.elements() ?? []
    if let fields, declared.count > FeatureSchema.fieldLimit {
      throw fields.invalid("\(declared.count) fields: a table has at most \(FeatureSchema.fieldLimit)")
    }
    var (columns, warnings) = ([EsriColumn](), [String]())
    for field in declared {
      if let column = try EsriColumn(field) {
        columns.append(column)
      } else {
        warnings.append("\(field.path): fields of this type are not read")
      }
    }
    kind = try geometryType.flatMap { type throws(JSONDecodingError) in try Self.kind(type) }
    (self.columns, self.warnings, self.reference) = (columns, warnings, reference)
  }

  /// Some columns beside each other, without geometry, such as those of figures.
  package init(columns: [EsriColumn]) {
    (self.columns, kind, reference, warnings) = (columns, nil, nil, [])
  }

  private static func kind(_ node: JSONNode) throws(JSONDecodingError) -> GeometryKind? {
    switch try node.string() {
    case "esriGeometryPoint": .point
    case "esriGeometryMultipoint": .multipoint
    case "esriGeometryPolyline": .polyline
    case "esriGeometryPolygon": .polygon
    case "esriGeometryNull": nil
    case let name: throw node.invalid("geometry type \"\(name)\" is not supported")
    }
  }

  /// The schema of tables that are read by it.
  package var schema: FeatureSchema {
    FeatureSchema(
      fields: columns.map(\.field), geometryKind: kind, spatialReference: kind == nil ? nil : reference)
  }

  /// Reads one page of the layer's features, which must be as the form says.
  ///
  /// - Throws: `JSONDecodingError` with the place, also for a field that the answer leaves out and for coordinates in
  ///   another reference.
  package func page(_ featureSet: JSONNode) throws(JSONDecodingError) -> FeatureColumns {
    let features = try featureSet.required("features").elements()
    if let found = try EsriGeometryJSON.spatialReference(of: featureSet), kind != nil, let reference,
      found != reference
    {
      throw JSONDecodingError(
        .invalid("coordinates in \(found.wkid) where \(reference.wkid) was asked for"),
        at: featureSet.path["spatialReference"])
    }
    if let first = features.first {
      let attributes = try first.required("attributes").object()
      for column in columns where attributes.index(of: column.name) == nil {
        throw JSONDecodingError(.missing, at: first.path["attributes"][column.name])
      }
    }
    var parser = EsriFeatureSetParser(page: features, self)
    return try parser.page(as: schema)
  }
}
