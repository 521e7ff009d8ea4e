/// Tables in memory that belong together, such as the points, lines and areas of one sketch.
public final class FeatureCollection: Sendable {
  /// The tables, first at the bottom.
  public let tables: [FeatureCollectionTable]

  /// Tables that belong together.
  public init(featureCollectionTables: [FeatureCollectionTable]) { tables = featureCollectionTables }
}

/// The layers of a collection: a group of one layer a table.
public typealias FeatureCollectionLayer = GroupLayer

extension GroupLayer {
  /// The layers of a collection, each drawn by its table's renderer, else by the standard one.
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
  /// How layers over the table draw it where they have no renderer of their own; nil is the standard one.
  public var renderer: (any Renderer)? {
    get { table.content.snapshot.drawing.renderer?.renderer }
    set { table.content.update { $0.drawing.renderer = newValue?.form } }
  }
}
