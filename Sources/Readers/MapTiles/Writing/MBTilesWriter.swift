package import MapModel
import MapSystem

/// A writer of MBTiles files.
///
/// Tiles with equal bytes are stored once.
///
/// - Source: MBTiles 1.3, with the tables `map` and `images` that many writers use.
package enum MBTilesWriter {
  /// Writes a new file of PNG tiles.
  ///
  /// - Parameters:
  ///   - tiles: the tiles, in order, each once.
  ///   - metadata: names and values.
  ///   - path: the path of a file that does not exist.
  ///   - read: returns the bytes of a tile.
  /// - Throws: ``TileFileError``.
  package static func write(
    _ tiles: [TileIndex], metadata: [(name: String, value: String)], to path: String,
    _ read: @escaping (TileIndex) throws -> [UInt8]
  ) throws(TileFileError) {
    do {
      var database = try TileDatabase(writing: path)
      try database.run(
        """
        PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; BEGIN;
        CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT);
        CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB);
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id INTEGER,
          PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
          FROM map JOIN images ON map.tile_id = images.tile_id;
        """)
      for (name, value) in metadata {
        try database.query("INSERT INTO metadata VALUES ('\(name)', ?1)", text: value)
      }
      var contents = TileContents(read)
      for (index, tile) in tiles.enumerated() {
        let (bytes, earlier) = try contents.next(tile, number: index)
        let number = earlier ?? index
        if earlier == nil {
          try database.query("INSERT INTO images VALUES (?1, ?2)", numbers: [number], blob: bytes)
        }
        let row = (1 << tile.zoom) - 1 - tile.row
        try database.query(
          "INSERT INTO map VALUES (?1, ?2, ?3, \(number))", numbers: [tile.zoom, tile.column, row])
      }
      try database.run("COMMIT")
    } catch { throw TileFileError(path, "\(error)") }
  }
}
