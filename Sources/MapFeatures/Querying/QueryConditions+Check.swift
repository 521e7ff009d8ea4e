package import MapFilter

extension QueryConditions {
  /// Checks that an SQL text is a valid filter for a table; blank text is valid.
  ///
  /// - Cost: no row is read.
  /// - Throws: ``QueryConditionError``.
  package static func check(_ sql: String, _ kind: Kind, for schema: FeatureSchema)
    throws(QueryConditionError)
  {
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    try check(sql, in: .sqlWhere, kind, fields: fields)
  }

  /// Checks that a text in a filter language is a valid filter for a table with these fields; blank text is valid.
  ///
  /// - Throws: ``QueryConditionError``.
  package static func check(
    _ text: String, in language: FilterLanguage, _ kind: Kind, fields: FilterFields
  ) throws(QueryConditionError) {
    let read: FilterText?
    do { read = try FilterText(text, in: language) } catch {
      throw QueryConditionError(kind: kind, text: text, cause: .syntax(error), language: language)
    }
    do { try read?.check(against: fields) } catch {
      throw QueryConditionError(kind: kind, text: text, cause: .meaning(error), language: language)
    }
  }
}
