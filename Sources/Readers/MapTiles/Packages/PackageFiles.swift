import MapReaders
package import MapSystem
import Synchronization

/// The files of a package: the entries of a zip archive, or the files in a folder.
///
/// Names have `/` between folders. One that leads out of the package has no file.
package final class PackageFiles: Sendable {
  private enum Store: Sendable {
    case archive(ZipArchive, [String: ZipArchive.Entry])
    case folder(String)
  }

  /// The path of the archive or folder.
  package let path: String
  /// The folders that files may be in, also through links; nil for all, and for an archive.
  let allowed: AllowedFolders?
  private let store: Store
  /// The unpacked entries that are read in parts.
  private let unpacked = Mutex<[String: [UInt8]]>([:])

  /// The greatest number of files in an archive.
  ///
  /// - Source: design decision; a package of the whole world at level 14 has some 20,000 bundles.
  private static let mostEntries = 200_000
  /// The greatest size of an archive's contents.
  private static let mostBytes = 64 << 30
  /// The greatest size of compressed entries that are read in parts, which are kept in memory.
  ///
  /// - Source: design decision; ArcGIS Pro does not compress bundles.
  private static let unpackedBytes = 256 << 20

  /// Opens a zip archive or a folder.
  ///
  /// - Throws: ``TileFileError``.
  package init(_ path: String, in folders: AllowedFolders? = nil) throws(TileFileError) {
    (self.path, allowed) = (path, folders)
    if (try? FileAccess.checkFolder(path)) != nil {
      store = .folder(path)
      return
    }
    var limits = ArchiveLimits()
    (limits.entries, limits.bytes) = (Self.mostEntries, Self.mostBytes)
    do {
      let archive = try ZipArchive(RandomAccessFile(path), limits: limits)
      store = .archive(
        archive, Dictionary(archive.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
    } catch { throw TileFileError(path, "\(error)") }
  }

  /// Returns whether there is a file with a name.
  package func has(_ name: String) -> Bool {
    guard let name = Self.plain(name) else { return false }
    switch store {
    case .archive(_, let entries): return entries[name] != nil
    case .folder(let folder):
      if case .file = FileAccess.look(at: FilePath.join(folder, name)) { return true }
      return false
    }
  }

  /// Returns the bytes of a file; nil if there is none.
  ///
  /// - Throws: ``TileFileError`` for a file that is larger than `limit` bytes, or that cannot be read.
  package func bytes(_ name: String, limit: Int) throws(TileFileError) -> [UInt8]? {
    guard let name = Self.plain(name) else { return nil }
    do {
      switch store {
      case .archive(let archive, let entries):
        guard let entry = entries[name] else { return nil }
        guard entry.size <= limit else {
          throw TileFileError(path, "the entry \(name) is larger than \(limit) bytes, the limit")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.size)
        try archive.read(entry) { bytes += $0 }
        return bytes
      case .folder(let folder):
        let file = FilePath.join(folder, name)
        guard FileAccess.exists(file) else { return nil }
        return try allowed.map { try $0.read(file, limit: limit) } ?? FileAccess.read(file, limit: limit)
      }
    } catch let error as TileFileError { throw error } catch { throw TileFileError(path, "\(error)") }
  }

  /// Passes a file that is read in parts to a function; nil if there is no such file.
  ///
  /// - Parameter body: gets the size of the file, and a function that returns the bytes of a range in it.
  /// - Throws: ``TileFileError``, and errors of `body`.
  func reading<Result>(
    _ name: String, _ body: (_ size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws -> Result
  ) throws -> Result? {
    guard let name = Self.plain(name) else { return nil }
    switch store {
    case .archive(let archive, let entries):
      guard let entry = entries[name] else { return nil }
      guard let range = try archive.range(of: entry) else {
        let bytes = try unpackedBytes(name)
        return try body(bytes.count) { Array(bytes[$0]) }
      }
      return try body(range.count) { part in
        try archive.bytes(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
      }
    case .folder(let folder):
      let place = FilePath.join(folder, name)
      guard FileAccess.exists(place) else { return nil }
      guard allowed?.contains(place) ?? true else { throw TileFileError(place, AllowedFolders.refusal) }
      let file = try RandomAccessFile(place)
      return try body(file.size) { try file.bytes($0) }
    }
  }

  /// Returns the names in a folder of the package, without those in folders below it.
  func names(in folder: String) -> [String] {
    switch store {
    case .archive(_, let entries):
      let start = folder.isEmpty ? "" : folder + "/"
      let names = entries.keys.lazy.filter { $0.hasPrefix(start) }.map {
        String($0.dropFirst(start.count).prefix { $0 != "/" })
      }
      return Set(names).sorted()
    case .folder(let root):
      return ((try? FileAccess.names(in: folder.isEmpty ? root : FilePath.join(root, folder))) ?? []).sorted()
    }
  }

  /// Returns the bytes of a compressed entry, which are kept.
  private func unpackedBytes(_ name: String) throws -> [UInt8] {
    if let known = unpacked.withLock({ $0[name] }) { return known }
    let bytes = try bytes(name, limit: Self.unpackedBytes) ?? []
    unpacked.withLock { kept in
      let size = kept.values.reduce(0) { $0 + $1.count }
      if size + bytes.count > Self.unpackedBytes { kept = [:] }
      kept[name] = bytes
    }
    return bytes
  }

  /// Returns a name without steps such as `..`; nil for one that leads out of the package.
  package static func plain(_ name: String) -> String? {
    guard !name.hasPrefix("/"), !name.utf8.contains(0) else { return nil }
    var parts: [Substring] = []
    for part in name.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }
}
