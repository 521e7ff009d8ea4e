import MapJSON
import MapModel
import MapReaders
import MapSystem
import Synchronization

/// The bytes of an archive: of a file on this machine, or on a server.
package struct TileBytes: Sendable {
  /// The number of bytes.
  let size: Int
  /// Gets the ranges that are read next, which may then be fetched together; nil if that has no use.
  let announce: (@Sendable ([Range<Int>]) throws -> Void)?
  /// Returns a range.
  let bytes: @Sendable (Range<Int>) throws -> [UInt8]

  /// Creates the access to bytes.
  package init(
    size: Int, announce: (@Sendable ([Range<Int>]) throws -> Void)? = nil,
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) {
    (self.size, self.announce, self.bytes) = (size, announce, bytes)
  }
}

/// A PMTiles archive, version 3.
///
/// Every number of the file is checked against the size of the file and the limits below before it is used.
///
/// - Source: PMTiles Version 3 Specification.
final class PMTilesFile: Sendable {
  let header: PMTilesHeader
  private let file: TileBytes
  private let path: String
  private let root: PMTilesDirectory
  /// The leaf directories read so far, by offset; emptied when there are many.
  private let leaves = Mutex<[UInt64: PMTilesDirectory]>([:])

  /// The greatest size of a directory in bytes, as stored.
  ///
  /// - Source: design decision; writers keep leaf directories below 100 KB.
  static let directoryBytes = 4 << 20
  /// The greatest size of the metadata in bytes, as stored.
  static let metadataBytes = 4 << 20
  /// The greatest size of a tile in bytes.
  ///
  /// - Source: design decision.
  static let tileBytes = 32 << 20
  /// The greatest number of directories from the root to a tile, which also ends loops.
  ///
  /// - Source: design decision; the specification recommends at most two levels below the root.
  static let depth = 4

  /// Returns whether bytes begin like a PMTiles archive of any version.
  static func looksLikePMTiles(_ head: [UInt8]) -> Bool { head.starts(with: Array("PMTiles".utf8)) }

  /// Opens an archive and reads its root directory.
  convenience init(_ path: String) throws(TileFileError) {
    do {
      let file = try RandomAccessFile(path)
      try self.init(path, TileBytes(size: file.size, bytes: { try file.bytes($0) }))
    } catch let error as TileFileError { throw error } catch { throw TileFileError(path, "\(error)") }
  }

  /// Opens an archive by its bytes.
  init(_ path: String, _ file: TileBytes) throws(TileFileError) {
    (self.path, self.file) = (path, file)
    do {
      guard file.size >= PMTilesHeader.size else { throw TileFileError(path, "ends within its header") }
      header = try PMTilesHeader(try file.bytes(0..<PMTilesHeader.size), path: path)
      guard let range = Self.range(header.root, limit: Self.directoryBytes, of: file.size) else {
        throw TileFileError(path, "its root directory lies outside the file")
      }
      root = try PMTilesDirectory(header.unpacked(try file.bytes(range)))
    } catch let error as TileFileError { throw error } catch {
      throw TileFileError(path, "\(error)")
    }
  }

  /// The metadata, JSON as bytes; empty without any or if it cannot be read.
  var metadata: [UInt8] {
    guard let range = Self.range(header.metadata, limit: Self.metadataBytes, of: file.size), !range.isEmpty,
      let bytes = try? file.bytes(range)
    else { return [] }
    return (try? header.unpacked(bytes)) ?? []
  }

  /// The name, the attribution, the extent and the layers, as far as the archive states them.
  var description: TileMetadata {
    var description = (try? JSONValue(parsing: metadata)).map { TileMetadata($0) } ?? TileMetadata()
    description.extent = header.bounds.flatMap { TileMetadata.extent($0) }
    return description
  }

  /// The bytes of the first tile; nil without any.
  var firstTile: [UInt8]? {
    var directory = root
    for _ in 0..<Self.depth {
      guard let entry = directory.entries.first else { return nil }
      if entry.run > 0 { return try? bytes(of: entry) }
      guard let leaf = try? leaf(entry) else { return nil }
      directory = leaf
    }
    return nil
  }

  /// Returns the bytes of a tile; nil if the archive does not have it.
  func bytes(at tile: TileIndex) throws(TileError) -> [UInt8]? {
    guard let id = PMTilesID.id(of: tile) else { return nil }
    do {
      var directory = root
      for _ in 0..<Self.depth {
        guard let entry = directory.entry(for: id) else { return nil }
        if entry.run > 0 { return try bytes(of: entry) }
        directory = try leaf(entry)
      }
      throw TileError("is in directories that are nested too deeply")
    } catch let error as TileError { throw error } catch { throw TileError("\(error)") }
  }

