import CGeospatial

/// GDAL's functions, with the allowed drivers registered.
///
/// Loaded and registered once, when a file first asks for it. The drivers are those that read one local file or
/// folder: none that follows a link to another file or service, as VRT, GML and the databases' do, is registered.
struct GDALLibrary {
  /// The functions.
  let calls: cgeospatial_gdal

  /// The names of the drivers that may open a file, as GDAL calls them.
  static let drivers = [
    "GPKG", "ESRI Shapefile", "FlatGeobuf", "MapInfo File", "KML", "GPX", "OpenFileGDB",
  ]

  private init() throws(LibraryError) {
    // Filled by the loader; the table has no empty state that Swift could write.
    let table = UnsafeMutablePointer<cgeospatial_gdal>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_gdal(table, &error) != 0 else { throw LibraryError(missing: "GDAL", error) }
    calls = table.pointee
    // What a file may make GDAL do beyond reading it.
    let options = [
      ("GDAL_PAM_ENABLED", "NO"), ("SHAPE_RESTORE_SHX", "NO"), ("PROJ_NETWORK", "OFF"),
      ("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "{noext}"),
    ]
    for (name, value) in options { calls.CPLSetConfigOption(name, value) }
    // Nothing reaches standard error, whatever thread it comes from: the handler drops what nobody listens to.
    _ = calls.CPLSetErrorHandler(GDALMessages.handler)
    calls.RegisterOGRGeoPackage()
    calls.RegisterOGRShape()
    calls.RegisterOGRFlatGeobuf()
    calls.RegisterOGRTAB()
    calls.RegisterOGRKML()
    calls.RegisterOGRGPX()
    calls.RegisterOGROpenFileGDB()
  }

  private static let loaded: Result<GDALLibrary, LibraryError> = {
    do throws(LibraryError) { return .success(try GDALLibrary()) } catch { return .failure(error) }
  }()

  /// The library.
  ///
  /// - Throws: ``LibraryError`` when it is not installed.
  static func shared() throws(LibraryError) -> GDALLibrary { try loaded.get() }

  /// Runs `body` with the messages of GDAL on this thread going to `messages`.
  func listening<Result, Failure: Error>(
    _ messages: GDALMessages, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The handler is called on this thread alone, and popped before the box can go.
    calls.CPLPushErrorHandlerEx(GDALMessages.handler, Unmanaged.passUnretained(messages).toOpaque())
    defer {
      calls.CPLPopErrorHandler()
      calls.CPLErrorReset()
    }
    return try body()
  }
}

/// What GDAL said: the last error, and each warning once.
final class GDALMessages {
  /// Nil when there was none since it was last taken.
  private var error: String?
  private(set) var warnings: [String] = []

  /// The last error's text, which is then forgotten.
  func takeError() -> String? {
    defer { error = nil }
    return error
  }

  private func note(_ kind: CPLErr, _ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    // Told by our own warnings, with how many there are.
    let known =
      line.hasPrefix("Non closed ring detected")
      // Looked after by `GeoPackageGuard`: nothing is lost.
      || line.hasSuffix("Retrying with IMMUTABLE=YES open option")
    if known || line.hasPrefix("Non-conformant content") && line.contains("successfully parsed") { return }
    if kind == CE_Warning {
      // A file may have one for every row.
      if warnings.count < 20, !warnings.contains(line) { warnings.append(line) }
    } else if kind != CE_Debug, kind != CE_None {
      error = line
    }
  }

  static let handler: CPLErrorHandler = { kind, _, text in
    guard let library = try? GDALLibrary.shared(), let box = library.calls.CPLGetErrorHandlerUserData(),
      let text
    else { return }
    Unmanaged<GDALMessages>.fromOpaque(box).takeUnretainedValue().note(kind, String(cString: text))
  }
}
