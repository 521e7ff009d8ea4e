package import MapFeatures
import MapJSON
import MapSystem

/// Reads delimited text into columns: a header, then one record per line.
///
/// The delimiter is that of the options or of a first line `sep=;`; otherwise it is the most frequent of comma, semicolon
/// and tab in the header.
///
/// Geometry comes from the first of these that exists; ``CSVCoordinateNames`` lists the names:
/// - a column of well-known text (`wkt`, `geom`, `geometry`, `the_geom`), or of well-known binary in hexadecimal digits
///   (also `wkb`, `wkb_geometry`)
/// - a longitude and a latitude column (such as `longitude`, `lon`, `lng`, `long`; `latitude`, `lat`)
/// - `x` and `y`, in degrees; if any value lies beyond 180 or 90, all are Web Mercator, with a warning
/// - with a stated spatial reference, columns such as `easting` and `northing`
///
/// Otherwise the table has no geometry. Coordinate columns remain fields; well-known text and binary do not.
///
/// A field gets the narrowest type that suits all its values: integer, decimal, boolean, date, date-time, text.
/// Integers that start with 0 or `+` are codes and remain text, as do those of more than 64 bits. An empty field is
/// null, `""` is empty text. A time without a time zone is read as UTC, with a warning.
///
/// Numbers with decimal commas or groups of digits are numbers where a whole column agrees on one ``NumberForm``, with one
/// warning unless the caller states the decimal sign. Columns that may be numbers in two forms are text, with a warning.
/// Coordinates may be in degrees, minutes and seconds.
///
/// - Source: RFC 4180.
package enum CSVReader {
  /// Reads all records of a document, with the selected fields.
  ///
  /// - Throws: ``FeatureReadError`` with line and column.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions()
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, fields: fields, options: options, pieceSize: FilePieces.size)
  }

  /// Reads a document with another piece size per core, in bytes; the result is the same.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    pieceSize: Int
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, fields, options, pieceSize, of: nil)
  }

  /// Reads the text of a sheet, whose rows and cells the warnings name.
  static func read(
    _ sheet: SheetText, fields: FieldSelection, options: ReadingOptions
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(sheet.bytes, fields, options, FilePieces.size, of: sheet)
  }

  private static func read(
    _ bytes: [UInt8], _ fields: FieldSelection, _ options: ReadingOptions, _ pieceSize: Int,
    of sheet: SheetText?
  ) throws(FeatureReadError) -> FeatureColumns {
    let (bytes, warnings) = try TextEncoding.utf8(bytes, given: options.encoding)
    do {
      var options = options
      options.encoding = nil
      var parser = try CSVParser(bytes, fields: fields, options: options, pieceSize: pieceSize)
      return try parser.table(warnings, of: sheet)
    } catch {
      // Bytes that are not UTF-8 may be the reason for any other error.
      if !options.skipsBadRows, let place = fault(in: bytes, bytes.indices) {
        throw FeatureReadError(notUTF8(at: place), in: bytes)
      }
      throw FeatureReadError(error, in: bytes)
    }
  }

  /// Whether the first bytes of a file are those of delimited text: lines with as many fields, at least two.
  ///
  /// - Parameter delimiter: the given delimiter; otherwise it is found in the header.
  package static func looksLikeCSV(_ head: ArraySlice<UInt8>, _ delimiter: CSVDelimiter? = nil) -> Bool {
    let head = TextEncoding.decodedStart(Array(head))
    guard isPlainText(head) else { return false }
    var records = CSVRecords(head, delimiter: delimiter)
    guard (try? records.next()) == true, records.fields.count > 1 || records.isDeclared else { return false }
    let count = records.fields.count
    // The first bytes may end within a record.
    guard (try? records.next()) == true, records.offset < head.count else { return true }
    return records.fields.count == count
  }

  /// Returns the sign other than comma, semicolon and tab that probably delimits the fields of a file.
  ///
  /// - Parameter head: the first bytes of the file; a line that may be cut is not compared.
  package static func likelyDelimiter(_ head: [UInt8]) -> CSVDelimiter? {
    let head = TextEncoding.decodedStart(Array(head.prefix(4096)))
    guard isPlainText(head) else { return nil }
    let end = head.count < 4096 ? head.count : head.lastIndex(of: 0x0A) ?? 0
    return LikelyDelimiter(Array(head[..<end]), header: 0)?.delimiter
  }

  /// Whether bytes are those of text that is neither XML nor JSON, which have delimiters, too.
  private static func isPlainText(_ head: [UInt8]) -> Bool {
    let isText = head.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard isText, let first = head.first(where: { $0 > 0x20 }) else { return false }
    return !"<{[".utf8.contains(first)
  }

  static func notUTF8(at place: Int) -> ReadFault {
    ReadFault(
      "bytes that are not UTF-8; name the encoding of the file, as in --encoding latin1 or --encoding windows-1252",
      at: place)
  }

  /// Returns the first place in a range that is not UTF-8; nil without one.
  static func fault(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    let span = bytes.span
    while offset < range.upperBound {
      // Most files have few bytes of more than 7 bits.
      if offset + 64 <= range.upperBound {
        var bits: UInt8 = 0
        for index in offset..<offset + 64 { bits |= span[index] }
        if bits < 0x80 {
          offset += 64
          continue
        }
      }
      if offset + ByteWord.size <= range.upperBound {
        let marks = ByteWord(span, at: offset).marksBeyondASCII
        offset += ByteWord.first(marks)
        if marks == 0 { continue }
      } else if span[offset] < 0x80 {
        offset += 1
        continue
      }
      guard let length = UTF8Check.length(of: bytes, at: offset) else { return offset }
      offset += length
    }
    return nil
  }
}
