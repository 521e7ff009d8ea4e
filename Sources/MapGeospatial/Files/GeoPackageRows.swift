import CGeospatial
import Glibc
import MapFeatures
import MapFilter
import MapGeometry

/// The rows of a GeoPackage's table, read from SQLite itself on all cores, where each value is stored as its field
/// declares.
///
/// GDAL says what the table is and reads whatever is not as it should be: ``read(_:layer:ids:geometry:columns:)`` is nil
/// then, so that a table holds what GDAL gives, value by value.
struct GeoPackageRows: Sendable {
  /// What a table is, as GDAL says.
  struct Layout: Sendable {
    let path: String
    let table: String
    let idColumn: String
    let geometryColumn: String?
    /// The fields by their columns' names, without rows.
    let columns: [DeclaredColumn]
  }

  /// A value or a file that is left to GDAL.
  private struct NotCovered: Error {}

  private(set) var ids: [Int64] = []
  private(set) var columns: [DeclaredColumn]
  private(set) var geometry = CoordinateBuilder()
  private(set) var losses = GeometryLosses()
  private var scratch: [UInt8] = []

  private init(_ layout: Layout) { columns = layout.columns }

  /// Reads all rows in the order of their numbers; nil for what is left to GDAL.
  static func read(_ layout: Layout) -> GeoPackageRows? {
    guard let before = changeCounter(layout.path), let numbers = rowNumbers(layout) else { return nil }
    let rows = try? concurrentPipeline(
      pieces(of: numbers)[...], next: { $0.popFirst() },
      work: { try GeoPackageRows(layout, numbers: $0) },
      into: GeoPackageRows(layout), take: { try $0.append($1) })
    // Each stretch was read by itself: a change between two of them would make a table that never was.
    return changeCounter(layout.path) == before ? rows : nil
  }

