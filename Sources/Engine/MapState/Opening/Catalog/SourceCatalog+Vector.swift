import MapFeatures
import MapReaders
import MapSystem

extension SourceCatalog {
  /// Returns the tables in a file that is not text, or GeoJSON; nil for other text.
  ///
  /// An archive is unpacked and may contain a file of any format.
  /// - Throws: ``MapStateError``.
  static func binaryTables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable]? {
    guard path != "-" else { return nil }
    if let tables = try tileTables(path, request) { return tables }
    if let tables = try parquetTables(path, request) { return tables }
    guard case .file(let head) = FileAccess.look(at: path) else {
      guard case .folder = FileAccess.look(at: path), FilePath.pathExtension(of: path) == "gdb" else {
        return nil
      }
      try request.refuseDialect(path)
      return try libraryTables(path, request)
    }
    if let sheets = try sheets(path, head, request) {
      try request.refuseDialect(path, isSheet: true)
      return sheets
    }
    let unpacked = try MapStateError.naming(path) {
      try UnpackedFile(path, head: head, fragment: request.fragment)
    }
    if let unpacked { return try tables(in: unpacked, of: path, request) }
    if FlatGeobufReader.looksLikeFlatGeobuf(head) {
      try request.refuseDialect(path)
      if let table = try flatGeobufTable(path, request) { return [table] }
    }
    if let format = ArrowFormat(head) {
      return try MapStateError.naming(path) {
        let file = try RandomAccessFile(path)
        if format == .parquet {
          return try parquetTables(path, [ParquetTable.File(size: file.size) { try file.bytes($0) }], request)
        }
        return try FileTable.tables(path, format, request, size: file.size) { try file.bytes($0) }
      }
    }
    let delimiter = request.reading.delimiter
    let text = head.isEmpty ? nil : TextFormat(head, path: path, delimiter)
    if text == .geoJSON, TextEncoding.isUTF8(head, given: request.reading.encoding) {
      return try geoJSONTables(path, head, request)
    }
    guard !head.isEmpty, text == nil else { return nil }
    // The first bytes of JSON may not tell its kind.
    if TextFormat.startsLikeJSON(head) {
      do { if TextFormat(try FileAccess.read(path), path: path, delimiter) != nil { return nil } } catch {
        throw MapStateError(error)
      }
    }
    try request.refuseDialect(path)
    return try libraryTables(path, request)
  }

  /// Returns the table in a GeoJSON file, which is read in pieces.
  private static func geoJSONTables(
    _ path: String, _ head: [UInt8], _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    try request.refuseDialect(path)
    let pieces = try indexedTable(path, request, isPiecewise: true) { file, all in
      try PiecewiseGeoJSON(TextBytes(file), name: FilePath.stem(of: path), fields: request.wanted, all: all)
    }
    if let pieces { return [pieces] }
    let file: RandomAccessFile
    do { file = try RandomAccessFile(path) } catch { throw MapStateError(error) }
    return try FileTable.namingText(path) {
      let warnings = try TextEncoding.utf8(head, given: request.reading.encoding).warnings
      return try FileTable.geoJSON(TextBytes(file), warnings, path: path, request)
    }
  }

  /// Returns the sheets of a spreadsheet; nil for another file.
  private static func sheets(
    _ path: String, _ head: [UInt8], _ request: FileRequest
  ) throws(MapStateError) -> [FileTable]? {
    guard UnpackedFile.isArchive(head) else { return nil }
    return try MapStateError.naming(path) {
      let read = try Spreadsheet.tables(
        path, sheet: request.fragment, fields: request.fields, options: request.reading)
      guard let read else { return nil }
      guard !read.isEmpty else { throw MapStateError(.input, "\(path): contains no sheet with values") }
      let tables = read.map { FileTable(name: $0.name, columns: $0.columns.noting(request.reading)) }
      return try request.chosen(tables, path)
    }
  }

  private static func tables(
    in unpacked: UnpackedFile, of path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    if case .file(let head) = FileAccess.look(at: unpacked.path), UnpackedFile.isArchive(head) {
      throw MapStateError(.input, "\(path): contains an archive within the archive")
    }
    var request = request
    request.fragment = unpacked.layer
    do throws(MapStateError) { return try tables(unpacked.path, request) } catch {
      throw MapStateError(error.kind, unpacked.message(error.description))
    }
  }

  /// Returns the tables in a file of any format.
  ///
  /// - Throws: ``MapStateError``.
  static func tables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable] {
    if let tables = try binaryTables(path, request) { return tables }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    return try textTables(bytes, path: path, request)
  }

  /// Returns the tables in the bytes of a file that has no path, such as standard input.
  ///
  /// - Parameter name: the name of the file, for messages.
  /// - Throws: ``MapStateError``.
  static func tables(
    bytes: [UInt8], name: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    if let format = ArrowFormat(bytes) {
      return try FileTable.tables(name, format, request, size: bytes.count) { Array(bytes[$0]) }
    }
    guard !bytes.isEmpty, TextFormat(bytes, path: name, request.reading.delimiter) == nil else {
      return try textTables(bytes, path: name, request)
    }
    do {
      // Other libraries read files only.
      let folder = try PrivateFolder()
      let plain = FilePath.name(of: name).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
      let path = try folder.write(plain.drop { $0 == "." }.isEmpty ? "data" : "data." + plain) {
        try $0(bytes[...])
      }
      do throws(MapStateError) {
        if let tables = try binaryTables(path, request) { return tables }
        return try textTables(bytes, path: name, request)
      } catch {
        throw MapStateError(
          error.kind,
          error.description.split(separator: path, omittingEmptySubsequences: false).joined(separator: name))
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the table of an Arrow stream in standard input, which is read while it is written; nil for other data.
  ///
  /// - Throws: ``MapStateError``.
  static func tables(
    in input: StandardInput, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable]? {
    let head: [UInt8]
    do { head = try input.bytes(0..<16) } catch { throw MapStateError(error) }
    guard ArrowReader.looksLikeArrow(head), !ArrowReader.isFile(head) else { return nil }
    return try FileTable.tables("standard input", .arrow, request, size: nil) { try input.bytes($0) }
  }

  private static func textTables(
    _ bytes: [UInt8], path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    guard !bytes.isEmpty else { throw MapStateError(.input, "\(path): is empty") }
    guard let format = TextFormat(bytes, path: path, request.reading.delimiter), format != .otherJSON else {
      throw MapStateError(.input, "\(path): has an unknown format; readable formats: \(formats)")
    }
    return try FileTable.tables(bytes, format, path: path, request)
  }

  /// Returns the layer in a FlatGeobuf file; nil for those that only GDAL can read.
  private static func flatGeobufTable(
    _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> FileTable? {
    let indexed = try indexedTable(path, request) { file, all in
      try IndexedFlatGeobuf(size: file.size, fields: request.wanted, all: all, bytes: { try file.bytes($0) })
    }
    if let indexed { return indexed }
    let (read, indexWarnings) = try MapStateError.naming(path) {
      () throws -> (FlatGeobufReader.Layer?, [String]) in
      let file = try RandomAccessFile(path)
      let read = try FlatGeobufReader.read(size: file.size, fields: request.wanted) { try file.bytes($0) }
      guard request.indexUse == .checking, let geometry = read?.table.geometry else { return (read, []) }
      let count = try FlatGeobufReader.indexFaults(geometry, size: file.size) { try file.bytes($0) }
      return (read, indexWarning(faults: count))
    }
    // GDAL reports the available layer.
    guard let read, request.fragment == nil || request.fragment == read.name else { return nil }
    let columns = read.table.read(request.reading).noting(request.reading).adding(indexWarnings)
    return try FileTable(name: read.name, columns: columns).placed(request.reading, path).noting(
      request.reading)
  }
}

/// Large files that are read in part or in pieces.
extension SourceCatalog {
  /// The size in bytes from which a file may be read in part; smaller ones take a few milliseconds.
  private static let smallestIndexedFile = 16 << 20

  /// Returns the table in a large file, read by its index or in pieces; nil for one that must be read as a whole.
  ///
  /// - Parameters:
  ///   - isPiecewise: whether the table has no index, but is read in pieces.
  ///   - open: opens the table in a file; its second argument reads the whole table.
  /// - Throws: ``MapStateError`` for a file that fails while it is read.
  static func indexedTable(
    _ path: String, _ request: FileRequest, isPiecewise: Bool = false,
    open: (RandomAccessFile, @escaping @Sendable () throws -> InMemorySource) throws -> (any IndexedTable)?
  ) throws(MapStateError) -> FileTable? {
    // Other readers report a file that cannot be opened.
    guard let file = try? RandomAccessFile(path) else { return nil }
    return try indexedTable(path, request, isPiecewise: isPiecewise, size: file.size) { try open(file, $0) }
  }

  /// Returns the table in large files of a size in bytes, as for a single one.
  ///
  /// - Throws: ``MapStateError`` for a file that fails while it is read.
  static func indexedTable(
    _ path: String, _ request: FileRequest, isPiecewise: Bool = false, size: Int,
    open: (@escaping @Sendable () throws -> InMemorySource) throws -> (any IndexedTable)?
  ) throws(MapStateError) -> FileTable? {
    guard isPiecewise ? request.passesRows : request.indexUse == .answering,
      request.reading == ReadingOptions(), request.share == nil, size >= smallestIndexedFile
    else { return nil }
    var rest = request
    (rest.indexUse, rest.passesRows) = (.none, false)
    do {
      let table = try open { [rest] in
        guard let table = try FileTable.onlySource(of: tables(path, rest), path: path).inMemory else {
          throw MapStateError(.input, "\(path): changed while it was read")
        }
        return table
      }
      guard let table, request.fragment == nil || request.fragment == table.name,
        table is any PiecewiseTable || !table.reachesPoles,
        let source = PartlyReadSource(table, operations: .installed)
      else { return nil }
      return FileTable(name: table.name, columns: nil, indexed: source)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the warning about a number of boxes that do not fit the features; empty for none.
  static func indexWarning(faults count: Int) -> [String] {
    guard count > 0 else { return [] }
    return [
      "its spatial index does not fit its features (\(count) boxes): answers about an extent may lack some; "
        + "write the file again"
    ]
  }
}
