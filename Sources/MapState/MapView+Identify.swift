import MapFeatures
import MapGeometry
public import MapModel

/// The features of a layer that were hit, from top to bottom.
public struct IdentifyLayerResult: Sendable {
  /// The layer.
  public let layerContent: FeatureLayer
  /// The features.
  public let geoElements: [Feature]
  /// Why the layer could not be asked; nil when it was.
  public let error: (any Error)?
}

/// The graphics of an overlay that were hit, from top to bottom.
public struct IdentifyGraphicsOverlayResult: Sendable {
  /// The overlay.
  public let graphicsOverlay: GraphicsOverlay
  /// The graphics.
  public let graphics: [Graphic]
}

/// A question what lies at a place that cannot be asked.
public enum IdentifyError: Error, Hashable, CustomStringConvertible {
  /// A radius below 0 or above 100.
  case impossibleTolerance(Double)
  /// A layer or overlay that the view does not show.
  case notInView(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .impossibleTolerance(let tolerance):
      "a tolerance of \(tolerance) is impossible; 0 to 100 can be asked"
    case .notInView(let what): "\(what) is not in this view"
    }
  }
}

extension MapView {
  /// The features of a layer that are drawn at a place of the view.
  ///
  /// A feature is hit when its symbol, as it is drawn, meets the circle: a hatch as its whole area, an open area by its
  /// outline alone. What filters, scale or time leave undrawn is not hit, and labels are not.
  /// - Parameters:
  ///   - tolerance: the circle's radius in view pixels, 0 to 100.
  ///   - maximumResults: the most features.
  /// - Throws: ``IdentifyError``, the error of loading, ``LayerError``.
  public func identify(
    on layer: FeatureLayer, screenPoint: ScreenPoint, tolerance: Double, maximumResults: Int = 1
  ) async throws -> IdentifyLayerResult {
    try Self.check(tolerance)
    try await layer.load()
    let (layers, state) = ModelGate.withLock { (map.featureLayers, look().0) }
    guard let index = layers.firstIndex(where: { $0 === layer }) else {
      throw IdentifyError.notInView("layer \"\(layer.name)\"")
    }
    return try await result(layer, state, index, screenPoint, tolerance, maximumResults)
  }

  /// The features of all layers that are drawn at a place of the view: one result for each layer that is hit or cannot
  /// be asked, the bottom layer first.
  ///
  /// - Throws: ``IdentifyError``.
  public func identifyLayers(
    screenPoint: ScreenPoint, tolerance: Double, maximumResultsPerLayer: Int = 1
  ) async throws -> [IdentifyLayerResult] {
    try Self.check(tolerance)
    await load()
    let (layers, state) = ModelGate.withLock { (map.featureLayers, look().0) }
    var results: [IdentifyLayerResult] = []
    for (index, layer) in layers.enumerated() {
      do {
        if let error = layer.loadError { throw error }
        let found = try await result(layer, state, index, screenPoint, tolerance, maximumResultsPerLayer)
        if !found.geoElements.isEmpty { results.append(found) }
      } catch {
        results.append(IdentifyLayerResult(layerContent: layer, geoElements: [], error: error))
      }
    }
    return results
  }

  /// The graphics of an overlay that are drawn at a place of the view.
  ///
  /// - Throws: ``IdentifyError``.
  public func identify(
    on overlay: GraphicsOverlay, screenPoint: ScreenPoint, tolerance: Double, maximumResults: Int = 1
  ) async throws -> IdentifyGraphicsOverlayResult {
    try Self.check(tolerance)
    guard graphicsOverlays.contains(where: { $0 === overlay }) else {
      throw IdentifyError.notInView("the overlay")
    }
    let (state, runs) = ModelGate.withLock { (look().0, overlay.runs) }
    var found: [Graphic] = []
    for run in runs.reversed() where found.count < maximumResults {
      let rows = try await state.rows(
        of: run.layer, hitAt: screenPoint, tolerance: tolerance, maximum: maximumResults - found.count)
      found += rows.map { run.graphics[$0] }
    }
    return IdentifyGraphicsOverlayResult(graphicsOverlay: overlay, graphics: found)
  }

  /// The graphics of all overlays that are drawn at a place of the view, the bottom overlay that is hit first.
  ///
  /// - Throws: ``IdentifyError``.
  public func identifyGraphicsOverlays(
    screenPoint: ScreenPoint, tolerance: Double, maximumResultsPerOverlay: Int = 1
  ) async throws -> [IdentifyGraphicsOverlayResult] {
    var results: [IdentifyGraphicsOverlayResult] = []
    for overlay in graphicsOverlays {
      let found = try await identify(
        on: overlay, screenPoint: screenPoint, tolerance: tolerance, maximumResults: maximumResultsPerOverlay)
      if !found.graphics.isEmpty { results.append(found) }
    }
    return results
  }

  private static func check(_ tolerance: Double) throws(IdentifyError) {
    guard tolerance >= 0, tolerance <= 100 else { throw .impossibleTolerance(tolerance) }
  }

  private func result(
    _ layer: FeatureLayer, _ state: ViewState, _ index: Int, _ place: ScreenPoint, _ tolerance: Double,
    _ maximum: Int
  ) async throws -> IdentifyLayerResult {
    let frozen = try await state.fetched(state.layers[index])
    let rows = try await state.rows(of: frozen, hitAt: place, tolerance: tolerance, maximum: maximum)
    let table = try await frozen.source.columns()
    let features = try FeatureQueryResult(FeatureRows(table, rows: rows), of: layer.featureTable).features()
    return IdentifyLayerResult(layerContent: layer, geoElements: features, error: nil)
  }
}
