import Foundation
import MapModel
import Synchronization
import Testing

import MapTiles

/// PMTiles that are read by byte ranges.
@Suite struct ServedPMTilesTests {
  /// A file in memory that counts what is read of it.
  private final class CountedFile: Sendable {
    let bytes: [UInt8]
    private let asked = Mutex<[Range<Int>]>([])
    private let versions: Mutex<[String]>

    /// Creates a file whose version is each of some in turn, and then the last.
    init(versions: [String] = ["1"]) throws {
      let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Styles/tiles/helsinki.pmtiles"
      ).standardizedFileURL.path
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      self.versions = Mutex(versions)
    }

    var ranges: [Range<Int>] { asked.withLock { $0 } }

    func part(_ range: Range<Int>) -> FilePart {
      asked.withLock { $0.append(range) }
      let version = versions.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return FilePart(
        bytes: Array(bytes[range.clamped(to: 0..<bytes.count)]), size: bytes.count, version: version)
    }
  }

  private static func local() throws -> TileArchive {
    try TileArchive(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Styles/tiles/helsinki.pmtiles"
      ).standardizedFileURL.path)
  }

  @Test("All tiles are those of the file, by one request for the header and few for tiles near each other")
  func tiles() async throws {
    let (file, archive) = (try CountedFile(), try Self.local())
    let served = try await ServedPMTiles(place: "memory") { range, _ throws(TileError) in file.part(range) }
    #expect(served.zooms == archive.zooms && served.format == .vector)
    #expect(served.metadata.attribution == archive.metadata.attribution)
    #expect(served.metadata.vectorLayers == archive.metadata.vectorLayers)
    #expect((1...2).contains(file.ranges.count) && file.ranges[0] == 0..<ServedPMTiles.firstBytes)
    var all: [TileIndex] = []
    for zoom in archive.zooms { all += try archive.tiles(zoom: zoom) }
    #expect(all.count == 19)
    let absent = TileIndex(zoom: 14, column: 0, row: 0)
    let before = file.ranges.count
    let found = await served.tiles(all + [absent])
    #expect(found.count == 20 && (try? found[absent]?.get()) == .some(nil))
    for tile in all { #expect(try found[tile]?.get() == archive.bytes(at: tile), "\(tile)") }
    let requests = file.ranges.dropFirst(before)
    #expect(
      requests.count < 8 && requests.allSatisfy { $0.count <= ServedPMTiles.mergedBytes }, "\(requests)")
  }

  @Test("If the file changes, reading begins again once; if it changes again, all tiles have an error")
  func changes() async throws {
    let archive = try Self.local()
    let tile = try #require(try archive.tiles(zoom: 14).first)
    for (versions, isRead) in [(["1", "2"], true), ((1...99).map { "\($0)" }, false)] {
      let file = try CountedFile(versions: versions)
      let served = try await ServedPMTiles(place: "memory") { range, _ throws(TileError) in file.part(range) }
      let result = await served.tiles([tile])[tile]
      switch result {
      case .success(let bytes)?:
        #expect(try isRead && bytes == archive.bytes(at: tile))
        // The new version is kept.
        #expect(try await served.tiles([tile])[tile]?.get() == archive.bytes(at: tile))
      case .failure(let error)?: #expect(!isRead && error.description.contains("changed"), "\(error)")
      case nil: Issue.record("no result")
      }
    }
  }

  @Test("Ranges are merged in order, if they overlap, touch or are near each other, up to the limit")
  func merging() {
    func merged(_ ranges: Range<Int>...) -> [Range<Int>] { ServedPMTiles.merged(ranges).map(\.whole) }
    let (gap, most) = (ServedPMTiles.gap, ServedPMTiles.mergedBytes)
    #expect(merged() == [])
    #expect(merged(5..<9, 0..<5) == [0..<9])
    #expect(merged(0..<10, 2..<4) == [0..<10])
    #expect(merged(0..<10, 10 + gap..<20 + gap) == [0..<20 + gap])
    #expect(merged(0..<10, 11 + gap..<20 + gap) == [0..<10, 11 + gap..<20 + gap])
    #expect(merged(0..<most, most..<most + 1) == [0..<most, most..<most + 1])
    #expect(merged(3..<3) == [])
  }

  @Test("An archive that ends too early, or whose numbers lie outside, is refused")
  func hostile() async throws {
    let file = try CountedFile()
    for (size, reason) in [
      (0, "is not a PMTiles archive"), (126, "is not a PMTiles archive"), (200, "root directory"),
    ] {
      await #expect(throws: TileFileError.self, "\(reason)") {
        try await ServedPMTiles(place: "memory") { range, _ throws(TileError) in
          FilePart(
            bytes: Array(file.bytes.prefix(size)[range.clamped(to: 0..<size)]), size: size, version: "1")
        }
      }
    }
    // The offset of the tiles leads beyond the end.
    var bytes = file.bytes
    for place in 56..<64 { bytes[place] = 0x7F }
    let changed = bytes
    let served = try await ServedPMTiles(place: "memory") { range, _ throws(TileError) in
      FilePart(bytes: Array(changed[range.clamped(to: 0..<changed.count)]), size: changed.count, version: "1")
    }
    let tile = try #require(try Self.local().tiles(zoom: 14).first)
    let result = await served.tiles([tile])[tile]
    #expect(throws: TileError.self) { try result?.get() }
  }
}