  /// Returns the tiles of a level, at most one more than a limit.
  func tiles(zoom: Int, limit: Int) throws(TileError) -> [TileIndex] {
    var tiles: [TileIndex] = []
    try runs(in: PMTilesID.first(ofZoom: zoom)..<PMTilesID.first(ofZoom: zoom + 1)) { run throws(TileError) in
      for id in run.prefix(limit + 1 - tiles.count) { tiles.append(PMTilesID.tile(id, zoom: zoom)) }
    }
    return tiles
  }

  /// Announces that some tiles are read next; faults of their directories are reported when they are read.
  func announce(_ tiles: [TileIndex]) throws {
    guard let announce = file.announce else { return }
    var ranges: Set<Range<Int>> = []
    for id in tiles.compactMap({ PMTilesID.id(of: $0) }) {
      var directory = root
      for _ in 0..<Self.depth {
        guard let entry = directory.entry(for: id) else { break }
        if entry.run > 0 {
          let part = (entry.offset, UInt64(entry.length))
          if let range = Self.range(part, in: header.tiles, limit: Self.tileBytes, of: file.size) {
            ranges.insert(range)
          }
          break
        }
        guard let leaf = try? leaf(entry) else { break }
        directory = leaf
      }
    }
    try announce(Array(ranges))
  }

  /// Returns the number of tiles of each level that has some.
  func tileCounts() throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    try runs(in: 0..<PMTilesID.first(ofZoom: TileScheme.largestZoom + 1)) { run throws(TileError) in
      for zoom in 0...TileScheme.largestZoom {
        let level = PMTilesID.first(ofZoom: zoom)..<PMTilesID.first(ofZoom: zoom + 1)
        let common = level.clamped(to: run)
        if !common.isEmpty { counts[zoom, default: 0] += common.count }
      }
    }
    return counts
  }

  /// Passes on the runs of tiles whose numbers are in a range, in order.
  ///
  /// A directory must have the numbers that the one above it states, so no archive has a tile twice.
  ///
  /// - Throws: ``TileError`` for directories that are damaged or have more entries than ``entryLimit``.
  func runs(in ids: Range<UInt64>, _ body: (Range<UInt64>) throws(TileError) -> Void) throws(TileError) {
    var room = Self.entryLimit
    try runs(root, 0..<UInt64.max, ids, depth: 1, &room, body)
  }

  /// The greatest number of entries of directories that are read to list tiles.
  ///
  /// - Source: design decision; an archive of the whole world at zoom 11 has fewer.
  private static let entryLimit = 1 << 23

  private func runs(
    _ directory: PMTilesDirectory, _ own: Range<UInt64>, _ ids: Range<UInt64>, depth: Int, _ room: inout Int,
    _ body: (Range<UInt64>) throws(TileError) -> Void
  ) throws(TileError) {
    guard depth <= Self.depth else { throw TileError("has directories that are nested too deeply") }
    let entries = directory.entries
    room -= entries.count + 1
    guard room >= 0 else {
      throw TileError("has more than \(Self.entryLimit) entries in its directories, the limit")
    }
    for (index, entry) in entries.enumerated() {
      let next = index + 1 < entries.count ? entries[index + 1].id : own.upperBound
      let (runEnd, isOver) = entry.id.addingReportingOverflow(UInt64(entry.run))
      guard own.contains(entry.id), next > entry.id, !isOver, runEnd <= next else {
        throw TileError("has a damaged directory: its numbers overlap")
      }
      let end = entry.run == 0 ? next : runEnd
      guard entry.id < ids.upperBound, end > ids.lowerBound else { continue }
      if entry.run > 0 {
        try body(max(entry.id, ids.lowerBound)..<min(end, ids.upperBound))
      } else {
        let leaf: PMTilesDirectory
        do { leaf = try self.leaf(entry) } catch let error as TileError { throw error } catch {
          throw TileError("\(error)")
        }
        try runs(leaf, entry.id..<next, ids, depth: depth + 1, &room, body)
      }
    }
  }

  private func bytes(of entry: PMTilesDirectory.Entry) throws -> [UInt8] {
    guard
      let range = Self.range(
        (entry.offset, UInt64(entry.length)), in: header.tiles, limit: Self.tileBytes, of: file.size)
    else { throw TileError("lies outside the archive, or is larger than \(Self.tileBytes >> 20) MiB") }
    return try header.unpacked(try file.bytes(range), header.tileCompression, limit: Self.tileBytes)
  }

  private func leaf(_ entry: PMTilesDirectory.Entry) throws -> PMTilesDirectory {
    if let known = leaves.withLock({ $0[entry.offset] }) { return known }
    guard
      let range = Self.range(
        (entry.offset, UInt64(entry.length)), in: header.leaves, limit: Self.directoryBytes, of: file.size)
    else { throw TileError("is in a directory that lies outside the archive") }
    let leaf = try PMTilesDirectory(header.unpacked(try file.bytes(range)))
    leaves.withLock { leaves in
      if leaves.count >= 64 { leaves.removeAll() }
      leaves[entry.offset] = leaf
    }
    return leaf
  }

  /// Returns a part of the file as a range; nil outside the section or the file, and for more bytes than the limit.
  static func range(
    _ part: (offset: UInt64, length: UInt64), in section: (offset: UInt64, length: UInt64)? = nil,
    limit: Int, of size: Int
  ) -> Range<Int>? {
    let (end, isOver) = part.offset.addingReportingOverflow(part.length)
    guard !isOver, part.length <= UInt64(limit), end <= section?.length ?? UInt64.max else { return nil }
    let (start, isFar) = part.offset.addingReportingOverflow(section?.offset ?? 0)
    let (stop, isFarther) = start.addingReportingOverflow(part.length)
    guard !isFar, !isFarther, stop <= UInt64(size) else { return nil }
    return Int(start)..<Int(stop)
  }
}

