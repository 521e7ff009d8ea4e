internal import CTiles
import MapModel
import MapSystem
import Synchronization

/// A read-only MBTiles file.
///
/// Unsafe code is limited to passing texts and bytes to and from SQLite.
///
/// - Source: MBTiles 1.3; rows count from the bottom.
final class MBTilesFile: Sendable {
  private let database: Mutex<TileDatabase>
  let metadata: [String: String]
  let zooms: ClosedRange<Int>

  /// The greatest number of metadata rows that are read.
  private static let metadataRows = 1000

  /// Opens a file and reads its metadata and zoom levels.
  init(_ path: String) throws(TileFileError) {
    do {
      var database = try TileDatabase(reading: path)
      var metadata: [String: String] = [:]
      try database.query("SELECT name, value FROM metadata LIMIT \(Self.metadataRows)") { row in
        metadata[row.text(0)] = row.text(1)
        return true
      }
      self.metadata = metadata
      var found: ClosedRange<Int>?
      try database.query(
        "SELECT min(zoom_level), max(zoom_level), count(*) > 0 FROM (SELECT zoom_level FROM tiles)"
      ) { row in
        let (first, last) = (row.number(0), row.number(1))
        if row.number(2) > 0, first >= 0, first <= last, last <= TileScheme.largestZoom {
          found = first...last
        }
        return false
      }
      guard let found else { throw TileError("has no tiles") }
      zooms = found
      self.database = Mutex(database)
    } catch { throw TileFileError(path, "\(error)") }
  }

  /// The bytes of some tile; nil without any.
  var firstTile: [UInt8]? {
    try? database.withLock { database throws(TileError) in
      var bytes: [UInt8]?
      try database.query("SELECT tile_data FROM tiles LIMIT 1") { row in
        bytes = row.bytes(0)
        return false
      }
      return bytes
    }
  }

  /// Returns the tiles of a level, at most one more than a limit.
  func tiles(zoom: Int, limit: Int) throws(TileError) -> [TileIndex] {
    try database.withLock { database throws(TileError) in
      var tiles: [TileIndex] = []
      try database.query(
        "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?1 LIMIT ?2", numbers: [zoom, limit + 1]
      ) { row in
        let (column, rowUp) = (row.number(0), row.number(1))
        let side = 1 << zoom
        if (0..<side).contains(column), (0..<side).contains(rowUp) {
          tiles.append(TileIndex(zoom: zoom, column: column, row: side - 1 - rowUp))
        }
        return true
      }
      return tiles
    }
  }

  /// Returns the number of tiles of each level that has some.
  func tileCounts() throws(TileError) -> [Int: Int] {
    try database.withLock { database throws(TileError) in
      var counts: [Int: Int] = [:]
      try database.query("SELECT zoom_level, count(*) FROM tiles GROUP BY zoom_level LIMIT 100") { row in
        counts[row.number(0)] = row.number(1)
        return true
      }
      return counts
    }
  }

  /// Returns the bytes of a tile; nil if the file does not have it.
  func bytes(at tile: TileIndex) throws(TileError) -> [UInt8]? {
    try database.withLock { database throws(TileError) in
      var bytes: [UInt8]?
      try database.query(
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1",
        numbers: [tile.zoom, tile.column, (1 << tile.zoom) - 1 - tile.row]
      ) { row in
        bytes = row.bytes(0)
        return false
      }
      return bytes
    }
  }
}

/// A SQLite file; it is closed at the end of its life.
@safe struct TileDatabase: ~Copyable {
  private let handle: OpaquePointer

  /// A row of a result.
  @safe struct Row: ~Copyable {
    fileprivate let handle: OpaquePointer

    func number(_ column: Int32) -> Int { Int(clamping: unsafe ctiles_number(handle, column)) }
    func bytes(_ column: Int32) -> [UInt8] {
      var count = 0
      guard let start = unsafe ctiles_bytes(handle, column, &count) else { return [] }
      return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  }

  init(reading path: String) throws(TileError) {
    // SQLite waits for a pipe without end.
    do { _ = try RandomAccessFile(path) } catch { throw TileError(error.reason) }
    unsafe handle = try Self.checked { unsafe ctiles_open(path, $0) }
  }

  /// Creates a file, or opens one to write.
  init(writing path: String) throws(TileError) {
    unsafe handle = try Self.checked { unsafe ctiles_create(path, $0) }
  }

  deinit { unsafe ctiles_close(handle) }

  private static func checked<Value>(
    _ call: (UnsafeMutablePointer<CChar>) -> Value?
  ) throws(TileError) -> Value {
    var text = [CChar](repeating: 0, count: Int(CTILES_ERROR_SIZE))
    let value = unsafe text.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe call($0) }
    }
    guard let value else { throw TileError(text: text) }
    return value
  }

  /// Runs statements without results.
  mutating func run(_ sql: String) throws(TileError) {
    let handle = unsafe handle
    _ = try unsafe Self.checked { unsafe ctiles_run(handle, sql, $0) == 0 ? nil : true }
  }

  /// Runs a statement, and passes its rows on until `row` returns false.
  mutating func query(
    _ sql: String, numbers: [Int] = [], text: String? = nil, blob: [UInt8]? = nil,
    _ row: (borrowing Row) -> Bool = { _ in true }
  ) throws(TileError) {
    let handle = unsafe handle
    let numbers = numbers.map { Int64($0) }
    _ = try unsafe Self.checked { error in
      unsafe ctiles_prepare(
        handle, sql, numbers, Int32(numbers.count), text, blob, blob?.count ?? 0, error) == 0 ? nil : true
    }
    while true {
      let code = try unsafe Self.checked { error -> Int32? in
        let code = unsafe ctiles_step(handle, error)
        return code < 0 ? nil : code
      }
      guard code == 1, row(unsafe Row(handle: handle)) else { return }
    }
  }
}

extension TileError {
  /// Creates an error from the text of a C call.
  init(text: [CChar]) {
    self.init(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}
