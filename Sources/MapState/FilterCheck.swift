import MapFeatures
import MapFilter

extension MapDocument {
  /// Reads a where clause and checks its names and types against a layer's fields; gives the layer's name.
  ///
  /// - Throws: ``MapError`` that shows the place.
  public func check(whereClause: String, layerNamed name: String?) async throws(MapError) -> String {
    let layer = try layer(named: name).layer
    var conditions = QueryConditions()
    conditions.parameterWhere = whereClause
    conditions.now = .now
    do {
      // A source refuses a filter before it reads a row, and knows best what it refuses.
      _ = try await layer.source.count(conditions.query(for: .query))
    } catch {
      throw MapError(LayerError(layer: layer.displayName, cause: error))
    }
    return layer.displayName
  }
}
