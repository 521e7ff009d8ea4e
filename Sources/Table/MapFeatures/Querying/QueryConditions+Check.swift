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

extension QueryConditionError {
  /// Returns the error for a table, whose texts decide whether advice to cast them leads to rows.
  package func refined(by table: FeatureColumns) -> QueryConditionError {
    guard case .meaning(let error) = cause, let cast = error.cast,
      let index = table.schema.index(ofField: cast.field),
      case .text(_, let texts) = table.columns[index].storage
    else { return self }
    return QueryConditionError(
      kind: kind, text: text, cause: .meaning(error.refined(byTexts: texts)), language: language)
  }
}

extension QueryFilter {
  /// Returns the filter for a table.
  ///
  /// - Throws: ``QueryConditionError``.
  func compiled(for table: FeatureColumns, at now: Instant?) throws(QueryConditionError) -> CompiledFilter {
    do throws(QueryConditionError) {
      return try compiled(table.schema, types: table.columns.map(\.type), at: now)
    } catch {
      throw error.refined(by: table)
    }
  }

  /// Returns the filter for tables whose columns have the given types.
  ///
  /// - Throws: ``QueryConditionError``.
  package func compiled(
    _ schema: FeatureSchema, types: [AttributeType?], at now: Instant?
  ) throws(QueryConditionError) -> CompiledFilter {
    do {
      return try CompiledFilter(
        expression, schema: schema, types: types, now: now, places: places, names: names)
    } catch {
      throw QueryConditionError(kind: kind, text: text, cause: .meaning(error), language: language)
    }
  }
}
