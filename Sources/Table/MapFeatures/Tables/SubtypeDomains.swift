package import MapFilter
package import MapJSON

/// The subtypes of a table: their names, and the domains of fields in their rows.
///
/// - Source: ArcGIS REST API, layer of a feature service: `subtypes` by the values of `subtypeField`, or else `types` by
///   those of `typeIdField`.
package struct SubtypeDomains: Hashable, Sendable {
  /// A subtype.
  package struct Subtype: Hashable, Sendable {
    /// The display name; may be empty.
    package let name: String
    /// The domains of fields, by their names in lower case, without those that are inherited from the table.
    package let domains: [String: FieldDomain]
  }

  /// The field with the codes of the subtypes.
  package let field: String
  private let subtypes: [AttributeValue: Subtype]

  /// Reads the subtypes in the description of a table; nil if it has none.
  package init?(_ resource: JSONValue?) {
    let kinds = [("subtypeField", "subtypes", "code"), ("typeIdField", "types", "id")]
    for (member, list, code) in kinds {
      guard let field = resource?[member]?.string, !field.isEmpty else { continue }
      var subtypes: [AttributeValue: Subtype] = [:]
      for entry in resource?[list]?.array ?? [] {
        guard let key = entry[code].flatMap(Self.key) else { continue }
        var domains: [String: FieldDomain] = [:]
        for item in entry["domains"]?.object?.members ?? [] {
          if let domain = try? FieldDomain(JSONNode(item.value)) { domains[item.name.lowercased()] = domain }
        }
        subtypes[key] = Subtype(name: entry["name"]?.string ?? "", domains: domains)
      }
      (self.field, self.subtypes) = (field, subtypes)
      return
    }
    return nil
  }

  /// Returns the subtype of a row by its value in ``field``; nil for an unknown code.
  package subscript(code: AttributeValue) -> Subtype? {
    subtypes[code] ?? Self.other(code).flatMap { subtypes[$0] }
  }

  /// Returns the names of the subtypes, as a domain of ``field``; nil for another field.
  package func names(of field: String) -> FieldDomain? {
    guard field.lowercased() == self.field.lowercased() else { return nil }
    return .codedValues(name: "", subtypes.map { FieldDomain.CodedValue(name: $1.name, code: $0) })
  }

  /// Whether a subtype has a domain of a field.
  package func haveDomain(of field: String) -> Bool {
    subtypes.values.contains { $0.domains[field.lowercased()] != nil }
  }

  private static func key(_ value: JSONValue) -> AttributeValue? {
    value.integer.map { .integer(Int64($0)) } ?? value.string.map { .text($0) }
  }

  /// The code as a number instead of text, or the other way round: services write them in either way.
  private static func other(_ code: AttributeValue) -> AttributeValue? {
    switch code {
    case .integer(let number): .text(String(number))
    case .text(let text): Int64(text).map { .integer($0) }
    case .real(let number): Int64(exactly: number).map { .integer($0) }
    default: nil
    }
  }
}
