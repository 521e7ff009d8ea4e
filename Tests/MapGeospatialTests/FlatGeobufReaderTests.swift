import Foundation
import MapFeatures
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// Our reader compared with GDAL's as the reference.
@Suite struct FlatGeobufReaderTests {
  /// The files written by GDAL (make_reader_cases.py, make_cases.py).
  static func files() throws -> [String] {
    let folder = "FlatGeobuf"
    let own = try FileManager.default.contentsOfDirectory(atPath: Fixture.path(folder)).map {
      "\(folder)/\($0)"
    }
    let older = ["points", "lines", "polygons"].flatMap { ["\($0).fgb", "bulk-\($0).fgb"] }
    return (own + older).sorted()
  }

  static func read(_ bytes: [UInt8], pieceSize: Int) throws -> FlatGeobufReader.Layer? {
    try FlatGeobufReader.read(size: bytes.count, pieceSize: pieceSize) { Array(bytes[$0]) }
  }

  /// Expects two tables to be equal, ignoring the position of empty points.
  static func expectEqual(_ table: FeatureColumns, _ reference: FeatureColumns, _ file: String) {
    #expect(table.rowCount == reference.rowCount, "\(file)")
    #expect(table.schema == reference.schema, "\(file)")
    #expect(table.warnings == reference.warnings, "\(file)")
    guard table.rowCount == reference.rowCount, table.schema == reference.schema else { return }
    for (field, (column, other)) in zip(table.schema.fields, zip(table.columns, reference.columns)) {
      #expect(column == other, "\(file) \(field.name)")
    }
    for row in 0..<table.rowCount {
      #expect(
        table.geometry?.geometry(ofRow: row, spatialReference: nil)?.form
          == reference.geometry?.geometry(ofRow: row, spatialReference: nil)?.form, "\(file) row \(row)")
    }
  }

  @Test("Every FlatGeobuf fixture is read as GDAL reads it")
  func everyFileIsReadAsGDALReadsIt() throws {
    var (same, left, rows) = (0, [String](), 0)
    for file in try Self.files() {
      let bytes = try Fixture.bytes(file)
      // One piece, and pieces shorter than a feature.
      for pieceSize in [1 << 20, 700, 1] {
        let reference = Result { try VectorFile.read(Fixture.path(file), layer: nil, allowsStream: false) }
        guard let layer = try? Self.read(bytes, pieceSize: pieceSize) else {
          if pieceSize == 1 << 20 { left.append(file) }
          continue
        }
        let expected = try reference.get()
        #expect(layer.name == expected.name, "\(file)")
        Self.expectEqual(layer.table, expected.table, file)
        same += 1
        rows += layer.table.rowCount
      }
    }
    #expect(
      left.map { $0.dropFirst(11) } == ["collections.fgb", "curves.fgb", "mixed.fgb"], "left to GDAL: \(left)"
    )
    #expect(same == 167)
    #expect(rows == 5502)
  }

  /// Our reader reads the same as GDAL; a file that it refuses must be refused or read in part by GDAL.
  @Test("Random FlatGeobuf files are read as GDAL reads them")
  func randomFilesAreReadAsGDALReadsThem() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fgb-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var (same, left, refused) = (0, 0, 0)
    for seed in 0..<150 as Range<UInt64> {
      var generator = FlatGeobufGenerator(seed: seed)
      let bytes = generator.file()
      let path = "\(folder)/layer.fgb"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let reference = Result { try VectorFile.read(path, layer: nil, allowsStream: false) }
      let own = Result { try Self.read(bytes, pieceSize: 512) }
      switch (own, reference) {
      case (.success(nil), _): left += 1
      case (.success(let layer?), .success(let expected)):
        Self.expectEqual(layer.table, expected.table, "seed \(seed)")
        same += 1
      case (.success, .failure(let error)): Issue.record("seed \(seed): GDAL refuses: \(error)")
      case (.failure(let error), .success): Issue.record("seed \(seed): refused: \(error)")
      case (.failure, .failure): refused += 1
      }
    }
    #expect(same + left == 150, "\(same) \(left) \(refused)")
    #expect(same > 120, "\(same) \(left) \(refused)")
    #expect(left > 0, "\(same) \(left) \(refused)")
    #expect(refused == 0, "\(same) \(left) \(refused)")
  }

  /// Covers files truncated anywhere and files with flipped bits.
  @Test("Damaged FlatGeobuf files are read in part or refused")
  func damagedFilesAreRefused() throws {
    var (cut, turned, refused) = (0, 0, 0)
    var random = SeededGenerator(seed: 5)
    for file in ["polygon-indexed", "point-zm", "linestring", "one", "multipolygon-zm"] {
      let bytes = try Fixture.bytes("FlatGeobuf/\(file).fgb")
      let whole = try #require(try Self.read(bytes, pieceSize: 1000)).table.rowCount
      for end in Swift.stride(from: 0, to: bytes.count, by: 13) {
        let layer = try? Self.read(Array(bytes[..<end]), pieceSize: 1000)
        // A file that does not state its size may end after any feature.
        #expect(layer == nil || (layer?.table.rowCount ?? 0) < whole)
        cut += 1
      }
      for _ in 0..<500 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: damaged.indices, using: &random)
          damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        do { _ = try Self.read(damaged, pieceSize: 1000) } catch { refused += 1 }
        turned += 1
      }
    }
    #expect(turned == 2500, "\(cut) \(refused)")
    #expect(cut > 500, "\(cut) \(refused)")
    #expect(refused > 300, "\(cut) \(refused)")
  }

  /// Refused before memory is allocated.
  @Test("A feature count larger than the file can contain is refused")
  func countsAreProvedByBytes() throws {
    for count in [UInt64.max, 1 << 40, 1000] {
      let header = FlatBufferWriter.sized([2: .byte(1), 8: .word64(count), 9: .word16(16)])
      let bytes = Array("fgb".utf8) + [3] + Array("fgb".utf8) + [0] + header
      let error = try #require(throws: FlatGeobufError.self) { try Self.read(bytes, pieceSize: 100) }
      #expect(error.description == "states \(count) features, more than its bytes can hold")
    }
  }
}
