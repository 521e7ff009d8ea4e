extension Field {
  /// Returns the field with a domain; the codes have the type of the stored values.
  fileprivate func with(domain: FieldDomain) -> Field {
    Field(
      name: name, alias: alias, type: fieldType, domain: domain.stored(as: fieldType), length: length,
      isNullable: isNullable, isEditable: isEditable)
  }
}

extension FeatureColumns {
  /// Returns the table with domains for fields, by their names in lower case.
  ///
  /// - Parameter replacing: whether they replace those that fields have already.
  package func with(domains: [String: FieldDomain], replacing: Bool = false) -> FeatureColumns {
    let fields = schema.fields.map { field in
      guard replacing || field.domain == nil, let domain = domains[field.name.lowercased()] else {
        return field
      }
      return field.with(domain: domain)
    }
    return with(fields: fields, columns)
  }
}
