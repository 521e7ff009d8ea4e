import MapDocuments
import MapModel
import MapSystem

/// A layer of tiles of a document, with the layer of the map.
typealias OpenedTileLayer = (document: WebMapTileLayer, layer: any Layer)

extension [WebMapTileLayer] {
  /// Opens the layers of a document; one that cannot be opened is reported, and the map is drawn without it.
  func opened(
    by catalog: SourceCatalog, _ folder: String, _ warnings: inout [DocumentWarning]
  ) async -> [OpenedTileLayer] {
    var opened: [OpenedTileLayer] = []
    for document in self {
      let layer: any Layer =
        document.hasStyle
        ? document.vectorLayer { try await catalog.style(of: document, documentFolder: folder) }
        : document.layer {
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
      if case .vectorTiles(let layer) = layer.layerForm {
        warnings += layer.styleWarnings(at: document.path)
      }
    }
    return opened
  }
}

extension [OpenedTileLayer] {
  /// The notes on the visible layers that services draw, for counts and other answers about features.
  var notes: [String] {
    filter { $0.document.isDrawnByService && $0.layer.isVisible }.map { _, layer in
      "layer \"\(layer.name)\" is an image of a service: it has no features to count or identify"
    }
  }

  /// Returns the layers in their positions among the feature layers of the same list.
  func placed(among layers: [FeatureLayer]) -> [any Layer] {
    var all: [any Layer] = layers
    for (index, item) in enumerated() {
      all.insert(item.layer, at: Swift.min(item.document.below + index, all.count))
    }
    return all
  }
}
