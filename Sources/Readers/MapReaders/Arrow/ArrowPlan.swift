import MapFeatures
import MapGeometry

/// The fields, the geometry and the points that are read of Arrow data.
struct ArrowPlan: Sendable {
  let schema: ArrowSchema
  private(set) var geometry: ArrowGeometry?
  let options: ReadingOptions
  /// The names of fields that are the geometry if their first text is well-known text, the first one before the others.
  let texts: [String]
  /// The fields that hold the coordinates of points; nil if there are geometries or others are requested.
  let points: ReadingOptions?
  /// The names of fields that may hold coordinates and are not read as such; nil if there are none or others are read.
  let possible: (x: String, y: String)?
  /// The columns of the fields that are read, without rows.
  private(set) var columns: [ArrowColumn] = []
  /// Whether each column is one of the table; the others only hold geometries or coordinates, or may hold them.
  private(set) var shown: [Bool] = []
  var warnings: [String] = []

  /// Chooses the fields and the geometry.
  ///
  /// - Throws: ``ArrowError`` for geometries whose spatial reference is unknown.
  init(_ schema: ArrowSchema, wanted: FieldSelection, options: ReadingOptions) throws(ArrowError) {
    (self.schema, self.options) = (schema, options)
    let geo = GeoMetadata(of: schema)
    let geometry = try ArrowGeometry.find(in: schema, geo)
    self.geometry = geometry
    if let unknown = geometry?.unknownReference, options.sourceReference == nil {
      throw ArrowError(
        "its spatial reference \"\(unknown.name)\" has no EPSG code; name one with --source-reference",
        definition: unknown.definition)
    }
    let names = FieldNames.distinct(schema.fields.map(\.name))
    let read = schema.fields.indices.filter {
      $0 != geometry?.field && Self.type(of: schema.fields[$0], at: $0, geometry, geo) != nil
    }
    (points, possible) = geometry == nil ? Self.points(schema, names, read, options) : (nil, nil)
    let mayBeText = geometry == nil && options.xField == nil
    texts = (mayBeText ? CSVCoordinateNames.texts : []).flatMap { text in
      read.filter { schema.fields[$0].type.isText }.map { names[$0] }.filter { $0.lowercased() == text }
    }
    let named = geometry.map { names[$0.field] }
    let hasPlaces = points != nil || !texts.isEmpty
    let selection = wanted.among(
      read.map { names[$0] }, geometryName: named ?? (hasPlaces ? FeatureSchema.defaultGeometryName : nil))
    let places = [points?.xField, points?.yField, possible?.x, possible?.y].compactMap { $0 } + texts
    for index in read {
      guard let (type, kind) = schema.fields[index].column else { continue }
      let isShown = selection.contains(names[index])
      guard isShown || places.contains(names[index]) else { continue }
      let field = Field(name: names[index], type: type, isNullable: schema.fields[index].isNullable)
      let nested = schema.fields[index].isNested ? schema.fields[index] : nil
      columns.append(ArrowColumn(field: index, DeclaredColumn(field, kind), nested: nested))
      shown.append(isShown)
    }
    warnings =
      geo.warnings + (geometry?.warnings ?? []) + Self.warnings(schema.fields, names, geometry, geo)
  }

  /// Returns the type of a field as a column; nil for one that is not read, among them geometries and their boxes.
  private static func type(
    of field: ArrowField, at index: Int, _ geometry: ArrowGeometry?, _ geo: GeoMetadata
  ) -> FieldType? {
    if field.isNested {
      let isShape =
        field.extensionName?.hasPrefix("geoarrow.") ?? false || geo.encoding(ofField: index) != nil
      guard !isShape, field.name != geometry?.boxField else { return nil }
    }
    return field.column?.0
  }

  /// Whether a field is read, as a column or as geometry.
  func reads(field index: Int) -> Bool {
    geometry?.field == index || columns.contains { $0.field == index }
  }

  /// The plan for the fields alone.
  var withoutGeometry: ArrowPlan {
    var plan = self
    let notes = geometry?.warnings ?? []
    plan.geometry = nil
    plan.warnings.removeAll { notes.contains($0) }
    return plan
  }

  /// The number of fields in a row whose values take no bytes.
  var emptyCells: Int { columns.count { schema.fields[$0.field].type == .null } }

  /// The name of the geometry in filters.
  var geometryName: String {
    geometry.map { FieldNames.distinct(schema.fields.map(\.name))[$0.field] }
      ?? FeatureSchema.defaultGeometryName
  }

  /// Chooses the fields of coordinates by their names, which are those of CSV; texts are never read as coordinates.
  private static func points(
    _ schema: ArrowSchema, _ names: [String], _ read: [Int], _ options: ReadingOptions
  ) -> (points: ReadingOptions?, possible: (x: String, y: String)?) {
    guard options.xField == nil else { return (nil, nil) }
    let numbers = read.filter { schema.fields[$0].type.isNumber }.map { names[$0] }
    var points = options
    switch CSVCoordinateNames.choice(
      numbers, hasReference: options.sourceReference != nil, areNumbers: { _, _ in true },
      areDegrees: { _, _ in false })
    {
    case .degrees(let x, let y, _):
      (points.xField, points.yField) = (numbers[x], numbers[y])
      points.sourceReference = options.sourceReference ?? .wgs84
      return (points, nil)
    case .unknownUnit(let x, let y):
      (points.xField, points.yField) = (numbers[x], numbers[y])
      return (points, nil)
    case .possible, nil: break
    }
    let candidates = read.filter { schema.fields[$0].type.isNumber || schema.fields[$0].type.isText }
      .map { names[$0] }
    switch CSVCoordinateNames.choice(
      candidates, hasReference: false, areNumbers: { _, _ in true }, areDegrees: { _, _ in true })
    {
    case .degrees(let x, let y, _), .unknownUnit(let x, let y), .possible(let x, let y):
      return (nil, (candidates[x], candidates[y]))
    case nil: return (nil, nil)
    }
  }

  /// Returns the warnings about fields that are not read or have another name.
  private static func warnings(
    _ fields: [ArrowField], _ names: [String], _ geometry: ArrowGeometry?, _ geo: GeoMetadata
  ) -> [String] {
    var warnings: [String] = []
    for (index, field) in fields.enumerated() where index != geometry?.field {
      let typed = field.extensionEncoding.flatMap {
        !field.type.isText || $0 == "wkt" ? "geoarrow.\($0)" : nil
      }
      if let encoding = typed ?? geo.encoding(ofField: index) {
        warnings.append(
          geometry.map { "field \(names[index]): only one geometry, \(names[$0.field]), is read" }
            ?? "field \(names[index]): geometries of type \(encoding) are not read")
      } else if field.column == nil, field.name != geometry?.boxField {
        warnings.append("field \(names[index]): values of type \(field.type.name) are not read")
      }
    }
    return warnings + FieldNames.warnings(names, written: fields.map(\.name))
  }
}
