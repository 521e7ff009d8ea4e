package import MapFeatures
package import MapReaders

/// Reads a layer of a vector file into columns: GeoPackage, shapefile, FlatGeobuf, MapInfo, GPX, File Geodatabase,
/// TopoJSON, GML.
package enum VectorFile {
  /// A layer that was read.
  package struct Layer: Sendable {
    /// The name of the layer in the file.
    package let name: String
    /// The rows of the layer.
    package let table: FeatureColumns
    /// Whether the rows were read without asking GDAL for each feature.
    package let isStreamed: Bool
    /// Whether the layer was read without GDAL.
    package var isWithoutGDAL = false
    /// Whether the file states no encoding that GDAL knows, so that the caller's one applies.
    package var usesEncoding = false
  }

  /// The supported formats, for messages.
  package static let formats =
    "GeoPackage, shapefile, FlatGeobuf, MapInfo, GPX, File Geodatabase, TopoJSON, GML"

  /// The layers of a GPX file from the bottom to the top, so that tracks and routes cover their points.
  private static let trackLayers = ["route_points", "track_points", "routes", "tracks", "waypoints"]

  /// Returns GDAL's short name of the file's format and the names of the layers, in the order of the file.
  ///
  /// The layers of a GPX file are in the order in which they are drawn.
  ///
  /// `path` must be the absolute path of a local file or folder.
  ///
  /// - Throws: ``VectorFileError``.
  package static func layerNames(
    in path: String, options: ReadingOptions = ReadingOptions()
  ) throws(VectorFileError) -> (format: String, names: [String]) {
    do throws(LibraryError) {
      let dataset = try VectorDataset(path: path, files: CheckedFiles(path, options))
      return try dataset.library.listening(dataset.messages) { () throws(LibraryError) in
        let (format, names) = (dataset.driver, dataset.layerNames)
        if let error = dataset.messages.takeError() { throw LibraryError(error) }
        guard format == "GPX" else { return (format, names) }
        return (format, trackLayers.filter(names.contains) + names.filter { !trackLayers.contains($0) })
      }
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// Reads a layer by name, or the only layer, with the wanted fields.
  ///
  /// `path` must be the absolute path of a local file or folder.
  ///
  /// - Throws: ``VectorFileError``.
  package static func read(
    _ path: String, layer name: String?, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions()
  ) throws(VectorFileError) -> Layer {
    try read(path, layer: name, fields: fields, options: options, allowsStream: true)
  }

  /// Reads a layer like ``read(_:layer:fields:)``, with settings for tests.
  ///
  /// - Parameters:
  ///   - allowsStream: false asks GDAL for each feature.
  ///   - pieceSize: the number of pages that a core reads at a time; it does not change the result.
  package static func read(
    _ path: String, layer name: String?, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions(), allowsStream: Bool,
    pieceSize: Int = 256
  ) throws(VectorFileError) -> Layer {
    do throws(LibraryError) {
      let files = try CheckedFiles(path, options)
      var allowsStream = allowsStream && options.sourceReference == nil
      if allowsStream {
        let (layer, isTried) = geoPackageLayer(path, name, fields, pieceSize)
        if let layer { return layer }
        // Rows that did not match their declaration are not tried again.
        allowsStream = !isTried
      }
      // Without a name GDAL returns the bytes of texts as they are; its own conversion loses last letters.
      let unconverted = files.shapefile == nil ? [] : ["ENCODING="]
      let dataset = try VectorDataset(path: path, options: unconverted, files: files)
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
        let contents = try LayerContents(dataset, layer: names[index], files, options)
        var reader = try VectorLayerReader(
          dataset, layer: index, contents, fields: fields, options: options, allowsStream: allowsStream)
        let table = try reader.table()
        return Layer(
          name: names[index], table: table, isStreamed: reader.isStreamed,
          usesEncoding: contents.encoding != nil)
      }
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// Reads a GeoPackage layer without GDAL, which is slow to load, and returns whether its rows were tried.
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
    guard !names.isEmpty else { throw LibraryError("contains no feature layer") }
    if let name {
      throw LibraryError(
        "no layer named \"\(name)\"; available: \(list)\(more)")
    }
    throw LibraryError(
      "contains \(names.count) layers: \(list)\(more); name one after the path, as in file#layer")
  }
}

/// A vector file that cannot be read.
package struct VectorFileError: Error, Hashable, CustomStringConvertible {
  /// The fault, lower case, without a full stop.
  package let description: String
  /// Whether the fault is that no layer, or an unknown one, is chosen among several.
  package let isAboutChoice: Bool

  /// Creates an error.
  package init(description: String) { (self.description, isAboutChoice) = (description, false) }

  /// Creates an error about the choice of a layer.
  package init(choice description: String) { (self.description, isAboutChoice) = (description, true) }

  /// Whether the file has several layers and none was named.
  package var holdsSeveralLayers: Bool {
    description.hasPrefix("contains ") && description.hasSuffix("as in file#layer")
  }

  /// Whether the file has none of the supported formats.
  package var isOfAnotherFormat: Bool {
    description.contains("not recognized") || description.contains("required GeoPackage tables")
  }
}
