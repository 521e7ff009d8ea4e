public import FoundationEssentials
import MapDocuments
public import MapModel
import MapSystem

extension LocalFeatureTable {
  /// Creates a table from a file, which is read at its first query.
  ///
  /// All formats of the tool are supported.
  ///
  /// - Parameter layerName: the layer in a file with several layers.
  public convenience init(fileURL: URL, layerName: String? = nil) {
    let path = fileURL.isFileURL ? fileURL.path : fileURL.absoluteString
    self.init(name: layerName ?? FilePath.stem(of: path)) {
      guard SourceAddress.scheme(of: path) == nil else {
        throw MapStateError(.input, "\(path): is not a file; use ServiceFeatureTable for a service")
      }
      return TableState.Opened(
        try SourceCatalog.read(path, fragment: layerName), name: layerName ?? FilePath.stem(of: path))
    }
    table.content.update { $0.url = path + (layerName.map { "#\($0)" } ?? "") }
  }
}

/// A table in a shapefile.
public typealias ShapefileFeatureTable = LocalFeatureTable
