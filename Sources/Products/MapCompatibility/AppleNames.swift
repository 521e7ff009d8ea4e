/// An observable view model; without a view framework the protocol has no requirements.
public protocol ObservableObject: AnyObject {}

/// The colour type under its name on Apple platforms.
public typealias UIColor = Color

extension Color {
  /// Creates a colour from channels between 0 and 1; other values are clamped.
  @_disfavoredOverload
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func byte(_ share: CGFloat) -> UInt8 { share.isNaN ? 0 : UInt8((min(max(share, 0), 1) * 255).rounded()) }
    self.init(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha))
  }
}

extension MapView {
  /// Returns the envelope of a rectangle of the view, in the map's spatial reference.
  public func envelope(fromViewRect rect: CGRect) -> Envelope? {
    envelope(
      fromViewRect: ScreenRect(
        x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height))
  }

  /// Returns the position on the map at a point of the view, in the map's spatial reference and not wrapped.
  public func location(fromScreenPoint point: CGPoint) -> Point? {
    location(fromScreenPoint: ScreenPoint(x: point.x, y: point.y))
  }

  /// Identifies what is drawn of a layer, or of the layers in a group, at a point of the view.
  ///
  /// - Throws: `MapStateError`.
  public func identify(
    on layer: any Layer, screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws(MapStateError) -> IdentifyLayerResult {
    try await identify(
      on: layer, screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResults: maximumResults)
  }

  /// Identifies what is drawn of all layers at a point of the view, starting with the bottom layer.
  ///
  /// - Throws: `MapStateError`.
  public func identifyLayers(
    screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false, maximumResultsPerLayer: Int = 1
  ) async throws(MapStateError) -> [IdentifyLayerResult] {
    try await identifyLayers(
      screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResultsPerLayer: maximumResultsPerLayer)
  }

  /// Identifies what is drawn of an overlay at a point of the view.
  ///
  /// - Throws: `MapStateError`.
  public func identify(
    on overlay: GraphicsOverlay, screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws(MapStateError) -> IdentifyGraphicsOverlayResult {
    try await identify(
      on: overlay, screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResults: maximumResults)
  }

  /// Identifies what is drawn of all overlays at a point of the view, starting with the bottom overlay.
  ///
  /// - Throws: `MapStateError`.
  public func identifyGraphicsOverlays(
    screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false, maximumResultsPerOverlay: Int = 1
  ) async throws(MapStateError) -> [IdentifyGraphicsOverlayResult] {
    try await identifyGraphicsOverlays(
      screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResultsPerOverlay: maximumResultsPerOverlay)
  }
}
