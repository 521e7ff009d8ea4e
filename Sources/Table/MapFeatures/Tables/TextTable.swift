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
  private(set) var hashes: [UInt64] = []
  private var slots = TextSlots(for: 0)
  /// The number of texts up to which the slots serve; 0 if some texts have none.
  private var room = TextSlots(for: 0).room
  /// Whether texts are added without a search, so that the same text may have several codes.
  ///
  /// For texts that are nearly all different, in a table that is joined with others: the search is then in vain, and
  /// ``joined(_:)`` finds the texts that are the same.
  package var isUnsearched = false
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
    let hash = hash(source, range)
    guard isUnsearched else { return code(of: source, range, hash: hash) }
    room = 0
    append(source, range, hash: hash)
    return Int32(truncatingIfNeeded: ends.count - 1)
  }

  private mutating func code(of source: [UInt8], _ range: Range<Int>, hash: UInt64) -> Int32 {
    if ends.count >= room { makeSlots(for: ends.count) }
    var slot = slots.first(hash)
    while let code = slots.next(&slot, hash) {
      if isEqual(code, source, range) { return Int32(truncatingIfNeeded: code) }
      slot = slots.after(slot)
    }
    let code = Int32(truncatingIfNeeded: ends.count)
    slots.fill(slot, hash, code)
    append(source, range, hash: hash)
    return code
  }

  @inline(__always)
  private mutating func append(_ source: [UInt8], _ range: Range<Int>, hash: UInt64) {
    // A slice of the array would count references, a fifth of the time to join texts; nothing keeps the pointer.
    unsafe source.span.extracting(range).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    ends.append(bytes.count)
    bytes.append(0)
    hashes.append(hash)
  }

  /// Adds another table's text without a search; the next search makes the slots of all texts.
  mutating func append(_ text: Int, of other: TextTable) {
    room = 0
    append(other.bytes, other.range(of: text), hash: other.hashes[text])
  }

  /// Creates a table with all texts of others, one after the other, without a search.
  init(unsearched tables: [TextTable]) {
    room = 0
    bytes.reserveCapacity(tables.reduce(0) { $0 + $1.bytes.count })
    ends.reserveCapacity(tables.reduce(0) { $0 + $1.count })
    hashes.reserveCapacity(tables.reduce(0) { $0 + $1.count })
    for table in tables {
      let start = bytes.count
      bytes += table.bytes
      ends.append(contentsOf: table.ends.lazy.map { $0 + start })
      hashes += table.hashes
    }
  }

  /// Returns the codes in this table for all texts of another; adds those that are new.
  package mutating func codes(of other: TextTable) -> [Int32] {
    // In large tables most texts are new; growing step by step would move each several times.
    if other.count > 1 << 12, count + other.count > room { makeSlots(for: count + other.count) }
    let (bytes, hashes) = (other.bytes, other.hashes)
    return (0..<other.count).map { code(of: bytes, other.range(of: $0), hash: hashes[$0]) }
  }

  /// Whether ``strings()`` has work for several cores.
  package var isLarge: Bool { count > Self.piece }
  /// The number of texts that one core takes at a time.
  static let piece = 1 << 14

  /// Returns all texts, and the number of those that were not UTF-8 and have been repaired.
  ///
  /// - Cost: an allocation for most texts, on all cores.
  package func strings() -> (texts: [String], repaired: Int) {
    let pieces = (0..<count).pieces(of: Self.piece)
    let parts = concurrentMap(pieces.count) { piece in
      var (texts, repaired): ([String], Int) = ([], 0)
      texts.reserveCapacity(pieces[piece].count)
      for code in pieces[piece] {
        if let valid = try? UTF8Span(validating: bytes.span.extracting(range(of: code))) {
          texts.append(String(copying: valid))
        } else {
          repaired += 1
          texts.append(text(code))
        }
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

  /// Makes slots for a number of texts, with those so far in them.
  private mutating func makeSlots(for count: Int) {
    slots = TextSlots(for: count)
    room = slots.room
    for code in hashes.indices {
      var slot = slots.first(hashes[code])
      while slots.next(&slot, hashes[code]) != nil { slot = slots.after(slot) }
      slots.fill(slot, hashes[code], Int32(truncatingIfNeeded: code))
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

/// The places of codes in a hash table with open addressing and linear probing.
struct TextSlots: Sendable {
  /// The code of a text and the high half of its hash, or ``empty``.
  ///
  /// With half of the hash in the slot, a text is seldom compared with another's bytes.
  private var places: [UInt64]
  private static let empty = UInt64.max

  /// Creates empty slots, more than twice as many as texts, a power of two.
  init(for count: Int) {
    places = Array(repeating: Self.empty, count: max(16, 2 << (Int.bitWidth - count.leadingZeroBitCount)))
  }

  /// The number of codes up to which a search is short: half of the slots stay empty.
  var room: Int { places.count / 2 }

  /// Returns the slot at which the search for a hash starts.
  @inline(__always)
  func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places.count - 1) }

  /// Returns the first code, from a slot on, with the same high half of the hash, and moves to its slot; nil at an empty slot,
  /// which ends the search.
  @inline(__always)
  func next(_ slot: inout Int, _ hash: UInt64) -> Int? {
    while places[slot] != Self.empty {
      if places[slot] & 0xFFFF_FFFF == hash >> 32 { return Int(truncatingIfNeeded: places[slot] >> 32) }
      slot = after(slot)
    }
    return nil
  }

  /// Returns the slot after a slot.
  @inline(__always)
  func after(_ slot: Int) -> Int { (slot + 1) & (places.count - 1) }

  /// Puts a code into the empty slot at which a search for its hash ended.
  @inline(__always)
  mutating func fill(_ slot: Int, _ hash: UInt64, _ code: Int32) {
    places[slot] = UInt64(UInt32(bitPattern: code)) << 32 | hash >> 32
  }
}
