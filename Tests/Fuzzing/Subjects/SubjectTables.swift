import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapScript
import MapState
import MapSystem

/// Files of features: any bytes are a table that can be indexed, counted, written and read again, or are
/// refused.
enum SubjectTables {
  static func geoJSON(_ bytes: [UInt8]) -> Bool {
    guard let table = try? GeoJSONReader.read(bytes) else { return false }
    ask(table)
    guard let rows = written(table), let written = try? GeoJSONWriter(rows).document() else { return true }
    precondition((try? GeoJSONReader.read(written))?.rowCount == table.rowCount)
    return true
  }

  static func csv(_ bytes: [UInt8]) -> Bool {
    guard let table = try? CSVReader.read(bytes) else { return false }
    ask(table)
    guard let rows = written(table), let written = try? DelimitedWriter(rows).document() else { return true }
    precondition((try? CSVReader.read(written))?.rowCount == table.rowCount)
    return true
  }

  /// Delimited text that people wrote: the first byte chooses the options, and pieces and fields change nothing.
  static func csvDialect(_ bytes: [UInt8]) -> Bool {
    guard let choice = bytes.first else { return false }
    let text = Array(bytes.dropFirst())
    var options = ReadingOptions()
    options.decimalSign = [nil, .comma, .point, nil][Int(choice & 3)]
    options.delimiter =
      [nil, CSVDelimiter(";"), CSVDelimiter("tab"), CSVDelimiter("|")][Int(choice >> 2 & 3)]
    options.skipsBadRows = choice & 16 != 0
    if choice & 32 != 0 { options.sourceReference = .webMercator }
    let whole = try? CSVReader.read(text, options: options)
    let parts = try? CSVReader.read(text, options: options, pieceSize: 64)
    precondition(whole?.columns == parts?.columns && whole?.warnings == parts?.warnings)
    precondition(whole?.schema == parts?.schema && whole?.rowCount == parts?.rowCount)
    guard let whole else { return false }
    if let field = whole.schema.fields.last, !whole.schema.fields.contains(where: { $0.name.contains("\0") })
    {
      let one = try? CSVReader.read(text, fields: FieldSelection([field.name]), options: options)
      precondition(one?.columns.last == whole.columns.last && one?.rowCount == whole.rowCount)
    }
    ask(whole)
    return true
  }

  static func vectorTile(_ bytes: [UInt8]) -> Bool {
    let square = Envelope.webMercatorTile(zoom: 3, column: 4, row: 2)
    guard let tile = try? VectorTile(bytes) else { return false }
    for layer in tile.layers {
      precondition(layer.geometries.allSatisfy { $0.rowCount == layer.rowCount })
      for row in 0..<layer.rowCount {
        precondition(layer.geometries.count { !$0.isEmpty(row: row) } == 1)
        let rings = layer.polygons(ofRow: row).reduce(0) { $0 + $1.count }
        precondition(rings > 0 || layer.kinds[row] != .polygon)
      }
      for table in [try? layer.table(in: square), try? layer.table()] {
        guard let table else { continue }
        ask(table)
        _ = written(table).flatMap { try? GeoJSONWriter($0).document() }
      }
    }
    return true
  }

  static func flatGeobuf(_ bytes: [UInt8]) -> Bool {
    // Small pieces, so that a feature may span two of them.
    guard
      let layer = try? FlatGeobufReader.read(
        size: bytes.count, fields: .all, pieceSize: 512, bytes: { Array(bytes[$0]) })
    else { return false }
    ask(layer.table)
    _ = written(layer.table).flatMap { try? GeoJSONWriter($0).document() }
    askIndex(bytes, layer.table)
    return true
  }

  /// Asks the index of a FlatGeobuf file, which answers as the whole table if it fits the features.
  private static func askIndex(_ bytes: [UInt8], _ table: FeatureColumns) {
    let whole = InMemorySource(table)
    let opened = try? IndexedFlatGeobuf(
      size: bytes.count, fields: .all, all: { whole }, bytes: { Array(bytes[$0]) })
    guard let indexed = opened.flatMap({ $0 }), let geometry = table.geometry,
      let faults = try? FlatGeobufReader.indexFaults(
        geometry, size: bytes.count, bytes: { Array(bytes[$0]) })
    else { return }
    let extent = whole.extent
    let center = extent.center
    for box in [extent, Envelope(xMin: extent.xMin, yMin: extent.yMin, xMax: center.x, yMax: center.y)] {
      let (rows, count) = (try? indexed.rows(meeting: [box]), try? indexed.count(meeting: box))
      guard faults == 0, let rows = rows.flatMap({ $0 }) else { continue }
      var near = RowSet(rowCount: table.rowCount)
      for row in 0..<table.rowCount where geometry.envelope(ofRow: row).meets(box) { near.insert(row) }
      let ids = Set(rows.objectIDs ?? [])
      precondition(near.allSatisfy { ids.contains(Int64($0) + 1) })
      if let count = count.flatMap({ $0 }) { precondition(count == near.count) }
    }
  }

  static func arrow(_ bytes: [UInt8]) -> Bool {
    guard let table = try? ArrowReader.read(size: bytes.count, bytes: { Array(bytes[$0]) }) else {
      return false
    }
    ask(table)
    guard let rows = written(table) else { return true }
    let written = ArrowWriter(rows).stream()
    let read = try? ArrowReader.read(size: written.count, bytes: { Array(written[$0]) })
    precondition(read?.rowCount == table.rowCount || table.columns.isEmpty)
    return true
  }

  static func parquet(_ bytes: [UInt8]) -> Bool {
    guard let table = try? ParquetReader.read(size: bytes.count, bytes: { Array(bytes[$0]) }) else {
      return false
    }
    ask(table)
    _ = written(table).flatMap { try? GeoJSONWriter($0).document() }
    askParts(bytes, table)
    return true
  }

