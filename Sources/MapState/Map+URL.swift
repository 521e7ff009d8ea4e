public import FoundationEssentials
public import MapModel

extension Map {
  /// The map of a document, or a map of one layer over a data source, read when it is first asked to load; a view asks by
  /// itself.
  ///
  /// The address is that of a file, or of what a table of a service can be made of, with `#` and the layer's name where a
  /// file has several. What was set or added before loading stays. Open a ``MapDocument`` to be told what is not drawn as
  /// written.
  public convenience init(url: URL, catalog: SourceCatalog = SourceCatalog()) {
    let source =
      url.isFileURL ? url.path + (url.fragment.map { "#\($0)" } ?? "") : url.absoluteString
    self.init { try await MapDocument.open(source, catalog: catalog).map }
  }
}
