import MapDrawing
import MapFeatures
import MapModel

/// A query for the features at a point of a frozen view, evaluated layer by layer.
struct IdentifyQuestion {
  /// The layers of the map at the time of freezing.
  let layers: [any Layer]
  private let state: ViewState
  /// The index of each feature layer in the frozen view.
  private let places: [ObjectIdentifier: Int]
  private let point: ScreenPoint
  private let tolerance: Double
  private let popupsOnly: Bool
  private let maximum: Int

  init(_ view: MapView, at point: ScreenPoint, tolerance: Double, popupsOnly: Bool, maximum: Int) {
    let (drawn, copy): ([FeatureLayer], ViewCopy)
    (layers, drawn, copy) = view.withPlace {
      (view.map.operationalLayers, view.map.featureLayers, view.copied())
    }
    state = copy.state
    places = Dictionary(
      drawn.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }, uniquingKeysWith: { $1 })
    (self.point, self.tolerance, self.popupsOnly, self.maximum) = (point, tolerance, popupsOnly, maximum)
  }

  /// Returns the results of layers that are hit or cannot be queried.
  func results(of layers: [any Layer]) async -> [IdentifyLayerResult] {
    var results: [IdentifyLayerResult] = []
    for layer in layers {
      let result = await result(of: layer)
      let isEmpty = result.geoElements.isEmpty && result.popups.isEmpty && result.sublayerResults.isEmpty
      if !isEmpty || result.error != nil { results.append(result) }
    }
    return results
  }

  /// Returns the result of a layer, with the error if the layer cannot be queried.
  func result(of layer: any Layer) async -> IdentifyLayerResult {
    var (features, inside): ([Feature], [IdentifyLayerResult]) = ([], [])
    var failure: MapStateError?
    switch layer.layerForm {
    case .tiles, .vectorTiles: break
    case .group(let group): inside = await results(of: group.layers)
    case .features(let layer):
      do { features = try await self.features(of: layer) } catch { failure = MapStateError(error) }
    }
    return IdentifyLayerResult(
      layerContent: layer, geoElements: popupsOnly ? [] : features,
      popups: (layer as? FeatureLayer)?.popups(of: features) ?? [], sublayerResults: inside, error: failure)
  }

  private func features(of layer: FeatureLayer) async throws -> [Feature] {
    guard let place = places[ObjectIdentifier(layer)], layer.hasPopups || !popupsOnly else { return [] }
    if let error = layer.loadError { throw error }
    let frozen = try await state.fetched(state.layers[place])
    let rows = try await state.rows(of: frozen, hitAt: point, tolerance: tolerance, maximum: maximum)
    let table = try await frozen.source.whole().columns()
    return try FeatureQueryResult(FeatureRows(table, rows: rows), of: layer.featureTable).features()
  }
}
