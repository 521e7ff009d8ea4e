import MapJSON
import MapModel
package import MapState

/// A text with fields in braces, such as `out/{NAME}.png`; `{{` and `}}` are single braces.
package struct NameTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    case field(String)
  }

  private let parts: [Part]

  /// Reads a template.
  ///
  /// - Throws: `MapStateError` of kind usage for a brace without its counterpart.
  package init(_ text: String) throws(MapStateError) {
    var parts: [Part] = []
    var (literal, rest) = ("", Substring(text))
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        literal.append(character)
        continue
      }
      if rest.first == character {
        rest.removeFirst()
        literal.append(character)
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}") else {
        throw MapStateError(
          .usage, "\(text): a brace without its counterpart; write {FIELD}, or {{ and }} for braces")
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      parts.append(.field(String(rest[..<end])))
      (literal, rest) = ("", rest[rest.index(after: end)...])
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  /// The names of the fields.
  package var fields: [String] {
    parts.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// Returns the text with the values of the fields.
  package func text(_ value: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name): value(name)
      }
    }.joined()
  }

  /// Returns the text as a path; a value is only a part of a name and never leads to another folder.
  package func path(_ value: (String) -> String) -> String { text { Self.name(value($0)) } }

  /// The largest number of bytes of a value in a name.
  ///
  /// - Source: design decision; names of files may have 255 bytes.
  private static let valueBytes = 80

  /// Returns a value as part of a file name: other characters than letters, digits, `-` and `_` become `_`.
  static func name(_ value: String) -> String {
    var name = ""
    for scalar in value.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
      let next = isPlain ? Character(scalar) : "_"
      if next == "_", name.last == "_" { continue }
      guard name.utf8.count + String(next).utf8.count <= valueBytes else { break }
      name.append(next)
    }
    while name.last == "_" { name.removeLast() }
    while name.first == "_" { name.removeFirst() }
    return name.isEmpty ? "_" : name
  }
}
