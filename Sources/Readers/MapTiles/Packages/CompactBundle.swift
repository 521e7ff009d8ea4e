import MapModel

/// A bundle of tiles: a file with the tiles of 128 rows and 128 columns of a level.
///
/// Offsets and sizes are checked against the size of the file before they are used.
///
/// - Source: Esri, Compact Cache V2 (repository Esri/raster-tiles-compactcache): a header of 64 bytes, then for each tile 8
///   bytes with the offset of its bytes (5 bytes) and their number (3 bytes).
enum CompactBundle {
  /// The number of rows and of columns.
  static let side = 128
  private static let headerSize = 64
  private static let indexSize = side * side * 8

  /// Returns the path of the bundle with a tile, such as `L05/R0000C0080.bundle`.
  static func name(of tile: TileIndex, level: Int) -> String {
    func hexadecimal(_ number: Int) -> String {
      let digits = String(number / side * side, radix: 16)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return "\(folder(ofLevel: level))/R\(hexadecimal(tile.row))C\(hexadecimal(tile.column)).bundle"
  }

  /// Returns the name of the folder with the bundles of a level.
  static func folder(ofLevel level: Int) -> String { (level < 10 ? "L0" : "L") + "\(level)" }

  /// Returns the first row and column of a bundle by its name; nil for another name.
  static func corner(ofName name: String) -> (row: Int, column: Int)? {
    guard name.hasPrefix("R"), name.hasSuffix(".bundle"), let mark = name.firstIndex(of: "C"),
      let row = Int(name[name.index(after: name.startIndex)..<mark], radix: 16),
      let column = Int(name[name.index(after: mark)...].dropLast(7), radix: 16), row >= 0, column >= 0,
      row % side == 0, column % side == 0, row < 1 << 30, column < 1 << 30
    else { return nil }
    return (row, column)
  }

  /// Returns the bytes of a tile in its bundle; nil if the bundle does not have it.
  ///
  /// - Throws: ``TileError`` for a damaged bundle, and errors of `read`.
  static func bytes(of tile: TileIndex, size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws -> [UInt8]?
  {
    try check(size: size)
    let place = headerSize + 8 * (side * (tile.row % side) + tile.column % side)
    guard let range = try range(Record(try read(place..<place + 8)[...]), size: size) else { return nil }
    return try read(range)
  }

  /// Returns the rows and columns in a bundle that have tiles, row by row.
  static func tiles(
    size: Int, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> [(row: Int, column: Int)] {
    try check(size: size)
    let index = try read(headerSize..<headerSize + indexSize)
    return (0..<side * side).compactMap { number in
      Record(index[8 * number..<8 * number + 8]).size > 0 ? (number / side, number % side) : nil
    }
  }

  private static func check(size: Int) throws(TileError) {
    guard size >= headerSize + indexSize else { throw TileError("is in a bundle that ends within its index") }
  }

  private static func range(_ record: Record, size: Int) throws(TileError) -> Range<Int>? {
    guard record.size > 0 else { return nil }
    // Both numbers have less than 41 bits.
    guard record.offset >= headerSize, record.offset + record.size <= size else {
      throw TileError("lies outside its bundle")
    }
    return record.offset..<record.offset + record.size
  }

  private struct Record {
    let offset: Int
    let size: Int

    init(_ bytes: ArraySlice<UInt8>) {
      let value = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      (offset, size) = (Int(value & (1 << 40 - 1)), Int(value >> 40))
    }
  }
}
