import MapGeometry
import MapJSON

/// Reads delimited text into columns: a header, then a record a line.
///
/// The delimiter (comma, semicolon or tab) is the one that the header has most of. Geometry comes from a column of
/// well-known text (`wkt`, `geom`, `geometry`, `the_geom`), else from a longitude and a latitude column
/// (`longitude`, `lon`, `lng`, `long`; `latitude`, `lat`), else from `x` and `y`; names in any case. `x` and `y` are
/// degrees unless one of them lies beyond 180 or 90: then all are Web Mercator. Without such columns the table has no
/// geometry. Coordinate columns stay fields, the well-known text does not.
///
/// A field gets the narrowest type that all its values have: whole number, decimal, true or false, date, date-time,
/// text. Whole numbers that start with 0 or `+` are codes and stay text, as do those of more than 64 bits. An empty
/// field is null, `""` is empty text.
///
/// - Source: RFC 4180.
public enum CSVReader {
  /// Reads a whole document.
  ///
  /// - Throws: ``FeatureReadError`` with line and column.
  public static func read(_ bytes: [UInt8]) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, pieceSize: FilePieces.size)
  }

  /// The same with pieces of so many bytes a core, which changes nothing about the answer.
  package static func read(_ bytes: [UInt8], pieceSize: Int) throws(FeatureReadError) -> FeatureColumns {
    do {
      try checkUTF8(bytes)
      var parser = try CSVParser(bytes, pieceSize: pieceSize)
      return try parser.table()
    } catch {
      throw FeatureReadError(error, in: bytes)
    }
  }

  private static func checkUTF8(_ bytes: [UInt8]) throws(ReadFault) {
    var offset = 0
    let span = bytes.span
    while offset < bytes.count {
      // Most files have few bytes of more than 7 bits.
      var block: UInt8 = 0
      for index in offset..<min(offset + 64, bytes.count) { block |= span[index] }
      if block < 0x80 {
        offset += 64
        continue
      }
      if bytes[offset] < 0x80 {
        offset += 1
        continue
      }
      guard let length = UTF8Check.length(of: bytes, at: offset) else {
        throw ReadFault(.syntax(.invalidUTF8), at: offset)
      }
      offset += length
    }
  }
}

/// One reading of delimited text.
struct CSVParser: Sendable {
  private var records: CSVRecords
  private var names: [String] = []
  private var columns: [ColumnBuilder] = []
  private var places: CSVPlaces
  private var rowCount = 0
  private var renamed: [String] = []
  /// Bytes that one core reads at once.
  private let pieceSize: Int

  init(_ bytes: [UInt8], pieceSize: Int) throws {
    self.pieceSize = pieceSize
    records = CSVRecords(bytes)
    guard try records.next() else { throw ReadFault("no content", at: 0) }
    guard records.fields.count <= FeatureSchema.fieldLimit else {
      throw ReadFault(
        "a header of \(records.fields.count) names: a table has at most \(FeatureSchema.fieldLimit) fields",
        at: 0)
    }
    // For every name given out the number that its next namesake tries: long headers are read in one pass.
    var numbers: [String: Int] = [:]
    for (index, field) in records.fields.enumerated() {
      let text = String(decoding: records.text(of: field), as: UTF8.self)
      let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      let trimmed = String(text.drop(while: blank).reversed().drop(while: blank).reversed())
      let wanted = trimmed.isEmpty ? "field\(index + 1)" : trimmed
      var name = wanted
      if var number = numbers[wanted] {
        repeat {
          name = "\(wanted)_\(number)"
          number += 1
        } while numbers[name] != nil
        numbers[wanted] = number
      }
      numbers[name] = 2
      if name != trimmed { renamed.append(name) }
      names.append(name)
    }
    columns = names.map { _ in ColumnBuilder(untyped: true) }
    places = try CSVPlaces(names: names, records: records)
  }

  mutating func table() throws -> FeatureColumns {
    if let whole = readPieces() { self = whole } else { try readRows(upTo: records.bytes.count) }
    return try result()
  }

  /// Reads records until one ends at an offset or behind it.
  private mutating func readRows(upTo end: Int) throws {
    while records.skipLineEnds() < end, try records.next() {
      guard records.fields.count == names.count else {
        let count = records.fields.count
        throw ReadFault(
          "\(count) field\(count == 1 ? "" : "s") where the header has \(names.count)", at: records.start)
      }
      try places.addRow(records)
      for (index, field) in records.fields.enumerated() where index != places.textColumn {
        if field.range.isEmpty, !field.isQuoted {
          columns[index].appendNull()
        } else if field.hasDoubledQuotes {
          columns[index].append(text: records.text(of: field), in: records.bytes)
        } else {
          columns[index].append(text: field.range, in: records.bytes)
        }
      }
      rowCount += 1
    }
  }

  /// The records read in pieces on all cores; nil for a short file, and where a piece has a fault or the next one starts
  /// inside a record: then they have to be read one after the other.
  private func readPieces() -> CSVParser? {
    let ranges = FilePieces.ranges(records.offset..<records.bytes.count, size: pieceSize) {
      records.recordStart(after: $0)
    }
    guard ranges.count > 1 else { return nil }
    let pieces = concurrentMap(ranges.count) { index -> CSVParser? in
      var piece = self
      // A copy of the bytes: two cores that count who refers to the same ones hold each other up.
      piece.records = CSVRecords(ranges[index], of: records)
      return (try? piece.readRows(upTo: ranges[index].count)).map { piece }
    }.compactMap { $0 }
    guard pieces.count == ranges.count else { return nil }
    var whole = self
    for (piece, range) in zip(pieces, ranges) {
      guard whole.places.append(piece.places, from: range.lowerBound) else { return nil }
      whole.rowCount += piece.rowCount
    }
    whole.columns = concurrentMap(names.count) { index in
      ColumnBuilder.joined(
        zip(pieces, ranges).map { ($0.columns[index], $0.rowCount, $1.lowerBound) }, untyped: true,
        in: records.bytes)
    }.compactMap { $0 }
    return whole.columns.count == names.count ? whole : nil
  }

  private func result() throws -> FeatureColumns {
    let fields = names.indices.filter { $0 != places.textColumn }
    let finished = concurrentMap(fields.count) { columns[fields[$0]].finished(name: names[fields[$0]]) }
    var warnings: [String] = []
    if !renamed.isEmpty {
      let shown = renamed.prefix(5).joined(separator: ", ")
      let rest = renamed.count > 5 ? " and \(renamed.count - 5) more" : ""
      warnings.append("header: names that were empty or occurred before became \(shown)\(rest)")
    }
    warnings += finished.flatMap(\.warnings)
    let geometry = places.result()
    warnings += places.warnings(in: records.bytes)
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: geometry?.buffer.kind,
        spatialReference: geometry?.reference),
      columns: finished.map(\.column), geometry: geometry?.buffer, rowCount: rowCount, warnings: warnings)
  }
}
