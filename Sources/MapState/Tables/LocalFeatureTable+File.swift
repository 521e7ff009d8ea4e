public import FoundationEssentials
public import MapModel

extension LocalFeatureTable {
  /// A table in a file, read when it is first asked for: of any format that the tool reads.
  ///
  /// - Parameter layerName: the layer, where a file has several.
  public convenience init(fileURL: URL, layerName: String? = nil) {
    let path = fileURL.isFileURL ? fileURL.path : fileURL.absoluteString
    self.init(name: layerName ?? FilePath.stem(of: path)) {
      guard SourceCatalog.scheme(of: path) == nil else {
        throw SourceError("\(path): is no file; tables of services have types of their own")
      }
      return (
        try SourceCatalog.read(path, fragment: layerName), name: layerName ?? FilePath.stem(of: path)
      )
    }
    table.content.update { $0.url = path + (layerName.map { "#\($0)" } ?? "") }
  }
}

/// A table in a shapefile.
public typealias ShapefileFeatureTable = LocalFeatureTable
