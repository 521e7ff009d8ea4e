package import MapFilter

extension FeatureColumns {
  /// Returns the rows for which a condition is true, among some rows; all of these for a blank condition.
  ///
  /// Spatial conditions are answered by the source of the table.
  /// - Throws: ``QueryConditionError`` for a filter that does not match the table, ``SpatialOperationError``.
  package func rows(
    passing filter: ParsedFilter, _ kind: QueryConditions.Kind, among candidates: RowSet, at now: Instant?
  ) throws -> RowSet {
    guard let filter = try QueryFilter(kind, filter) else { return candidates }
    let compiled = try filter.compiled(for: self, at: now)
    var answers: [SpatialQuestion: RowSet] = [:]
    for question in compiled.spatialQuestions where answers[question] == nil {
      answers[question] = try search?(question) ?? InMemorySource(self).rows(question)
    }
    return compiled.rows(in: self, among: candidates, answers: answers)
  }
}
