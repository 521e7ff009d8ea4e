package import MapModel
import MapReaders
import MapSystem

/// A writer of PMTiles archives, version 3.
///
/// Tiles with equal bytes are stored once. The bytes of an archive depend on its tiles and metadata alone.
///
/// - Source: PMTiles Version 3 Specification.
package enum PMTilesWriter {
  /// The greatest number of entries of a directory.
  ///
  /// - Source: the root directory must end within the first 16,384 bytes; an entry takes about five bytes.
  private static let entries = 2_000

  /// Writes an archive of PNG tiles.
  ///
  /// - Parameters:
  ///   - tiles: the tiles, in any order, each once.
  ///   - metadata: the metadata as JSON.
  ///   - bounds: west, south, east and north in degrees.
  ///   - path: the path of the archive, which is replaced if it exists.
  ///   - read: returns the bytes of a tile; it is called twice for each.
  /// - Throws: `FileError`, and errors of `read`.
  package static func write(
    _ tiles: [TileIndex], metadata: [UInt8], zooms: ClosedRange<Int>, bounds: [Double], to path: String,
    _ read: @escaping (TileIndex) throws -> [UInt8]
  ) throws {
    let numbered = tiles.compactMap { tile in PMTilesID.id(of: tile).map { (id: $0, tile: tile) } }
      .sorted { $0.id < $1.id }
    var list: [PMTilesDirectory.Entry] = []
    // The tiles whose bytes are stored, and where they start.
    var stored: [(tile: TileIndex, offset: UInt64)] = []
    var end: UInt64 = 0
    var contents = TileContents(read)
    for (id, tile) in numbered {
      let (bytes, earlier) = try contents.next(tile, number: stored.count)
      let offset = earlier.map { stored[$0].offset } ?? end
      if earlier == nil {
        stored.append((tile, end))
        end += UInt64(bytes.count)
      }
      let isNext = list.last.map { $0.offset == offset && $0.id + UInt64($0.run) == id } ?? false
      if isNext {
        list[list.count - 1].run += 1
        continue
      }
      list.append(.init(id: id, run: 1, length: UInt32(bytes.count), offset: offset))
    }
    var (root, leaves) = (list, [UInt8]())
    if list.count > entries {
      let size = max(entries, (list.count + entries - 1) / entries)
      root = []
      for range in list.indices.pieces(of: size) {
        let leaf = gzip(directory(Array(list[range])))
        root.append(
          .init(
            id: list[range.lowerBound].id, run: 0, length: UInt32(leaf.count), offset: UInt64(leaves.count)))
        leaves += leaf
      }
    }
    let (rootBytes, metadataBytes) = (gzip(directory(root)), gzip(metadata))
    let header = header(
      sizes: [rootBytes.count, metadataBytes.count, leaves.count, Int(clamping: end)],
      counts: [numbered.count, list.count, stored.count], zooms: zooms, bounds: bounds)
    try FileAccess.write(to: path) { add in
      try add(header + rootBytes + metadataBytes + leaves)
      for item in stored { try add(try read(item.tile)) }
    }
  }

  private static func header(
    sizes: [Int], counts: [Int], zooms: ClosedRange<Int>, bounds: [Double]
  ) -> [UInt8] {
    var bytes = Array("PMTiles".utf8) + [3]
    func add(_ value: Int, _ size: Int = 8) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    var place = PMTilesHeader.size
    for size in sizes {
      add(place)
      add(size)
      place += size
    }
    for count in counts { add(count) }
    // Clustered; gzip for directories; tiles without compression; PNG.
    bytes += [1, 2, 1, 2, UInt8(clamping: zooms.lowerBound), UInt8(clamping: zooms.upperBound)]
    let sides = bounds.map { Int(clamping: ($0 * 1e7).rounded()) }
    for side in sides { add(side, 4) }
    bytes.append(UInt8(clamping: zooms.lowerBound))
    add((sides[0] + sides[2]) / 2, 4)
    add((sides[1] + sides[3]) / 2, 4)
    return bytes
  }

  private static func directory(_ entries: [PMTilesDirectory.Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ value: UInt64) {
      var rest = value
      while rest >= 128 {
        bytes.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    add(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      add(entry.id - last)
      last = entry.id
    }
    for entry in entries { add(UInt64(entry.run)) }
    for entry in entries { add(UInt64(entry.length)) }
    for entry in entries { add(entry.offset + 1) }
    return bytes
  }

  /// Returns bytes as gzip data without compression.
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    let pieces = bytes.isEmpty ? [0..<0] : bytes.indices.pieces(of: 65_535)
    for piece in pieces {
      let size = piece.count
      output.append(piece.upperBound == bytes.count ? 1 : 0)
      output += [UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8 & 255)]
      output += bytes[piece]
    }
    var sum = CRC32()
    sum.add(bytes[...])
    for value in [sum.value, UInt32(truncatingIfNeeded: bytes.count)] {
      for shift: UInt32 in [0, 8, 16, 24] { output.append(UInt8(value >> shift & 255)) }
    }
    return output
  }
}
