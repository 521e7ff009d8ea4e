import MapFeatures
import MapReaders
import Testing

/// Compression, other formats, and tiles made to take more time or memory than their size.
@Suite struct VectorTileFormatTests {
  private typealias Bytes = VectorTileBytes
  private static let tile = Bytes.tile(features: [Bytes.feature(id: 1, 1, [[(1, 1)]])])

  private func error(_ bytes: [UInt8], _ limits: VectorTileLimits = VectorTileLimits()) -> String? {
    do throws(VectorTileError) { _ = try VectorTile(bytes, limits: limits) } catch {
      return error.description
    }
    return nil
  }

  /// Bytes as gzip data with stored blocks of at most 65,535 bytes.
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var (place, table) = (0, [UInt32](repeating: 0, count: 256))
    for index in 0..<256 {
      table[index] = (0..<8).reduce(UInt32(index)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
    repeat {
      let end = min(place + 0xFFFF, bytes.count)
      let size = UInt16(end - place)
      result.append(end == bytes.count ? 1 : 0)
      for half in [size, ~size] { result += [UInt8(half & 0xFF), UInt8(half >> 8)] }
      result += bytes[place..<end]
      place = end
    } while place < bytes.count
    let sum = ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    for number in [sum, UInt32(bytes.count)] {
      result += (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
    }
    return result
  }

  @Test("Plain and gzipped tiles are the same, and an empty one has no layers")
  func compression() throws {
    #expect(try VectorTile(Self.gzip(Self.tile)).layers.first?.ids == [1])
    #expect(try VectorTile(Self.tile).layers.first?.ids == [1])
    #expect(try VectorTile([]).layers.isEmpty)
    #expect(try VectorTile(Self.gzip([])).layers.isEmpty)
    #expect(error(Self.gzip(Self.tile).dropLast()) == "its compressed bytes end too early")
  }

  @Test(
    "Other formats are refused by name",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D], "is a PNG image, not a vector tile"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "is a JPEG image, not a vector tile"),
      (Array(" \n{\"message\":\"Not found\"}".utf8), "is JSON, not a vector tile"),
      (Array("<html>".utf8), "is HTML or XML, not a vector tile"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0], "is compressed with Zstandard, not a vector tile"),
      ([0x78, 0x9C, 1, 2], "is compressed with zlib, not a vector tile"),
      (
        [5, 1, 2, 3, 4, 5, 3, 1, 7, 7], "is a MapLibre Tile (MLT), which is not read; Mapbox Vector Tiles are"
      ),
    ] as [([UInt8], String)])
  func otherFormats(bytes: [UInt8], message: String) { #expect(error(bytes) == message) }

  @Test("Sizes beyond the limits are refused")
  func limits() {
    var limits = VectorTileLimits()
    limits.bytes = Self.tile.count - 1
    #expect(error(Self.tile, limits) == "is larger than 0 MiB uncompressed, the limit")
    #expect(error(Self.gzip(Self.tile), limits) == "is larger than 0 MiB uncompressed, the limit")
    func refusal(_ change: (inout VectorTileLimits) -> Void, _ bytes: [UInt8]) -> String? {
      var limits = VectorTileLimits()
      change(&limits)
      return error(bytes, limits)
    }
    let two = Self.tile + Bytes.tile(name: "other", keys: ["a"], features: [Bytes.feature(1, [[(1, 1)]])])
    #expect(refusal({ $0.layers = 1 }, two) == "has more than 1 layers, the limit")
    #expect(
      refusal({ $0.features = 1 }, two) == "layer \"other\": its features are more than the limit of a tile")
    #expect(
      refusal({ $0.vertices = 1 }, two)
        == "layer \"other\", feature 1: its vertices are more than the limit of a tile")
    #expect(
      refusal({ $0.values = 0 }, two)
        == "layer \"other\": its keys and values are more than the limit of a tile")
  }

  @Test("A table of more values than the limit is refused, and some of its fields can be read")
  func cells() throws {
    let keys = (0..<100).map { "key\($0)" }
    let layer = try #require(
      try VectorTile(
        Bytes.tile(keys: keys, features: (0..<10).map { _ in Bytes.feature(1, [[(1, 1)]]) })
      ).layers.first)
    var limits = VectorTileLimits()
    limits.cells = 999
    #expect(throws: VectorTileError.self) { try layer.table(limits: limits) }
    #expect(try layer.table(fields: FieldSelection(["key1"]), limits: limits).columns.count == 1)
    #expect(try layer.table().columns.count == 100)
  }

  @Test("Millions of the smallest layers, features, values and commands are refused within the limits")
  func hostileTiles() {
    var limits = VectorTileLimits()
    (limits.bytes, limits.features, limits.values, limits.vertices) = (1 << 20, 1 << 15, 1 << 15, 1 << 15)
    func filled(_ item: [UInt8]) -> [UInt8] {
      (0..<(limits.bytes - 64) / item.count).reduce(into: []) { bytes, _ in bytes += item }
    }
    let head = Bytes.text(1, "a") + Bytes.number(15, 2)
    func refusal(_ item: [UInt8]) -> String? { error(Bytes.bytes(3, head + filled(item)), limits) }
    #expect(error(filled([0x1A, 0]), limits) == "layer number 1 has no name")
    let empty = Bytes.tile(name: "a", features: [])
    #expect(error(filled(empty), limits) == "has more than 4096 layers, the limit")
    #expect(refusal([0x12, 0]) == "layer \"a\": its features are more than the limit of a tile")
    #expect(refusal([0x1A, 0]) == "layer \"a\": its keys and values are more than the limit of a tile")
    #expect(refusal([0x22, 0]) == "layer \"a\": its keys and values are more than the limit of a tile")
    let points = Bytes.bytes(
      2, Bytes.number(3, 1) + Bytes.bytes(4, Array(filled([9, 2, 2]).dropLast(3 << 8))))
    #expect(
      error(Bytes.bytes(3, head + points), limits)
        == "layer \"a\", feature 1: its vertices are more than the limit of a tile")
  }
}
