import MapJSON

extension FilterExpression {
  /// Returns the filter as text in a language.
  ///
  /// CQL2 text has the fewest parentheses that keep the tree. A part that the language lacks is written as another of
  /// the same meaning, if there is one. In a where clause, temporal predicates become comparisons. In CQL2, BETWEEN
  /// with the null rule of SQL becomes two comparisons. `fields` provides the types of fields, which tell dates from
  /// instants in where clauses; without it, all temporal fields count as instants.
  ///
  /// - Throws: ``FilterWritingError`` for a part that the language cannot express.
  package func text(
    in language: FilterLanguage, fields: FilterFields? = nil
  ) throws(FilterWritingError) -> String {
    switch language {
    case .sqlWhere:
      var writer = SQLWhereWriter(fields: fields)
      return try writer.text(self)
    case .cql2Text:
      var writer = CQL2TextWriter()
      try writer.condition(self, above: .or)
      return writer.text
    case .cql2JSON: return try CQL2JSONWriter.json(self).text()
    }
  }
}
