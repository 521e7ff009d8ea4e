public import FoundationEssentials
import MapJSON
public import MapModel

extension Map {
  /// The map of a document's text, read when it is first asked to load; a view asks by itself.
  ///
  /// What was set or added before loading stays, and ``toJSON()`` gives it back.
  /// - Parameter folder: where paths in it are taken from.
  /// - Throws: ``SourceError`` for a text that is no web map.
  public static func fromJSON(
    _ json: String, folder: String = ".", catalog: SourceCatalog = SourceCatalog()
  ) throws(SourceError) -> Map {
    let name = "the document"
    let value: JSONValue
    do { value = try JSONValue(parsing: json, limits: WebMap.limits) } catch {
      throw SourceError("\(name): \(error)")
    }
    let webMap: WebMap
    do throws(JSONDecodingError) {
      webMap = try WebMap(value) { catalog.picture(at: $0, documentFolder: folder) }
    } catch {
      throw SourceError("\(name): \(error)")
    }
    return Map(document: webMap) {
      try await MapDocument.open(json: value, name: name, folder: folder, catalog: catalog).map
    }
  }

  /// The map of a document, or a map of one layer over a data source, read when it is first asked to load; a view asks by
  /// itself.
  ///
  /// The address is that of a file, or of what a table of a service can be made of, with `#` and the layer's name where a
  /// file has several. What was set or added before loading stays; ``warnings`` tells what is not drawn as written.
  public convenience init(url: URL, catalog: SourceCatalog = SourceCatalog()) {
    let source =
      url.isFileURL ? url.path + (url.fragment.map { "#\($0)" } ?? "") : url.absoluteString
    self.init { try await MapDocument.open(source, catalog: catalog).map }
  }
}
