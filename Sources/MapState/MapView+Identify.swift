public import MapModel

/// What was hit of a layer.
public struct IdentifyLayerResult: Sendable {
  /// The layer: of features, or a group of layers.
  public let layerContent: any Layer
  /// The features, from top to bottom; none for a group, and where popups alone were asked for.
  public let geoElements: [Feature]
  /// The popups over the features, in their order; none where the layer has none.
  public let popups: [Popup]
  /// Of a group a result for each layer in it that was hit or cannot be asked, the bottom layer first.
  public let sublayerResults: [IdentifyLayerResult]
  /// Why the layer could not be asked; nil when it was, and for a group, whose layers say so themselves.
  public let error: (any Error)?
  /// True when a service gave out less than it has: features come whole.
  public let isTransferLimitExceeded = false
}

/// What was hit of an overlay.
public struct IdentifyGraphicsOverlayResult: Sendable {
  /// The overlay.
  public let graphicsOverlay: GraphicsOverlay
  /// The graphics, from top to bottom; none where popups alone were asked for.
  public let graphics: [Graphic]
  /// The popups over the graphics, in their order; none where the overlay has none.
  public let popups: [Popup]
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
  /// What of a layer, or of the layers in a group, is drawn at a place of the view.
  ///
  /// A feature is hit when its symbol, as it is drawn, meets the circle: a hatch as its whole area, an open area by its
  /// outline alone. What filters, scale or time leave undrawn is not hit, and labels are not.
  /// - Parameters:
  ///   - tolerance: the circle's radius in view pixels, 0 to 100.
  ///   - returnPopupsOnly: true gives popups without the features, and nothing of a layer that has none.
  ///   - maximumResults: the most features of a layer.
  /// - Throws: ``IdentifyError``, the error of loading, ``LayerError``.
  public func identify(
    on layer: any Layer, screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws -> IdentifyLayerResult {
    try Self.check(tolerance)
    try await layer.load()
    let question = IdentifyQuestion(
      self, at: screenPoint, tolerance: tolerance, popupsOnly: returnPopupsOnly, maximum: maximumResults)
    guard question.layers.contains(where: { $0.withAllInside.contains { $0 === layer } }) else {
      throw IdentifyError.notInView("layer \"\(layer.name)\"")
    }
    let result = await question.result(of: layer)
    if let error = result.error { throw error }
    return result
  }

  /// What of all layers is drawn at a place of the view: one result for each layer of the map that is hit or cannot be
  /// asked, the bottom layer first.
  ///
  /// - Throws: ``IdentifyError``.
  public func identifyLayers(
    screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResultsPerLayer: Int = 1
  ) async throws -> [IdentifyLayerResult] {
    try Self.check(tolerance)
    await load()
    let question = IdentifyQuestion(
      self, at: screenPoint, tolerance: tolerance, popupsOnly: returnPopupsOnly,
      maximum: maximumResultsPerLayer)
    return await question.results(of: question.layers)
  }

  /// The graphics of an overlay that are drawn at a place of the view.
  ///
  /// - Throws: ``IdentifyError``.
  public func identify(
    on overlay: GraphicsOverlay, screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
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
    return IdentifyGraphicsOverlayResult(
      graphicsOverlay: overlay, graphics: returnPopupsOnly ? [] : found, popups: overlay.popups(of: found))
  }

  /// The graphics of all overlays that are drawn at a place of the view, the bottom overlay that is hit first.
  ///
  /// - Throws: ``IdentifyError``.
  public func identifyGraphicsOverlays(
    screenPoint: ScreenPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResultsPerOverlay: Int = 1
  ) async throws -> [IdentifyGraphicsOverlayResult] {
    var results: [IdentifyGraphicsOverlayResult] = []
    for overlay in graphicsOverlays {
      let found = try await identify(
        on: overlay, screenPoint: screenPoint, tolerance: tolerance, returnPopupsOnly: returnPopupsOnly,
        maximumResults: maximumResultsPerOverlay)
      if !found.graphics.isEmpty || !found.popups.isEmpty { results.append(found) }
    }
    return results
  }

  private static func check(_ tolerance: Double) throws(IdentifyError) {
    guard tolerance >= 0, tolerance <= 100 else { throw .impossibleTolerance(tolerance) }
  }
}
