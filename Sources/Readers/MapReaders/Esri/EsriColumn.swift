package import MapFeatures
import MapFilter
import MapJSON

/// A field of a layer definition, with the conversion of its attributes into a column.
package struct EsriColumn: Sendable {
  /// The name of the attribute.
  let name: String
  let field: Field

  /// Creates a column from a field whose attribute has another name.
  package init(_ field: Field, attribute name: String) { (self.field, self.name) = (field, name) }

  /// Reads a field; nil for types whose values a table cannot store.
  init?(_ node: JSONNode) throws(JSONDecodingError) {
    let type = try node.required("type")
    name = try node.required("name").string()
    guard let known = Self.types[try type.string()] else {
      let name = type.value.string ?? ""
      let nearest = NearestName.of(name, among: Self.types.keys.sorted()).map { "; did you mean \"\($0)\"?" }
      throw type.invalid("field type \"\(name)\" is not known\(nearest ?? "")")
    }
    guard let known else { return nil }
    let domain = try node["domain"].flatMap { domain throws(JSONDecodingError) in try FieldDomain(domain) }
    field = Field(
      name: name, alias: try node.string("alias"), type: known, domain: domain,
      length: try node.integer("length") ?? 0, isNullable: try node.boolean("nullable"),
      isEditable: try node.boolean("editable"))
  }

  /// The field types by their Esri names; nil for types that are not read.
  private static let types: [String: FieldType?] = [
    "esriFieldTypeSmallInteger": .int16, "esriFieldTypeInteger": .int32, "esriFieldTypeBigInteger": .int64,
    "esriFieldTypeSingle": .float32, "esriFieldTypeDouble": .float64, "esriFieldTypeString": .text,
    "esriFieldTypeDate": .date, "esriFieldTypeDateOnly": .dateOnly, "esriFieldTypeTimeOnly": .timeOnly,
    "esriFieldTypeTimestampOffset": .timestampOffset, "esriFieldTypeOID": .oid,
    "esriFieldTypeGlobalID": .globalID,
    "esriFieldTypeGUID": .guid, "esriFieldTypeXML": .xml, "esriFieldTypeBlob": nil,
    "esriFieldTypeRaster": nil,
    "esriFieldTypeGeometry": nil,
  ]

  /// Returns the Esri name of a type; the name of text for types that are not read.
  static func name(of type: FieldType) -> String {
    types.first { $0.value == type }?.key ?? "esriFieldTypeString"
  }

  // MARK: Declared fields

  /// Returns the column of this field over all features.
  func finished(_ features: [JSONNode]) throws(JSONDecodingError) -> FinishedColumn {
    switch field.fieldType {
    case .int16, .int32, .int64, .oid:
      return try column(features, missing: 0, Self.integer) { .integers($0) }
    case .float32, .float64:
      return try column(features, missing: 0, Self.real) { .reals($0) }
    case .date, .timestampOffset:
      let found = try column(features, missing: 0, Self.instant) { .instants($0) }
      let cut = features.count { $0["attributes"]?[name].map(Self.isCut) ?? false }
      return FinishedColumn(
        field: field, column: found.column,
        warnings: DeclaredColumn.cutWarnings(field: field.name, cut))
    case .dateOnly:
      return try column(features, missing: 0, Self.date) { .dates($0) }
    case .text, .timeOnly, .globalID, .guid, .xml, .blob, .raster, .geometry:
      var texts = TextTable()
      let codes: (JSONNode) throws(JSONDecodingError) -> Int32? = { (node) throws(JSONDecodingError) in
        let text = Array(try node.string().utf8)
        return texts.code(of: text, 0..<text.count)
      }
      let (values, rows) = try values(features, missing: -1, codes)
      let storage = Column.Storage.text(codes: values, dictionary: (0..<texts.count).map { texts.text($0) })
      return FinishedColumn(
        field: field, column: Column(storage, validity: Self.validity(rows)), warnings: [])
    }
  }

  private func column<Value>(
    _ features: [JSONNode], missing: Value, _ read: (JSONNode) throws(JSONDecodingError) -> Value?,
    _ storage: ([Value]) -> Column.Storage
  ) throws(JSONDecodingError) -> FinishedColumn {
    let (values, rows) = try values(features, missing: missing, read)
    return FinishedColumn(
      field: field, column: Column(storage(values), validity: Self.validity(rows)), warnings: [])
  }

  private func values<Value>(
    _ features: [JSONNode], missing: Value, _ read: (JSONNode) throws(JSONDecodingError) -> Value?
  ) throws(JSONDecodingError) -> (values: [Value], rows: RowSet) {
    var values: [Value] = []
    values.reserveCapacity(features.count)
    var rows = RowSet(rowCount: features.count)
    for (row, feature) in features.enumerated() {
      let node = feature["attributes"]?[name]
      if let node, let value = try read(node) {
        values.append(value)
        rows.insert(row)
      } else {
        values.append(missing)
      }
    }
    return (values, rows)
  }

  private static func validity(_ rows: RowSet) -> RowSet? { rows.count == rows.rowCount ? nil : rows }

  private static func integer(_ node: JSONNode) throws(JSONDecodingError) -> Int64? {
    Int64(try node.integer())
  }

  /// Reads a decimal; "NaN", which services write for a missing value, is null.
  private static func real(_ node: JSONNode) throws(JSONDecodingError) -> Double? {
    node.value.string == "NaN" ? nil : try node.double()
  }

  /// Reads milliseconds since 1970, or a date-time as text.
  private static func instant(_ node: JSONNode) throws(JSONDecodingError) -> Int64? {
    if case .string(let text) = node.value {
      guard let instant = Instant(rfc3339: text) ?? CalendarDate(iso8601: text)?.start else {
        throw node.invalid("\"\(text)\" is not a date: milliseconds since 1970 are expected")
      }
      return instant.microseconds
    }
    let milliseconds = try node.double()
    guard
      let instant = Int64(exactly: milliseconds.rounded(.down)).flatMap({ Instant(epochMilliseconds: $0) })
    else {
      throw node.invalid("\(node.value.text()) milliseconds since 1970 lie outside the years 1 to 9999")
    }
    return instant.microseconds
  }

  /// Whether a number has a fraction of a millisecond, or a text digits below a microsecond.
  private static func isCut(_ node: JSONNode) -> Bool {
    switch node.value {
    case .string(let text):
      let bytes = Array(text.utf8)
      return TypedTexts.moment(bytes, bytes.indices)?.isCut ?? false
    case .number(let number): return number.double != number.double.rounded(.down)
    default: return false
    }
  }

  private static func date(_ node: JSONNode) throws(JSONDecodingError) -> Int32? {
    let text = try node.string()
    guard let date = CalendarDate(iso8601: text) else {
      throw node.invalid("\"\(text)\" is not a date yyyy-mm-dd")
    }
    return date.days
  }

  // MARK: Fields that are not declared

  /// Returns the column of an undeclared attribute, with the narrowest type that suits its values.
  static func inferred(_ name: String, _ features: [JSONNode]) throws(JSONDecodingError) -> FinishedColumn {
    // Write the values as JSON text, so that one column builder serves both documents and parsed values.
    var writer = JSONWriter()
    for feature in features {
      writer.append(feature["attributes"]?.value[name] ?? .null)
      writer.append(raw: "\n")
    }
    var scanner = JSONScanner(writer.bytes)
    var column = ColumnBuilder()
    for feature in features {
      guard let token = try? PropertyToken(reading: &scanner) else {
        throw feature.invalid("attribute \(name) cannot be read")
      }
      token.append(to: &column, in: scanner.bytes)
    }
    return column.finished(name: name)
  }
}
