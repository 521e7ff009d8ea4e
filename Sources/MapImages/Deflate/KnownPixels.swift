/// The last known position of one or two pixels, by their hash.
struct KnownPixels {
  /// A row and a column of an image, whose sides are at most 32,767; 0 is no position.
  struct Place {
    private let bits: UInt32

    fileprivate init(bits: UInt32) { self.bits = bits }

    @inline(__always) init(row: Int, column: Int) {
      bits = UInt32(truncatingIfNeeded: row << 16 | (column + 1))
    }

    var isKnown: Bool { bits != 0 }
    var row: Int { Int(bits >> 16) }
    var column: Int { Int(bits & 0xFFFF) - 1 }
    fileprivate var value: UInt32 { bits }
  }

  private let hashBits: UInt32
  private var places: [UInt32]

  /// Creates an empty table with 2 to the power of `hashBits` positions.
  init(hashBits: UInt32) {
    self.hashBits = hashBits
    places = [UInt32](repeating: 0, count: 1 << hashBits)
  }

  /// Records a position under the hash of two pixels, and returns the one that was recorded before.
  @inline(__always) mutating func replace(_ first: UInt32, _ second: UInt32, by place: Place) -> Place {
    let hash = Int((first &* 0x9E37_79B1 ^ second &* 0x85EB_CA6B) >> (32 - hashBits))
    let known = places[hash]
    places[hash] = place.value
    return Place(bits: known)
  }
}
