public import MapModel

/// The features of a layer at a point of a view.
public struct IdentifyLayerResult: Sendable {
  /// The layer: a feature layer or a group layer.
  public let layerContent: any Layer
  /// The features from top to bottom; empty for a group, or if only popups were requested.
  public let geoElements: [Feature]
  /// The popups of the features, in the same order; empty if the layer has no popups.
  public let popups: [Popup]
  /// For a group, the result of each layer in it that was hit or cannot be queried, the bottom layer first.
  public let sublayerResults: [IdentifyLayerResult]
  /// The error if the layer could not be queried; nil for a group, whose layers report their own errors.
  public let error: MapStateError?
  /// Whether a service returned fewer features than it has; always false, because features are fetched completely.
  public let isTransferLimitExceeded = false
}

/// The graphics of an overlay at a point of a view.
public struct IdentifyGraphicsOverlayResult: Sendable {
  /// The overlay.
  public let graphicsOverlay: GraphicsOverlay
  /// The graphics from top to bottom; empty if only popups were requested.
  public let graphics: [Graphic]
  /// The popups of the graphics, in the same order; empty if the overlay has no popups.
  public let popups: [Popup]
}

extension MapStateError {
  /// Returns the error for a radius below 0 or above 100.
  package static func impossibleTolerance(_ tolerance: Double) -> MapStateError {
    MapStateError(.usage, "a tolerance of \(tolerance) is impossible; it must be 0 to 100")
  }

  /// Returns the error for a layer or overlay that is not in the view.
  fileprivate static func notInView(_ name: String) -> MapStateError {
    MapStateError(.usage, "\(name) is not in this view")
  }
}

extension MapView {
  /// Returns the features of a layer, or of the layers in a group, that are drawn at a point of the view.
  ///
  /// A feature is hit if its drawn symbol intersects the circle. A hatched area counts as a whole; an area without
  /// fill counts only by its outline. Features that filters, scale or time hide are not hit, and neither are
  /// labels.
  /// - Parameters:
  ///   - tolerance: the circle's radius in view pixels, 0 to 100.
  ///   - returnPopupsOnly: whether only popups are returned; layers without popups then return nothing.
  ///   - maximumResults: the maximum number of features per layer.
  /// - Throws: ``MapStateError``.
  public func identify(
    on layer: any Layer, screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws(MapStateError) -> IdentifyLayerResult {
    try Self.check(tolerance)
    try await layer.load()
    let question = IdentifyQuestion(
      self, at: screenPoint, tolerance: tolerance, popupsOnly: returnPopupsOnly, maximum: maximumResults)
    guard question.layers.contains(where: { $0.withAllInside.contains { $0 === layer } }) else {
      throw MapStateError.notInView("layer \"\(layer.name)\"")
    }
    let result = await question.result(of: layer)
    if let error = result.error { throw error }
    return result
  }

  /// Returns the features of all layers that are drawn at a point of the view.
  ///
  /// There is one result for each layer of the map that is hit or cannot be queried, the bottom layer first.
  ///
  /// - Throws: ``MapStateError``.
  public func identifyLayers(
    screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResultsPerLayer: Int = 1
  ) async throws(MapStateError) -> [IdentifyLayerResult] {
    try Self.check(tolerance)
    await load()
    let question = IdentifyQuestion(
      self, at: screenPoint, tolerance: tolerance, popupsOnly: returnPopupsOnly,
      maximum: maximumResultsPerLayer)
    return await question.results(of: question.layers)
  }

  /// Returns the graphics of an overlay that are drawn at a point of the view.
  ///
  /// - Throws: ``MapStateError``.
  public func identify(
    on overlay: GraphicsOverlay, screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws(MapStateError) -> IdentifyGraphicsOverlayResult {
    try Self.check(tolerance)
    guard graphicsOverlays.contains(where: { $0 === overlay }) else {
      throw MapStateError.notInView("the overlay")
    }
    let (copy, runs) = withPlace { (copied(), overlay.runs) }
    let state = copy.state
    var found: [Graphic] = []
    for run in runs.reversed() where found.count < maximumResults {
      guard let layer = run.layer(copy.operations) else { continue }
      do {
        let rows = try await state.rows(
          of: layer, hitAt: screenPoint, tolerance: tolerance, maximum: maximumResults - found.count)
        found += rows.map { run.graphics[$0] }
      } catch {
        throw MapStateError(error)
      }
    }
    return IdentifyGraphicsOverlayResult(
      graphicsOverlay: overlay, graphics: returnPopupsOnly ? [] : found, popups: overlay.popups(of: found))
  }

  /// Returns the graphics of all overlays that are drawn at a point of the view, the bottom overlay first.
  ///
  /// - Throws: ``MapStateError``.
  public func identifyGraphicsOverlays(
    screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResultsPerOverlay: Int = 1
  ) async throws(MapStateError) -> [IdentifyGraphicsOverlayResult] {
    var results: [IdentifyGraphicsOverlayResult] = []
    for overlay in graphicsOverlays {
      let found = try await identify(
        on: overlay, screenPoint: screenPoint, tolerance: tolerance, returnPopupsOnly: returnPopupsOnly,
        maximumResults: maximumResultsPerOverlay)
      if !found.graphics.isEmpty || !found.popups.isEmpty { results.append(found) }
    }
    return results
  }

  private static func check(_ tolerance: Double) throws(MapStateError) {
    guard tolerance >= 0, tolerance <= 100 else { throw .impossibleTolerance(tolerance) }
  }
}
