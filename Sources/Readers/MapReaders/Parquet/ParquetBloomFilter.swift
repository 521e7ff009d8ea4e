/// A set of hashes that tells which values are not in a column of a row group.
///
/// - Source: parquet-format 2.11, `BloomFilter.md`: split blocks of 256 bits and xxHash of 64 bits.
struct ParquetBloomFilter {
  private let bytes: [UInt8]
  private let start: Int
  private let blockCount: UInt64

  /// The maximum size in bytes; parquet-format allows 128 MB.
  ///
  /// - Source: design decision; a larger one takes longer than the column.
  private static let largest = 16 << 20

  /// Reads a filter; nil if there is none, or one of another kind.
  init?(_ chunk: ParquetChunk, _ read: (Range<Int>) throws -> [UInt8]) throws {
    guard let place = chunk.bloomFilter, place.count <= Self.largest else { return nil }
    bytes = try read(place)
    guard let (size, start) = try? Self.header(bytes), size > 0, size % 32 == 0, size <= bytes.count - start
    else { return nil }
    (self.start, blockCount) = (start, UInt64(size / 32))
  }

  /// Returns the number of bytes of the filter, and their offset.
  private static func header(_ bytes: [UInt8]) throws(ArrowError) -> (size: Int, start: Int) {
    var (reader, size, kinds) = (ThriftReader(bytes, 0..<bytes.count), 0, [Int]())
    try reader.structure(.structure) { reader, id, kind throws(ArrowError) in
      guard id > 1 else { return size = try reader.integer(kind) }
      // Each kind is a union with one member, 1 for the only kind of the format.
      try reader.structure(kind) { reader, id, kind throws(ArrowError) in
        kinds.append(id)
        try reader.skip(kind)
      }
    }
    guard kinds == [1, 1, 1] else { throw ArrowError("has a bloom filter of another kind") }
    return (size, reader.place)
  }

  /// Whether a value with these plain bytes may be in the column.
  func mayHold(_ value: [UInt8]) -> Bool {
    let hash = XXHash64.hash(value)
    let block = Int(truncatingIfNeeded: ((hash >> 32) &* blockCount) >> 32)
    let key = UInt32(truncatingIfNeeded: hash)
    for (index, salt) in Self.salts.enumerated() {
      let word = bytes.span.int32(at: start + 32 * block + 4 * index)
      guard UInt32(truncatingIfNeeded: word) >> ((key &* salt) >> 27) & 1 == 1 else { return false }
    }
    return true
  }

  private static let salts: [UInt32] = [
    0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31,
  ]
}

/// The hash of 64 bits of bytes, with the seed 0.
///
/// - Source: xxHash, `doc/xxhash_spec.md`, XXH64.
enum XXHash64 {
  private static let primes: [UInt64] = [
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
  ]

  static func hash(_ bytes: [UInt8]) -> UInt64 {
    let (span, p) = (bytes.span, primes)
    var place = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = [p[0] &+ p[1], p[1], 0, 0 &- p[0]]
      while place + 32 <= bytes.count {
        for lane in 0..<4 { lanes[lane] = round(lanes[lane], span.bits64(at: place + 8 * lane)) }
        place += 32
      }
      hash = rotated(lanes[0], 1) &+ rotated(lanes[1], 7) &+ rotated(lanes[2], 12) &+ rotated(lanes[3], 18)
      for lane in lanes { hash = (hash ^ round(0, lane)) &* p[0] &+ p[3] }
    } else {
      hash = p[4]
    }
    hash &+= UInt64(bytes.count)
    while place + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, span.bits64(at: place)), 27) &* p[0] &+ p[3]
      place += 8
    }
    if place + 4 <= bytes.count {
      let word = UInt64(UInt32(truncatingIfNeeded: span.int32(at: place)))
      hash = rotated(hash ^ (word &* p[0]), 23) &* p[1] &+ p[2]
      place += 4
    }
    while place < bytes.count {
      hash = rotated(hash ^ (UInt64(bytes[place]) &* p[4]), 11) &* p[0]
      place += 1
    }
    hash = (hash ^ (hash >> 33)) &* p[1]
    hash = (hash ^ (hash >> 29)) &* p[2]
    return hash ^ (hash >> 32)
  }

  private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }

  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* primes[1], 31) &* primes[0]
  }
}
