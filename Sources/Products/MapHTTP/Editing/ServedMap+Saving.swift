import MapJSON
import MapModel
import MapScript
import MapState

extension ServedMap {
  /// The condition that removes a filter; a request cannot give an empty one.
  private static let all = "1=1"

  /// Returns the document with the changes of a request, as it is saved at a path.
  ///
  /// - Parameter keepsView: whether the place of the request becomes the initial viewpoint.
  /// - Throws: `MapStateError` and ``HTTPFault``.
  func saved(
    _ request: ViewRequest, _ changes: [ClassChange], at path: String, keepsView: Bool
  ) async throws -> JSONValue {
    await turn.begin()
    defer {
      restore()
      turn.end()
    }
    restore()
    try apply(changes, to: document)
    let view = try await document.view(request)
    for item in document.layers { try keepFilters(of: item) }
    if keepsView {
      let place = view.viewpoint
      document.map.initialViewpoint = Viewpoint(
        center: place.center, scale: place.scale, rotation: place.rotation)
    }
    let written = try JSONValue(parsing: Array(document.map.toJSON().utf8))
    guard document.isPlainData else { return written }
    guard document.layers.count == 1,
      var saved = try document.documentJSON(view: view, savedAt: path).object,
      var layer = saved["operationalLayers"]?[0]?.object
    else { throw HTTPFault(409, "only data with one layer can be saved as a document") }
    if !changes.isEmpty, let renderer = written["operationalLayers"]?[0]?["layerDefinition"]?["drawingInfo"] {
      var definition = layer["layerDefinition"]?.object ?? JSONObject()
      definition["drawingInfo"] = renderer
      layer["layerDefinition"] = .object(definition)
      saved["operationalLayers"] = [.object(layer)]
    }
    return .object(saved)
  }

  /// Keeps what the document has beside the condition of a changed filter: its id, its title and the other filters.
  private func keepFilters(of item: OpenedLayer) throws(HTTPFault) {
    let layer = item.layer
    if layer.definitionExpression == Self.all, item.document.definition.definitionExpression != Self.all {
      layer.definitionExpression = ""
    }
    guard let now = layer.displayFilterDefinition?.form, now != item.document.displayFilter,
      case .manual(let changed) = now, let condition = changed.activeFilter?.whereClause
    else { return }
    if case .scale = item.document.displayFilter {
      throw HTTPFault(
        409, "layer \"\(layer.name)\" has display filters by scale; change them in the document")
    }
    guard case .manual(var kept) = item.document.displayFilter, let active = kept.activeFilter,
      let place = kept.availableFilters.firstIndex(where: { $0.filterID == active.filterID })
    else {
      if condition == Self.all { layer.displayFilterDefinition = nil }
      return
    }
    guard condition != Self.all else {
      layer.displayFilterDefinition = nil
      return
    }
    let filter = DisplayFilter(filterID: active.filterID, name: active.name, anyClause: condition)
    kept.availableFilters[place] = filter
    kept.activeFilter = filter
    layer.displayFilterDefinition = kept
  }
}
