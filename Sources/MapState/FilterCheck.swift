import MapFeatures
public import MapFilter

extension MapDocument {
  /// Reads a filter and checks its names and types against a layer's columns; gives the layer's name and those fields.
  ///
  /// - Throws: ``MapError`` that shows the place.
  public func check(
    filter text: String, in language: FilterLanguage = .sqlWhere, layerNamed name: String?
  ) async throws(MapError) -> (layer: String, fields: FilterFields) {
    let layer = try layer(named: name).layer
    do {
      // The columns as they are, without a row of a service.
      var nothing = QueryConditions()
      nothing.parameterObjectIDs = []
      let source = try await layer.source.fetched(for: nothing.query(for: .query))
      let fields = try await source.columns().filterFields(names: language.names)
      try QueryConditions.check(text, in: language, .parameters, fields: fields)
      return (layer.displayName, fields)
    } catch {
      throw MapError(LayerError(layer: layer.displayName, cause: error))
    }
  }
}
