import Foundation
import MapFeatures
import MapGeospatial
import MapReaders
import MapSystem
import Testing

/// Archives that are unpacked, and those that are refused.
@Suite struct ArchiveTests {
  /// An entry of an archive, stored without compression.
  struct Entry {
    var name: String
    var bytes: [UInt8] = []
    /// The size declared by the archive's directory; nil for the true one.
    var declared: Int?
    var checkSum: Int?
    var method = 0
    var isLink = false
    var isEncrypted = false
  }

  private static let parts = ["shp", "shx", "dbf", "prj"].map { "points.\($0)" }

  private func read(_ entries: [Entry], named name: String = "points.shz", cut: Int = 0) throws
    -> FeatureColumns
  {
    let folder = try Copies()
    defer { folder.remove() }
    try folder.write(Array(Self.archive(entries).dropLast(cut)), to: name)
    let bytes = try folder.bytes(name)
    let file = try #require(
      try UnpackedFile("\(folder.path)/\(name)", head: Array(bytes.prefix(4096)), fragment: nil))
    defer { _ = file.path }
    return try VectorFile.read(file.path, layer: file.layer).table
  }

  private var plain: [Entry] {
    get throws { try Self.parts.map { Entry(name: $0, bytes: try Fixture.bytes($0)) } }
  }

  @Test("A shapefile in an archive is read, and a missing attribute file gives a warning")
  func shapefiles() throws {
    let table = try read(plain)
    #expect(table.rowCount == 300)
    // Numbers of twenty digits are beyond the whole numbers of a double.
    #expect(table.warnings == ["field long: 98 whole numbers beyond 2^53 were rounded to decimals"])
    let bare = try read(plain.filter { !$0.name.hasSuffix("dbf") })
    #expect(bare.rowCount == 300)
    #expect(bare.warnings == ["points.dbf: is missing: all attribute fields are missing"])
  }

  @Test("Changed bytes of an entry are an error that names the entry")
  func damagedEntries() throws {
    for ending in ["shp", "shx", "dbf"] {
      let entries = try plain.map { entry -> Entry in
        var entry = entry
        if entry.name.hasSuffix(ending) { entry.checkSum = 7 }
        return entry
      }
      let error = #expect(throws: ArchiveError.self) { try read(entries) }
      #expect(
        error?.description
          == "the entry points.\(ending) cannot be read: its check sum is wrong: its bytes are damaged")
    }
  }

  @Test("Files of features are found among the other files of an archive, and chosen by name")
  func chosenFiles() throws {
    let names = [
      "a/b.shp", "a/b.dbf", "a/read me.txt", "__MACOSX/a/._b.shp", "c.gdb/a0001.gdbtable", "c.gdb/gdb",
    ]
    #expect(UnpackedFile.files(in: names) == ["a/b.shp", "c.gdb"])
    #expect(UnpackedFile.files(in: ["x.json", "LICENSE"]) == ["x.json"])
    let files = ["a/b.shp", "c.gdb"]
    for (fragment, file, layer) in [
      ("a/b.shp", "a/b.shp", nil), ("b.shp", "a/b.shp", nil), ("b", "a/b.shp", nil), ("c", "c.gdb", nil),
      ("c/roads", "c.gdb", "roads"), ("c.gdb/roads", "c.gdb", "roads"),
    ] {
      let choice = try UnpackedFile.choice(files, fragment)
      #expect(choice.file == file, "\(fragment)")
      #expect(choice.layer == layer, "\(fragment)")
    }
    #expect(throws: ArchiveError.self) { try UnpackedFile.choice(files, nil) }
    #expect(throws: ArchiveError.self) { try UnpackedFile.choice(files, "roads") }
    #expect(throws: ArchiveError.self) { try UnpackedFile.choice([], nil) }
    #expect(try UnpackedFile.choice(["c.gdb"], "roads").layer == "roads")
    #expect(try UnpackedFile.choice(["doc.kml", "links/more.kml"], nil).file == "doc.kml")
  }

  @Test("The private folder of an archive is removed after reading")
  func removedFolder() throws {
    let folder = try Copies()
    defer { folder.remove() }
    let bytes = Self.archive(try plain)
    try folder.write(bytes, to: "points.zip")
    var file = try UnpackedFile("\(folder.path)/points.zip", head: Array(bytes.prefix(100)), fragment: nil)
    let path = try #require(file).path
    #expect(FileManager.default.fileExists(atPath: path))
    file = nil
    #expect(!FileManager.default.fileExists(atPath: FilePath.folder(of: path)))
  }

  @Test("An archive beyond the limits is an error that names the entry")
  func refusedArchives() throws {
    let refused: [(Entry, String)] = [
      (Entry(name: "../x.shp"), "the entry ../x.shp leads out of the archive"),
      (Entry(name: "/x.shp"), "the entry /x.shp has an absolute name"),
      (Entry(name: "inner.zip"), "the entry inner.zip is an archive within the archive"),
      (Entry(name: "link", isLink: true), "the entry link is a link"),
      (Entry(name: "secret", isEncrypted: true), "the entry secret is encrypted"),
      (Entry(name: "bomb", bytes: [1], declared: 5000), "the entry bomb is compressed more than 1000:1"),
      (Entry(name: "points.shp"), "the entry points.shp occurs twice"),
      (
        Entry(name: "points.shp.xml", method: 14),
        "the entry points.shp.xml cannot be read: its compression method 14"
      ),
    ]
    for (entry, reason) in refused {
      let error = #expect(throws: ArchiveError.self) { try read(plain + [entry]) }
      #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }
    let many = (0...10_000).map { Entry(name: "\($0)") }
    let error = #expect(throws: ArchiveError.self) { try read(many) }
    #expect(error?.description.contains("more than 10000 entries") == true)
  }

  @Test("An archive that is truncated or not an archive is an error")
  func cutArchives() throws {
    let size = Self.archive(try plain).count
    for cut in [1, 10, 22, 100, 5000, size - 4] {
      #expect(throws: ArchiveError.self, "cut by \(cut)") { try read(plain, cut: cut) }
    }
    let folder = try Copies()
    defer { folder.remove() }
    for name in ["points.tar", "points.zip"] {
      try folder.write([UInt8](repeating: 0x20, count: 2000), to: name)
      let error = #expect(throws: VectorFileError.self) { try folder.read(name) }
      #expect(error?.description.contains("unpack archives of other formats first") == true)
    }
  }

  /// The bytes of a zip archive.
  private static func archive(_ entries: [Entry]) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
    var (bytes, list) = ([UInt8](), [UInt8]())
    for entry in entries {
      let name = Array(entry.name.utf8)
      let common =
        number(entry.isEncrypted ? 1 : 0, 2) + number(entry.method, 2) + number(0, 4)
        + number(entry.checkSum ?? crc32(entry.bytes), 4)
        + number(entry.bytes.count, 4) + number(entry.declared ?? entry.bytes.count, 4)
        + number(name.count, 2)
        + number(0, 2)
      list += number(0x0201_4B50, 4) + number(3 << 8 | 20, 2) + number(20, 2) + common
      list +=
        number(0, 6) + number((entry.isLink ? 0o120777 : 0o100644) << 16, 4) + number(bytes.count, 4) + name
      bytes += number(0x0403_4B50, 4) + number(20, 2) + common + name + entry.bytes
    }
    let count = number(entries.count, 2)
    return bytes + list + number(0x0605_4B50, 4) + number(0, 4) + count + count + number(list.count, 4)
      + number(bytes.count, 4) + number(0, 2)
  }

  private static func crc32(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return Int(~crc)
  }
}
