import MapGeometry
import MapJSON
import MapSystem

/// The distinct texts of a column with their codes, in order of first appearance: a hash table over UTF-8.
///
/// - Cost: a lookup hashes the bytes and compares them once in most cases; a new text copies its bytes.
package struct TextTable: Sendable {
  /// Creates a table without texts.
  package init() {}

  /// The bytes of all texts, each followed by a zero, so that a number parsed in place ends with its text.
  package private(set) var bytes: [UInt8] = []
  /// For each text, the offset after its last byte.
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// The slots of open addressing with linear probing: the code of a text and the high half of its hash, or ``empty``.
  ///
  /// With half of the hash in the slot, a new text is seldom compared with another's bytes.
  private var slots: [UInt64] = Array(repeating: empty, count: 16)
  private static let empty = UInt64.max
  /// A random seed per process.
  ///
  /// Without it a file could force all its texts into one slot.
  ///
  /// It is the same for all tables, so that one can use another's hashes.
  private static let seed = UInt64.random(in: 0 ... .max)

  /// The number of texts.
  package var count: Int { ends.count }

  /// Returns the byte range of a text.
  package func range(of code: Int) -> Range<Int> { (code == 0 ? 0 : ends[code - 1] + 1)..<ends[code] }

  /// Returns a text.
  package func text(_ code: Int) -> String { String(decoding: bytes[range(of: code)], as: UTF8.self) }

  /// Returns the code of the text `source[range]`, which is added if it is new.
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

  /// Returns the codes in this table for all texts of another; adds those that are new.
  package mutating func codes(of other: TextTable) -> [Int32] {
    // In large tables most texts are new; growing step by step would move each several times.
    let most = (count + other.count) * 2
    if other.count > 1 << 12, most > slots.count {
      makeSlots(1 << (Int.bitWidth - (most - 1).leadingZeroBitCount))
    }
    return (0..<other.count).map { code(of: other.bytes, other.range(of: $0), hash: other.hashes[$0]) }
  }

  /// Returns all texts, and the number of those that were not UTF-8 and have been repaired.
  ///
  /// - Cost: an allocation for most texts, on all cores.
  package func strings() -> (texts: [String], repaired: Int) {
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

  /// Whether text `code` equals `source[range]`.
  package func isEqual(_ code: Int, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    let place = self.range(of: code)
    guard place.count == range.count else { return false }
    return bytes.span.extracting(place).hasSameBytes(as: source.span.extracting(range))
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

  /// Hashes eight bytes per step from a random seed, so that a file cannot predict the slots.
  ///
  /// The last steps are those of MurmurHash3 (Appleby): consecutive numbers differ in few bits, and would otherwise
  /// cluster in neighbouring slots. Twice as fast as one byte per step on texts of 26 bytes (Swift 6.3.1).
  private func hash(_ source: [UInt8], _ range: Range<Int>) -> UInt64 {
    let bytes = source.span
    var hash = Self.seed
    var place = range.lowerBound
    while place <= range.upperBound - ByteWord.size {
      hash = (hash ^ ByteWord(bytes, at: place).bits) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      place += ByteWord.size
    }
    var rest = UInt64(range.count) << 56
    if range.count >= ByteWord.size {
      // The last word overlaps the one before.
      rest ^= ByteWord(bytes, at: range.upperBound - ByteWord.size).bits
    } else {
      for place in place..<range.upperBound { rest = rest << 8 ^ UInt64(bytes[place]) }
    }
    hash = (hash ^ rest) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }
}
