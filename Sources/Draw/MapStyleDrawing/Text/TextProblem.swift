internal import Synchronization

/// A reason why a text is not set as its style asks.
enum TextProblem: Hashable, Sendable {
  /// A font that is not available, with the font that replaces it.
  case font(String)
  /// A character that the fonts lack.
  case glyph(Unicode.Scalar)
  /// An image that the sprites do not have.
  case image(String)
  /// A text that is too long.
  case length
  /// Another problem of shaping.
  case other(String)
}

/// The problems of a view's texts.
final class TextProblems: Sendable {
  private let found = Mutex<Set<TextProblem>>([])

  /// The largest number of different problems that are kept.
  private static let limit = 10_000

  func add(_ problems: Set<TextProblem>) {
    guard !problems.isEmpty else { return }
    found.withLock { found in
      for problem in problems where found.count < Self.limit { found.insert(problem) }
    }
  }

  /// A line for each kind of problem, and one for each font.
  var lines: [String] {
    let found = found.withLock { $0 }
    var (lines, glyphs, images, others) = ([String](), [Unicode.Scalar](), [String](), [String]())
    for problem in found {
      switch problem {
      case .font(let text): lines.append("text-font: \(text)")
      case .glyph(let scalar): glyphs.append(scalar)
      case .image(let name): images.append(name)
      case .length:
        others.append("texts are cut after \(TextUnits.lengthLimit) characters and images")
      case .other(let text): others.append(text)
      }
    }
    lines.sort()
    if !glyphs.isEmpty {
      let names = Self.list(glyphs.sorted().map { "\"\($0)\"" })
      lines.append("text-field: no glyph for \(names) in the fonts; they are left out")
    }
    if !images.isEmpty {
      lines.append("text-field: the sprite has no image \(Self.list(images.sorted().map { "'\($0)'" }))")
    }
    return lines + others.sorted().map { "text-field: \($0)" }
  }

  /// Returns the first 20 names, and the number of the others.
  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