  /// The number that a file's every change raises; nil while another program writes it.
  ///
  /// - Source: SQLite, "Database File Format", 1.3.10.
  private static func changeCounter(_ path: String) -> [UInt8]? {
    // What another program is writing is there, and not in the file alone.
    for ending in ["-wal", "-journal"] where access(path + ending, F_OK) == 0 { return nil }
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 28)
    return fread(&bytes, 1, bytes.count, file) == bytes.count ? Array(bytes[24...]) : nil
  }

  /// The numbers of the rows from first to last; nil for what is no plain table, or is being written.
  private static func rowNumbers(_ layout: Layout) -> ClosedRange<Int64>? {
    // A column of this name would be found in place of the number.
    let names = [layout.idColumn, layout.geometryColumn ?? ""] + layout.columns.map(\.field.name)
    guard !names.contains(where: { $0.lowercased() == "_rowid_" }) else { return nil }
    guard let file = SQLiteFile(layout.path) else { return nil }
    var isTable = false
    // Views and virtual tables have no page of their own.
    let page = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"
    guard
      file.query(
        page, text: layout.table,
        row: {
          isTable = ($0.integer(0) ?? 0) > 0; return true
        }), isTable
    else { return nil }
    var range: ClosedRange<Int64>?
    let table = SQLiteFile.quoted(layout.table)
    // Asked for one by one, each is looked up in the tree.
    let ends = "SELECT (SELECT min(_rowid_) FROM \(table)), (SELECT max(_rowid_) FROM \(table))"
    _ = file.query(ends) { row in
      if let first = row.integer(0), let last = row.integer(1), first <= last { range = first...last }
      return true
    }
    return range
  }

  /// The numbers in stretches of some 10 ms of work each, but not very many of them where the rows lie far apart.
  private static func pieces(of numbers: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    let span = UInt64(bitPattern: numbers.upperBound &- numbers.lowerBound)
    let size = max(1 << 15, span / 512 + 1)
    return stride(from: 0, through: span, by: Int(clamping: size)).map { first in
      let last = min(span, first + (size - 1))
      return numbers.lowerBound &+ Int64(bitPattern: first)...numbers.lowerBound &+ Int64(bitPattern: last)
    }
  }

  private init(_ layout: Layout, numbers: ClosedRange<Int64>) throws(NotCovered) {
    self.init(layout)
    let names =
      [layout.idColumn] + (layout.geometryColumn.map { [$0] } ?? []) + layout.columns.map(\.field.name)
    let list = names.map { SQLiteFile.quoted($0) }.joined(separator: ", ")
    let table = SQLiteFile.quoted(layout.table)
    var rows = self
    let first: Int32 = layout.geometryColumn == nil ? 1 : 2
    guard let file = SQLiteFile(layout.path),
      file.query(
        "SELECT \(list) FROM \(table) WHERE _rowid_ BETWEEN ? AND ? ORDER BY _rowid_",
        [numbers.lowerBound, numbers.upperBound],
        row: { row in
          guard let id = row.integer(0) else { return false }
          rows.ids.append(id)
          if first == 2, !rows.addGeometry(row) { return false }
          return rows.columns.indices.allSatisfy {
            rows.columns[$0].append(row, first + Int32($0), &rows.scratch)
          }
        })
    else { throw NotCovered() }
    self = rows
  }

  /// Adds the geometry of a row; false for one that is left to GDAL.
  ///
  /// - Source: OGC 12-128r18, 2.1.3: "GP", version, flags, reference, envelope, well-known binary.
  private mutating func addGeometry(_ row: SQLiteRow) -> Bool {
    if row.isNull(1) {
      geometry.appendEmptyRow()
      return true
    }
    guard let blob = row.blob(1), blob.count >= 8, blob[0] == 0x47, blob[1] == 0x50, blob[2] == 0 else {
      return false
    }
    // Extended and empty geometries are GDAL's to judge.
    guard blob[3] & 0x30 == 0 else { return false }
    let envelopes = [0, 32, 48, 48, 64]
    let envelope = Int(blob[3] >> 1 & 7)
    guard envelope < envelopes.count, blob.count > 8 + envelopes[envelope] else { return false }
    let shape = UnsafeBufferPointer(rebasing: blob[(8 + envelopes[envelope])...])
    guard let remarks = try? WellKnownBinary.appendRow(shape.span, to: &geometry) else { return false }
    losses.note(remarks)
    return true
  }

  private mutating func append(_ part: GeoPackageRows) throws(NotCovered) {
    guard geometry.append(part.geometry) else { throw NotCovered() }
    ids += part.ids
    for index in columns.indices { columns[index].append(part.columns[index]) }
    losses.flattened += part.losses.flattened
    losses.droppedParts += part.losses.droppedParts
  }
}

extension DeclaredColumn {
  /// Adds the value of a row; false for one that is not stored as the field declares.
  fileprivate mutating func append(_ row: SQLiteRow, _ place: Int32, _ scratch: inout [UInt8]) -> Bool {
    if row.isNull(place) {
      appendNull()
      return true
    }
    switch kind {
    case .integer:
      guard let value = row.integer(place), field.fieldType == .int64 || Int32(exactly: value) != nil else {
        return false
      }
      append(integer: value)
    case .boolean:
      guard let value = row.integer(place), value == 0 || value == 1 else { return false }
      append(boolean: value != 0)
    case .real:
      guard let value = row.real(place) else { return false }
      append(real: value)
    case .text, .date, .instant:
      guard let text = row.text(place), !text.contains(0) else { return false }
      scratch.removeAll(keepingCapacity: true)
      scratch.append(contentsOf: text)
      switch kind {
      case .date:
        guard let date = CalendarDate(iso8601: scratch.span) else { return false }
        append(date: date)
      case .instant:
        guard case .moment(let moment?)? = WrittenMoment(scratch.span) else { return false }
        append(moment: moment)
      default: append(text: 0..<scratch.count, in: scratch)
      }
    }
    return true
  }
}
