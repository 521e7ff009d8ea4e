/// A search for several words in bytes in one pass, ignoring the case of ASCII letters.
///
/// - Source: S. Wu, U. Manber, A Fast Algorithm for Multi-Pattern Searching, 1994, with blocks of two bytes.
struct ByteSearch: Sendable {
  /// The words by the last byte pair of their first ``window`` bytes, the longest first.
  private var words: [Int: [[UInt8]]] = [:]
  /// The distance that the window may advance, by its last byte pair.
  private var shifts: [UInt8] = []
  /// The length of the shortest word in bytes, at most 200.
  private let window: Int

  /// Creates a search for words of two bytes or more; ignores shorter words.
  init(_ words: Set<[UInt8]>) {
    let words = words.map { $0.map(Self.lowered) }.filter { $0.count > 1 }
    window = min(words.map(\.count).min() ?? 0, 200)
    guard window > 1 else { return }
    shifts = [UInt8](repeating: UInt8(window - 1), count: 1 << 16)
    for word in Set(words) {
      for place in 1..<window {
        let pair = Self.pair(word[place - 1], word[place])
        shifts[pair] = min(shifts[pair], UInt8(window - 1 - place))
      }
      self.words[Self.pair(word[window - 2], word[window - 1]), default: []].append(word)
    }
    for key in self.words.keys { self.words[key]?.sort { $0.count > $1.count } }
  }

  /// Whether there are no words to search for.
  var isEmpty: Bool { words.isEmpty }

  /// Returns the ranges of the words in order; the longest word at each position, joined with overlapping ones.
  func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    guard !isEmpty else { return [] }
    var ranges: [Range<Int>] = []
    var last = window - 1
    while last < bytes.count {
      let pair = Self.pair(Self.lowered(bytes[last - 1]), Self.lowered(bytes[last]))
      let shift = Int(shifts[pair])
      guard shift == 0 else {
        last += shift
        continue
      }
      let start = last - window + 1
      let found = words[pair]?.first { word in
        start + word.count <= bytes.count
          && word.indices.allSatisfy { Self.lowered(bytes[start + $0]) == word[$0] }
      }
      if let found {
        let range = start..<start + found.count
        if let before = ranges.last, before.upperBound >= range.lowerBound {
          ranges[ranges.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
        } else {
          ranges.append(range)
        }
      }
      last += 1
    }
    return ranges
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
  private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }
}
