package import MapFeatures
import MapSystem

/// Reads the sheets of an Excel workbook (`.xlsx`) or an OpenDocument spreadsheet (`.ods`) as tables.
///
/// The first row with at least two filled cells is the header. Types, and columns of coordinates, are those of
/// delimited text: ``CSVReader``. Rows and sheets without a filled cell are left out. Formulas have their stored results.
///
/// - Source: ECMA-376, part 1 (SpreadsheetML); OpenDocument 1.3, part 3.
/// - Cost: memory for the unpacked sheet and its cells.
package enum Spreadsheet {
  /// A sheet with values.
  package struct Table: Sendable {
    package let name: String
    package let columns: FeatureColumns
  }

  private enum Kind { case workbook, openDocument }

  private static func kind(of archive: ZipArchive) -> Kind? {
    let names = Set(archive.entries.map(\.name))
    if names.contains("xl/workbook.xml") { return .workbook }
    guard names.contains("content.xml"), let entry = archive.entries.first(where: { $0.name == "mimetype" }),
      entry.size < 100, let type = try? archive.bytes(of: entry)
    else { return nil }
    return type.starts(with: "application/vnd.oasis.opendocument.spreadsheet".utf8) ? .openDocument : nil
  }

  /// Reads the sheets with values, or only the one of a name; nil for another file.
  ///
  /// - Throws: ``ArchiveError``, ``FeatureReadError``, `FileError`.
  package static func tables(
    _ path: String, sheet: String?, fields: FieldSelection, options: ReadingOptions
  ) throws -> [Table]? {
    guard let archive = try? ZipArchive(RandomAccessFile(path)), let kind = kind(of: archive) else {
      return nil
    }
    var options = options
    (options.encoding, options.delimiter) = (nil, nil)
    let sheets =
      switch kind {
      case .workbook: try Workbook(archive).sheets(named: sheet)
      case .openDocument: try OpenDocumentSheets.read(archive)
      }
    let named = sheets.filter { $0.name == sheet }
    let chosen = (named.isEmpty ? sheets : named).filter { !$0.cells.isEmpty }
    let size = chosen.reduce(0) { $0 + $1.tableSize }
    guard size <= Sheet.tableLimit else {
      throw ArchiveError(
        "its sheets have \(size) cells with the empty ones; at most \(Sheet.tableLimit) are read")
    }
    return try chosen.map { sheet in
      let (text, warnings) = sheet.delimitedText(options.decimalSign)
      let columns: FeatureColumns
      do throws(FeatureReadError) {
        columns = try CSVReader.read(text, fields: fields, options: options)
      } catch {
        throw ArchiveError("sheet \(sheet.name): \(text.message(error))")
      }
      return Table(name: sheet.name, columns: columns.with(warnings: warnings + columns.warnings))
    }
  }
}

extension ZipArchive {
  /// Returns the bytes of an entry.
  func bytes(of entry: Entry) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(entry.size, 1 << 28))
    try read(entry) { bytes += $0 }
    return bytes
  }

  /// Returns the bytes of an entry by its name; nil without one.
  func bytes(named name: String) throws -> [UInt8]? {
    try entries.first { $0.name == name }.map { try bytes(of: $0) }
  }
}

extension FeatureColumns {
  /// Returns the table with other warnings.
  fileprivate func with(warnings: [String]) -> FeatureColumns {
    FeatureColumns(
      schema: schema, columns: columns, geometry: geometry, otherGeometries: otherGeometries,
      rowCount: rowCount,
      warnings: warnings, objectIDs: objectIDs, isComplete: isComplete)
  }
}
