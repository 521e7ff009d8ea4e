import Foundation
import MapFeatures
import MapFilter
import MapReaders
import Testing

/// Parquet files that are cut, or have changed bytes.
@Suite struct DamagedParquetTests {
  private typealias Sample = ParquetSample

  @Test("The file that the others change is read")
  func soundFile() throws {
    let table = try ParquetReaderTests.read(Sample().bytes)
    #expect((0..<3).map { table.columns[0].value(at: $0) } == [.integer(1), .integer(2), .integer(3)])
  }

  @Test("Files that are cut, or of which a byte is changed, are read or refused")
  func damagedFiles() throws {
    var (read, refused) = (0, 0)
    func attempt(_ bytes: [UInt8]) {
      if Sample.outcome(bytes).hasSuffix("rows") { read += 1 } else { refused += 1 }
    }
    var changes = 0
    for name in try Self.smallFiles() {
      let bytes = try ParquetReaderTests.bytes(name)
      for end in stride(from: 0, to: bytes.count, by: 7) { attempt(Array(bytes[..<end])) }
      for place in stride(from: 0, to: bytes.count, by: 2) {
        var changed = bytes
        changed[place] = [0xFF, bytes[place] ^ 0x08, bytes[place] &+ 1][place % 3]
        attempt(changed)
      }
      changes += (bytes.count + 1) / 2 + (bytes.count + 6) / 7
    }
    #expect(read + refused == changes)
    #expect(read > 1000 && refused > 1000, "\(read) read, \(refused) refused")
  }

  /// The smallest file of each writer.
  private static func smallFiles() throws -> [String] {
    let folder = try #require(ParquetReaderTests.folder)
    var smallest: [Substring: (String, Int)] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".parquet") && name.first?.isNumber == true {
      let size = try ParquetReaderTests.bytes(name).count
      let writer = name.dropFirst(4)
      if smallest[writer].map({ size < $0.1 }) ?? true { smallest[writer] = (name, size) }
    }
    return smallest.values.map(\.0).sorted()
  }
}