  /// Asks for rows by the indexes of a Parquet file, and for files with it as one table.
  private static func askParts(_ bytes: [UInt8], _ table: FeatureColumns) {
    let file = ParquetTable.File(name: "a", size: bytes.count, bytes: { Array(bytes[$0]) })
    guard let parts = try? ParquetTable([file, file], fields: .all, options: ReadingOptions()) else { return }
    _ = parts.storage
    precondition(parts.rowCount == 2 * table.rowCount)
    if table.rowCount > 2, let rows = try? parts.read(rows: [1..<2]) { precondition(rows.rowCount == 1) }
    let whole = InMemorySource(table)
    guard let indexed = IndexedParquet(parts, name: "a", all: { whole }) else { return }
    let center = whole.extent.center
    let box = Envelope(
      xMin: whole.extent.xMin, yMin: whole.extent.yMin, xMax: center.x, yMax: center.y)
    _ = try? indexed.rows(meeting: [box])
    _ = try? indexed.count(meeting: [box, whole.extent])
  }

  static func kml(_ bytes: [UInt8]) -> Bool {
    _ = KMLReader.looksLikeKML(bytes)
    guard let layers = try? KMLReader.read(bytes, name: "fuzz") else { return false }
    precondition(Set(layers.map(\.name)).count == layers.count)
    for layer in layers { ask(layer.table) }
    return true
  }

  /// The text of a `.cpg` file, a line end, and a `.dbf` file.
  static func dbf(_ bytes: [UInt8]) -> Bool {
    let page = Array(bytes.prefix { $0 != 0x0A })
    let file = Array(bytes.dropFirst(page.count + 1))
    guard let header = AttributeHeader(file) else { return false }
    precondition(header.fields.count <= 2048)
    let encoding = AttributeEncoding(
      "f.dbf", given: nil, page: page.isEmpty ? nil : ("f.cpg", page), language: header.language)
    precondition(encoding.message("texts").utf8.count < 1000)
    guard var texts = AttributeTexts(encoding) else { return false }
    let width = 12
    var count = 0
    for start in stride(from: min(header.size, file.count), to: file.count, by: width) {
      let text = file[start..<min(start + width, file.count)]
      guard let read = try? texts.utf8(text, width: width) else { continue }
      precondition(String(validating: read, as: UTF8.self) != nil)
      count += 1
    }
    return count > 0
  }

  static func geoPackage(_ bytes: [UInt8], folder: String) async -> Bool {
    let path = "\(folder)/fuzz.gpkg"
    do { try FileAccess.write(bytes, to: path) } catch { fatalError("\(error)") }
    var isRead = false
    for source in [path, path + "#pt", path + "#v"] {
      guard let document = try? await MapDocument.open(source) else { continue }
      _ = try? await Inspection(document).json
      guard let view = try? await document.view(ViewRequest()) else { continue }
      isRead = (try? await view.freeze().counts(CountOptions())) != nil || isRead
    }
    if let layer = try? VectorFile.read(path, layer: nil), layer.isWithoutGDAL {
      askIndex(of: path, layer)
    }
    return isRead
  }

  /// Asks the index of a GeoPackage, which answers as the whole table if it fits the rows.
  private static func askIndex(of path: String, _ layer: VectorFile.Layer) {
    let whole = InMemorySource(layer.table)
    let faults = IndexedGeoPackage.indexFaults(path, layer: layer.name, layer.table)
    guard let geometry = layer.table.geometry, case .integers(let ids)? = layer.table.columns.first?.storage,
      let indexed = IndexedGeoPackage(path, layer: nil, fields: .all, all: { whole })
    else { return }
    let (extent, center) = (whole.extent, whole.extent.center)
    for box in [extent, Envelope(xMin: extent.xMin, yMin: extent.yMin, xMax: center.x, yMax: center.y)] {
      let rows = try? indexed.rows(meeting: [box])
      guard faults == 0, let rows, case .integers(let near)? = rows.columns.first?.storage else { continue }
      let found = Set(near)
      for (row, id) in ids.enumerated() where geometry.envelope(ofRow: row).meets(box) {
        precondition(found.contains(id))
      }
    }
  }

  /// A zip archive or gzip file.
  static func archive(_ bytes: [UInt8], folder: String) async -> Bool {
    let path = "\(folder)/fuzz.zip"
    do { try FileAccess.write(bytes, to: path) } catch { fatalError("\(error)") }
    guard let document = try? await MapDocument.open(path) else { return false }
    return (try? await Inspection(document).json) != nil
  }

  static func ask(_ table: FeatureColumns) {
    let source = InMemorySource(table)
    var conditions = QueryConditions()
    conditions.question.area = .envelope(Envelope(xMin: -10, yMin: -10, xMax: 10, yMax: 10))
    let query = try? conditions.query(for: .query)
    precondition((query.flatMap { try? source.count($0) } ?? 0) <= table.rowCount)
    let definitions = table.schema.fields.prefix(8).enumerated().flatMap { index, field in
      StatisticDefinition.StatisticType.all.map {
        StatisticDefinition(fieldName: field.name, statisticType: $0, outputAlias: "\($0)\(index)")
      }
    }
    _ = try? StatisticsTable(
      StatisticsQuery(definitions: definitions), of: table, rows: RowSet(rowCount: table.rowCount, all: true))
  }

  /// The rows for a writer; nil if they would have to be projected.
  private static func written(_ table: FeatureColumns) -> FeatureRows? {
    guard table.schema.spatialReference?.isBuiltIn ?? true else { return nil }
    return try? FeatureRows(table, rows: Array(0..<table.rowCount))
  }
}
