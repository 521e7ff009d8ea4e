import CGeospatial
import MapFeatures
import MapReaders

/// The files of a data set, checked before GDAL opens them.
///
/// Without the checks GDAL could read a truncated file partly, wait for a pipe, or run SQL of the file.
struct CheckedFiles {
  /// The checks of a GeoPackage or another SQLite file.
  private(set) var geoPackage: GeoPackageGuard?
  /// The parts of a shapefile.
  private(set) var shapefile: ShapefileParts?
  /// The features of a GML file.
  private(set) var gml: GMLFile?

  /// Checks the files at a path.
  ///
  /// - Throws: ``LibraryError`` that names the missing, truncated, unreadable or refused file.
  init(_ path: String, _ options: ReadingOptions = ReadingOptions()) throws(LibraryError) {
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else { return }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch (ending, DataFile.isFolder(path)) {
    case ("gdb", true): try GeodatabaseFiles(folder: path).checkSystemTables()
    // Any other folder has none of the supported formats.
    case (_, true): break
    case ("shp", false), ("shx", false), ("dbf", false): shapefile = try ShapefileParts(path)
    // GDAL would unpack these by itself, without limits.
    case (let ending?, false)
    where ["zip", "shz", "kmz", "tar", "tgz", "gz"].contains(ending) && !DataFile.isSQLite(path):
      throw LibraryError("is not a zip archive or gzip file; unpack archives of other formats first")
    default:
      geoPackage = try GeoPackageGuard(path)
      gml = try GMLFile(path, options)
      if gml == nil { try XMLNesting.check(path) }
    }
  }
}

/// The number of rows that the files of a layer declare, read without GDAL where its drivers report too few.
struct LayerContents {
  private enum Declared {
    /// The number is known only to the driver.
    case unknown
    case rows(Int)
    /// The number is the record count minus the records marked as deleted, which only a pass over them can count.
    case shapefile(ShapefileParts)
  }

  private let declared: Declared
  /// The folder and number of a table of a File Geodatabase; nil for other files.
  private var geodatabase: (folder: String, table: Int)?
  /// The file and name of a layer of a GeoPackage; nil for other files.
  private var geoPackage: (file: GeoPackageGuard, layer: String)?
  /// The path of the `.mid` file with the attributes of a `.mif` file; nil for other files.
  private let attributes: String?
  /// Whether the number of rows is known, so that rows missed by GDAL are noticed.
  var isCounted: Bool { if case .rows = declared { true } else { false } }
  /// The warnings about missing parts.
  let warnings: [String]
  /// The parts of a shapefile; nil for other formats.
  let shapefile: ShapefileParts?
  /// The encoding of texts that GDAL leaves as they are, in shapefiles and MapInfo files; nil for other formats.
  let encoding: AttributeEncoding?
  /// The different spatial references that the geometries of a GML file state.
  let references: [LayerReference]
  /// Whether the layer is complete; false when rows are known to be missing.
  let isComplete: Bool

  /// Checks the files of a layer of an open data set.
  ///
  /// - Throws: ``LibraryError`` that names a missing, truncated or unreadable file, or a view that is not run.
  init(
    _ dataset: VectorDataset, layer name: String, _ files: CheckedFiles, _ options: ReadingOptions
  ) throws(LibraryError) {
    attributes = Self.attributes(beside: dataset.path)
    shapefile = files.shapefile
    encoding =
      dataset.driver == "MapInfo File"
      ? try MapInfoCharset.encoding(
        of: dataset.path, given: options.encoding, dataset.messages.warnings)
      : files.shapefile?.encoding(given: options.encoding)
    isComplete = files.geoPackage?.warnings.isEmpty ?? true
    let gml = try files.gml?.contents(ofLayer: name, options)
    references = gml?.references ?? []
    switch dataset.driver {
    case "OpenFileGDB":
      let path = dataset.path
      // The path may name the table's own file, such as a00000009.gdbtable.
      let file = DataFile.isFolder(path) ? nil : Int(DataFile.name(path).dropFirst().prefix(8), radix: 16)
      let number = if let file { file } else { try Self.tableNumber(of: name, in: path) }
      let folder = file == nil ? path : DataFile.folder(path)
      geodatabase = (folder, number)
      declared = .rows(try GeodatabaseFiles(folder: folder).rowCount(ofTable: number))
      warnings = []
    case "GPKG":
      declared = (try files.geoPackage?.rowCount(ofLayer: name)).map { .rows($0) } ?? .unknown
      geoPackage = files.geoPackage.map { ($0, name) }
      warnings = files.geoPackage?.warnings ?? []
    case "ESRI Shapefile":
      declared = files.shapefile.map { .shapefile($0) } ?? .unknown
      warnings = files.shapefile?.warnings ?? []
    default: (declared, warnings) = (.unknown, gml?.warnings ?? [])
    }
  }

  /// Returns the number of a geodatabase's table, which is its row number in the table of tables.
  private static func tableNumber(of name: String, in path: String) throws(LibraryError) -> Int {
    let dataset = try VectorDataset(path: path, options: ["LIST_ALL_TABLES=YES"])
    let calls = dataset.library.calls
    return try dataset.library.listening(dataset.messages) { () throws(LibraryError) -> Int in
      if let index = dataset.layerNames.firstIndex(of: "GDB_SystemCatalog"), let layer = dataset.layer(index),
        let field = calls.OGR_L_GetLayerDefn(layer).map({ calls.OGR_FD_GetFieldIndex($0, "Name") }),
        field >= 0
      {
        while let row = calls.OGR_L_GetNextFeature(layer) {
          defer { calls.OGR_F_Destroy(row) }
          guard let found = calls.OGR_F_GetFieldAsString(row, field), String(cString: found) == name else {
            continue
          }
          return Int(calls.OGR_F_GetFID(row))
        }
      }
      throw LibraryError(dataset.messages.takeError() ?? "its table of tables does not list \"\(name)\"")
    }
  }

