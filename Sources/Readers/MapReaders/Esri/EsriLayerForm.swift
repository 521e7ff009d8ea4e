package import MapFeatures
package import MapGeometry
package import MapJSON

/// The structure of a layer's features by its definition, with the conversion of their attributes into columns.
package struct EsriLayerForm: Sendable {
  let columns: [EsriColumn]
  /// The kind of the geometries; nil for a table, or if the definition does not state it.
  package let kind: GeometryKind?
  /// The spatial reference of the coordinates; nil if it is unknown until a geometry is read.
  package let reference: SpatialReference?
  /// Warnings about fields that are left out.
  package let warnings: [String]

  /// Reads the fields and the geometry type of a layer definition.
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

  /// Creates a form from columns without geometry, such as those of statistics.
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

  /// The schema of tables that are read with this form.
  package var schema: FeatureSchema {
    FeatureSchema(
      fields: columns.map(\.field), geometryKind: kind, spatialReference: kind == nil ? nil : reference)
  }

  /// Reads one page of the layer's features, which must match this form.
  ///
  /// - Throws: `JSONDecodingError` with the path, also for a missing field and for coordinates in another spatial
  ///   reference.
  package func page(_ featureSet: JSONNode) throws(JSONDecodingError) -> FeatureColumns {
    try checkReference(of: featureSet)
    return try table(of: featureSet.required("features").elements(), isFirst: true)
  }

  /// Checks that a page has the spatial reference of this form.
  package func checkReference(of featureSet: JSONNode) throws(JSONDecodingError) {
    if let found = try EsriGeometryJSON.spatialReference(of: featureSet), kind != nil, let reference,
      found != reference
    {
      throw JSONDecodingError(
        .invalid("coordinates in \(found.wkid), but \(reference.wkid) was requested"),
        at: featureSet.path["spatialReference"])
    }
  }

  /// Reads some features of a page.
  ///
  /// - Parameter isFirst: Whether they are the first ones, which must have all fields.
  package func table(of features: [JSONNode], isFirst: Bool) throws(JSONDecodingError) -> FeatureColumns {
    if isFirst, let first = features.first {
      let attributes = try first.required("attributes").object()
      for column in columns where attributes.index(of: column.name) == nil {
        throw JSONDecodingError(.missing, at: first.path["attributes"][column.name])
      }
    }
    var parser = EsriFeatureSetParser(page: features, self)
    return try parser.page(as: schema)
  }
}
