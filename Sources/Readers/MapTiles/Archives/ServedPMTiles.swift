import MapJSON
package import MapModel
import MapSystem
import Synchronization

/// A part of a file that is read by byte ranges.
package struct FilePart: Sendable {
  /// The bytes.
  package let bytes: [UInt8]
  /// The size of the whole file; nil if it is unknown.
  package let size: Int?
  /// A text that changes when the file does; nil if none is known.
  package let version: String?

  /// Creates a part.
  package init(bytes: [UInt8], size: Int?, version: String?) {
    (self.bytes, self.size, self.version) = (bytes, size, version)
  }
}

/// A PMTiles archive that is read by byte ranges, such as one on a server.
///
/// Directories are kept. The tiles of a view are read together: ranges near each other by one request. All tiles that
/// are read together are of one version of the file: if it changes in between, reading begins again once.
///
/// - Source: PMTiles Version 3 Specification.
package final class ServedPMTiles: Sendable {
  /// Returns a part of the file, which ends where the file ends; `refreshes` asks for one that no cache has.
  package typealias Read =
    @Sendable (_ range: Range<Int>, _ refreshes: Bool) async throws(TileError) -> FilePart

  /// The parts that were read of one version of the file.
  private struct Archive: Sendable {
    let header: PMTilesHeader
    let root: PMTilesDirectory
    let metadata: TileMetadata
    let size: Int?
    let version: String?
    /// The leaf directories read so far, by offset; emptied when there are many.
    var leaves: [UInt64: PMTilesDirectory] = [:]
  }

  /// The error for a file that is no longer the one that was opened.
  private struct ChangedFile: Error {}

  /// The path or address, without secrets.
  package let place: String
  /// The format of the tiles; nil if the archive does not state it.
  package let format: TileArchive.Format?
  /// The levels with tiles.
  package let zooms: ClosedRange<Int>
  /// The name, the attribution, the extent and the layers of vector tiles, as far as the archive states them.
  package let metadata: TileMetadata
  private let read: Read
  private let archive: Mutex<Archive>

  /// The number of bytes that are read first; they contain the header and the root directory.
  ///
  /// - Source: PMTiles Version 3 Specification, 4: the root directory is in the first 16,384 bytes.
  package static let firstBytes = 16_384
  /// The greatest number of bytes between two ranges that are read by one request.
  ///
  /// - Source: design decision; at 20 Mbit/s, reading 32 KB takes as long as the way to a server and back, 13 ms.
  package static let gap = 32 << 10
  /// The greatest size of a request for several ranges.
  ///
  /// - Source: design decision; larger answers are not kept by the cache of tiles.
  package static let mergedBytes = 2 << 20
  /// The greatest size of the tiles that are read together, as stored.
  ///
  /// - Source: design decision; some hundred dense tiles.
  package static let viewBytes = 128 << 20
  /// The greatest number of leaf directories that are kept.
  private static let mostLeaves = 64
  /// The greatest number of entries of the leaf directories that are read together.
  ///
  /// - Source: design decision; writers put some thousands into a directory.
  private static let entryLimit = 1 << 22

  /// Opens an archive: reads its header, root directory and metadata.
  ///
  /// - Throws: ``TileFileError``.
  package init(place: String, read: @escaping Read) async throws(TileFileError) {
    (self.place, self.read) = (place, read)
    let opened = try await Self.open(place, read, refreshes: false)
    (format, zooms, metadata) = (opened.header.format, opened.header.zooms, opened.metadata)
    archive = Mutex(opened)
  }

  private static func open(
    _ place: String, _ read: Read, refreshes: Bool
  ) async throws(TileFileError) -> Archive {
    do {
      let first = try await read(0..<firstBytes, refreshes)
      let header = try PMTilesHeader(first.bytes, path: place)
      func part(_ range: Range<Int>) async throws -> [UInt8] {
        if range.upperBound <= first.bytes.count { return Array(first.bytes[range]) }
        let part = try await read(range, refreshes)
        guard part.version == first.version, part.size == first.size else {
          throw TileFileError(place, "changed while it was opened; try again")
        }
        guard part.bytes.count == range.count else {
          throw TileFileError(place, "ends within its directories")
        }
        return part.bytes
      }
      guard
        let root = PMTilesFile.range(
          header.root, limit: PMTilesFile.directoryBytes, of: first.size ?? .max)
      else { throw TileFileError(place, "its root directory lies outside the file") }
      let directory = try PMTilesDirectory(header.unpacked(try await part(root)))
      var metadata = TileMetadata()
      if let range = PMTilesFile.range(
        header.metadata, limit: PMTilesFile.metadataBytes, of: first.size ?? .max), !range.isEmpty
      {
        // Damaged metadata are as none, as in files.
        let bytes = (try? header.unpacked(try await part(range))) ?? []
        metadata = (try? JSONValue(parsing: bytes)).map { TileMetadata($0) } ?? metadata
      }
      metadata.extent = header.bounds.flatMap { TileMetadata.extent($0) }
      return Archive(
        header: header, root: directory, metadata: metadata, size: first.size, version: first.version)
    } catch let error as TileFileError { throw error } catch { throw TileFileError(place, "\(error)") }
  }

  /// Returns the bytes of some tile; nil without any.
  ///
  /// - Throws: ``TileError``.
  package func firstTile() async throws(TileError) -> [UInt8]? {
    var directory = archive.withLock { $0.root }
    for _ in 0..<PMTilesFile.depth {
      guard let entry = directory.entries.first else { return nil }
      if entry.run > 0 {
        let tile = archive.withLock { PMTilesID.tile(entry.id, $0.header.zooms) }
        return try await tiles([tile])[tile]?.get() ?? nil
      }
      var archive = archive.withLock { $0 }
      do { try await readLeaves([entry], &archive, refreshes: false) } catch {
        throw error as? TileError ?? TileError(Self.changed)
      }
      guard let leaf = archive.leaves[entry.offset] else { return nil }
      directory = leaf
    }
    return nil
  }

  private static let changed = "changed on the server while its tiles were read; try again"

  /// Returns the bytes of tiles, without gzip; nil for those that the archive does not have.
  package func tiles(_ tiles: [TileIndex]) async -> [TileIndex: Result<[UInt8]?, TileError>] {
    do {
      return try await found(tiles, archive.withLock { $0 }, refreshes: false)
    } catch {
      do {
        let opened = try await Self.open(place, read, refreshes: true)
        return try await found(tiles, opened, refreshes: true)
      } catch {
        let reason = (error as? TileFileError).map(\.description) ?? Self.changed
        return Dictionary(uniqueKeysWithValues: Set(tiles).map { ($0, .failure(TileError(reason))) })
      }
    }
  }

  private func found(
    _ tiles: [TileIndex], _ opened: Archive, refreshes: Bool
  ) async throws(ChangedFile) -> [TileIndex: Result<[UInt8]?, TileError>] {
    var (archive, results) = (opened, [TileIndex: Result<[UInt8]?, TileError>]())
    let entries = try await entries(of: tiles, &archive, &results, refreshes: refreshes)
    let kept = archive
    self.archive.withLock { known in
      known = kept
      if known.leaves.count > Self.mostLeaves { known.leaves.removeAll() }
    }
    var ranges: [TileIndex: Range<Int>] = [:]
    for (tile, entry) in entries {
      ranges[tile] = PMTilesFile.range(
        (entry.offset, UInt64(entry.length)), in: archive.header.tiles, limit: PMTilesFile.tileBytes,
        of: archive.size ?? .max)
      if ranges[tile] == nil {
        results[tile] = .failure(
          TileError("lies outside the archive, or is larger than \(PMTilesFile.tileBytes >> 20) MiB"))
      }
    }
    guard Set(ranges.values).reduce(0, { $0 + $1.count }) <= Self.viewBytes else {
      let error = TileError(
        "is one of the view's tiles, which take more than \(Self.viewBytes >> 20) MiB, the limit")
      return Dictionary(uniqueKeysWithValues: Set(tiles).map { ($0, .failure(error)) })
    }
    let parts = try await parts(Array(Set(ranges.values)), of: archive, refreshes: refreshes)
    let header = archive.header
    for (tile, range) in ranges {
      results[tile] = (parts[range] ?? .failure(TileError("has no bytes"))).flatMap { bytes in
        do {
          return .success(
            try header.unpacked(bytes, header.tileCompression, limit: PMTilesFile.tileBytes))
        } catch { return .failure(error as? TileError ?? TileError("\(error)")) }
      }
    }
    return results
  }

  // MARK: Directories

  /// Returns the entries of tiles; those that are missing or cannot be found are added to the results.
  private func entries(
    of tiles: [TileIndex], _ archive: inout Archive,
    _ results: inout [TileIndex: Result<[UInt8]?, TileError>], refreshes: Bool
  ) async throws(ChangedFile) -> [TileIndex: PMTilesDirectory.Entry] {
    var found: [TileIndex: PMTilesDirectory.Entry] = [:]
    // The directory in which each tile is looked up next, by its offset; nil for the root.
    var places: [TileIndex: UInt64?] = [:]
    for tile in tiles { places[tile] = .some(nil) }
    for _ in 0..<PMTilesFile.depth {
      var wanted: [UInt64: PMTilesDirectory.Entry] = [:]
      for (tile, offset) in places {
        let directory = offset.map { archive.leaves[$0] } ?? archive.root
        places[tile] = nil
        guard let directory else { continue }
        guard let id = PMTilesID.id(of: tile), let entry = directory.entry(for: id) else {
          results[tile] = .success(nil)
          continue
        }
        if entry.run > 0 {
          found[tile] = entry
        } else {
          (places[tile], wanted[entry.offset]) = (entry.offset, entry)
        }
      }
      guard !places.isEmpty else { break }
      do {
        let missing = wanted.values.filter { archive.leaves[$0.offset] == nil }
        try await readLeaves(missing.sorted { $0.offset < $1.offset }, &archive, refreshes: refreshes)
      } catch let error as TileError {
        for tile in places.keys { results[tile] = .failure(error) }
        return found
      } catch { throw ChangedFile() }
    }
    for tile in places.keys where results[tile] == nil && found[tile] == nil {
      results[tile] = .failure(TileError("is in directories that are nested too deeply"))
    }
    return found
  }

  /// Reads leaf directories.
  ///
  /// - Throws: `TileError` for directories that cannot be read, or `ChangedFile`.
  private func readLeaves(
    _ entries: [PMTilesDirectory.Entry], _ archive: inout Archive, refreshes: Bool
  ) async throws {
    var ranges: [(offset: UInt64, range: Range<Int>)] = []
    for entry in entries {
      guard
        let range = PMTilesFile.range(
          (entry.offset, UInt64(entry.length)), in: archive.header.leaves, limit: PMTilesFile.directoryBytes,
          of: archive.size ?? .max)
      else { throw TileError("is in a directory that lies outside the archive") }
      ranges.append((entry.offset, range))
    }
    let parts = try await parts(ranges.map(\.range), of: archive, refreshes: refreshes)
    var room = Self.entryLimit
    for (offset, range) in ranges {
      do {
        guard let bytes = try parts[range]?.get() else { throw TileError("is in a directory without bytes") }
        let leaf = try PMTilesDirectory(archive.header.unpacked(bytes))
        room -= leaf.entries.count
        guard room >= 0 else {
          throw TileError("is in directories with more than \(Self.entryLimit) entries, the limit")
        }
        archive.leaves[offset] = leaf
      } catch { throw error as? TileError ?? TileError("\(error)") }
    }
  }

  // MARK: Ranges

  /// Reads ranges of the file, those near each other by one request.
  private func parts(
    _ ranges: [Range<Int>], of archive: Archive, refreshes: Bool
  ) async throws(ChangedFile) -> [Range<Int>: Result<[UInt8], TileError>] {
    let read = read
    let merged = Self.merged(ranges)
    let found = await TileRequests.results(of: merged.map(\.whole), noun: "requests") { range in
      do throws(TileError) {
        return .success(try await read(range, refreshes))
      } catch { return .failure(error) }
    }
    var parts: [Range<Int>: Result<[UInt8], TileError>] = [:]
    for (whole, inner) in merged {
      switch found[whole] {
      case .success(let part)?:
        guard part.version == archive.version, part.size == archive.size else { throw ChangedFile() }
        for range in inner {
          let (first, last) = (range.lowerBound - whole.lowerBound, range.upperBound - whole.lowerBound)
          parts[range] =
            last <= part.bytes.count
            ? .success(Array(part.bytes[first..<last]))
            : .failure(TileError("lies beyond the end of the archive"))
        }
      case .failure(let error)?: for range in inner { parts[range] = .failure(error) }
      case nil: break
      }
    }
    return parts
  }

  /// Returns the ranges to read for others, each with those inside it, in order.
  package static func merged(_ ranges: [Range<Int>]) -> [(whole: Range<Int>, inner: [Range<Int>])] {
    ranges.merged(gap: gap, limit: mergedBytes)
  }
}
