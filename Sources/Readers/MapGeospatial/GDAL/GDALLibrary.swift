import CGeospatial

/// The functions of GDAL, with the allowed drivers registered.
///
/// The library is loaded, and the drivers registered, once, on first use. Allowed drivers read one local file or
/// folder. Drivers that follow links to other files or services, such as VRT and the database drivers, are not
/// registered. A GML file is opened without the schema beside it, which may link to others.
struct GDALLibrary {
  /// The functions.
  let calls: cgeospatial_gdal

  /// GDAL's short names of the drivers that may open a file.
  static let drivers = [
    "GPKG", "ESRI Shapefile", "FlatGeobuf", "MapInfo File", "GPX", "OpenFileGDB", "TopoJSON",
    "GML",
  ]

  private init() throws(LibraryError) {
    // The loader fills the table; it has no empty state that Swift could create.
    let table = UnsafeMutablePointer<cgeospatial_gdal>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_gdal(table, &error) != 0 else { throw LibraryError(missing: error) }
    calls = table.pointee
    // These options prevent actions of GDAL other than reading the file, and its guesses at types in GML.
    let options = [
      ("GDAL_PAM_ENABLED", "NO"), ("SHAPE_RESTORE_SHX", "NO"), ("PROJ_NETWORK", "OFF"),
      ("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "{noext}"), ("GML_FIELDTYPES", "ALWAYS_STRING"),
    ]
    for (name, value) in options { calls.CPLSetConfigOption(name, value) }
    // No thread writes to standard error: the handler drops messages that have no listener.
    _ = calls.CPLSetErrorHandler(GDALMessages.handler)
    cgeospatial_register_optional_drivers()
    calls.RegisterOGRGeoPackage()
    calls.RegisterOGRShape()
    calls.RegisterOGRFlatGeobuf()
    calls.RegisterOGRTAB()
    calls.RegisterOGRGPX()
    calls.RegisterOGRGML()
    calls.RegisterOGROpenFileGDB()
  }

  private static let loaded: Result<GDALLibrary, LibraryError> = {
    do throws(LibraryError) { return .success(try GDALLibrary()) } catch { return .failure(error) }
  }()

  /// Returns the library, which is loaded on first use.
  ///
  /// - Throws: ``LibraryError`` when it is not installed.
  static func shared() throws(LibraryError) -> GDALLibrary { try loaded.get() }

  /// Runs `body` and sends GDAL's messages on this thread to `messages`.
  func listening<Result, Failure: Error>(
    _ messages: GDALMessages, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The handler is called only on this thread, and popped before `messages` can be released.
    calls.CPLPushErrorHandlerEx(GDALMessages.handler, Unmanaged.passUnretained(messages).toOpaque())
    defer {
      calls.CPLPopErrorHandler()
      calls.CPLErrorReset()
    }
    return try body()
  }
}

/// The messages of GDAL: the last error, and each warning once.
final class GDALMessages {
  /// The last error; nil when there is none since it was last taken.
  private var error: String?
  private(set) var warnings: [String] = []

  /// Returns the text of the last error and clears it.
  func takeError() -> String? {
    defer { error = nil }
    return error
  }

  private func note(_ kind: CPLErr, _ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    // MapState's own warnings report these, with their number.
    let known =
      line.hasPrefix("Non closed ring detected")
      // `GeoPackageGuard` handles this case, so no data are lost.
      || line.hasSuffix("Retrying with IMMUTABLE=YES open option")
    // The format of a GeoPackage is known by its content.
    if line.contains("non conformant file extension") { return }
    // GDAL 3.6 says this of every GeoPackage 1.4, whose tables of features are those of 1.3 (OGC 12-128r19, annex).
    if line.contains("version of GeoPackage user_version"), line.contains("partially supported") { return }
    if known || line.hasPrefix("Non-conformant content") && line.contains("successfully parsed") { return }
    if kind == CE_Warning {
      // A file may cause one warning per row, so their number is limited.
      if warnings.count < 20, !warnings.contains(line) { warnings.append(line) }
    } else if kind != CE_Debug, kind != CE_None {
      // GDAL names only a line of its source.
      let isOfTable = line.hasPrefix("Error occurred in ") && line.contains("filegdbtable")
      error = isOfTable ? Self.unreadTable : line
    }
  }

  private static let unreadTable =
    "the table is damaged, or has fields of ArcGIS Pro 3.2 or later, such as 64-bit integers, which this version of "
    + "GDAL does not read; export it as a GeoPackage"

  static let handler: CPLErrorHandler = { kind, _, text in
    guard let library = try? GDALLibrary.shared(), let box = library.calls.CPLGetErrorHandlerUserData(),
      let text
    else { return }
    Unmanaged<GDALMessages>.fromOpaque(box).takeUnretainedValue().note(kind, String(cString: text))
  }
}
