import MapDatabases
import MapFeatures
import MapGeometry

/// Rows that a database sends, in the binary format of `COPY`.
enum SubjectDatabases {
  private static let columns: [CopyColumn] = [
    ("id", .int32), ("small", .int16), ("large", .int64), ("single", .real32), ("double", .real64),
    ("decimal", .numeric), ("name", .text), ("truth", .boolean), ("day", .date),
    ("time", .timestamp(hasZone: false)), ("instant", .timestamp(hasZone: true)), ("mark", .uuid),
    ("shape", .geometry),
  ].map { CopyColumn(Field(name: $0, type: .text), $1) }

  /// Reads the rows at once and in small pieces, which must give the same answer.
  static func copy(_ bytes: [UInt8]) -> Bool {
    let whole = read(bytes, pieces: max(1, bytes.count))
    let divided = read(bytes, pieces: 7)
    precondition((whole == nil) == (divided == nil))
    guard let whole, let divided else {
      // With bad rows left out, more bytes are a table.
      _ = read(bytes, pieces: 64, skipsBadRows: true)
      return false
    }
    precondition(whole.count == divided.count && whole.spatialReferenceID == divided.spatialReferenceID)
    let (columns, warnings) = whole.finished()
    precondition(columns.allSatisfy { $0.count == whole.count } && warnings == divided.finished().warnings)
    precondition(whole.geometries.allSatisfy { $0.rowCount == whole.count })
    return true
  }

  private static func read(_ bytes: [UInt8], pieces: Int, skipsBadRows: Bool = false) -> CopyRows? {
    var rows = CopyRows(columns: columns, key: 0, skipsBadRows: skipsBadRows)
    do throws(CopyFault) {
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + pieces)
        try rows.read(Array(bytes[place..<end]))
        place = end
      }
      try rows.finish()
      return rows
    } catch {
      return nil
    }
  }
}
