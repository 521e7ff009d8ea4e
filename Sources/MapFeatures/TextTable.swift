/// Distinct texts and their numbers, in order of first sight: a hash table over UTF-8.
///
/// - Cost: a look-up hashes the bytes and compares them once in most cases; a new text copies its bytes.
struct TextTable {
  /// The bytes of all texts, a zero after each, so that a number scanned in place ends with its text.
  private(set) var bytes: [UInt8] = []
  /// For every text the offset after its last byte.
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// Open addressing with linear steps: the number of a text, or -1.
  private var slots: [Int32] = Array(repeating: -1, count: 16)
  /// Differs from run to run, so that no file can be made whose texts all meet in one slot.
  private let seed = UInt64.random(in: 0 ... .max)

  /// Number of texts.
  var count: Int { ends.count }

  /// The bytes of a text.
  func range(of code: Int) -> Range<Int> { (code == 0 ? 0 : ends[code - 1] + 1)..<ends[code] }

  /// A text.
  func text(_ code: Int) -> String { String(decoding: bytes[range(of: code)], as: UTF8.self) }

  /// The number of the text `source[range]`, which is added when it is new.
  mutating func code(of source: [UInt8], _ range: Range<Int>) -> Int32 {
    let hash = hash(source, range)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let code = Int(slots[slot])
      if hashes[code] == hash, isEqual(code, source, range) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    let code = Int32(truncatingIfNeeded: ends.count)
    slots[slot] = code
    bytes.append(contentsOf: source[range])
    ends.append(bytes.count)
    bytes.append(0)
    hashes.append(hash)
    if ends.count * 2 > slots.count { grow() }
    return code
  }

  /// True when text `code` is `source[range]`.
  func isEqual(_ code: Int, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    let own = self.range(of: code)
    guard own.count == range.count else { return false }
    for step in 0..<range.count where bytes[own.lowerBound + step] != source[range.lowerBound + step] {
      return false
    }
    return true
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for code in hashes.indices {
      var slot = Int(truncatingIfNeeded: hashes[code]) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: code)
    }
  }

  /// FNV-1a, 64 bits, from a seed of our own; the last step brings the high bits down to where the slots look.
  private func hash(_ source: [UInt8], _ range: Range<Int>) -> UInt64 {
    var hash = seed
    for index in range { hash = (hash ^ UInt64(source[index])) &* 0x100_0000_01B3 }
    return hash ^ hash >> 32
  }
}
