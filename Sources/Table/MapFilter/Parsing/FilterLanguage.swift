/// A language of filters.
public enum FilterLanguage: String, CaseIterable, Hashable, Sendable {
  /// The where clause of ArcGIS services.
  case sqlWhere = "sql"
  /// CQL2 in its text encoding.
  case cql2Text = "cql2-text"
  /// CQL2 in its JSON encoding.
  case cql2JSON = "cql2-json"

  /// The rules by which the language names fields.
  ///
  /// - Source: SQL-92 5.2, where names without quotes are not case-sensitive; OGC 21-065 (CQL2), where they are.
  package var names: FilterNames { self == .sqlWhere ? .ofWhereClauses : .ofCQL2 }
}
