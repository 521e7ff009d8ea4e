package import MapDocuments
import MapFeatures
public import MapModel

/// A layer of an opened map with its definition in the document.
public struct OpenedLayer: Sendable {
  /// The layer.
  public let layer: FeatureLayer
  /// The layer's definition in the document.
  package let document: WebMapLayer

  package init(layer: FeatureLayer, document: WebMapLayer) { (self.layer, self.document) = (layer, document) }
}

/// A table whose geometries are of several kinds: a layer for each kind draws it, and questions ask it as a whole.
struct SplitTable: Sendable {
  /// The name of the table.
  let name: String
  /// The indexes of its layers.
  let layers: Range<Int>
  /// The rows with all their geometries.
  let source: any FeatureSource
}

extension MapDocument {
  /// Returns the layers of the table that a name means; nil if no table of several kinds has this name.
  package func layers(ofTable name: String) -> Range<Int>? {
    splitTables.first { $0.name == name }?.layers
  }

  /// The layers of the only table, if its geometries are of several kinds; otherwise nil.
  package var layersOfOnlyTable: Range<Int>? {
    splitTables.first { $0.layers == layers.indices }?.layers
  }

  /// Returns the state that answers questions about layers of one table: the whole table, for more than one.
  package func asked(_ indexes: [Int], in view: ViewState) -> LayerState {
    var layer = view.layers[indexes[0]]
    if indexes.count > 1, let table = splitTables.first(where: { Array($0.layers) == indexes }) {
      layer.source = table.source
    }
    return layer
  }

  /// Returns counts in which the layers of each table are one.
  package func joined(_ answer: CountAnswer, layers asked: [Int]?) -> CountAnswer {
    var (layers, indexes) = (answer.layers, asked ?? Array(self.layers.indices))
    for table in splitTables {
      guard let first = indexes.firstIndex(of: table.layers.lowerBound),
        indexes[first...].starts(with: table.layers)
      else { continue }
      let range = first..<first + table.layers.count
      let joined = CountAnswer.Layer(joining: Array(layers[range]), name: table.name)
      layers.replaceSubrange(range, with: [joined])
      indexes.replaceSubrange(range, with: [table.layers.lowerBound])
    }
    return answer.with(layers)
  }
}
