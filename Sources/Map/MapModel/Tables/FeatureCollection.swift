/// Tables in memory that belong together, such as the points, lines and polygons of one sketch.
public final class FeatureCollection: Sendable {
  /// The tables, starting at the bottom.
  public let tables: [FeatureCollectionTable]

  /// Creates a collection of tables.
  public init(featureCollectionTables: [FeatureCollectionTable]) { tables = featureCollectionTables }
}

/// The layers of a collection: a group with one layer per table.
public typealias FeatureCollectionLayer = GroupLayer

extension GroupLayer {
  /// Creates the layers of a collection, each with its table's renderer or else the standard one.
  public convenience init(featureCollection: FeatureCollection, name: String = "") {
    self.init(
      layers: featureCollection.tables.map { table in
        let layer = FeatureLayer(featureTable: table)
        layer.name = table.tableName
        return layer
      }, name: name)
  }
}

extension FeatureCollectionTable {
  /// The renderer of layers that have none of their own; nil for the standard one.
  public var renderer: (any Renderer)? {
    get { table.content.read { $0.drawing.renderer?.renderer } }
    set { table.content.update { $0.drawing.renderer = newValue?.form } }
  }
}
