/// A pattern of names: `*` matches any characters including `/`, `?` matches one character.
struct GlobPattern: Sendable {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  /// Returns whether the whole text matches.
  ///
  /// - Cost: O(pattern * text) at worst, because a mismatch extends only the last `*` by one character.
  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at + 1, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (at, place) = (last.pattern, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
