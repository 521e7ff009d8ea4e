import Foundation

/// README and the articles of the guide, with their examples.
public enum GuideText {
  /// An example: a fenced block of code, and the output block after it.
  public struct Example: Sendable {
    /// The path of the article.
    public let article: String
    /// Its index among the examples of the article.
    public let index: Int
    /// The word after the fence: `sh`, `python`, `swift`, `json`, or `ipython` for cells that `Scripts/checks/python` runs.
    public let language: String
    /// The code.
    public let code: String
    /// The shown output, in which `…` replaces any text; nil for none.
    public internal(set) var output: String?
    /// The name of a file in backquotes in the text before; nil for none.
    public let fileName: String?

    /// The exit code that a comment of the example states; else 0.
    public var exitCode: Int32 {
      code.firstMatch(of: #/# exits with (\d+)/#).flatMap { Int32($0.1) } ?? 0
    }

    /// Whether a text is the shown output.
    public func shows(_ text: String) -> Bool { output.map { GuideText.matches(text, $0) } ?? true }
  }

  /// Whether a text is a shown output, in which `…` replaces any text.
  public static func matches(_ text: String, _ output: String) -> Bool {
    var rest = trimmed(text)[...]
    let pieces = trimmed(output).components(separatedBy: "…")
    for (number, piece) in pieces.enumerated() where !piece.isEmpty {
      let options: String.CompareOptions = number == pieces.count - 1 ? .backwards : []
      let found = rest.range(of: piece, options: options)
      guard let found, number > 0 || found.lowerBound == rest.startIndex else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.isEmpty || pieces.last == ""
  }

  /// The paths of README and all articles, sorted.
  public static let articles: [String] = {
    let sources = Tool.project.appendingPathComponent("Sources")
    let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    let guide = names.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    return ["README.md"] + guide.map { "Sources/" + $0 }.sorted()
  }()

  /// Returns the text of README or an article.
  public static func text(of article: String) throws -> String {
    try String(contentsOf: Tool.project.appendingPathComponent(article), encoding: .utf8)
  }

  /// Returns the examples of an article, in order.
  public static func examples(of article: String) throws -> [Example] {
    var examples: [Example] = []
    var block: (language: String, lines: [Substring])?
    var fileName: String?
    for line in try text(of: article).split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```", let ended = block {
        let code = ended.lines.joined(separator: "\n")
        if ended.language == "output" {
          examples[examples.count - 1].output = code
        } else if !ended.language.isEmpty {
          examples.append(
            Example(
              article: article, index: examples.count, language: ended.language, code: code,
              fileName: fileName))
        }
        block = nil
      } else if block != nil {
        block?.lines.append(line)
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if let name = line.matches(of: #/`([\w-]+\.json)`/#).last {
        fileName = String(name.1)
      }
    }
    return examples
  }

  /// A text without blanks at the ends of its lines, and without empty lines at its end.
  private static func trimmed(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    return lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
  }
}
