import MapJSON

/// How a filter names what a table has.
public struct FilterNames: Hashable, Sendable {
  /// True where the case of a name counts.
  public var haveCase: Bool
  /// True where the geometry has a name too.
  public var includeGeometry: Bool

  /// The names of where clauses: case does not count, and the geometry is asked for beside the clause.
  public static let ofWhereClauses = FilterNames(haveCase: false, includeGeometry: false)
  /// The names of CQL2: all that a table has, as it is spelt.
  public static let ofCQL2 = FilterNames(haveCase: true, includeGeometry: true)
}

/// The fields that a filter may name, with their types.
public struct FilterFields: Sendable {
  /// The fields, in the order of the columns; the type is nil where filters cannot use the field.
  public let fields: [(name: String, type: AttributeType?)]
  /// True where the case of a name counts.
  public let namesHaveCase: Bool
  private let exactNames: [String: Int]
  private let caselessNames: [String: Int]

  /// Fields by name and type.
  public init(_ fields: [(name: String, type: AttributeType?)], namesHaveCase: Bool = false) {
    (self.fields, self.namesHaveCase) = (fields, namesHaveCase)
    let names = fields.enumerated()
    exactNames = Dictionary(names.map { ($1.name, $0) }) { first, _ in first }
    caselessNames = Dictionary(names.map { ($1.name.lowercased(), $0) }) { first, _ in first }
  }

  /// The place of a field: its exact name first, else, where case does not count, the first that has it in another.
  ///
  /// - Throws: ``FilterError`` that names the nearest field when there is none of that name.
  public func index(of name: String) throws(FilterError) -> Int {
    if let index = exactNames[name] { return index }
    let caseless = caselessNames[name.lowercased()]
    if let caseless, !namesHaveCase { return caseless }
    throw FilterError(
      .unknownField(
        Token.shortened(name),
        nearest: caseless.map { fields[$0].name } ?? NearestName.of(name, among: fields.lazy.map(\.name))))
  }
}
