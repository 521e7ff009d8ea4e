public import FoundationEssentials
import MapDocuments
import MapJSON
public import MapModel

extension Map {
  /// Returns the map of a document's text.
  ///
  /// The document is read when the map is first loaded; a view loads it automatically.
  ///
  /// Values that were set or added before loading stay, and ``toJSON()`` includes them.
  /// - Parameter folder: the folder for relative paths in the document.
  /// - Throws: ``MapStateError`` for a text that is not a web map.
  public static func fromJSON(
    _ json: String, folder: String = ".", catalog: SourceCatalog = SourceCatalog()
  ) throws(MapStateError) -> Map {
    let name = "the document"
    let value: JSONValue
    do { value = try JSONValue(parsing: json, limits: WebMap.limits) } catch {
      throw MapStateError(.input, "\(name): \(error)", cause: error)
    }
    let webMap: WebMap
    do throws(JSONDecodingError) {
      webMap = try WebMap(
        value, pictureAt: { catalog.picture(at: $0, documentFolder: folder) },
        hasTiles: { catalog.hasTiles(at: $0) })
    } catch {
      throw MapStateError(
        .input, "\(name): \(error)", path: error.path.description, suggestion: error.suggestion, cause: error)
    }
    return Map(document: webMap) {
      try await MapDocument.open(json: value, name: name, folder: folder, catalog: catalog).map
    }
  }

  /// Creates the map of a document, or a map with one layer from a data source.
  ///
  /// The source is read when the map is first loaded; a view loads it automatically. The URL is that of a file, or
  /// the address of a service layer; `#` and a layer name follow if a file has several layers. Values that were set
  /// or added before loading stay. ``warnings`` lists deviations from the document.
  public convenience init(url: URL, catalog: SourceCatalog = SourceCatalog()) {
    let source =
      url.isFileURL ? url.path + (url.fragment.map { "#\($0)" } ?? "") : url.absoluteString
    self.init { try await MapDocument.open(source, catalog: catalog).map }
  }
}
