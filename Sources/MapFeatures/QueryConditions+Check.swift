package import MapFilter

extension QueryConditions {
  /// Refuses an SQL text that cannot be a filter of a table; blank text can.
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

  /// Refuses a text in a language that cannot be a filter of a table with these fields; blank text can.
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
