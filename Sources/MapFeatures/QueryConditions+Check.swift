import MapFilter

extension QueryConditions {
  /// Refuses an SQL text that cannot be a filter of a table; blank text can.
  ///
  /// - Cost: no row is read.
  /// - Throws: ``QueryConditionError``.
  package static func check(_ sql: String, _ kind: Kind, for schema: FeatureSchema)
    throws(QueryConditionError)
  {
    let expression: Expression?
    do { expression = try SQLWhereParser.parse(sql) } catch {
      throw QueryConditionError(kind: kind, text: sql, cause: .syntax(error))
    }
    guard let expression else { return }
    do { _ = try CompiledFilter(expression, schema: schema) } catch {
      throw QueryConditionError(kind: kind, text: sql, cause: .meaning(error))
    }
  }
}
