import Foundation
import MapImages
import MapModel
import MapTestSupport
import MapTiles
import Testing

/// Archives that loop, swell or lie about their sizes.
@Suite struct HostileArchiveTests {
  /// An archive, and the reason of the tile 1/0/0, or of the archive if it is refused.
  struct Archive: Sendable, CustomTestStringConvertible {
    let name: String, opens: Bool, reason: String
    var testDescription: String { name }
  }

  static let archives = [
    Archive(name: "loop.pmtiles", opens: true, reason: "is in directories that are nested too deeply"),
    Archive(name: "bomb.pmtiles", opens: false, reason: "is larger than 64 MiB when it is decompressed"),
    Archive(name: "swollen.pmtiles", opens: true, reason: "is larger than 32 MiB when it is decompressed"),
    Archive(name: "far.pmtiles", opens: true, reason: "lies outside the archive"),
    Archive(name: "long.pmtiles", opens: true, reason: "lies outside the archive"),
    Archive(name: "many.pmtiles", opens: false, reason: "its directory is damaged"),
    Archive(name: "endless.mbtiles", opens: false, reason: "its view takes too long"),
    Archive(name: "large.mbtiles", opens: true, reason: "string or blob too big"),
    Archive(name: "cut.mbtiles", opens: false, reason: "database disk image is malformed"),
  ]

  /// The folder of the archives, which a Python program writes once.
  private static let folder = Result {
    let folder = NSTemporaryDirectory() + "/archives-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3",
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Servers/hostile_archives.py"
      ).path, folder,
    ]
    try process.start()
    process.waitUntilExit()
    return folder
  }

  @Test(
    "An archive that loops, swells or lies is reported within the limits", .timeLimit(.minutes(2)),
    arguments: archives)
  func report(_ archive: Archive) async throws {
    let path = try Self.folder.get() + "/" + archive.name
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileManager.default.fileExists(atPath: path))
    do {
      let source = try TileFile.open(path)
      #expect(archive.opens)
      let (good, bad) = (TileIndex(zoom: 0, column: 0, row: 0), TileIndex(zoom: 1, column: 0, row: 0))
      let images = await source.images(at: [good, bad])
      #expect(try images[good]?.get()?.bitmap.width == 64)
      guard case .failure(let error) = images[bad] else {
        Issue.record("the tile was read")
        return
      }
      #expect(error.description.contains(archive.reason), "\(error)")
    } catch let error as TileFileError {
      #expect(!archive.opens)
      #expect(error.description.contains(archive.reason), "\(error)")
    }
  }

  @Test("Each archive is in the table")
  func countsArchives() { #expect(Self.archives.count == 9) }
}
