import Glibc

/// The files of a File Geodatabase, checked before GDAL reads them, because GDAL reads some truncated files as shorter
/// tables.
///
/// A table is a pair of files: `aXXXXXXXX.gdbtable` (rows) and `.gdbtablx` (offsets of the rows). Tables 1 to 8
/// describe the geodatabase.
///
/// - Source: the reverse-engineered specification of the format by E. Rouault ("FGDB-Spec"), versions 3 and 4.
struct GeodatabaseFiles {
  /// The number of the last table that describes the geodatabase.
  private static let lastSystemTable = 8

  let folder: String

  /// Checks the tables that describe the geodatabase.
  ///
  /// - Throws: ``LibraryError`` that names the missing, truncated or unreadable file.
  func checkSystemTables() throws(LibraryError) {
    guard access("\(folder)/\(Self.name(1)).gdbtable", F_OK) == 0 else {
      throw LibraryError("\(Self.name(1)).gdbtable: is missing; it lists the tables of a File Geodatabase")
    }
    for number in 1...Self.lastSystemTable where access("\(folder)/\(Self.name(number)).gdbtable", F_OK) == 0
    {
      _ = try rowCount(ofTable: number)
    }
  }

  /// Checks the files of a table and returns the number of rows that it declares.
  ///
  /// - Throws: ``LibraryError`` that names the missing, truncated or unreadable file.
  func rowCount(ofTable number: Int) throws(LibraryError) -> Int {
    let rows = try DataFile(folder, "\(Self.name(number)).gdbtable")
    let head = try rows.bytes(at: 0, count: 40)
    let version = head.little(at: 0, size: 4)
    guard version == 3 || version == 4 else {
      throw LibraryError("\(rows.name): is not a table of a File Geodatabase of a known version")
    }
    _ = try rows.bytes(at: head.little(at: 24, size: 8), count: 0)
    let count = version == 3 ? head.little(at: 4, size: 4) : head.little(at: 16, size: 8)
    // GDAL does not read offsets of a table without rows either.
    if count > 0 {
      try checkOffsets(try DataFile(folder, "\(Self.name(number)).gdbtablx"), version: version)
    }
    return count
  }

  /// Checks that a file of offsets has all its blocks, its trailer and its bitmap.
  private func checkOffsets(_ file: DataFile, version: Int) throws(LibraryError) {
    let head = try file.bytes(at: 0, count: 16)
    let (blocks, size) = (head.little(at: 4, size: 4), head.little(at: 12, size: 4))
    guard head.little(at: 0, size: 4) == version, (4...6).contains(size) else {
      throw LibraryError("\(file.name): is not a list of row offsets for its table")
    }
    // A block has 1024 offsets. The trailer has 12 bytes in version 4, and 16 in version 3.
    let trailer = 16 + blocks * 1024 * size
    let tail = try file.bytes(at: trailer, count: version == 3 ? 16 : 12)
    let bits = tail.little(at: 0, size: 4) == 0 ? 0 : tail.little(at: 4, size: 4)
    let bitmap = version == 3 ? (bits + 7) / 8 : tail.little(at: 8, size: 4)
    _ = try file.bytes(at: trailer + tail.count + bitmap, count: 0)
  }

  /// Returns the name of a table's files without their extensions.
  static func name(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "a" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
