import Foundation
import MapReaders
import MapTestSupport
import Testing

/// Compressed data of zlib and gzip, decoded, cut and damaged.
@Suite struct InflateTests {
  struct Case {
    let name: String
    let isGzip: Bool
    let packed: [UInt8]
    let size: Int
    let checkSum: UInt32

    /// Decodes the bytes in pieces of `step` compressed bytes.
    func decode(_ packed: [UInt8], step: Int = 1 << 16) throws -> [UInt8] {
      var (decoded, place) = ([UInt8](), 0)
      if isGzip {
        try GzipFile.decode(packed) { decoded += $0 }
        return decoded
      }
      var reader = Inflate { () throws(ArchiveError) in
        defer { place = min(place + step, packed.count) }
        return Array(packed[place..<min(place + step, packed.count)])
      }
      try reader.decode { decoded += $0 }
      return decoded
    }
  }

  /// Source: `Cases/make_archives.py`, made for MapState with zlib and Python's gzip.
  private static func cases() throws -> [Case] {
    let url = try #require(
      Bundle.module.url(forResource: "archives", withExtension: "tsv", subdirectory: "Cases"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      return Case(
        name: String(parts[0]), isGzip: parts[1] == "gzip",
        packed: Array(try #require(Data(base64Encoded: String(parts[2])))), size: try #require(Int(parts[3])),
        checkSum: try #require(UInt32(parts[4], radix: 16)))
    }
  }

  @Test("Data of zlib and gzip are decoded to their size and check sum")
  func decodedData() throws {
    let cases = try Self.cases()
    #expect(cases.count == 61)
    for item in cases {
      for step in [1 << 16, 7, 1] where step > 1 || item.packed.count < 5000 {
        let bytes = try item.decode(item.packed, step: step)
        var sum = CRC32()
        sum.add(bytes[...])
        #expect(bytes.count == item.size, "\(item.name)")
        #expect(sum.value == item.checkSum, "\(item.name)")
      }
    }
  }

  @Test("Data that end too early are an error at every length")
  func cutData() throws {
    var cuts = 0
    for item in try Self.cases() where item.packed.count < 1500 {
      let isPadded = item.name == "zeros at the end"
      for length in 0..<item.packed.count - (isPadded ? 512 : 0) {
        // Members of gzip that are whole are read.
        if item.isGzip, (try? item.decode(Array(item.packed[..<length]))) != nil {
          #expect(item.name.contains("member"), "\(item.name) cut to \(length)")
          continue
        }
        #expect(throws: ArchiveError.self, "\(item.name) cut to \(length)") {
          try item.decode(Array(item.packed[..<length]))
        }
        cuts += 1
      }
    }
    #expect(cuts > 1500)
  }

  @Test("Changed bytes of gzip data are an error or leave the data as they were")
  func damagedData() throws {
    var random = SeededGenerator(seed: 11)
    var refused = 0
    for item in try Self.cases() {
      for _ in 0..<60 {
        var packed = item.packed
        let place = Int.random(in: packed.indices, using: &random)
        packed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        guard let bytes = try? item.decode(packed) else {
          refused += 1
          continue
        }
        // Without a check sum, other bytes may be the result.
        guard item.isGzip else { continue }
        var sum = CRC32()
        sum.add(bytes[...])
        #expect(sum.value == item.checkSum || item.name.contains("zeros"), "\(item.name), byte \(place)")
      }
    }
    #expect(refused > 500)
  }

  @Test("Gzip data beyond the limits are an error before they fill the memory")
  func bombs() throws {
    // A block of 258 zeros for each byte: 1,032 times the size.
    let item = try #require(try Self.cases().first { $0.name == "zeros, level 9, default" })
    var limits = ArchiveLimits()
    limits.ratio = 100
    var header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    header += item.packed
    #expect(throws: ArchiveError.self) { try GzipFile.decode(header, limits: limits) { _ in } }
    limits.ratio = 100_000
    limits.bytes = 100_000
    let error = #expect(throws: ArchiveError.self) { try GzipFile.decode(header, limits: limits) { _ in } }
    #expect(error?.description.contains("the limit") == true)
  }
}
