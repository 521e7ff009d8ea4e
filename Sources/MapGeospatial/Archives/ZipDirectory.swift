import Glibc
import MapFeatures
import MapReaders

/// The list of entries at the end of a zip archive, checked before GDAL reads the entries inside the archive.
///
/// No entry is unpacked to the file system.
///
/// - Source: PKWARE APPNOTE 6.3.10, 4.3.12 and 4.3.16; 64-bit forms exceed the limits and are refused.
struct ZipDirectory {
  /// The names of the entries that are files.
  private(set) var names: [String] = []

  /// Returns whether GDAL would treat a file as an archive, by its extension.
  static func isArchive(_ path: String) -> Bool {
    [".zip", ".shz", ".kmz", ".tar", ".tgz", ".gz"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Returns a message about damage inside the archive in words that name the entry; other messages stay.
  func words(for message: String) -> String {
    let isDamage = ["/vsi", ".cpp", "fread", "orrupt"].contains { message.contains($0) }
    guard isDamage else { return message }
    let text = message.lowercased()
    let entry =
      names.first { message.contains($0) }
      ?? [".shp", "dbf", "shx", "gdbtablx", "gdbtable"].first { text.contains($0) }.flatMap { ending in
        names.first { $0.lowercased().hasSuffix(ending) }
      }
    guard let entry else { return "an entry of the archive is damaged" }
    return "the entry \(entry) cannot be read: it, or one that belongs to it, is damaged or missing"
  }

  /// Checks the archive at a path.
  ///
  /// - Throws: ``LibraryError`` that names the entry and the limit.
  init(_ path: String, limits: ArchiveLimits = ArchiveLimits()) throws(LibraryError) {
    let file = try DataFile(DataFile.folder(path), DataFile.name(path))
    // The end record has 22 bytes and a comment of at most 65,535 bytes.
    let tail = try file.bytes(at: max(0, file.size - 65_557), count: min(file.size, 65_557))
    let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    guard tail.count >= 22,
      let end = (0...tail.count - 22).last(where: { tail[$0] == 0x50 && tail[$0..<$0 + 4] == signature[...] })
    else { throw LibraryError("is not a complete zip archive; unpack archives of other formats first") }
    let count = tail.little(at: end + 10, size: 2)
    let (size, start) = (tail.little(at: end + 12, size: 4), tail.little(at: end + 16, size: 4))
    guard count <= limits.entries, count < 0xFFFF, size < 0xFFFF_FFFF, start < 0xFFFF_FFFF else {
      throw LibraryError("has more than \(limits.entries) entries or 4 GiB, the limits of an archive")
    }
    guard count == tail.little(at: end + 8, size: 2), tail.little(at: end + 4, size: 4) == 0 else {
      throw LibraryError("is one of several parts of an archive")
    }
    // Bytes may precede the archive; offsets then count from the archive's start.
    let offset = max(0, file.size - tail.count) + end - size
    guard offset >= start else { throw LibraryError("its list of entries is damaged") }
    let list = try file.bytes(at: offset, count: size)
    var (place, total, packed) = (0, 0, 0)
    for _ in 0..<count {
      guard place + 46 <= list.count, list.little(at: place, size: 4) == 0x0201_4B50 else {
        throw LibraryError("its list of entries is damaged")
      }
      let (flags, mode) = (list.little(at: place + 8, size: 2), list.little(at: place + 38, size: 4) >> 16)
      let sizes = (
        compressed: list.little(at: place + 20, size: 4), whole: list.little(at: place + 24, size: 4)
      )
      let length = list.little(at: place + 28, size: 2)
      let next =
        place + 46 + length + list.little(at: place + 30, size: 2) + list.little(at: place + 32, size: 2)
      guard next <= list.count else { throw LibraryError("its list of entries is damaged") }
      let name = String(decoding: list[place + 46..<place + 46 + length], as: UTF8.self)
      place = next
      if let reason = limits.refusal(ofName: name) { throw LibraryError("the entry \(name) \(reason)") }
      // The upper half contains Unix permissions.
      if mode & Int(S_IFMT) == Int(S_IFLNK) { throw LibraryError("the entry \(name) is a link") }
      if flags & 1 != 0 { throw LibraryError("the entry \(name) is encrypted") }
      if let reason = limits.refusal(uncompressed: sizes.whole, compressed: sizes.compressed) {
        throw LibraryError("the entry \(name) \(reason)")
      }
      (total, packed) = (total + sizes.whole, packed + sizes.compressed)
      if !name.hasSuffix("/") { names.append(name) }
    }
    // Entries that share bytes would contain more than the archive has.
    guard packed <= file.size else { throw LibraryError("its entries overlap") }
    if let reason = limits.refusal(uncompressed: total, compressed: packed) { throw LibraryError(reason) }
  }
}
