/// Names in a text; a name in double quotes may contain the separators.
package enum QuotedNames {
  /// Returns the parts between separators that are not in quotes; the parts keep their quotes.
  package static func split(_ text: String, at separator: Character) -> [String] {
    var (parts, isQuoted) = ([""], false)
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    // A quote without its end is part of a name.
    return isQuoted
      ? text.split(separator: separator, omittingEmptySubsequences: false).map(String.init) : parts
  }

  /// Returns a name without its quotes.
  package static func unquoted(_ name: String) -> String {
    guard name.count > 2, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }
}
