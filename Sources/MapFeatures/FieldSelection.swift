import MapFilter

/// Which fields of a table are read from its file: all, or those that are asked for by name.
///
/// A table read so is the same table with fewer fields: its rows, geometries, ids and order are those of the whole. A name
/// counts in any case. Where the table lacks one that is asked for, all fields are read, so that whoever misses it can
/// name those that there are. Values of fields that are not read are not looked at, and not warned of.
public struct FieldSelection: Hashable, Sendable {
  /// The names in lower case; nil is all fields.
  private var names: Set<String>?

  /// All fields.
  public static let all = FieldSelection(names: nil)

  private init(names: Set<String>?) { self.names = names }

  /// The fields of these names.
  public init(_ names: some Sequence<String>) { self.names = Set(names.map { $0.lowercased() }) }

  /// The fields that a where clause names; none for one that cannot be read, which asks for nothing but an error.
  public init(where clause: String) {
    self.init((try? FilterText(where: clause))?.expression.propertyNames ?? [])
  }

  /// The fields that CQL2, as text or as JSON, names; none for what cannot be read.
  public init(cql2 text: String) {
    self.init((try? FilterText(cql2: text))?.expression.propertyNames ?? [])
  }

  /// The fields of both.
  public func union(_ other: FieldSelection) -> FieldSelection {
    guard let names, let others = other.names else { return .all }
    return FieldSelection(names: names.union(others))
  }

  /// True for a field that is read.
  package func contains(_ name: String) -> Bool { names?.contains(name.lowercased()) ?? true }

  /// The selection for a table that has these fields: all of them where it lacks one that is asked for.
  ///
  /// - Parameter geometryName: what filters call the geometry; nil for a table without.
  package func among(_ fields: some Sequence<String>, geometryName: String?) -> FieldSelection {
    guard var missing = names else { return .all }
    for field in fields { missing.remove(field.lowercased()) }
    if let geometryName { missing.remove(geometryName.lowercased()) }
    return missing.isEmpty ? self : .all
  }
}
