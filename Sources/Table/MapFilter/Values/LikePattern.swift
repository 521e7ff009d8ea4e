/// A LIKE pattern, parsed once and matched against many texts.
///
/// `%` matches any run of characters and `_` exactly one. After the escape character, any character is literal. A
/// character is a Unicode scalar value, case matters, and the whole text must match.
///
/// - Source: SQL-92, 8.5; an escape before other characters than `%`, `_` and itself follows PostgreSQL.
package struct LikePattern: Hashable, Sendable {
  enum Element: Hashable {
    case byte(UInt8)
    case anyScalar
    case anyRun
  }

  private let elements: [Element]
  /// The parts of a pattern that is long between two `%`; nil for other patterns, which are matched directly.
  private let parts: LikeParts?

  /// The greatest number of characters between two `%` when one of them is `_`.
  ///
  /// - Source: design decision; the search handles 64 characters per step, so this limit is 64 steps.
  package static let wildcardLimit = 4096

  /// Parses a pattern; nil when it ends in its escape character or exceeds ``wildcardLimit``.
  package init?(_ pattern: String, escape: Unicode.Scalar? = nil) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == escape {
        isEscaped = true
      } else if !isEscaped, scalar == "%" {
        if elements.last != .anyRun { elements.append(.anyRun) }
      } else if !isEscaped, scalar == "_" {
        elements.append(.anyScalar)
      } else {
        for byte in UTF8.encode(scalar) ?? .init() { elements.append(.byte(byte)) }
        isEscaped = false
      }
    }
    guard !isEscaped else { return nil }
    self.elements = elements
    // Up to this length, retrying one character later is faster than preparing a search.
    let isLong = elements.split(separator: .anyRun).contains { $0.count > 64 }
    guard isLong, elements.contains(.anyRun) else { parts = nil; return }
    guard let parts = LikeParts(elements) else { return nil }
    self.parts = parts
  }

  /// Returns whether a refused pattern ends in its escape character.
  static func endsInEscape(_ pattern: String, escape: Unicode.Scalar?) -> Bool {
    guard let escape else { return false }
    // Each escape character escapes the next scalar; the flag stays set when the last one escapes nothing.
    var isEscaped = false
    for scalar in pattern.unicodeScalars { isEscaped = !isEscaped && scalar == escape }
    return isEscaped
  }

  /// Returns whether the whole text matches.
  ///
  /// - Cost: linear in text and pattern, 64 times as much in the worst case.
  package func matches(_ text: String) -> Bool {
    let bytes = text.utf8.span
    if let parts { return parts.match(bytes) }
    var (place, element) = (0, 0)
    // The state to resume from when a later element fails: after the last `%`, which then matches one scalar more.
    var retry: (place: Int, element: Int)?
    while place < bytes.count || element < elements.count {
      if element < elements.count {
        switch elements[element] {
        case .byte(let byte) where place < bytes.count && bytes[place] == byte:
          (place, element) = (place + 1, element + 1)
          continue
        case .anyScalar where place < bytes.count:
          (place, element) = (Self.scalarEnd(bytes, place), element + 1)
          continue
        case .anyRun:
          element += 1
          if element == elements.count { return true }
          retry = (place, element)
          continue
        default: break
        }
      }
      guard let last = retry, last.place < bytes.count else { return false }
      place = Self.scalarEnd(bytes, last.place)
      element = last.element
      retry = (place, element)
    }
    return true
  }

  /// Returns the offset after the scalar at `place`.
  static func scalarEnd(_ bytes: Span<UInt8>, _ place: Int) -> Int {
    var end = place + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
