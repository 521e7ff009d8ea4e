package import MapFeatures
package import MapModel

/// A symbolised layer: its items in pixels and the rows to which they belong.
package struct LayerDrawing: Sendable {
  /// The items in painting order.
  package var layer: DisplayLayer
  /// The rows that have a symbol and whose geometry meets the view.
  package let drawn: RowSet
  /// The rows outside the view whose symbol extends into it.
  package let edge: RowSet
  /// The characters of text symbols that the font lacks, by code point.
  package let missingGlyphs: [Unicode.Scalar]
  /// The failures of the renderer's expressions, and of markers that are not drawn.
  package var failures: [String]

  /// The clusters that replace features of the layer; nil for a layer without clusters.
  package var clusters: Clusters?

  /// The counts that replace the symbols of the layer; nil for a layer with symbols.
  package var cells: CellCounts?

  /// The number of drawn points, if the source has counted them in groups, so that rows stand for several points; nil if
  /// ``drawn`` has all of them.
  package var groupedPoints: Int?

  /// The clusters of a layer.
  package struct Clusters: Sendable {
    /// The clusters as a layer, whose rows have the numbers of their first features.
    package let layer: LayerState
    /// The clusters in the view.
    package let drawn: RowSet
    /// The features in all clusters.
    package let members: RowSet
    /// The rows of the features of each cluster, by the cluster's row.
    package let features: [Int: [Int]]

    /// Creates the clusters of a layer.
    package init(layer: LayerState, drawn: RowSet, members: RowSet, features: [Int: [Int]]) {
      (self.layer, self.drawn, self.members, self.features) = (layer, drawn, members, features)
    }
  }

  /// The painted rows: ``drawn`` and ``edge`` together.
  package var painted: RowSet {
    var rows = drawn
    rows.formUnion(edge)
    return rows
  }

  /// Creates a drawing.
  package init(layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar] = []) {
    self.init(layer: layer, drawn: drawn, edge: edge, missingGlyphs: missingGlyphs, failures: [])
  }

  /// Creates a drawing with the failures of expressions.
  package init(
    layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar], failures: [String]
  ) {
    (self.layer, self.drawn, self.edge, self.missingGlyphs) = (layer, drawn, edge, missingGlyphs)
    self.failures = failures
  }
}
