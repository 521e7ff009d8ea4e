import CGeospatial

/// The files of a data set, checked before GDAL opens them.
///
/// Without the checks GDAL could read a truncated file partly, wait for a pipe, or run SQL of the file.
struct CheckedFiles {
  /// The checks of a GeoPackage or another SQLite file.
  private(set) var geoPackage: GeoPackageGuard?
  /// The parts of a shapefile.
  private(set) var shapefile: ShapefileParts?
  private(set) var archive: ZipDirectory?

  /// Checks the files at a path.
  ///
  /// - Throws: ``LibraryError`` that names the missing, truncated, unreadable or refused file.
  init(_ path: String) throws(LibraryError) {
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else { return }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch (ending, DataFile.isFolder(path)) {
    case ("gdb", true): try GeodatabaseFiles(folder: path).checkSystemTables()
    // Any other folder has none of the supported formats.
    case (_, true): break
    case ("shp", false), ("shx", false), ("dbf", false): shapefile = try ShapefileParts(path)
    case (_, false) where ZipDirectory.isArchive(path): archive = try ZipDirectory(path)
    default: geoPackage = try GeoPackageGuard(path)
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
  /// Whether the number of rows is known, so that rows missed by GDAL are noticed.
  var isCounted: Bool { if case .rows = declared { true } else { false } }
  /// The warnings about missing parts.
  let warnings: [String]
  /// Whether the layer is complete; false when rows are known to be missing.
  let isComplete: Bool

  /// Checks the files of a layer of an open data set.
  ///
  /// - Throws: ``LibraryError`` that names a missing, truncated or unreadable file, or a view that is not run.
  init(
    _ dataset: VectorDataset, layer name: String, _ files: CheckedFiles
  ) throws(LibraryError) {
    isComplete = files.geoPackage?.warnings.isEmpty ?? true
    switch dataset.driver {
    case "OpenFileGDB" where files.archive == nil:
      let path = dataset.path
      // The path may name the table's own file, such as a00000009.gdbtable.
      let file = DataFile.isFolder(path) ? nil : Int(DataFile.name(path).dropFirst().prefix(8), radix: 16)
      let number = if let file { file } else { try Self.tableNumber(of: name, in: path) }
      let folder = file == nil ? path : DataFile.folder(path)
      declared = .rows(try GeodatabaseFiles(folder: folder).rowCount(ofTable: number))
      warnings = []
    case "GPKG":
      declared = (try files.geoPackage?.rowCount(ofLayer: name)).map { .rows($0) } ?? .unknown
      warnings = files.geoPackage?.warnings ?? []
    case "ESRI Shapefile":
      declared = files.shapefile.map { .shapefile($0) } ?? .unknown
      let hasAttributes = files.archive?.names.contains { $0.lowercased().hasSuffix(".dbf") } ?? true
      warnings = hasAttributes ? files.shapefile?.warnings ?? [] : [ShapefileParts.missingAttributes(".dbf")]
    default: (declared, warnings) = (.unknown, [])
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

  /// Compares the number of rows that were read with the declared number.
  ///
  /// - Throws: ``LibraryError`` when they differ.
  func check(rowCount: Int, of dataset: VectorDataset, _ layer: OGRLayerH) throws(LibraryError) {
    let expected: Int?
    switch declared {
    case .rows(let count): expected = count
    case .shapefile(let parts): expected = parts.shapes == rowCount ? rowCount : try parts.rowCount()
    // The count includes deleted records. With 0, GDAL returns no count that would take a scan.
    case .unknown where ["MapInfo File", "ESRI Shapefile"].contains(dataset.driver): expected = nil
    case .unknown: expected = Int(dataset.library.calls.OGR_L_GetFeatureCount(layer, 0))
    }
    guard let expected, expected >= 0, expected != rowCount else { return }
    throw LibraryError("\(rowCount) of \(expected) rows could be read: the file is truncated or damaged")
  }
}
