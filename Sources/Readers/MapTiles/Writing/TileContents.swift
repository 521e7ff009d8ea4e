import MapModel
import MapReaders

/// The bytes of tiles that a writer asks for one at a time, and the tiles that have equal bytes.
///
/// - Cost: about 100 bytes per tile; the bytes of one or two tiles are held at a time.
struct TileContents {
  /// A number that tiles with equal bytes nearly always share.
  private struct Key: Hashable {
    let size: Int
    let sum: UInt32
    let hash: UInt64
  }

  private let read: (TileIndex) throws -> [UInt8]
  /// The first tile with some contents and its number; tiles with other bytes and the same key are not shared.
  private var known: [Key: (tile: TileIndex, number: Int)] = [:]

  init(_ read: @escaping (TileIndex) throws -> [UInt8]) { self.read = read }

  /// Returns the bytes of a tile, and the number of an earlier tile with equal bytes; nil for new ones.
  mutating func next(_ tile: TileIndex, number: Int) throws -> (bytes: [UInt8], earlier: Int?) {
    let bytes = try read(tile)
    var sum = CRC32()
    sum.add(bytes[...])
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let key = Key(size: bytes.count, sum: sum.value, hash: hash)
    guard let first = known[key] else {
      known[key] = (tile, number)
      return (bytes, nil)
    }
    return (bytes, try read(first.tile) == bytes ? first.number : nil)
  }
}
