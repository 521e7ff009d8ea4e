import Glibc
import MapReaders

/// The `.shx` and `.dbf` files beside a `.shp` file, and the numbers of rows that they declare.
///
/// - Source: ESRI Shapefile Technical Description, July 1998; dBASE III for the `.dbf` file.
struct ShapefileParts {
  /// The number of records of the `.shx` file; nil when there is none.
  private(set) var shapes: Int?
  /// The `.shp` file; nil when there is none.
  private var shapesFile: DataFile?
  /// The attribute file; nil when it cannot be read.
  private var attributes: (file: DataFile, header: AttributeHeader)?
  /// The name and the text of the `.cpg` or `.cst` file; nil when there is none.
  private var page: (name: String, bytes: [UInt8])?
  /// The folder that GDAL opens instead of the user's, because it has an index; nil when the `.shx` file exists.
  let folder: ShapefileFolder?
  /// The warnings about files that are missing or too short.
  private(set) var warnings: [String] = []

  /// Reads the parts beside a `.shp`, `.shx` or `.dbf` file.
  ///
  /// - Throws: ``LibraryError`` for a part that is a pipe or device, and when the numbers of shapes and attribute
  ///   records differ.
  init(_ path: String) throws(LibraryError) {
    let (folder, file) = (DataFile.folder(path), DataFile.name(path))
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
    func part(_ ending: String) throws(LibraryError) -> String? {
      for name in ["\(stem).\(ending)", "\(stem).\(ending.uppercased())"] {
        var status = stat()
        guard stat("\(folder)/\(name)", &status) == 0 else { continue }
        // GDAL would wait for the writer of a pipe.
        guard status.st_mode & S_IFMT == S_IFREG else { throw LibraryError("\(name): is not a regular file") }
        return name
      }
      return nil
    }
    var names: [String: String] = [:]
    for ending in ["shp", "shx", "dbf", "prj", "cpg", "cst", "sbn", "sbx", "qix"] {
      names[ending] = try part(ending)
    }
    // GeoServer writes the name of the encoding into a .cst file.
    if let name = names["cpg"] ?? names["cst"] {
      let file = try DataFile(folder, name)
      // A name of an encoding is short; more is another file.
      page = (name, try file.bytes(at: 0, count: min(file.size, 256)))
    }
    shapesFile = if let name = names["shp"] { try DataFile(folder, name) } else { nil }
    if let name = names["shx"] {
      self.folder = nil
      let file = try DataFile(folder, name)
      let head = try file.bytes(at: 0, count: 100)
      // The length is in words of two bytes, most significant byte first; a record has eight bytes.
      let length = head[24..<28].reduce(0) { $0 << 8 | Int($1) } * 2
      _ = try file.bytes(at: length, count: 0)
      shapes = max(0, length - 100) / 8
    } else if names["shp"] != nil {
      // The index of neighbours belongs to the missing file.
      let parts = names.filter { !["sbn", "sbx", "qix"].contains($0.key) }
      let made = try ShapefileFolder(folder, stem: String(stem), parts: parts)
      (self.folder, shapes) = (made, made.recordCount)
    } else {
      self.folder = nil
    }
    guard let name = names["dbf"] else {
      warnings.append(Self.missingAttributes("\(stem).dbf"))
      return
    }
    do throws(LibraryError) {
      let file = try DataFile(folder, name)
      let head = try file.bytes(at: 0, count: 32)
      // The descriptions of the fields must follow.
      let bytes = try file.bytes(at: 0, count: max(32, head.little(at: 8, size: 2)))
      guard let header = AttributeHeader(bytes) else {
        throw LibraryError("\(name): is damaged: its header is too short for a field")
      }
      attributes = (file, header)
    } catch {
      warnings.append("\(error): all attribute fields are missing")
      return
    }
    // GDAL would read the smaller number of rows.
    guard let shapes, let count = attributes?.header.recordCount, count != shapes else { return }
    throw LibraryError(
      "\(name): has \(count) records for the \(shapes) shapes in \(stem).shx; one of the two files is truncated"
    )
  }

  /// Returns the warning for a missing attribute file.
  static func missingAttributes(_ name: String) -> String {
    "\(name): is missing: all attribute fields are missing"
  }

  /// The fields; empty without an attribute file.
  var fields: [AttributeHeader.Field] { attributes?.header.fields ?? [] }

  /// Returns the number of whole numbers in a field that a decimal cannot hold.
  ///
  /// - Cost: one small read per record.
  func roundedIntegers(of field: AttributeHeader.Field) throws(LibraryError) -> Int {
    guard let (file, header) = attributes, field.range.upperBound <= header.recordSize else { return 0 }
    var count = 0
    for record in 0..<header.recordCount {
      let bytes = try file.bytes(
        at: header.size + record * header.recordSize, count: field.range.upperBound)
      // "*" marks a record as deleted.
      guard bytes[0] != UInt8(ascii: "*") else { continue }
      let digits = String(decoding: bytes[field.range].filter { $0 > 0x20 }, as: UTF8.self)
      guard let number = Double(digits), abs(number) >= 0x1p53,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
      else { continue }
      if Int64(digits) == nil || Int64(exactly: number) != Int64(digits) { count += 1 }
    }
    return count
  }

  /// Checks that the `.shp` file is as long as it states.
  ///
  /// - Throws: ``LibraryError`` with both lengths.
  func checkLengthOfShapes() throws(LibraryError) {
    guard let shapesFile else { return }
    let length = try shapesFile.bytes(at: 0, count: 100)[24..<28].reduce(0) { $0 << 8 | Int($1) } * 2
    _ = try shapesFile.bytes(at: length, count: 0)
  }

  /// Returns the encoding of texts; nil without an attribute file.
  func encoding(given: TextEncoding?) -> AttributeEncoding? {
    attributes.map {
      AttributeEncoding($0.file.name, given: given, page: page, language: $0.header.language)
    }
  }

  /// Returns the number of rows that are not marked as deleted; nil when no part declares a number.
  ///
  /// - Cost: one small read per record.
  func rowCount() throws(LibraryError) -> Int? {
    guard let attributes else { return shapes }
    var deleted = 0
    let header = attributes.header
    for index in 0..<header.recordCount {
      // "*" marks a record as deleted.
      let mark = try attributes.file.bytes(at: header.size + index * header.recordSize, count: 1)
      if mark[0] == UInt8(ascii: "*") { deleted += 1 }
    }
    return (shapes ?? header.recordCount) - deleted
  }
}
