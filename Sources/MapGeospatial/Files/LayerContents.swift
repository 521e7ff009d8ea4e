import CGeospatial

/// The files of a data set, checked before GDAL opens them: those that it would read in part, wait for, or run.
struct CheckedFiles {
  /// A GeoPackage or another file of SQLite's.
  private(set) var geoPackage: GeoPackageGuard?
  /// A file of a shapefile.
  private(set) var shapefile: ShapefileParts?
  private(set) var archive: ZipDirectory?

  /// Checks the files at a path.
  ///
  /// - Throws: ``LibraryError`` that names the file that is missing, cut, unreadable or refused.
  init(_ path: String) throws(LibraryError) {
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else { return }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch (ending, DataFile.isFolder(path)) {
    case ("gdb", true): try GeodatabaseFiles(folder: path).checkSystemTables()
    // Any other folder is in none of the formats.
    case (_, true): break
    case ("shp", false), ("shx", false), ("dbf", false): shapefile = try ShapefileParts(path)
    case (_, false) where ZipDirectory.isArchive(path): archive = try ZipDirectory(path)
    default: geoPackage = try GeoPackageGuard(path)
    }
  }
}

/// The number of rows that the files of a layer declare, found without GDAL where its drivers report fewer.
struct LayerContents {
  private enum Declared {
    /// By the driver alone.
    case unknown
    case rows(Int)
    /// Fewer where records are marked as deleted, which takes a pass over them.
    case shapefile(ShapefileParts)
  }

  private let declared: Declared
  /// True where the number of rows is known, so that rows that GDAL does not read are noticed.
  var isCounted: Bool { if case .rows = declared { true } else { false } }
  /// Parts that are missing.
  let warnings: [String]
  /// False where rows are known to be missing.
  let isComplete: Bool

  /// Checks the files of a layer that an open data set has.
  ///
  /// - Throws: ``LibraryError`` that names a file that is missing, cut or unreadable, or a view that is not run.
  init(
    _ dataset: VectorDataset, layer name: String, _ files: CheckedFiles
  ) throws(LibraryError) {
    isComplete = files.geoPackage?.warnings.isEmpty ?? true
    switch dataset.driver {
    case "OpenFileGDB" where files.archive == nil:
      let path = dataset.path
      // A table may be named by its own file, a00000009.gdbtable.
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

  /// The number of a geodatabase's table: that of its row in the table of tables.
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

  /// Compares the rows that were read with those that are declared.
  ///
  /// - Throws: ``LibraryError`` where they differ.
  func check(rowCount: Int, of dataset: VectorDataset, _ layer: OGRLayerH) throws(LibraryError) {
    let expected: Int?
    switch declared {
    case .rows(let count): expected = count
    case .shapefile(let parts): expected = parts.shapes == rowCount ? rowCount : try parts.rowCount()
    // Records that are deleted are counted; 0 asks for no count that is not at hand.
    case .unknown where ["MapInfo File", "ESRI Shapefile"].contains(dataset.driver): expected = nil
    case .unknown: expected = Int(dataset.library.calls.OGR_L_GetFeatureCount(layer, 0))
    }
    guard let expected, expected >= 0, expected != rowCount else { return }
    throw LibraryError("\(rowCount) of \(expected) rows could be read: the file is cut or damaged")
  }
}
