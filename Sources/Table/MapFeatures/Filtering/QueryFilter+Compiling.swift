package import MapFilter

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