/// The header of a PMTiles archive.
struct PMTilesHeader: Sendable {
  static let size = 127

  /// The compression of directories, metadata or tiles.
  enum Compression: UInt8 { case unknown, none, gzip, brotli, zstd }

  let root: (offset: UInt64, length: UInt64)
  let metadata: (offset: UInt64, length: UInt64)
  let leaves: (offset: UInt64, length: UInt64)
  let tiles: (offset: UInt64, length: UInt64)
  let tileCompression: Compression
  /// The format of the tiles; nil if it is unknown.
  let format: TileArchive.Format?
  let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees; nil if they make no extent.
  let bounds: [Double]?
  private let compression: Compression

  init(_ bytes: [UInt8], path: String) throws(TileFileError) {
    func number(_ place: Int, _ size: Int) -> UInt64 {
      (0..<size).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }
    func part(_ place: Int) -> (offset: UInt64, length: UInt64) { (number(place, 8), number(place + 8, 8)) }
    guard bytes.count >= Self.size, PMTilesFile.looksLikePMTiles(bytes) else {
      throw TileFileError(path, "is not a PMTiles archive")
    }
    guard bytes[7] == 3 else {
      throw TileFileError(path, "is a PMTiles archive of version \(bytes[7]); version 3 can be read")
    }
    (root, metadata, leaves, tiles) = (part(8), part(24), part(40), part(56))
    guard let compression = Compression(rawValue: bytes[97]), compression != .brotli, compression != .zstd
    else { throw TileFileError(path, "has directories compressed with brotli or zstd; gzip can be read") }
    guard let tileCompression = Compression(rawValue: bytes[98]), tileCompression != .brotli,
      tileCompression != .zstd
    else { throw TileFileError(path, "has tiles compressed with brotli or zstd; gzip can be read") }
    (self.compression, self.tileCompression) = (compression, tileCompression)
    // The types of images are 2 to 5; 0 is unknown.
    format = [1: .vector, 6: .mapLibreTile][bytes[99]] ?? (bytes[99] == 0 ? nil : .image)
    let (first, last) = (Int(bytes[100]), Int(bytes[101]))
    guard first <= last, last <= TileScheme.largestZoom else {
      throw TileFileError(
        path, "has zoom levels \(first) to \(last); 0 to \(TileScheme.largestZoom) can be read")
    }
    zooms = first...last
    let sides = [102, 106, 110, 114].map {
      Double(Int32(truncatingIfNeeded: Int64(bitPattern: number($0, 4)))) / 1e7
    }
    bounds = TileMetadata.extent(sides) == nil ? nil : sides
  }

  /// Returns directories or metadata without compression.
  func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try unpacked(bytes, compression, limit: 16 * PMTilesFile.directoryBytes)
  }

  /// Returns bytes without compression, at most `limit`.
  func unpacked(_ bytes: [UInt8], _ compression: Compression, limit: Int) throws -> [UInt8] {
    guard compression == .gzip, GzipFile.looksLikeGzip(bytes) else { return bytes }
    var unpacked: [UInt8] = []
    try GzipFile.decode(bytes) { piece in
      guard unpacked.count + piece.count <= limit else {
        throw TileError("is larger than \(limit >> 20) MiB when it is decompressed")
      }
      unpacked += piece
    }
    return unpacked
  }
}

