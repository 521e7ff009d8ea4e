package import MapFilter

extension QueryConditions {
  /// Checks that an SQL text is a valid filter for a table; blank text is valid.
  ///
  /// - Cost: no row is read.
  /// - Throws: ``QueryConditionError``.
  package static func check(_ filter: ParsedFilter, _ kind: Kind, for schema: FeatureSchema)
    throws(QueryConditionError)
  {
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    try check(filter, kind, fields: fields)
  }

  /// Checks that an SQL text is a valid filter for a source; blank text is valid.
  ///
  /// - Cost: no row is read; an error about texts in memory reads them.
  /// - Throws: ``QueryConditionError``.
  package static func check(
    _ filter: ParsedFilter, _ kind: Kind, for source: any FeatureSource
  ) throws(QueryConditionError) {
    do throws(QueryConditionError) {
      try check(filter, kind, for: source.schema)
    } catch {
      throw source.inMemory.map { error.refined(by: $0.columns()) } ?? error
    }
  }

  /// Checks that a text is a valid filter for a table with these fields; blank text is valid.
  ///
  /// - Throws: ``QueryConditionError``.
  package static func check(
    _ filter: ParsedFilter, _ kind: Kind, fields: FilterFields
  ) throws(QueryConditionError) {
    guard let read = try QueryFilter(kind, filter) else { return }
    do { try read.expression.check(against: fields, places: read.places) } catch {
      throw QueryConditionError(
        kind: kind, text: filter.text, cause: .meaning(error), language: filter.language)
    }
  }
}
