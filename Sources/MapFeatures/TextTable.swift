import MapGeometry

/// Distinct texts and their numbers, in order of first sight: a hash table over UTF-8.
///
/// - Cost: a look-up hashes the bytes and compares them once in most cases; a new text copies its bytes.
package struct TextTable: Sendable {
  /// A table without texts.
  package init() {}

  /// The bytes of all texts, a zero after each, so that a number scanned in place ends with its text.
  private(set) var bytes: [UInt8] = []
  /// For every text the offset after its last byte.
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// Open addressing with linear steps: the number of a text above the high half of its hash, or ``empty``.
  ///
  /// With half of the hash in the slot, a text that is new seldom has to look at another's bytes.
  private var slots: [UInt64] = Array(repeating: empty, count: 16)
  private static let empty = UInt64.max
  /// Differs from run to run, so that no file can be made whose texts all meet in one slot; the same for all tables, so
  /// that one takes over another's hashes.
  private static let seed = UInt64.random(in: 0 ... .max)

  /// Number of texts.
  package var count: Int { ends.count }

  /// The bytes of a text.
  func range(of code: Int) -> Range<Int> { (code == 0 ? 0 : ends[code - 1] + 1)..<ends[code] }

  /// A text.
  package func text(_ code: Int) -> String { String(decoding: bytes[range(of: code)], as: UTF8.self) }

  /// The number of the text `source[range]`, which is added when it is new.
  package mutating func code(of source: [UInt8], _ range: Range<Int>) -> Int32 {
    code(of: source, range, hash: hash(source, range))
  }

  private mutating func code(of source: [UInt8], _ range: Range<Int>, hash: UInt64) -> Int32 {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != Self.empty {
      if slots[slot] & 0xFFFF_FFFF == hash >> 32 {
        let code = Int(truncatingIfNeeded: slots[slot] >> 32)
        if isEqual(code, source, range) { return Int32(truncatingIfNeeded: code) }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let code = ends.count
    slots[slot] = UInt64(code) << 32 | hash >> 32
    bytes.append(contentsOf: source[range])
    ends.append(bytes.count)
    bytes.append(0)
    hashes.append(hash)
    if ends.count * 2 > slots.count { makeSlots(slots.count * 2) }
    return Int32(truncatingIfNeeded: code)
  }

  /// The numbers here of all texts of another table, of which those that are new are added.
  mutating func codes(of other: TextTable) -> [Int32] {
    // Most texts are new where there are many, and growing step by step would place each several times.
    let most = (count + other.count) * 2
    if other.count > 1 << 12, most > slots.count {
      makeSlots(1 << (Int.bitWidth - (most - 1).leadingZeroBitCount))
    }
    return (0..<other.count).map { code(of: other.bytes, other.range(of: $0), hash: other.hashes[$0]) }
  }

  /// All texts, and how many of them were not UTF-8 and are repaired.
  ///
  /// - Cost: an allocation for most texts, on all cores.
  func strings() -> (texts: [String], repaired: Int) {
    let pieces = (0..<count).pieces(of: 1 << 14)
    let parts = concurrentMap(pieces.count) { piece in
      var (texts, repaired): ([String], Int) = ([], 0)
      texts.reserveCapacity(pieces[piece].count)
      for code in pieces[piece] {
        let text = String(validating: bytes[range(of: code)], as: UTF8.self)
        if text == nil { repaired += 1 }
        texts.append(text ?? self.text(code))
      }
      return (texts, repaired)
    }
    guard parts.count != 1 else { return parts[0] }
    var texts: [String] = []
    texts.reserveCapacity(count)
    for part in parts { texts += part.0 }
    return (texts, parts.reduce(0) { $0 + $1.1 })
  }

  /// True when text `code` is `source[range]`.
  func isEqual(_ code: Int, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    let place = self.range(of: code)
    guard place.count == range.count else { return false }
    // Cut out first, neither is checked again byte by byte.
    let (own, other) = (bytes.span.extracting(place), source.span.extracting(range))
    for step in own.indices where own[step] != other[step] { return false }
    return true
  }

  private mutating func makeSlots(_ count: Int) {
    slots = Array(repeating: Self.empty, count: count)
    for code in hashes.indices {
      let hash = hashes[code]
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt64(code) << 32 | hash >> 32
    }
  }

  /// Eight bytes a step from a seed of our own, which together with the steps tells files nothing of the slots.
  ///
  /// The last steps are those of MurmurHash3 (Appleby): numbers in a row differ in few bits, and would otherwise
  /// crowd in neighbouring slots. Twice as quick as a step a byte on texts of 26 bytes (Swift 6.3.1).
  private func hash(_ source: [UInt8], _ range: Range<Int>) -> UInt64 {
    let bytes = source.span
    var hash = Self.seed
    var place = range.lowerBound
    while place <= range.upperBound - 8 {
      // In this form it is one load.
      let word = bytes.extracting(place..<place + 8)
      let low = UInt64(word[0]) | UInt64(word[1]) << 8 | UInt64(word[2]) << 16 | UInt64(word[3]) << 24
      let high = UInt64(word[4]) << 32 | UInt64(word[5]) << 40 | UInt64(word[6]) << 48 | UInt64(word[7]) << 56
      hash = (hash ^ low ^ high) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      place += 8
    }
    var rest = UInt64(range.count) << 56
    for place in place..<range.upperBound { rest = rest << 8 ^ UInt64(bytes[place]) }
    hash = (hash ^ rest) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }
}
