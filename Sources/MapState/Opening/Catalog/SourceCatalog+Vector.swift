import MapDocuments
import MapFeatures
import MapGeometry
import MapJSON
import MapReaders
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

/// A table in a file.
struct FileTable {
  /// The name of the layer in the file; the file's name without ending, if its layers have no names.
  let name: String
  /// The rows; nil for a table that was not requested.
  let columns: FeatureColumns?
}

/// The questions about the reading of a file's tables.
struct FileRequest {
  /// The layer, and with or without it the kind of its geometries, such as `roads/polyline`; nil for all.
  var fragment: String?
  var fields = FieldSelection.all
  var reading = ReadingOptions()
  /// The tables to read, if several are allowed; nil if the file must have one.
  var choice: LayerChoice?

  /// The fields to read: the requested ones and those of coordinates.
  var wanted: FieldSelection {
    fields.union(FieldSelection([reading.xField, reading.yField].compactMap { $0 }))
  }
}

extension SourceCatalog {
  /// The form of a file that is text.
  enum TextForm {
    case geoJSON, csv, esriFeatures, kml
    /// JSON of another kind: a web map, or no known one.
    case otherJSON
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

  // MARK: Files

  /// Returns the tables in a file that is not text; nil for text.
  ///
  /// An archive is unpacked and may contain a file of any format.
  /// - Throws: ``MapStateError``.
  static func binaryTables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable]? {
    guard path != "-" else { return nil }
    guard case .file(let head) = FileAccess.look(at: path) else {
      guard case .folder = FileAccess.look(at: path), FilePath.pathExtension(of: path) == "gdb" else {
        return nil
      }
      return try libraryTables(path, request)
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
    if FlatGeobufReader.looksLikeFlatGeobuf(head), let table = try flatGeobufTable(path, request) {
      return [table]
    }
    if ArrowReader.looksLikeArrow(head) {
      do {
        let file = try RandomAccessFile(path)
        return try arrowTables(path, request, size: file.size) { try file.bytes($0) }
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
    return try libraryTables(path, request)
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
    if ArrowReader.looksLikeArrow(bytes) {
      return try arrowTables(name, request, size: bytes.count) { Array(bytes[$0]) }
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
    do {
      switch form {
      case .csv:
        return try chosen(
          [FileTable(name: stem, columns: CSVReader.read(bytes, fields: request.fields, options: reading))],
          path, request)
      case .geoJSON:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        let table = try GeoJSONReader.read(text, fields: request.wanted, options: reading)
        return try chosen(
          [FileTable(name: stem, columns: table.adding(warnings)).placed(reading, path)], path, request)
      case .esriFeatures:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        let json = JSONNode(try JSONValue(parsing: text, limits: WebMap.limits))
        let tables = try EsriFeatureSet.tables(json, name: stem).map { name, columns in
          try FileTable(name: name, columns: columns.read(reading).adding(warnings)).placed(reading, path)
        }
        return try chosen(tables, path, request)
      case .kml:
        let layers = try KMLReader.read(bytes, name: stem, fields: request.wanted, options: reading)
        let tables = try layers.map { try FileTable(name: $0.name, columns: $0.table).placed(reading, path) }
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

  /// Divides a fragment into the name of a layer and a kind of geometry.
  private static func parts(of fragment: String, known: [String]) -> (layer: String?, kind: GeometryKind?) {
    if known.contains(fragment) { return (fragment, nil) }
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
    return try arrowTables("standard input", request, size: nil) { try input.bytes($0) }
  }

  private static func arrowTables(
    _ path: String, _ request: FileRequest, size: Int?, bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> [FileTable] {
    let columns = try arrowTable(path, request, size: size, bytes: bytes)
      .read(request.reading).noting(request.reading)
    let table = try FileTable(name: FilePath.stem(of: path), columns: columns).placed(request.reading, path)
    return try chosen([table], path, request)
  }

  /// Returns the layer in a FlatGeobuf file; nil for those that only GDAL can read.
  private static func flatGeobufTable(
    _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> FileTable? {
    let read: FlatGeobufReader.Layer?
    do {
      let file = try RandomAccessFile(path)
      read = try FlatGeobufReader.read(size: file.size, fields: request.wanted) { try file.bytes($0) }
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
    // GDAL reports the available layer.
    guard let read, request.fragment == nil || request.fragment == read.name else { return nil }
    let columns = read.table.read(request.reading).noting(request.reading)
    return try FileTable(name: read.name, columns: columns).placed(request.reading, path).noting(
      request.reading)
  }

  #if Geospatial
    /// The readable formats, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, KML, Esri JSON, Arrow, web map JSON, \(VectorFile.formats)"
    }

    /// Returns the tables in a file that no built-in reader supports, recognised by its content or else its ending.
    ///
    /// - Throws: ``MapStateError``.
    private static func libraryTables(
      _ path: String, _ request: FileRequest
    ) throws(MapStateError) -> [FileTable] {
      guard let real = FileAccess.realPath(path) else { return [] }
      // The library also opens files beside this one, and would block on a pipe.
      do { try FileAccess.checkCompanions(of: real) } catch { throw MapStateError(error) }
      func read(_ layer: String?) throws(VectorFileError) -> FileTable {
        let layer = try VectorFile.read(real, layer: layer, fields: request.wanted, options: request.reading)
        let isShapefile = ["shp", "dbf", "shx"].contains(FilePath.pathExtension(of: path))
        let columns = isShapefile ? layer.table : layer.table.noting(request.reading)
        do throws(MapStateError) {
          return try FileTable(name: layer.name, columns: columns).placed(request.reading, path).noting(
            request.reading)
        } catch {
          throw VectorFileError(description: "\(error)".replacing("\(path): ", with: ""))
        }
      }
      do throws(VectorFileError) {
        guard let fragment = request.fragment else {
          do throws(VectorFileError) { return [try read(nil)] } catch {
            guard error.holdsSeveralLayers, let choice = request.choice else { throw error }
            return try several(VectorFile.layerNames(in: real).names, choice, read)
          }
        }
        do throws(VectorFileError) { return [try read(fragment)] } catch {
          let (layer, kind) = parts(of: fragment, known: [])
          guard let kind else { throw error }
          let table = try read(layer)
          do throws(MapStateError) { return [try table.of(kind, path)] } catch {
            throw VectorFileError(description: "\(error)".replacing("\(path): ", with: ""))
          }
        }
      } catch {
        guard !error.isOfAnotherFormat else {
          throw MapStateError(.input, UnreadFormat.message(path, readable: formats))
        }
        throw MapStateError(
          error.isAboutChoice ? .usage : .input,
          error.isAboutChoice ? error.description : "\(path): \(error)", cause: error)
      }
    }

    /// Reads the chosen layers of several; all of them if the choice names others, such as a kind of geometry.
    private static func several(
      _ names: [String], _ choice: LayerChoice, _ read: (String) throws(VectorFileError) -> FileTable
    ) throws(VectorFileError) -> [FileTable] {
      let layers = names.map { WebMapLayer(id: $0, title: $0, url: $0) }
      let known = LayerNames(layers: names.map { ($0, $0) })
      var chosen = Set(names.indices)
      do throws(MapStateError) { chosen = try choice.indexes(among: layers, known) } catch {
        if error.kind == .usage, choice.names.isEmpty {
          throw VectorFileError(choice: error.description)
        }
      }
      var tables: [FileTable] = []
      for (index, name) in names.enumerated() {
        tables.append(chosen.contains(index) ? try read(name) : FileTable(name: name, columns: nil))
      }
      return tables
    }
  #else
    /// The readable formats, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, KML, Esri JSON, Arrow, FlatGeobuf, web map JSON (no others, because this build does not include GDAL)"
    }

    private static func libraryTables(
      _ path: String, _ request: FileRequest
    ) throws(MapStateError) -> [FileTable] {
      throw MapStateError(.input, UnreadFormat.message(path, readable: formats))
    }
  #endif

  /// Returns a table that can be counted and drawn.
  ///
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected to Web Mercator.
  static func source(_ table: FeatureColumns, path: String) throws(MapStateError) -> InMemorySource {
    do { return try InMemorySource(table, operations: .installed) } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }
}

extension FileTable {
  /// Returns the table with points from the fields that hold coordinates, if such are named.
  fileprivate func placed(_ reading: ReadingOptions, _ path: String) throws(MapStateError) -> FileTable {
    guard reading.xField != nil, let columns else { return self }
    do throws(PlacementFault) {
      return FileTable(name: name, columns: try columns.withPoints(reading))
    } catch {
      throw MapStateError(.input, "\(path): \(error)", suggestion: error.suggestion, cause: error)
    }
  }

  /// Returns the table with a warning about a spatial reference that is not applied.
  fileprivate func noting(_ reading: ReadingOptions) -> FileTable {
    let warning = "--source-reference is not applied: the table has no geometry"
    guard reading.sourceReference != nil, let columns, columns.schema.geometryKind == nil,
      !columns.warnings.contains(warning)
    else { return self }
    return FileTable(name: name, columns: columns.adding([warning]))
  }

  /// Returns the table with the geometries of one kind, and with the rows that have them.
  fileprivate func of(_ kind: GeometryKind?, _ path: String) throws(MapStateError) -> FileTable {
    guard let kind, let columns else { return self }
    let tables = columns.tablesByKind()
    guard let found = tables.first(where: { $0.schema.geometryKind == kind }) else {
      let list = tables.compactMap { $0.schema.geometryKind?.rawValue }.joined(separator: ", ")
      throw MapStateError(.input, "\(path): has no geometry of kind \(kind.rawValue); available: \(list)")
    }
    return FileTable(name: name, columns: found)
  }
}

extension FeatureColumns {
  /// Returns the table with further warnings.
  func adding(_ more: [String]) -> FeatureColumns {
    more.isEmpty ? self : replaced(schema.spatialReference, more + warnings)
  }

  /// Returns the table with a requested spatial reference.
  func read(_ reading: ReadingOptions) -> FeatureColumns {
    guard reading.sourceReference != nil, geometry != nil else { return self }
    let isGuessed = warnings.contains { $0.hasPrefix("no spatial reference is given") }
    let (reference, contradictions) = reading.reference(stated: isGuessed ? nil : schema.spatialReference)
    return replaced(
      reference, contradictions + warnings.filter { !$0.hasPrefix("no spatial reference is given") })
  }

  /// Returns the table with a warning about an encoding that its format states already.
  func noting(_ reading: ReadingOptions) -> FeatureColumns {
    reading.encoding == nil
      ? self : adding(["--encoding is not applied: files of this format state their encoding"])
  }

  private func replaced(_ reference: SpatialReference?, _ warnings: [String]) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: reference,
        geometryName: schema.geometryName),
      columns: columns, geometry: geometry, otherGeometries: otherGeometries, rowCount: rowCount,
      warnings: warnings, objectIDs: objectIDs, isComplete: isComplete)
  }
}

/// The recognition of TopoJSON, which another library reads.
private enum TopologyFile {
  /// Whether the first object's `type` is `Topology`.
  static func isTopology(_ bytes: [UInt8]) -> Bool { EsriFeatureSet.type(ofObjectIn: bytes) == "Topology" }

  static func startsLikeJSON(_ head: [UInt8]) -> Bool {
    head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
  }
}
