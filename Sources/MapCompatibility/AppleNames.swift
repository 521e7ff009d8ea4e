/// A model of a view; without a view framework a name and no more.
public protocol ObservableObject: AnyObject {}

/// The colour type under its name on Apple systems.
public typealias UIColor = Color

extension Color {
  /// A colour of shares from 0 to 1; beyond, the nearer of the two.
  @_disfavoredOverload
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func byte(_ share: CGFloat) -> UInt8 { share.isNaN ? 0 : UInt8((min(max(share, 0), 1) * 255).rounded()) }
    self.init(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha))
  }
}

extension MapView {
  /// The upright box in Web Mercator around a rectangle of the view.
  public func envelope(fromViewRect rect: CGRect) -> Envelope? {
    envelope(
      fromViewRect: ScreenRect(
        x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height))
  }

  /// The place on the map under a place of the view, in Web Mercator.
  public func location(fromScreenPoint point: CGPoint) -> Point? {
    location(fromScreenPoint: ScreenPoint(x: point.x, y: point.y))
  }

  /// What of a layer, or of the layers in a group, is drawn at a place of the view.
  ///
  /// - Throws: as the method that takes a `ScreenPoint`.
  public func identify(
    on layer: any Layer, screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws -> IdentifyLayerResult {
    try await identify(
      on: layer, screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResults: maximumResults)
  }

  /// What of all layers is drawn at a place of the view, the bottom layer first.
  ///
  /// - Throws: as the method that takes a `ScreenPoint`.
  public func identifyLayers(
    screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false, maximumResultsPerLayer: Int = 1
  ) async throws -> [IdentifyLayerResult] {
    try await identifyLayers(
      screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResultsPerLayer: maximumResultsPerLayer)
  }

  /// What of an overlay is drawn at a place of the view.
  ///
  /// - Throws: as the method that takes a `ScreenPoint`.
  public func identify(
    on overlay: GraphicsOverlay, screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false,
    maximumResults: Int = 1
  ) async throws -> IdentifyGraphicsOverlayResult {
    try await identify(
      on: overlay, screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResults: maximumResults)
  }

  /// What of all overlays is drawn at a place of the view, the bottom overlay first.
  ///
  /// - Throws: as the method that takes a `ScreenPoint`.
  public func identifyGraphicsOverlays(
    screenPoint: CGPoint, tolerance: Double, returnPopupsOnly: Bool = false, maximumResultsPerOverlay: Int = 1
  ) async throws -> [IdentifyGraphicsOverlayResult] {
    try await identifyGraphicsOverlays(
      screenPoint: ScreenPoint(x: screenPoint.x, y: screenPoint.y), tolerance: tolerance,
      returnPopupsOnly: returnPopupsOnly, maximumResultsPerOverlay: maximumResultsPerOverlay)
  }
}
