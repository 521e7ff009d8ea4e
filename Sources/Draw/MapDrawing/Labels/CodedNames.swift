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
  ///   - subtypes: the domains by the subtype of a row, which come first; nil for none.
  ///   - rows: the rows that are read; others are null in the changed fields.
  func namingCodes(
    of names: [String], domains: [String: FieldDomain], subtypes: SubtypeDomains?, rows: RowSet
  ) -> FeatureColumns {
    var (fields, columns) = (schema.fields, self.columns)
    var isChanged = false
    for name in names {
      guard let index = schema.index(ofField: name) else { continue }
      let common = Self.names(
        fields[index].domain ?? domains[name.lowercased()] ?? subtypes?.names(of: name))
      // The names by the codes of subtypes with a domain of their own, each read once.
      let subtypeColumn = subtypes.flatMap { subtypes in
        subtypes.haveDomain(of: name) ? schema.index(ofField: subtypes.field) : nil
      }
      var ofSubtypes: [AttributeValue: [AttributeValue: String]] = [:]
      guard common != nil || subtypeColumn != nil else { continue }
      var values = [AttributeValue](repeating: .null, count: rowCount)
      for row in rows {
        let value = columns[index].value(at: row)
        guard value != .null else { continue }
        var known = common
        if let subtypeColumn {
          let code = self.columns[subtypeColumn].value(at: row)
          if ofSubtypes[code] == nil {
            ofSubtypes[code] = Self.names(subtypes?[code]?.domains[name.lowercased()]) ?? common ?? [:]
          }
          known = ofSubtypes[code]
        }
        values[row] = .text(known?[Self.key(value)] ?? value.labelText)
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

  /// Returns the names by the codes of a domain; nil without a list of codes.
  private static func names(_ domain: FieldDomain?) -> [AttributeValue: String]? {
    guard case .codedValues(_, let codes)? = domain else { return nil }
    return Dictionary(codes.map { (key($0.code), $0.name) }) { first, _ in first }
  }

  /// Returns a value in a form in which whole numbers equal decimal ones.
  private static func key(_ value: AttributeValue) -> AttributeValue {
    if case .integer(let number) = value { .real(Double(number)) } else { value }
  }
}
