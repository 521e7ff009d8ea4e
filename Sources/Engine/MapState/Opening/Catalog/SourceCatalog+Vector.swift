import MapDocuments
import MapFeatures
import MapGeometry
package import MapJSON
import MapReaders
import MapStyles
import MapSystem

extension SourceCatalog {
  /// Returns the tables in a file that is not text; nil for text.
  ///
  /// An archive is unpacked and may contain a file of any format.
  /// - Throws: ``MapStateError``.
  static func binaryTables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable]? {
    guard path != "-" else { return nil }
    if let tables = try tileTables(path, request) { return tables }
    guard case .file(let head) = FileAccess.look(at: path) else {
      guard case .folder = FileAccess.look(at: path), FilePath.pathExtension(of: path) == "gdb" else {
        return nil
      }
      try request.refuseDialect(path)
      return try libraryTables(path, request)
    }
    if let sheets = try sheets(path, head, request) {
      try request.refuseDialect(path)
      return sheets
    }
    let unpacked: UnpackedFile?
    do { unpacked = try UnpackedFile(path, head: head, fragment: request.fragment) } catch let error
      as FileError
    {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
    if let unpacked { return try tables(in: unpacked, of: path, request) }
    if FlatGeobufReader.looksLikeFlatGeobuf(head) {
      try request.refuseDialect(path)
      if let table = try flatGeobufTable(path, request) { return [table] }
    }
    if let format = ArrowFormat(head) {
      if format == .parquet, let indexed = try indexedParquet(path, request) { return [indexed] }
      do {
        let file = try RandomAccessFile(path)
        return try arrowTables(path, format, request, size: file.size) { try file.bytes($0) }
      } catch let error as FileError {
        throw MapStateError(error)
      } catch {
        throw MapStateError(.input, "\(path): \(error)", cause: error)
      }
    }
    guard !head.isEmpty, textForm(of: head, path: path) == nil else { return nil }
    // The first bytes of JSON may not tell its kind.
    if TopologyFile.startsLikeJSON(head) {
      do { if textForm(of: try FileAccess.read(path), path: path) != nil { return nil } } catch {
        throw MapStateError(error)
      }
    }
    try request.refuseDialect(path)
    return try libraryTables(path, request)
  }

  /// Returns the sheets of a spreadsheet; nil for another file.
  private static func sheets(
    _ path: String, _ head: [UInt8], _ request: FileRequest
  ) throws(MapStateError) -> [FileTable]? {
    guard UnpackedFile.isArchive(head) else { return nil }
    do {
      let read = try Spreadsheet.tables(
        path, sheet: request.fragment, fields: request.fields, options: request.reading)
      guard let read else { return nil }
      guard !read.isEmpty else { throw MapStateError(.input, "\(path): contains no sheet with values") }
      let tables = read.map { FileTable(name: $0.name, columns: $0.columns.noting(request.reading)) }
      return try chosen(tables, path, request)
    } catch let error as MapStateError {
      throw error
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
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
    return try tables(bytes, path: path, request)
  }

  /// Returns the tables in the bytes of a file that has no path, such as standard input.
  ///
  /// - Parameter name: the name of the file, for messages.
  /// - Throws: ``MapStateError``.
  static func tables(
    bytes: [UInt8], name: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    if let format = ArrowFormat(bytes) {
      return try arrowTables(name, format, request, size: bytes.count) { Array(bytes[$0]) }
    }
    guard !bytes.isEmpty, textForm(of: bytes, path: name) == nil else {
      return try tables(bytes, path: name, request)
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
        return try tables(bytes, path: name, request)
      } catch {
        throw MapStateError(
          error.kind,
          error.description.split(separator: path, omittingEmptySubsequences: false).joined(separator: name))
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the tables in the bytes of a text file.
  ///
  /// - Throws: ``MapStateError``.
  static func tables(
    _ bytes: [UInt8], path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    guard !bytes.isEmpty else { throw MapStateError(.input, "\(path): is empty") }
    let (stem, reading) = (FilePath.stem(of: path), request.reading)
    let form = textForm(of: bytes, path: path)
    if form != .csv, form != nil { try request.refuseDialect(path) }
    do {
      switch form {
      case .csv:
        return try chosen(
          [FileTable(name: stem, columns: CSVReader.read(bytes, fields: request.fields, options: reading))],
          path, request)
      case .geoJSON:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        let table = try geoJSONTable(text, request)
        return try chosen(
          [FileTable(name: stem, columns: table.adding(warnings)).placed(reading, path)], path, request)
      case .esriFeatures:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        var references = WrittenReferences(stated: reading.sourceReference)
        let json = references.numbered(
          try JSONValue(parsing: text, limits: WebMap.limits), numbersAll: true)
        let tables = try EsriFeatureSet.tables(JSONNode(json), name: stem).map { [references] name, columns in
          let columns = try references.placed(columns.read(reading)).adding(warnings)
          return try FileTable(name: name, columns: columns).placed(reading, path)
        }
        return try chosen(tables, path, request)
      case .kml:
        let layers = try KMLReader.read(bytes, name: stem, fields: request.wanted, options: reading)
        let tables = try layers.map {
          try FileTable(name: $0.name, columns: $0.table, styles: $0.styles).placed(reading, path)
        }
        return try chosen(tables, path, request)
      case .otherJSON, nil:
        throw MapStateError(.input, "\(path): has an unknown format; readable formats: \(formats)")
      }
    } catch let error as MapStateError {
      throw error
    } catch {
      let advice =
        "\(error)".hasSuffix("not UTF-8") ? "; name the encoding of the file, as in --encoding latin1" : ""
      throw MapStateError(.input, "\(path): \(error)\(advice)", cause: error)
    }
  }

  /// Reads GeoJSON; a `crs` without a code is compared with the registered ones.
  private static func geoJSONTable(_ text: [UInt8], _ request: FileRequest) throws -> FeatureColumns {
    func read(_ options: ReadingOptions) throws(FeatureReadError) -> FeatureColumns {
      try GeoJSONReader.read(text, fields: request.wanted, options: options)
    }
    do throws(FeatureReadError) { return try read(request.reading) } catch {
      guard case .unsupportedReference(let quoted) = error.reason else { throw error }
      return try inKnownReference(String(quoted.dropFirst().dropLast()), error, request.reading, read)
    }
  }

  /// Returns the tables that the fragment names, or all.
  private static func chosen(
    _ tables: [FileTable], _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    let tables = tables.map { $0.noting(request.reading) }
    guard let fragment = request.fragment else {
      guard tables.count == 1 || request.choice != nil else {
        let list = tables.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw MapStateError(
          .input,
          "\(path): contains \(tables.count) layers: \(list); name one after the path, as in file#layer")
      }
      return tables
    }
    let (layer, kind) = parts(of: fragment, known: tables.map(\.name))
    let found = layer.map { layer in tables.filter { $0.name == layer } } ?? tables
    guard !found.isEmpty else {
      let list = tables.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw MapStateError(.input, "\(path): no layer named \"\(fragment)\"; available: \(list)")
    }
    return try found.map { table throws(MapStateError) in try table.of(kind, path) }
  }

  /// Divides a fragment into the name of a layer and a kind of geometry: `NAME/KIND`, or `NAME (KIND)` as in the titles
  /// of layers.
  static func parts(of fragment: String, known: [String]) -> (layer: String?, kind: GeometryKind?) {
    if known.contains(fragment) { return (fragment, nil) }
    for kind in [GeometryKind.point, .multipoint, .polyline, .polygon]
    where fragment.hasSuffix(" (\(kind.rawValue))") {
      return (String(fragment.dropLast(kind.rawValue.count + 3)), kind)
    }
    if let kind = GeometryKind(rawValue: fragment) { return (nil, kind) }
    guard let slash = fragment.lastIndex(of: "/"),
      let kind = GeometryKind(rawValue: String(fragment[fragment.index(after: slash)...]))
    else { return (fragment, nil) }
    return (String(fragment[..<slash]), kind)
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
    return try arrowTables("standard input", .arrow, request, size: nil) { try input.bytes($0) }
  }

  private static func arrowTables(
    _ path: String, _ format: ArrowFormat, _ request: FileRequest, size: Int?,
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> [FileTable] {
    try request.refuseDialect(path)
    let columns = try arrowTable(path, format, request, size: size, bytes: bytes)
      .read(request.reading).noting(request.reading)
    let table = try FileTable(name: FilePath.stem(of: path), columns: columns).placed(request.reading, path)
    return try chosen([table], path, request)
  }

  /// Returns the layer in a FlatGeobuf file; nil for those that only GDAL can read.
  private static func flatGeobufTable(
    _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> FileTable? {
    let indexed = try indexedTable(path, request) { file, all in
      try IndexedFlatGeobuf(size: file.size, fields: request.wanted, all: all, bytes: { try file.bytes($0) })
    }
    if let indexed { return indexed }
    let read: FlatGeobufReader.Layer?
    var indexWarnings: [String] = []
    do {
      let file = try RandomAccessFile(path)
      read = try FlatGeobufReader.read(size: file.size, fields: request.wanted) { try file.bytes($0) }
      if request.indexUse == .checking, let geometry = read?.table.geometry {
        let count = try FlatGeobufReader.indexFaults(geometry, size: file.size) { try file.bytes($0) }
        indexWarnings = indexWarning(faults: count)
      }
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
    // GDAL reports the available layer.
    guard let read, request.fragment == nil || request.fragment == read.name else { return nil }
    let columns = read.table.read(request.reading).noting(request.reading).adding(indexWarnings)
    return try FileTable(name: read.name, columns: columns).placed(request.reading, path).noting(
      request.reading)
  }

  /// Returns a table that can be counted and drawn.
  ///
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected to Web Mercator.
  static func source(_ table: FeatureColumns, path: String) throws(MapStateError) -> InMemorySource {
    do { return try InMemorySource(table, operations: .installed) } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }
}

/// Large files that are read by their index.
extension SourceCatalog {
  /// The size in bytes from which a file may be read in part; smaller ones take a few milliseconds.
  private static let smallestIndexedFile = 16 << 20

  /// Returns the table in a large file, read by its index; nil for one that must be read as a whole.
  ///
  /// - Parameter open: opens the table in a file; its second argument reads the whole table.
  /// - Throws: ``MapStateError`` for a file that fails while it is read.
  static func indexedTable(
    _ path: String, _ request: FileRequest,
    open: (RandomAccessFile, @escaping @Sendable () throws -> InMemorySource) throws -> (any IndexedTable)?
  ) throws(MapStateError) -> FileTable? {
    guard request.indexUse == .answering, request.reading == ReadingOptions() else { return nil }
    var rest = request
    rest.indexUse = .none
    // Other readers report a file that cannot be opened.
    guard let file = try? RandomAccessFile(path), file.size >= smallestIndexedFile else { return nil }
    do {
      let table = try open(file) { [rest] in
        guard let table = try only(tables(path, rest), path: path).inMemory else {
          throw MapStateError(.input, "\(path): changed while it was read")
        }
        return table
      }
      guard let table, request.fragment == nil || request.fragment == table.name, !table.reachesPoles,
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

// MARK: Text

extension SourceCatalog {
  /// The form of a file that is text.
  enum TextForm {
    case geoJSON, csv, esriFeatures, kml
    /// JSON of another kind: a web map, or no known one.
    case otherJSON
  }

  /// Returns the JSON of the style at a path; nil for a source of another kind, and for JSON that is damaged.
  package static func style(at source: String) throws(MapStateError) -> JSONValue? {
    guard SourceAddress.scheme(of: source) == nil, source != "-",
      case .file(let head) = FileAccess.look(at: source), TopologyFile.startsLikeJSON(head)
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(source) } catch { throw MapStateError(error) }
    guard textForm(of: bytes, path: source) == .otherJSON,
      let json = try? JSONValue(parsing: bytes, limits: WebMap.limits), StyleDocument.isStyle(json)
    else { return nil }
    return json
  }

  /// Returns the form by the first bytes, else by the ending; nil for a file that only another library reads.
  static func textForm(of bytes: [UInt8], path: String) -> TextForm? {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF]
    let bytes = TextEncoding.decodedStart(bytes)
    let ending = FilePath.pathExtension(of: path)
    let text = bytes.drop { blank.contains($0) }
    // XML, and a table of MapInfo, under any name.
    if text.first == UInt8(ascii: "<") {
      return ending == "kml" || KMLReader.looksLikeKML(Array(text)) ? .kml : nil
    }
    if text.prefix(6).map({ $0 | 0x20 }) == Array("!table".utf8) { return nil }
    if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if GeoJSONReader.looksLikeGeoJSON(bytes) { return .geoJSON }
      if EsriFeatureSet.looksLikeFeatures(bytes) { return .esriFeatures }
      return TopologyFile.isTopology(bytes) ? nil : .otherJSON
    }
    if ["csv", "tsv", "txt"].contains(ending) {
      return bytes.prefix(4096).contains(0) ? nil : .csv
    }
    // Text files of other formats, which have these endings and delimiters too.
    guard !["mid", "mif", "tab", "prj"].contains(ending) else { return nil }
    return CSVReader.looksLikeCSV(bytes.prefix(4096)) ? .csv : nil
  }
}

/// The recognition of TopoJSON, which another library reads.
enum TopologyFile {
  /// Whether the first object's `type` is `Topology`.
  static func isTopology(_ bytes: [UInt8]) -> Bool { EsriFeatureSet.type(ofObjectIn: bytes) == "Topology" }

  static func startsLikeJSON(_ head: [UInt8]) -> Bool {
    head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
  }
}
