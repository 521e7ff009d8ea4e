public import MapFeatures
public import MapFilter
public import MapGeometry

/// A view of a map at one moment, everything resolved: what counting and drawing work on.
public struct ViewState: Sendable {
  /// Width of the canvas in view pixels (1/96 inch).
  public let width: Double
  /// Height of the canvas in view pixels.
  public let height: Double
  /// Picture pixels a view pixel.
  public let pixelRatio: Double
  /// Where the map lies on the canvas.
  public let viewpoint: ResolvedViewpoint
  /// What lies under everything; nil is transparent.
  public let background: Color?
  /// What is painted over the background and below the layers; nil is nothing.
  public let basemap: BasemapState?
  /// The view's time; nil is any.
  public let timeExtent: TimeExtent?
  /// The layers, first at the bottom.
  public let layers: [LayerState]
  /// The one moment that filters take for now; nil where nobody said.
  public let now: Instant?
  /// What is painted over the layers, first at the bottom; numbered apart from them and not counted.
  public let overlays: [LayerState]
  /// What selected features are drawn in.
  public let selectionColor: Color
  /// The N of the scale at which symbols have the size that they say; 0 at every scale.
  public let referenceScale: Double

  package init(
    width: Double, height: Double, pixelRatio: Double, viewpoint: ResolvedViewpoint, background: Color?,
    basemap: BasemapState? = nil, timeExtent: TimeExtent?, layers: [LayerState], now: Instant? = nil,
    overlays: [LayerState] = [], selectionColor: Color = .cyan, referenceScale: Double = 0
  ) {
    self.referenceScale = referenceScale
    (self.overlays, self.selectionColor) = (overlays, selectionColor)
    (self.width, self.height, self.pixelRatio) = (width, height, pixelRatio)
    (self.basemap, self.now) = (basemap, now)
    (self.viewpoint, self.background, self.timeExtent, self.layers) = (
      viewpoint, background, timeExtent, layers
    )
  }

  /// The reference that the map is drawn in.
  public var spatialReference: SpatialReference { viewpoint.reference }

  /// The upright box around what is shown, in the map's reference, not wrapped.
  ///
  /// In Web Mercator and in degrees the world repeats in it: a feature shows in each world of which the box holds a part, also one that is written
  /// past ±180°, up to one and a half turns away; it counts once.
  ///
  /// Empty for a view without a size.
  public var extent: Envelope {
    width > 0
      ? viewpoint.envelope(width: width, height: height) : .empty.with(spatialReference: spatialReference)
  }

  /// How many times the size that they say a layer's symbols and labels have: with a reference scale those that keep
  /// their size on the ground.
  ///
  /// - Source: ArcGIS Maps SDK; ours: a thousand times larger or smaller at most.
  public func symbolFactor(of layer: LayerState) -> Double {
    guard referenceScale > 0, layer.scalesSymbols else { return 1 }
    return min(max(referenceScale / viewpoint.scale, 0.001), 1000)
  }

  /// All that may limit the features of a layer now; a caller adds its own parameters.
  public func conditions(for layer: LayerState) -> QueryConditions {
    var conditions = QueryConditions()
    conditions.definitionExpression = layer.definitionExpression
    let displayFilter = layer.displayFilter?.activeFilter(atScale: viewpoint.scale)
    conditions.displayFilter = displayFilter?.whereClause ?? ""
    conditions.lacksDisplayFilter = displayFilter?.lacksClause ?? false
    conditions.hiddenIDs = layer.hiddenIDs
    conditions.isShown = layer.isShown(atScale: viewpoint.scale)
    conditions.timeInfo = layer.timeInfo
    if layer.filtersByTime {
      conditions.viewTime = layer.timeOffset.map { timeExtent?.earlier(by: $0) } ?? timeExtent
    }
    conditions.viewEnvelopes = extent.splitAtAntimeridian()
    conditions.now = now
    return conditions
  }
}

extension ViewState {
  /// The same view of other layers, over the same basemap unless another is given.
  package func with(layers: [LayerState], over basemap: BasemapState? = nil) -> ViewState {
    ViewState(
      width: width, height: height, pixelRatio: pixelRatio, viewpoint: viewpoint, background: background,
      basemap: basemap ?? self.basemap, timeExtent: timeExtent, layers: layers, now: now, overlays: overlays,
      selectionColor: selectionColor, referenceScale: referenceScale)
  }

  /// Who is to be named beside the picture, each once; empty for nobody.
  package var attribution: String {
    let all = (basemap?.baseLayers ?? []) + layers + (basemap?.referenceLayers ?? [])
    let shown = all.filter { $0.isShown(atScale: viewpoint.scale) }
    return ([basemap?.attribution ?? ""] + shown.map(\.attribution)).joinedOnce
  }

  /// The colour that the picture starts with: the basemap's water covers the background.
  package var canvasColor: Color? { basemap?.water ?? background }

  /// The same view with one of its layers alone, over the same basemap.
  package func showing(only index: Int) -> ViewState {
    ViewState(
      width: width, height: height, pixelRatio: pixelRatio, viewpoint: viewpoint, background: background,
      basemap: basemap, timeExtent: timeExtent, layers: [layers[index]], now: now,
      selectionColor: selectionColor, referenceScale: referenceScale)
  }
}
