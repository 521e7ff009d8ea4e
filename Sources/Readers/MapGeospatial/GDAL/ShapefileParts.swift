import Glibc

/// The `.shx` and `.dbf` files beside a `.shp` file, and the numbers of rows that they declare.
///
/// - Source: ESRI Shapefile Technical Description, July 1998; dBASE III for the `.dbf` file.
struct ShapefileParts {
  /// The number of records of the `.shx` file; nil when there is none.
  private(set) var shapes: Int?
  /// The attribute file; nil when it cannot be read.
  private var attributes: (file: DataFile, head: Int, record: Int, count: Int)?
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
    for ending in ["shp", "prj", "cpg", "cst", "sbn", "sbx", "qix"] { _ = try part(ending) }
    if let name = try part("shx") {
      let file = try DataFile(folder, name)
      let head = try file.bytes(at: 0, count: 100)
      // The length is in words of two bytes, most significant byte first; a record has eight bytes.
      let length = head[24..<28].reduce(0) { $0 << 8 | Int($1) } * 2
      _ = try file.bytes(at: length, count: 0)
      shapes = max(0, length - 100) / 8
    }
    guard let name = try part("dbf") else {
      warnings.append(Self.missingAttributes("\(stem).dbf"))
      return
    }
    do throws(LibraryError) {
      let file = try DataFile(folder, name)
      let head = try file.bytes(at: 0, count: 32)
      // A header has 32 bytes, one of 32 per field and an end mark; a record has a mark and at least one byte.
      guard head.little(at: 8, size: 2) >= 65, head.little(at: 10, size: 2) >= 2 else {
        throw LibraryError("\(name): is damaged: its header is too short for a field")
      }
      // The descriptions of the fields must follow.
      _ = try file.bytes(at: head.little(at: 8, size: 2), count: 0)
      attributes = (
        file, head.little(at: 8, size: 2), head.little(at: 10, size: 2), head.little(at: 4, size: 4)
      )
    } catch {
      warnings.append("\(error): all attribute fields are missing")
      return
    }
    // GDAL would read the smaller number of rows.
    guard let shapes, let count = attributes?.count, count != shapes else { return }
    throw LibraryError(
      "\(name): has \(count) records for the \(shapes) shapes in \(stem).shx; one of the two files is truncated"
    )
  }

  /// Returns the warning for a missing attribute file.
  static func missingAttributes(_ name: String) -> String {
    "\(name): is missing: all attribute fields are missing"
  }

  /// Returns the number of rows that are not marked as deleted; nil when no part declares a number.
  ///
  /// - Cost: one small read per record.
  func rowCount() throws(LibraryError) -> Int? {
    guard let attributes else { return shapes }
    var deleted = 0
    for index in 0..<attributes.count {
      // "*" marks a record as deleted.
      let mark = try attributes.file.bytes(at: attributes.head + index * attributes.record, count: 1)
      if mark[0] == UInt8(ascii: "*") { deleted += 1 }
    }
    return (shapes ?? attributes.count) - deleted
  }
}
