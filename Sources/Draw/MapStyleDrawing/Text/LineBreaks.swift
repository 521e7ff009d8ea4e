/// The division of a text into lines of nearly equal length.
///
/// - Source: MapLibre GL JS 5; lengths are in 24ths of an em, on which its penalties are based.
struct LineBreaks {
  /// A position where a line may end.
  private struct Candidate {
    /// The index of the first character of the next line.
    let index: Int
    /// The width of the text up to the position, without blanks.
    let x: Double
    /// The position of the break before, among the candidates; -1 for none.
    let prior: Int
    /// The badness of the lines up to the position.
    let badness: Double
  }

  private let target: Double
  private var candidates: [Candidate] = []
  /// The indexes of the first characters of all lines but the first.
  private(set) var starts: [Int] = []

  /// Finds the breaks of a text.
  ///
  /// - Parameters:
  ///   - characters: the characters; an image is one character.
  ///   - isImage: whether the character of an index is an image.
  ///   - advances: the width of each character with its letter spacing.
  ///   - maxWidth: the width that lines should not exceed.
  /// - Cost: O(n²) for n positions where a line may end.
  init(_ characters: [Unicode.Scalar], isImage: (Int) -> Bool, advances: [Double], maxWidth: Double) {
    let total = advances.reduce(0, +)
    let lineCount = maxWidth > 0 ? max(1, (total / maxWidth).rounded(.up)) : .infinity
    target = lineCount.isFinite ? total / lineCount : 0
    let hasSuggestions = characters.contains("\u{200B}")
    var x = 0.0
    let last = characters.count - 1
    for (index, character) in characters.enumerated() {
      if !character.isBlankInText { x += advances[index] }
      guard index < last else { break }
      let isIdeograph = character.isIdeographicInText
      let opensNext = characters[index + 1] == "(" && index != last - 1
      guard character.allowsBreakAfter || isIdeograph || isImage(index) || opensNext else { continue }
      let penalty = Self.penalty(
        character, before: characters[index + 1], isPenalized: isIdeograph && hasSuggestions)
      candidates.append(candidate(index + 1, x, penalty, isLast: false))
    }
    var prior = candidate(characters.count, x, 0, isLast: true).prior
    while prior >= 0 {
      starts.append(candidates[prior].index)
      prior = candidates[prior].prior
    }
    starts.reverse()
  }

  /// Returns the break at a position, after the break before it that gives the least badness.
  private func candidate(_ index: Int, _ x: Double, _ penalty: Double, isLast: Bool) -> Candidate {
    var (prior, badness) = (-1, badness(x, penalty, isLast))
    for (number, other) in candidates.enumerated() {
      let own = self.badness(x - other.x, penalty, isLast) + other.badness
      if own <= badness { (prior, badness) = (number, own) }
    }
    return Candidate(index: index, x: x, prior: prior, badness: badness)
  }

  private func badness(_ width: Double, _ penalty: Double, _ isLast: Bool) -> Double {
    let raggedness = (width - target) * (width - target)
    // A last line that is shorter than the others is better than a longer one.
    if isLast { return width < target ? raggedness / 2 : raggedness * 2 }
    return raggedness + abs(penalty) * penalty
  }

  private static func penalty(
    _ character: Unicode.Scalar, before next: Unicode.Scalar, isPenalized: Bool
  ) -> Double {
    var penalty = character == "\n" ? -10_000.0 : 0
    if isPenalized { penalty += 150 }
    if character == "(" || character == "\u{FF08}" { penalty += 50 }
    if next == ")" || next == "\u{FF09}" { penalty += 50 }
    return penalty
  }
}
