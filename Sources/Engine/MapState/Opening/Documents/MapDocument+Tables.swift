package import MapFeatures
package import MapModel

extension MapDocument {
  /// Returns the layers of the table that a name means; nil if no table of several kinds has this name.
  package func layers(ofTable name: String) -> Range<Int>? {
    splitTables.first { $0.name == name }?.layers
  }

  /// The layers of the only table, if its geometries are of several kinds; otherwise nil.
  package var layersOfOnlyTable: Range<Int>? {
    splitTables.first { $0.layers == layers.indices }?.layers
  }

  /// Returns the source of the table that a layer draws, with the geometries of all kinds.
  package func wholeSource(ofLayer index: Int) -> any FeatureSource {
    splitTables.first { $0.layers.contains(index) }?.source ?? layers[index].layer.source
  }

  /// Whether a layer draws the geometries of one kind of a table with several.
  package func isPart(_ index: Int) -> Bool { splitTables.contains { $0.layers.contains(index) } }

  /// Returns the state that answers questions about layers of one table: the whole table, for more than one.
  package func asked(_ indexes: [Int], in view: ViewState) -> LayerState {
    var layer = view.layers[indexes[0]]
    if indexes.count > 1, let table = splitTables.first(where: { Array($0.layers) == indexes }) {
      layer.source = table.source
    }
    return layer
  }
}
