import MapDocuments
import MapModel
import MapSystem

extension [WebMapTileLayer] {
  /// Opens the layers of a document; one that cannot be opened is reported, and the map is drawn without it.
  func opened(
    by catalog: SourceCatalog, _ folder: String, _ warnings: inout [DocumentWarning]
  ) async -> [(document: WebMapTileLayer, layer: ImageTiledLayer)] {
    var opened: [(document: WebMapTileLayer, layer: ImageTiledLayer)] = []
    for document in self {
      let layer = document.layer {
        try await catalog.tiles(
          at: document.place, documentFolder: folder, subdomains: document.subdomains,
          grid: document.written)
      }
      do {
        if layer.isVisible { try await layer.load() }
        opened.append((document, layer))
      } catch {
        warnings.append(DocumentWarning(path: document.path, message: "not drawn: \(error)"))
      }
    }
    return opened
  }
}

extension [(document: WebMapTileLayer, layer: ImageTiledLayer)] {
  /// Returns the layers in their positions among the feature layers of the same list.
  func placed(among layers: [FeatureLayer]) -> [any Layer] {
    var all: [any Layer] = layers
    for (index, item) in enumerated() {
      all.insert(item.layer, at: Swift.min(item.document.below + index, all.count))
    }
    return all
  }
}