/// A directory of a PMTiles archive.
struct PMTilesDirectory: Sendable {
  /// Tiles from an id on with the same bytes; a run of 0 is a leaf directory.
  struct Entry: Hashable, Sendable {
    var id: UInt64
    var run: UInt32
    var length: UInt32
    var offset: UInt64
  }

  let entries: [Entry]

  /// Reads a directory; its entries must be in order.
  init(_ bytes: [UInt8]) throws(TileError) {
    let damaged = TileError("its directory is damaged")
    var place = 0
    func varint() throws(TileError) -> UInt64 {
      var (value, shift): (UInt64, UInt64) = (0, 0)
      while place < bytes.count, shift < 64 {
        let byte = bytes[place]
        place += 1
        // The tenth byte has one bit left.
        if shift == 63, byte > 1 { throw damaged }
        value |= UInt64(byte & 127) << shift
        if byte < 128 { return value }
        shift += 7
      }
      throw damaged
    }
    func short() throws(TileError) -> UInt32 {
      guard let value = UInt32(exactly: try varint()) else { throw damaged }
      return value
    }
    // An entry takes at least four bytes.
    guard let count = Int(exactly: try varint()), count <= bytes.count / 4 else { throw damaged }
    var entries = [Entry](repeating: Entry(id: 0, run: 0, length: 0, offset: 0), count: count)
    var last: UInt64 = 0
    for index in 0..<count {
      let (id, isOver) = last.addingReportingOverflow(try varint())
      guard !isOver, index == 0 || id > last else { throw damaged }
      (entries[index].id, last) = (id, id)
    }
    for index in 0..<count { entries[index].run = try short() }
    for index in 0..<count { entries[index].length = try short() }
    for index in 0..<count {
      let value = try varint()
      if value > 0 {
        entries[index].offset = value - 1
      } else {
        guard index > 0 else { throw damaged }
        let (offset, isOver) = entries[index - 1].offset.addingReportingOverflow(
          UInt64(entries[index - 1].length))
        guard !isOver else { throw damaged }
        entries[index].offset = offset
      }
    }
    self.entries = entries
  }

  /// Returns the entry of a tile, or the leaf directory that may have it; nil for none.
  func entry(for id: UInt64) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id <= id { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    return entry.run == 0 || id - entry.id < UInt64(entry.run) ? entry : nil
  }
}

/// The numbers of tiles in a PMTiles archive: all levels, each along a Hilbert curve.
enum PMTilesID {
  /// Returns the number of a tile; nil for a position outside its level.
  static func id(of tile: TileIndex) -> UInt64? {
    guard (0...TileScheme.largestZoom).contains(tile.zoom) else { return nil }
    let side = 1 << tile.zoom
    guard (0..<side).contains(tile.column), (0..<side).contains(tile.row) else { return nil }
    var id = first(ofZoom: tile.zoom)
    var (x, y, half) = (tile.column, tile.row, side / 2)
    while half > 0 {
      let (right, down) = (x & half > 0 ? 1 : 0, y & half > 0 ? 1 : 0)
      id += UInt64(half) * UInt64(half) * UInt64((3 * right) ^ down)
      (x, y) = (x & (half - 1), y & (half - 1))
      if down == 0 {
        if right == 1 { (x, y) = (half - 1 - x, half - 1 - y) }
        (x, y) = (y, x)
      }
      half /= 2
    }
    return id
  }
  /// Returns the number of the first tile of a level; the levels above it have 1 + 4 + 16 + … tiles.
  static func first(ofZoom zoom: Int) -> UInt64 { ((UInt64(1) << UInt64(2 * zoom)) - 1) / 3 }

  /// Returns the tile of a number in one of some levels; of another number, the first tile of the first level.
  static func tile(_ id: UInt64, _ zooms: ClosedRange<Int>) -> TileIndex {
    let zoom = zooms.first { id >= first(ofZoom: $0) && id < first(ofZoom: $0 + 1) }
    return zoom.map { tile(id, zoom: $0) } ?? TileIndex(zoom: zooms.lowerBound, column: 0, row: 0)
  }

  /// Returns the tile of a number in a level.
  static func tile(_ id: UInt64, zoom: Int) -> TileIndex {
    var (rest, x, y) = (id - first(ofZoom: zoom), 0, 0)
    for level in 0..<max(zoom, 0) {
      let half = 1 << level
      let right = Int(rest / 2 & 1)
      let down = Int((rest ^ UInt64(right)) & 1)
      if down == 0 {
        if right == 1 { (x, y) = (half - 1 - x, half - 1 - y) }
        (x, y) = (y, x)
      }
      (x, y) = (x + half * right, y + half * down)
      rest /= 4
    }
    return TileIndex(zoom: zoom, column: x, row: y)
  }
}
