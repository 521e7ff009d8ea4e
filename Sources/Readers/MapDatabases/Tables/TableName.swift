package import MapGeometry

/// The name of a table, and the kind of the geometries to read, in the fragment of an address.
///
/// - Source: PostgreSQL 15, 4.1.1: a name in double quotes may contain a dot.
package struct TableName: Equatable {
  /// The schema; nil takes the first in the search path that has the table.
  package let schema: String?
  package let table: String
  /// The kind of geometry after `/`; nil for the only one.
  package let kind: GeometryKind?

  /// Parses a fragment such as `public.roads`, `"a.b".roads` or `roads/polyline`; nil if it is no name.
  package init?(_ fragment: String) {
    var rest = Substring(fragment)
    var parts: [String] = []
    while true {
      guard let part = Self.part(&rest), !part.isEmpty else { return nil }
      parts.append(part)
      guard rest.first == "." else { break }
      rest = rest.dropFirst()
    }
    guard parts.count <= 2 else { return nil }
    if rest.isEmpty {
      kind = nil
    } else {
      guard rest.first == "/", let kind = GeometryKind(rawValue: String(rest.dropFirst())) else { return nil }
      self.kind = kind
    }
    (schema, table) = (parts.count == 2 ? parts[0] : nil, parts[parts.count - 1])
  }

  /// Takes a name, in quotes or up to a separator.
  private static func part(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let part = rest.prefix { $0 != "." && $0 != "/" }
      rest = rest[part.endIndex...]
      return String(part)
    }
    var name = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      if character == "\"" {
        guard rest.first == "\"" else { return name }
        rest = rest.dropFirst()
      }
      name.append(character)
    }
    return nil
  }

  /// Returns a name in double quotes, as statements contain it.
  package static func quoted(_ name: String) -> String {
    // Bytes, because a quotation mark with a combining character is another `Character`.
    "\"" + String(decoding: name.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }, as: UTF8.self) + "\""
  }

  /// Returns a name as a fragment of an address contains it: in quotes if it has a separator.
  package static func written(_ name: String) -> String {
    name.contains(where: { "./\"".contains($0) }) ? quoted(name) : name
  }
}
