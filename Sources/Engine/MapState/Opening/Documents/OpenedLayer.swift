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
