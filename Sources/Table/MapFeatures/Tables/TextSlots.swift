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
