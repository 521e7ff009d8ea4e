public import MapFilter

/// A selection of the fields to read from a file: all, or some by name.
///
/// Apart from the missing fields, a selection changes nothing: rows, geometries, ids and order are those of the whole
/// table. Names ignore case. If the table lacks a requested field, all fields are read, so that an error can list them.
/// Values of other fields are not read and cause no warnings.
public struct FieldSelection: Hashable, Sendable {
  /// The names in lower case; nil means all fields.
  private var names: Set<String>?

  /// The selection of all fields.
  public static let all = FieldSelection(names: nil)

  private init(names: Set<String>?) { self.names = names }

  /// Creates a selection of fields by their names.
  public init(_ names: some Sequence<String>) { self.names = Set(names.map { $0.lowercased() }) }

  /// Creates a selection of the fields in a filter; of no fields if the filter does not parse.
  public init(filter: ParsedFilter) { self.init(filter.fieldNames) }

  /// Returns the fields of both selections.
  public func union(_ other: FieldSelection) -> FieldSelection {
    guard let names, let others = other.names else { return .all }
    return FieldSelection(names: names.union(others))
  }

  /// Whether a field is read.
  package func contains(_ name: String) -> Bool { names?.contains(name.lowercased()) ?? true }

  /// Returns the selection for a table with these fields: all fields if the table lacks a requested one.
  ///
  /// - Parameter geometryName: The name of the geometry in filters; nil for a table without geometry.
  package func among(_ fields: some Sequence<String>, geometryName: String?) -> FieldSelection {
    guard var missing = names else { return .all }
    for field in fields { missing.remove(field.lowercased()) }
    if let geometryName { missing.remove(geometryName.lowercased()) }
    return missing.isEmpty ? self : .all
  }
}
