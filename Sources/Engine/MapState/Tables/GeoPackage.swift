public import FoundationEssentials
import MapFeatures
public import MapModel
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

/// A table in a GeoPackage.
public typealias GeoPackageFeatureTable = LocalFeatureTable
/// A table in a File Geodatabase.
public typealias GeodatabaseFeatureTable = LocalFeatureTable

/// The tables of a GeoPackage.
///
/// They are listed when it is loaded, and each is read at its first query.
///
/// Loading throws ``MapStateError`` for a file that is not a GeoPackage.
public final class GeoPackage: Loadable {
  /// The URL of the file.
  public let fileURL: URL
  /// The loader, which holds the load status.
  public let loader: Loader
  private let tables = ModelState<[GeoPackageFeatureTable]>([])

  /// Creates a GeoPackage from a file.
  public init(fileURL: URL) {
    self.fileURL = fileURL
    loader = Loader { [tables] in
      let found = try LocalFeatureTable.tables(in: fileURL, format: "GPKG", "is not a GeoPackage")
      tables.update { $0 = found }
    }
  }

  /// The tables, in the order of the file; none before the GeoPackage is loaded.
  public var featureTables: [GeoPackageFeatureTable] { tables.snapshot }
}

/// The tables of a File Geodatabase, a folder `NAME.gdb`.
///
/// They are listed when it is loaded, and each is read at its first query.
///
/// Loading throws ``MapStateError`` for anything else. Mobile geodatabases, files `NAME.geodatabase`, are not read.
public final class Geodatabase: Loadable {
  /// The URL of the folder.
  public let fileURL: URL
  /// The loader, which holds the load status.
  public let loader: Loader
  private let tables = ModelState<[GeodatabaseFeatureTable]>([])

  /// Creates a geodatabase from a folder.
  public init(fileURL: URL) {
    self.fileURL = fileURL
    loader = Loader { [tables] in
      let found = try LocalFeatureTable.tables(
        in: fileURL, format: "OpenFileGDB",
        "is not a File Geodatabase (a folder NAME.gdb); mobile geodatabases (NAME.geodatabase) are not read")
      tables.update { $0 = found }
    }
  }

  /// The tables, in the order of the folder; none before the geodatabase is loaded.
  public var featureTables: [GeodatabaseFeatureTable] { tables.snapshot }

  /// Returns the table with a name; nil if there is none, and before the geodatabase is loaded.
  public func featureTable(named name: String) -> GeodatabaseFeatureTable? {
    featureTables.first { $0.tableName == name }
  }
}

extension LocalFeatureTable {
  /// Returns a table for each layer of a file or folder in a format, given by GDAL's short name.
  fileprivate static func tables(
    in url: URL, format: String, _ refusal: String
  ) throws(MapStateError) -> [LocalFeatureTable] {
    let path = url.isFileURL ? url.path : url.absoluteString
    #if Geospatial
      guard url.isFileURL, let real = FileAccess.realPath(path) else {
        throw MapStateError(.input, "\(path): \(url.isFileURL ? "no such file or directory" : refusal)")
      }
      do { try FileAccess.checkCompanions(of: real) } catch { throw MapStateError(error) }
      let found: (format: String, names: [String])
      do { found = try VectorFile.layerNames(in: real) } catch {
        throw MapStateError(.input, "\(path): \(error.isOfAnotherFormat ? refusal : error.description)")
      }
      guard found.format == format else { throw MapStateError(.input, "\(path): \(refusal)") }
      return found.names.map { LocalFeatureTable(fileURL: url, layerName: $0) }
    #else
      throw MapStateError(.input, "\(path): cannot be read: this build does not include GDAL")
    #endif
  }
}
