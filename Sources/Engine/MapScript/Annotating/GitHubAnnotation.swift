import MapSystem

/// The line of a log that GitHub Actions shows as an error at a line of a file.
///
/// - Source: GitHub documentation, "Workflow commands for GitHub Actions"; the escapes are those of its toolkit
///   (`command.ts`).
package enum GitHubAnnotation {
  /// Returns an annotation; without a file, it belongs to the whole run.
  package static func line(file: String?, line: Int, title: String, _ message: String) -> String {
    let place = file.map { "file=\(property($0)),line=\(line)," } ?? ""
    return "::error \(place)title=\(property(title))::\(escaped(message))"
  }

  /// Returns lines of a log without commands: `::` at the start of a line, and `##` before `[` or before a word and `[`,
  /// get a blank.
  ///
  /// - Source: GitHub's runner for `::name::` and `##[name]`, Azure Pipelines for `##vso[name]`, TeamCity for
  ///   `##teamcity[name]`.
  package static func plain(_ text: String) -> String {
    var out: [Unicode.Scalar] = []
    var isStart = true
    var last: Unicode.Scalar?
    // The position after two number signs, while only letters follow.
    var mark: Int?
    for scalar in text.unicodeScalars {
      if isStart, last == ":", scalar == ":" { out.append(" ") }
      if scalar == "[", let mark { out.insert(" ", at: mark) }
      out.append(scalar)
      if scalar == "#" {
        mark = last == "#" ? out.count : nil
      } else if !scalar.isASCII || !scalar.properties.isAlphabetic {
        mark = nil
      }
      last = scalar
      isStart =
        "\r\n".unicodeScalars.contains(scalar)
        || isStart && (scalar == ":" || scalar.properties.isWhitespace)
    }
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: out)
    return String(plain)
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    // Characters that control a terminal or the order of text are replaced.
    for scalar in plain(MessageText.lines(text)).unicodeScalars {
      switch scalar {
      case "%": out += "%25"
      case "\r": out += "%0D"
      case "\n": out += "%0A"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static func property(_ text: String) -> String {
    var out = ""
    for scalar in escaped(text).unicodeScalars {
      switch scalar {
      case ":": out += "%3A"
      case ",": out += "%2C"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
