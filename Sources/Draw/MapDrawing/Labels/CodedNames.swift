import MapFeatures
import MapFilter
import MapModel

extension FeatureColumns {
  /// Returns the table with the names of coded values instead of their codes, for some fields and rows.
  ///
  /// A value without a name stays as labels write it.
  ///
  /// - Parameters:
  ///   - domains: the domains of fields that have none of their own, by their names in lower case.
  ///   - rows: the rows that are read; others are null in the changed fields.
  func namingCodes(
    of names: [String], domains: [String: FieldDomain], rows: RowSet
  ) -> FeatureColumns {
    var (fields, columns) = (schema.fields, self.columns)
    var isChanged = false
    for name in names {
      guard let index = schema.index(ofField: name),
        case .codedValues(_, let codes)? = fields[index].domain ?? domains[name.lowercased()]
      else { continue }
      let known = Dictionary(codes.map { (Self.key($0.code), $0.name) }) { first, _ in first }
      var values = [AttributeValue](repeating: .null, count: rowCount)
      for row in rows {
        let value = columns[index].value(at: row)
        guard value != .null else { continue }
        values[row] = .text(known[Self.key(value)] ?? value.labelText)
      }
      fields[index] = Field(name: fields[index].name, alias: fields[index].alias, type: .text)
      columns[index] = Column(of: values, type: .text)
      isChanged = true
    }
    guard isChanged else { return self }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: fields, geometryKind: schema.geometryKind, spatialReference: schema.spatialReference),
      columns: columns, geometry: geometry, rowCount: rowCount, objectIDs: objectIDs)
  }

  /// Returns a value in a form in which whole numbers equal decimal ones.
  private static func key(_ value: AttributeValue) -> AttributeValue {
    if case .integer(let number) = value { .real(Double(number)) } else { value }
  }
}
