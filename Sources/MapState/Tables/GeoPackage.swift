public import FoundationEssentials
import MapFeatures
public import MapModel

#if MAPSTATE_GEOSPATIAL
  import MapGeospatial
#endif

/// A table in a GeoPackage.
public typealias GeoPackageFeatureTable = LocalFeatureTable
/// A table in a File Geodatabase.
public typealias GeodatabaseFeatureTable = LocalFeatureTable

/// The tables of a GeoPackage, listed when it is loaded; each is read by itself when it is first asked.
///
/// Loading throws ``SourceError`` for what is no GeoPackage.
public final class GeoPackage: Loadable {
  /// Where the file is.
  public let fileURL: URL
  /// Where loading stands.
  public let loader: Loader
  private let tables = ModelState<[GeoPackageFeatureTable]>([])

  /// The tables of a file.
  public init(fileURL: URL) {
    self.fileURL = fileURL
    loader = Loader { [tables] in
      let found = try LocalFeatureTable.tables(in: fileURL, format: "GPKG", "is no GeoPackage")
      tables.update { $0 = found }
    }
  }

  /// The tables, in the order of the file; none before it is loaded.
  public var featureTables: [GeoPackageFeatureTable] { tables.snapshot }
}

/// The tables of a File Geodatabase, a folder `NAME.gdb`, listed when it is loaded; each is read by itself when it is
/// first asked.
///
/// Loading throws ``SourceError`` for anything else; mobile geodatabases, files `NAME.geodatabase`, are not read.
public final class Geodatabase: Loadable {
  /// Where the folder is.
  public let fileURL: URL
  /// Where loading stands.
  public let loader: Loader
  private let tables = ModelState<[GeodatabaseFeatureTable]>([])

  /// The tables of a folder.
  public init(fileURL: URL) {
    self.fileURL = fileURL
    loader = Loader { [tables] in
      let found = try LocalFeatureTable.tables(
        in: fileURL, format: "OpenFileGDB",
        "is no File Geodatabase, a folder NAME.gdb; mobile geodatabases (NAME.geodatabase) are not read")
      tables.update { $0 = found }
    }
  }

  /// The tables, in the order of the folder; none before it is loaded.
  public var featureTables: [GeodatabaseFeatureTable] { tables.snapshot }

  /// The table of a name; nil where there is none, and before the geodatabase is loaded.
  public func featureTable(named name: String) -> GeodatabaseFeatureTable? {
    featureTables.first { $0.tableName == name }
  }
}

extension LocalFeatureTable {
  /// A table for each layer of a file or folder of a format, by GDAL's short name for it.
  fileprivate static func tables(
    in url: URL, format: String, _ refusal: String
  ) throws(SourceError) -> [LocalFeatureTable] {
    let path = url.isFileURL ? url.path : url.absoluteString
    #if MAPSTATE_GEOSPATIAL
      guard url.isFileURL, let real = FileAccess.realPath(path) else {
        throw SourceError("\(path): \(url.isFileURL ? "no such file or directory" : refusal)")
      }
      do { try FileAccess.checkCompanions(of: real) } catch { throw SourceError("\(error)") }
      let found: (format: String, names: [String])
      do { found = try VectorFile.layerNames(in: real) } catch {
        throw SourceError("\(path): \(error.isOfAnotherFormat ? refusal : error.description)")
      }
      guard found.format == format else { throw SourceError("\(path): \(refusal)") }
      return found.names.map { LocalFeatureTable(fileURL: url, layerName: $0) }
    #else
      throw SourceError("\(path): is not read: this build is without GDAL")
    #endif
  }
}