  /// Returns the timestamps of a field of a File Geodatabase as its files state them; nil if they cannot be read, or
  /// differ from GDAL's by more than GDAL's fault.
  func times(ofField name: String, rows ids: [Int64], readByGDAL column: Column) -> Column? {
    guard let geodatabase, case .instants(let read) = column.storage, read.count == ids.count,
      let times = GeodatabaseTimes(folder: geodatabase.folder, table: geodatabase.table)?
        .microseconds(ofField: name, rows: ids)
    else { return nil }
    var values = read
    for (row, time) in times.enumerated() {
      guard (time != nil) == (column.validity?.contains(row) ?? true) else { return nil }
      guard let time else { continue }
      // The fault is a second, and a fraction of one.
      guard abs(Double(time) - Double(read[row])) < 1_600_000 else { return nil }
      values[row] = time
    }
    return Column(.instants(values), validity: column.validity)
  }

  /// Returns the rows of each field of a GeoPackage whose values GDAL converted to other ones; empty for other files.
  ///
  /// - Throws: ``LibraryError`` when SQLite cannot tell them.
  func misfits(of fields: [DeclaredColumn], id: String) throws(LibraryError) -> [String: Set<Int64>] {
    guard let geoPackage else { return [:] }
    let columns = fields.compactMap { column -> (name: String, range: ClosedRange<Int64>?)? in
      switch (column.kind, column.field.fieldType) {
      case (.integer, .int16): (column.field.name, Int64(Int16.min)...Int64(Int16.max))
      case (.integer, .int32): (column.field.name, Int64(Int32.min)...Int64(Int32.max))
      case (.integer, _): (column.field.name, Int64.min...Int64.max)
      case (.boolean, _): (column.field.name, 0...1)
      case (.real, _): (column.field.name, nil)
      default: nil
      }
    }
    guard let found = geoPackage.file.misfits(ofLayer: geoPackage.layer, id: id, columns: columns) else {
      throw LibraryError("\"\(geoPackage.layer)\": the types of its values cannot be read")
    }
    return Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), found.map { Set($0) }))
  }

  /// Returns the path of the `.mid` file of a MapInfo interchange file.
  private static func attributes(beside path: String) -> String? {
    let stem = path.dropLast(4)
    switch path.suffix(4) {
    case ".mif", ".mid", ".MIF", ".MID": break
    default: return nil
    }
    return ["mid", "MID"].map { "\(stem).\($0)" }.first { DataFile.isNotEmpty($0) }
  }

  /// Returns the number of lines of the `.mid` file, one for each row; blank lines at its end may be rows.
  private func attributeRows(_ rowCount: Int) throws(LibraryError) -> Int? {
    guard let attributes else { return nil }
    let file = try DataFile(DataFile.folder(attributes), DataFile.name(attributes))
    var (lines, filled, offset, isBlank) = (0, 0, 0, true)
    while offset < file.size {
      let bytes = try file.bytes(at: offset, count: min(1 << 20, file.size - offset))
      offset += bytes.count
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          lines += 1
          if !isBlank { filled = lines }
          isBlank = true
        } else if byte != UInt8(ascii: "\r") {
          isBlank = false
        }
      }
    }
    if !isBlank { (lines, filled) = (lines + 1, lines + 1) }
    return (filled...lines).contains(rowCount) ? nil : filled
  }

  /// Returns a warning about elements of a GPX file that GDAL skipped, such as waypoints without a latitude.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  func warning(rowCount: Int, of dataset: VectorDataset, _ layer: OGRLayerH) throws(LibraryError) -> String? {
    let calls = dataset.library.calls
    let name = calls.OGR_L_GetName(layer).map { String(cString: $0) } ?? ""
    let elements = [
      "waypoints": "wpt", "routes": "rte", "tracks": "trk", "route_points": "rtept", "track_points": "trkpt",
    ]
    guard dataset.driver == "GPX", let element = elements[name] else { return nil }
    let count = try ElementCount.count(of: element, in: dataset.path)
    guard count > rowCount else { return nil }
    return
      "\(count - rowCount) of \(count) <\(element)> elements of the file cannot be read: they are missing"
  }

  /// Compares the number of rows that were read with the declared number.
  ///
  /// - Throws: ``LibraryError`` when they differ.
  func check(rowCount: Int, of dataset: VectorDataset, _ layer: OGRLayerH) throws(LibraryError) {
    let expected: Int?
    switch declared {
    case .rows(let count): expected = count
    case .shapefile(let parts): expected = parts.shapes == rowCount ? rowCount : try parts.rowCount()
    case .unknown where dataset.driver == "MapInfo File" && attributes != nil:
      expected = try attributeRows(rowCount)
    // The count includes deleted records. With 0, GDAL returns no count that would take a scan.
    case .unknown where ["MapInfo File", "ESRI Shapefile"].contains(dataset.driver): expected = nil
    case .unknown: expected = Int(dataset.library.calls.OGR_L_GetFeatureCount(layer, 0))
    }
    guard let expected, expected >= 0, expected != rowCount else { return }
    throw LibraryError("\(rowCount) of \(expected) rows could be read: the file is truncated or damaged")
  }
}
