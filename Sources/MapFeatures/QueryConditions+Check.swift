import MapFilter

extension QueryConditions {
  /// Refuses an SQL text that cannot be a filter of a table; blank text can.
  ///
  /// - Cost: no row is read.
  /// - Throws: ``QueryConditionError``.
  package static func check(_ sql: String, _ kind: Kind, for schema: FeatureSchema)
    throws(QueryConditionError)
  {
    let read: FilterText?
    do { read = try FilterText(where: sql) } catch {
      throw QueryConditionError(kind: kind, text: sql, cause: .syntax(error))
    }
    let fields = schema.filterFields(types: schema.fields.map(\.type.attributeType), names: .ofWhereClauses)
    do { try read?.check(against: fields) } catch {
      throw QueryConditionError(kind: kind, text: sql, cause: .meaning(error))
    }
  }
}
