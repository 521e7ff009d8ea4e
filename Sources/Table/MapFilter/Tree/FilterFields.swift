import MapJSON

/// The rules by which a filter names the fields of a table.
package struct FilterNames: Hashable, Sendable {
  /// Whether names are case-sensitive.
  package var haveCase: Bool
  /// Whether the geometry has a name too.
  package var includeGeometry: Bool

  /// The rules of where clauses: names are not case-sensitive, and the geometry is queried apart from the clause.
  package static let ofWhereClauses = FilterNames(haveCase: false, includeGeometry: false)
  /// The rules of CQL2: names are case-sensitive and include the geometry.
  package static let ofCQL2 = FilterNames(haveCase: true, includeGeometry: true)
}

/// The fields that a filter may name, with their types.
package struct FilterFields: Sendable {
  /// The fields in column order; the type is nil where filters cannot use the field.
  package let fields: [(name: String, type: AttributeType?)]
  /// Whether names are case-sensitive.
  package let namesHaveCase: Bool
  private let exactNames: [String: Int]
  /// The first field with each name in lower case, and whether it is the only one.
  private let caselessNames: [String: (field: Int, isOnly: Bool)]

  /// Creates the fields from names and types.
  package init(_ fields: [(name: String, type: AttributeType?)], namesHaveCase: Bool = false) {
    (self.fields, self.namesHaveCase) = (fields, namesHaveCase)
    let names = fields.enumerated()
    exactNames = Dictionary(names.map { ($1.name, $0) }) { first, _ in first }
    caselessNames = Dictionary(names.map { ($1.name.lowercased(), ($0, true)) }) { first, _ in
      (first.0, false)
    }
  }

  /// Returns the index of a field by its exact name, else, without case-sensitivity, the only one that matches in another
  /// case.
  ///
  /// - Throws: ``FilterError`` with the nearest name when no field has that name, or several have it in other cases.
  package func index(of name: String) throws(FilterError) -> Int {
    if let index = exactNames[name] { return index }
    let caseless = caselessNames[name.lowercased()]
    if let caseless, caseless.isOnly, !namesHaveCase { return caseless.field }
    let nearest =
      caseless.map { fields[$0.field].name } ?? NearestName.of(name, among: fields.lazy.map(\.name))
    throw FilterError(
      .unknownField(Token.shortened(name), nearest: nearest),
      available: nearest == nil ? fields.map(\.name) : [], hasFields: !fields.isEmpty)
  }
}
