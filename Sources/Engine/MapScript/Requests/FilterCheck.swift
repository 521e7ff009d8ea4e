import MapFeatures
package import MapFilter
import MapModel
package import MapState

extension MapDocument {
  /// Checks the names and types of a filter against a layer's columns; returns the layer's name and those columns.
  ///
  /// - Throws: `MapStateError` that shows the position of the fault.
  package func check(
    filter: ParsedFilter, layerNamed name: String?
  ) async throws(MapStateError) -> (layer: String, fields: FilterFields) {
    let layer = try layer(named: name).layer
    do {
      // The columns are needed without any row of a service.
      var nothing = QueryConditions()
      nothing.question.objectIDs = []
      let table = try await layer.source.fetch(nothing.query(for: .query)).columns()
      let fields = table.filterFields(names: filter.language.names)
      do throws(QueryConditionError) {
        try QueryConditions.check(filter, .parameters, fields: fields)
      } catch {
        throw error.refined(by: table)
      }
      return (layer.displayName, fields)
    } catch {
      throw MapStateError(error, ofLayer: layer.displayName)
    }
  }
}
