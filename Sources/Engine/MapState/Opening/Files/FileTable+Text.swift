import MapDocuments
import MapFeatures
import MapJSON
import MapReaders
import MapSystem

extension FileTable {
  /// Returns the tables in the bytes of a text file; none for JSON that holds no features.
  ///
  /// - Throws: ``MapStateError``.
  static func tables(
    _ bytes: [UInt8], _ format: TextFormat, path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    let (stem, reading) = (FilePath.stem(of: path), request.reading)
    if format != .csv { try request.refuseDialect(path) }
    return try namingText(path) {
      switch format {
      case .csv:
        let table = try CSVReader.read(bytes, fields: request.fields, options: reading)
        return try request.chosen([FileTable(name: stem, columns: table)], path)
      case .geoJSON:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        return try geoJSON(TextBytes(text), warnings, path: path, request)
      case .esriFeatures:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        var references = WrittenReferences(stated: reading.sourceReference)
        let json = references.numbered(
          try JSONValue(parsing: text, limits: WebMap.limits), numbersAll: true)
        let tables = try EsriFeatureSet.tables(JSONNode(json), name: stem).map { [references] found in
          let columns = try references.placed(found.table.read(reading)).adding(
            warnings + found.metadata.warnings)
          var table = FileTable(name: found.name, columns: columns)
          table.metadata = found.metadata
          return try table.placed(reading, path)
        }
        return try request.chosen(tables, path)
      case .kml:
        let layers = try KMLReader.read(bytes, name: stem, fields: request.wanted, options: reading)
        let tables = try layers.map {
          try FileTable(name: $0.name, columns: $0.table, styles: $0.styles, folder: $0.folder)
            .placed(reading, path)
        }
        return try request.chosen(tables, path)
      case .otherJSON: return []
      }
    }
  }

  /// Runs a body that reads a text file; its errors get the path, and advice about the encoding.
  static func namingText<Value>(_ path: String, _ body: () throws -> Value) throws(MapStateError) -> Value {
    do { return try body() } catch let error as MapStateError {
      throw error
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      let advice =
        "\(error)".hasSuffix("not UTF-8") ? "; name the encoding of the file, as in --encoding latin1" : ""
      throw MapStateError(.input, "\(path): \(error)\(advice)", cause: error)
    }
  }

  /// Returns the table in a GeoJSON text.
  static func geoJSON(
    _ text: TextBytes, _ warnings: [String], path: String, _ request: FileRequest
  ) throws -> [FileTable] {
    let table = FileTable(
      name: FilePath.stem(of: path), columns: try geoJSON(text, request).adding(warnings))
    return try request.chosen([table.placed(request.reading, path)], path)
  }

  /// Reads GeoJSON; a `crs` without a code is compared with the registered ones.
  private static func geoJSON(_ text: TextBytes, _ request: FileRequest) throws -> FeatureColumns {
    func read(_ options: ReadingOptions) throws -> FeatureColumns {
      try GeoJSONReader.read(text, fields: request.wanted, options: options)
    }
    do { return try read(request.reading) } catch let error as FeatureReadError {
      guard case .unsupportedReference(let quoted) = error.reason else { throw error }
      return try WrittenReferences.read(
        String(quoted.dropFirst().dropLast()), error, request.reading, read)
    }
  }
}
