extension MapDocument {
  /// Reads a where clause and checks its names and types against a layer's fields; gives the layer's name.
  ///
  /// - Throws: ``MapError`` that shows the place.
  public func check(whereClause: String, layerNamed name: String?) throws(MapError) -> String {
    let layer = try layer(named: name).layer
    try check(whereClause, .parameters, of: layer)
    return layer.displayName
  }
}
