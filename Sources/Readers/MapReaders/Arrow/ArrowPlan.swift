import MapFeatures
import MapGeometry

/// The fields, the geometry and the points that are read of Arrow data.
struct ArrowPlan: Sendable {
  let schema: ArrowSchema
  let geometry: ArrowGeometry?
  let options: ReadingOptions
  /// The fields that hold the coordinates of points; nil if there are geometries or others are requested.
  let points: ReadingOptions?
  /// The columns of the fields that are read, without rows.
  private(set) var columns: [ArrowColumn] = []
  /// The names of the columns of the table; the others only hold coordinates.
  private(set) var shown: [Bool] = []
  private(set) var warnings: [String] = []

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
    let read = schema.fields.indices.filter { $0 != geometry?.field && schema.fields[$0].type.field != nil }
    points = geometry == nil ? Self.points(schema, names, read, options) : nil
    let selection = wanted.among(
      read.map { names[$0] },
      geometryName: geometry.map { names[$0.field] } ?? points.map { _ in FeatureSchema.defaultGeometryName })
    let coordinates = [points?.xField, points?.yField]
    for index in read {
      guard let (type, kind) = schema.fields[index].type.field else { continue }
      let isShown = selection.contains(names[index])
      guard isShown || coordinates.contains(names[index]) else { continue }
      let field = Field(name: names[index], type: type, isNullable: schema.fields[index].isNullable)
      columns.append(ArrowColumn(field: index, DeclaredColumn(field, kind)))
      shown.append(isShown)
    }
    warnings =
      geo.warnings + (geometry?.warnings ?? []) + Self.warnings(schema.fields, names, geometry, geo)
  }

  /// Whether a field is read, as a column or as geometry.
  func reads(field index: Int) -> Bool {
    geometry?.field == index || columns.contains { $0.field == index }
  }

  /// The number of fields in a row whose values take no bytes.
  var emptyCells: Int { columns.count { schema.fields[$0.field].type == .null } }

  /// The name of the geometry in filters.
  var geometryName: String {
    geometry.map { FieldNames.distinct(schema.fields.map(\.name))[$0.field] }
      ?? FeatureSchema.defaultGeometryName
  }

  /// Returns the fields of coordinates by their names, which are those of CSV.
  private static func points(
    _ schema: ArrowSchema, _ names: [String], _ read: [Int], _ options: ReadingOptions
  ) -> ReadingOptions? {
    guard options.xField == nil else { return nil }
    let numbers = read.filter { index in
      switch schema.fields[index].type {
      case .integer, .real, .decimal: true
      default: false
      }
    }
    let candidates = numbers.map { names[$0] }
    var points = options
    if let (x, y) = CSVCoordinateNames.degreeColumns(candidates) {
      (points.xField, points.yField) = (candidates[x], candidates[y])
      points.sourceReference = options.sourceReference ?? .wgs84
    } else if let (x, y) = CSVCoordinateNames.planeColumns(candidates) {
      (points.xField, points.yField) = (candidates[x], candidates[y])
    } else {
      return nil
    }
    return points
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
      } else if field.type.field == nil, field.name != geometry?.boxField {
        warnings.append("field \(names[index]): values of type \(field.type.name) are not read")
      }
    }
    let renamed = fields.indices.filter { fields[$0].name != names[$0] }.map { names[$0] }
    if !renamed.isEmpty {
      let rest = renamed.count > 5 ? " and \(renamed.count - 5) more" : ""
      warnings.append(
        "fields: names that were empty or occurred before became \(renamed.prefix(5).joined(separator: ", "))\(rest)"
      )
    }
    return warnings
  }
}
