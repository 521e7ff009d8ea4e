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
    do {
      switch format {
      case .csv:
        let table = try CSVReader.read(bytes, fields: request.fields, options: reading)
        return try request.chosen([FileTable(name: stem, columns: table)], path)
      case .geoJSON:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        let table = try geoJSON(text, request).adding(warnings)
        return try request.chosen([FileTable(name: stem, columns: table).placed(reading, path)], path)
      case .esriFeatures:
        let (text, warnings) = try TextEncoding.utf8(bytes, given: reading.encoding)
        var references = WrittenReferences(stated: reading.sourceReference)
        let json = references.numbered(
          try JSONValue(parsing: text, limits: WebMap.limits), numbersAll: true)
        let tables = try EsriFeatureSet.tables(JSONNode(json), name: stem).map { [references] name, columns in
          let columns = try references.placed(columns.read(reading)).adding(warnings)
          return try FileTable(name: name, columns: columns).placed(reading, path)
        }
        return try request.chosen(tables, path)
      case .kml:
        let layers = try KMLReader.read(bytes, name: stem, fields: request.wanted, options: reading)
        let tables = try layers.map {
          try FileTable(name: $0.name, columns: $0.table, styles: $0.styles).placed(reading, path)
        }
        return try request.chosen(tables, path)
      case .otherJSON: return []
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
  private static func geoJSON(_ text: [UInt8], _ request: FileRequest) throws -> FeatureColumns {
    func read(_ options: ReadingOptions) throws(FeatureReadError) -> FeatureColumns {
      try GeoJSONReader.read(text, fields: request.wanted, options: options)
    }
    do throws(FeatureReadError) { return try read(request.reading) } catch {
      guard case .unsupportedReference(let quoted) = error.reason else { throw error }
      return try WrittenReferences.read(
        String(quoted.dropFirst().dropLast()), error, request.reading, read)
    }
  }
}
