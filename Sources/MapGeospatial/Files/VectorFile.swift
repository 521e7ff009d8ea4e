public import MapFeatures

/// Reads a layer of a vector file into columns: GeoPackage, shapefile, FlatGeobuf, MapInfo, KML, GPX, File Geodatabase.
public enum VectorFile {
  /// A layer as it was read.
  public struct Layer: Sendable {
    /// Its name in the file.
    public let name: String
    /// Its rows.
    public let table: FeatureColumns
    /// True when GDAL was not asked for each feature.
    package let isStreamed: Bool
    /// True when GDAL was asked for nothing.
    package var isWithoutGDAL = false
  }

  /// The formats that can be read, for messages.
  public static let formats =
    "GeoPackage, shapefile, FlatGeobuf, MapInfo, KML, GPX, File Geodatabase"

  /// The names of the layers, in the order of the file, and its format by GDAL's short name for it.
  ///
  /// `path` must be absolute and that of a local file or folder.
  /// - Throws: ``VectorFileError``.
  public static func layerNames(
    in path: String
  ) throws(VectorFileError) -> (format: String, names: [String]) {
    do throws(LibraryError) {
      let dataset = try VectorDataset(path: path, files: CheckedFiles(path))
      return try dataset.library.listening(dataset.messages) { () throws(LibraryError) in
        let found = (dataset.driver, dataset.layerNames)
        if let error = dataset.messages.takeError() { throw LibraryError(error) }
        return found
      }
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// Reads a layer by name, or the only one, and of its fields those that are wanted.
  ///
  /// `path` must be absolute and that of a local file or folder.
  /// - Throws: ``VectorFileError``.
  public static func read(
    _ path: String, layer name: String?, fields: FieldSelection = .all
  ) throws(VectorFileError) -> Layer {
    try read(path, layer: name, fields: fields, allowsStream: true)
  }

  /// The same; `allowsStream` false asks GDAL for each feature, and how many pages a core reads at once changes nothing.
  package static func read(
    _ path: String, layer name: String?, fields: FieldSelection = .all, allowsStream: Bool,
    pieceSize: Int = 256
  ) throws(VectorFileError) -> Layer {
    do throws(LibraryError) {
      let files = try CheckedFiles(path)
      var allowsStream = allowsStream
      if allowsStream {
        let (layer, isTried) = geoPackageLayer(path, name, fields, pieceSize)
        if let layer { return layer }
        // Rows that were not as declared are not again.
        allowsStream = !isTried
      }
      let dataset = try VectorDataset(path: path, files: files)
      return try dataset.library.listening(dataset.messages) { () throws(LibraryError) in
        let names = dataset.layerNames
        if let error = dataset.messages.takeError() { throw LibraryError(error) }
        let index: Int
        if let name {
          guard let found = names.firstIndex(of: name) else { return try none(name, names) }
          index = found
        } else {
          guard names.count == 1 else { return try none(nil, names) }
          index = 0
        }
        let contents = try LayerContents(dataset, layer: names[index], files)
        var reader = try VectorLayerReader(
          dataset, layer: index, contents, fields: fields, allowsStream: allowsStream)
        let table = try reader.table()
        return Layer(name: names[index], table: table, isStreamed: reader.isStreamed)
      }
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// A layer of a GeoPackage that needs no GDAL, which takes a while to load, and whether its rows were looked at.
  private static func geoPackageLayer(
    _ path: String, _ name: String?, _ fields: FieldSelection, _ pieceSize: Int
  ) -> (layer: Layer?, isTried: Bool) {
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else { return (nil, false) }
    var schema: GeoPackageSchema?
    let rows = GeoPackageRows.read(path, pieceSize: pieceSize) { file in
      schema = GeoPackageSchema(file, layer: name, wanted: fields)
      return schema?.layout
    }
    guard let schema, let rows else { return (nil, schema != nil) }
    let (name, table) = (schema.layout.table, schema.table(rows))
    return (Layer(name: name, table: table, isStreamed: true, isWithoutGDAL: true), true)
  }

  private static func none(_ name: String?, _ names: [String]) throws(LibraryError) -> Layer {
    let list = names.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = names.count > 30 ? " and \(names.count - 30) more" : ""
    guard !names.isEmpty else { throw LibraryError("holds no layer of features") }
    if let name {
      throw LibraryError(
        "there is no layer \"\(name)\"; there \(names.count == 1 ? "is" : "are") \(list)\(more)")
    }
    throw LibraryError(
      "holds \(names.count) layers: \(list)\(more); name one after the path, as in file#layer")
  }
}

/// A vector file that cannot be read.
public struct VectorFileError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public let description: String
  /// True for what is in none of the formats.
  public var isOfAnotherFormat: Bool { description.contains("not recognized") }
}
