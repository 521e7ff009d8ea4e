/// A pattern of LIKE, taken apart once and then held against many texts.
///
/// `%` is any run of characters, `_` exactly one, and after the escape character any character stands for itself. A
/// character is a Unicode scalar value, case counts, and the whole text must fit.
///
/// - Source: SQL-92, 8.5; an escape before other characters than `%`, `_` and itself follows PostgreSQL.
public struct LikePattern: Hashable, Sendable {
  enum Element: Hashable {
    case byte(UInt8)
    case anyScalar
    case anyRun
  }

  private let elements: [Element]
  /// The parts of a pattern that is long between two runs; nil for all others, which are matched in place.
  private let parts: LikeParts?

  /// How many characters may stand between two `%` where one of them is `_`.
  ///
  /// - Source: ours: finding such a part costs 64 characters a step, so that this many are 64 steps.
  public static let wildcardLimit = 4096

  /// A pattern; nil when it ends in its escape character, or is past ``wildcardLimit``.
  public init?(_ pattern: String, escape: Unicode.Scalar? = nil) {
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
    // Up to here trying again one character later is quicker than being prepared.
    let isLong = elements.split(separator: .anyRun).contains { $0.count > 64 }
    guard isLong, elements.contains(.anyRun) else { parts = nil; return }
    guard let parts = LikeParts(elements) else { return nil }
    self.parts = parts
  }

  /// True when a pattern that was refused ends in its escape character.
  static func endsInEscape(_ pattern: String, escape: Unicode.Scalar?) -> Bool {
    guard let escape else { return false }
    // An even number of them at the end is pairs, unless one before is escaped itself, which the pairs tell too.
    var isEscaped = false
    for scalar in pattern.unicodeScalars { isEscaped = !isEscaped && scalar == escape }
    return isEscaped
  }

  /// True when the whole text fits.
  ///
  /// - Cost: linear in text and pattern, 64 times as much in the worst case.
  public func matches(_ text: String) -> Bool {
    let bytes = text.utf8.span
    if let parts { return parts.match(bytes) }
    var (place, element) = (0, 0)
    // Where to go on when a later element fails: behind the last run, with one scalar more given to it.
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

  /// The offset behind the scalar at `place`.
  static func scalarEnd(_ bytes: Span<UInt8>, _ place: Int) -> Int {
    var end = place + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
