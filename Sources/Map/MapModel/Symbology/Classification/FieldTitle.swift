package import MapFeatures

/// The names of fields as the title of a legend.
///
/// An alias stays as it is. A name without one becomes words: `_` is a blank, `medianAge` is "Median age", a few
/// abbreviations are written out, words of four capitals and more are written small, and the first word begins with a
/// capital. Nothing is added that the name does not state, such as a unit.
package enum FieldTitle {
  /// The abbreviations that are written out.
  ///
  /// - Source: design decision: those of field names in common data that have one meaning.
  private static let words = [
    "pop": "population", "est": "estimate", "pct": "percent", "avg": "average", "num": "number",
    "cntry": "country",
    "elev": "elevation",
  ]

  /// Returns the aliases or names of fields, with a slash between a number and its divisor.
  package static func text(of names: [String], in fields: [Field]) -> String {
    let found = names.map { name in
      fields.first { $0.name == name } ?? fields.first { $0.name.lowercased() == name.lowercased() }
    }
    let parts = zip(names, found).map { name, field in
      guard let field else { return readable(name) }
      return field.alias == field.name ? readable(field.name) : field.alias
    }
    let text = parts.joined(separator: " / ")
    return found.first.map { $0.map { $0.alias != $0.name } ?? false } ?? false ? text : capitalized(text)
  }

  /// Returns the name of a field as words.
  private static func readable(_ name: String) -> String {
    // A name with blanks is for readers.
    guard !name.contains(where: \.isWhitespace) else { return name }
    let words = name.split(separator: "_").flatMap { spelled(parts(of: $0), isOnly: $0.count == name.count) }
    return words.isEmpty ? name : words.joined(separator: " ")
  }

  /// Returns the words of a part of a name, with abbreviations written out and without many capitals.
  private static func spelled(_ parts: [Substring], isOnly: Bool) -> [String] {
    parts.enumerated().flatMap { index, part -> [String] in
      let letters = part.prefix(while: \.isLetter)
      let rest = part[letters.endIndex...]
      if let word = words[letters.lowercased()], rest.allSatisfy(\.isNumber) {
        return rest.isEmpty ? [word] : [word, String(rest)]
      }
      let areCapitals = letters.count > 3 && part.allSatisfy { !$0.isLowercase }
      return [areCapitals || index > 0 && isOnly ? part.lowercased() : String(part)]
    }
  }

  /// Returns the parts of a name in camel case, which begin at a capital between two small letters and one.
  private static func parts(of name: Substring) -> [Substring] {
    let letters = Array(name)
    var (parts, start) = ([Substring](), 0)
    for index in letters.indices.dropFirst(2).dropLast()
    where letters[index].isUppercase && letters[index + 1].isLowercase && letters[index - 1].isLowercase
      && letters[index - 2].isLetter && index - start > 2
    {
      parts.append(Substring(String(letters[start..<index])))
      start = index
    }
    return parts + [Substring(String(letters[start...]))]
  }

  /// Returns a text with a capital at its start, unless it starts with a unit or symbol, such as `km2`, `pH` and `pm25`.
  private static func capitalized(_ text: String) -> String {
    let word = text.prefix { !$0.isWhitespace }
    guard word.count > 2, word.allSatisfy({ !$0.isUppercase && !$0.isNumber }), let first = text.first,
      first.isLetter,
      case let capital = first.uppercased(), capital.count == 1
    else { return text }
    return capital + text.dropFirst()
  }
}
