public import MapFeatures
public import MapFilter
public import MapGeometry

/// An immutable snapshot of a view of a map, with all values resolved; counting and drawing use it.
public struct ViewState: Sendable {
  /// The width of the canvas in view pixels (1/96 inch).
  public private(set) var width: Double
  /// The height of the canvas in view pixels.
  public private(set) var height: Double
  /// The number of output pixels per view pixel.
  public private(set) var pixelRatio: Double
  /// The centre, scale and rotation of the map on the canvas.
  public private(set) var viewpoint: ResolvedViewpoint
  /// The colour below everything else; nil is transparent.
  public let background: Color?
  /// The basemap, painted over the background and below the layers; nil for none.
  public private(set) var basemap: BasemapState?
  /// The layers of tiles of map and basemap, starting at the bottom; they are not numbered.
  public private(set) var tileLayers: [TileLayerState]
  /// The view's time; nil for any time.
  public let timeExtent: TimeExtent?
  /// The layers, starting at the bottom.
  public private(set) var layers: [LayerState]
  /// Whether a layer, or a group around one, has a blend mode; stored, because each layer in a group asks it.
  package private(set) var hasBlendModes: Bool
  /// The timestamp that filters use as the current time; nil if unspecified.
  public let now: Instant?
  /// Whether ``now`` is a given time and not that of the system clock.
  package var hasFixedTime = false
  /// The overlays, painted over the layers, starting at the bottom.
  ///
  /// They are numbered separately from the layers and are not counted.
  public private(set) var overlays: [LayerState]
  /// The colour of selected features.
  public private(set) var selectionColor: Color
  /// The scale denominator at which symbols have their nominal size; 0 keeps that size at every scale.
  public let referenceScale: Double
  /// The fonts of the user.
  public let fonts: [FontFile]
  /// Whether the view is a default view that leaves features outside, because they are far from all others.
  package var leavesFeaturesOutside = false
  /// The attribution text of the caller; empty for none.
  package var ownAttribution = ""
  /// The feature that the image emphasises; nil for none.
  package var emphasis: FeatureEmphasis?
  /// Whether the report of an image has the number of features of each class.
  package var countsClasses = false

  package init(
    width: Double, height: Double, pixelRatio: Double, viewpoint: ResolvedViewpoint, background: Color?,
    basemap: BasemapState? = nil, timeExtent: TimeExtent?, layers: [LayerState], now: Instant? = nil,
    overlays: [LayerState] = [], selectionColor: Color = .selection(on: .light), referenceScale: Double = 0,
    tileLayers: [TileLayerState] = [], fonts: [FontFile] = []
  ) {
    (self.referenceScale, self.tileLayers) = (referenceScale, tileLayers)
    self.fonts = Array(fonts.prefix(FontFile.largestCount))
    (self.overlays, self.selectionColor) = (overlays, selectionColor)
    (self.width, self.height, self.pixelRatio) = (width, height, pixelRatio)
    (self.basemap, self.now) = (basemap, now)
    (self.viewpoint, self.background, self.timeExtent, self.layers) = (
      viewpoint, background, timeExtent, layers
    )
    hasBlendModes =
      layers.contains { $0.blendMode.isMixed(in: $0.groups) }
      || tileLayers.contains { $0.blendMode.isMixed(in: $0.groups) }
  }

  /// The spatial reference that the map is drawn in.
  public var spatialReference: SpatialReference { viewpoint.reference }

  /// The box around the visible ground, in the map's spatial reference, not wrapped at ±180°.
  ///
  /// In Web Mercator and in degrees the world repeats. A feature is drawn in every world copy that the box overlaps,
  /// but counts once. This includes features beyond ±180°, up to one and a half world widths away.
  ///
  /// The extent of a view without a size is empty.
  public var extent: Envelope {
    width > 0
      ? viewpoint.envelope(width: width, height: height) : .empty.with(spatialReference: spatialReference)
  }

  /// Returns the factor between the drawn and the nominal size of a layer's symbols and labels.
  ///
  /// It differs from 1 when the map has a reference scale and the layer's symbols keep their size on the ground.
  ///
  /// - Source: ArcGIS Maps SDK. Design decision: at most a thousand times larger or smaller.
  public func symbolFactor(of layer: LayerState) -> Double {
    guard referenceScale > 0, layer.scalesSymbols else { return 1 }
    return min(max(referenceScale / viewpoint.scale, 0.001), 1000)
  }

  /// Returns all conditions that limit the features of a layer now, and those of a question about them.
  ///
  /// With a question, all stages of a funnel use its area. Its time does not apply to a layer without time, all of
  /// whose features are drawn.
  public func conditions(
    for layer: LayerState, asking question: FeatureQuestion? = nil
  ) -> QueryConditions {
    var conditions = QueryConditions()
    conditions.$definitionExpression = layer.definition.$definitionExpression
    let displayFilter = layer.displayFilter?.activeFilter(atScale: viewpoint.scale)
    conditions.$displayFilter = displayFilter?.$whereClause ?? .none
    conditions.lacksDisplayFilter = displayFilter?.lacksClause ?? false
    conditions.hiddenIDs = layer.hiddenIDs
    // A field that the table lacks, or that holds no numbers, is reported when the layer is opened.
    if let name = layer.definition.visibilityField, let index = layer.source.schema.index(ofField: name),
      [.integer, .real].contains(layer.source.schema.fields[index].fieldType.attributeType)
    {
      conditions.visibilityField = name
    }
    conditions.isShown = layer.isShown(atScale: viewpoint.scale)
    conditions.timeInfo = layer.timeInfo
    if layer.filtersByTime {
      conditions.viewTime = layer.timeOffset.map { timeExtent?.earlier(by: $0) } ?? timeExtent
    }
    conditions.viewArea = QueryArea(extent.splitAtAntimeridian(), rectangle: rectangle(for: layer))
    conditions.now = now
    guard let question else { return conditions }
    conditions.question = question
    conditions.viewArea = question.area.searched(inView: conditions.viewArea)
    if conditions.timeInfo == nil { conditions.question.time = nil }
    return conditions
  }

  /// Returns the rectangle of a rotated view; nil where the extent is the view itself, and for a layer without geometry.
  private func rectangle(for layer: LayerState) -> RotatedRectangle? {
    let turn = viewpoint.rotation.truncatingRemainder(dividingBy: 90)
    guard turn != 0, width > 0, layer.source.schema.geometryKind != nil else { return nil }
    return RotatedRectangle(
      clockwise: viewpoint.corners(width: width, height: height), spatialReference: spatialReference)
  }
}

extension ViewState {
  /// Returns the view with other layers, and with another basemap if one is given.
  package func with(layers: [LayerState], over basemap: BasemapState? = nil) -> ViewState {
    var view = self
    (view.layers, view.basemap) = (layers, basemap ?? view.basemap)
    view.hasBlendModes = hasBlendModes || layers.contains { $0.blendMode.isMixed(in: $0.groups) }
    return view
  }

  /// Returns the view with another size, around the same centre at the same scale.
  package func resized(width: Double, height: Double, pixelRatio: Double? = nil) -> ViewState {
    var view = self
    (view.width, view.height) = (width, height)
    view.pixelRatio = pixelRatio ?? self.pixelRatio
    return view
  }

  /// Returns the view of a rectangle of its image, in view pixels from the top left corner.
  package func cut(to box: Envelope) -> ViewState {
    var view = resized(width: box.width, height: box.height)
    view.viewpoint = viewpoint.moved(right: box.center.x - width / 2, down: box.center.y - height / 2)
    return view
  }

  /// The attribution texts of the image, each once: those that its data require, and ``ownAttribution``; empty for none.
  package var attribution: String {
    let all = (basemap?.baseLayers ?? []) + layers + (basemap?.referenceLayers ?? [])
    let shown = all.filter { $0.isShown(atScale: viewpoint.scale) }
    let tiles = tileLayers.filter { $0.isShown(atScale: viewpoint.scale) }
    let required = [basemap?.attribution ?? ""] + shown.map(\.attribution) + tiles.map(\.attribution)
    return (required + [ownAttribution]).joinedOnce
  }

  /// The colour that the image starts with: the basemap's water, or else the background.
  package var canvasColor: Color? { basemap?.water ?? background }

  /// The colour below the layers, by which default colours are chosen; nil is transparent.
  ///
  /// It is the background of the topmost vector tile style below the layers, or else ``canvasColor``.
  package var groundColor: Color? {
    Self.groundColor(canvas: canvasColor, tiles: tileLayers, scale: viewpoint.scale)
  }

  /// Returns the colour below the layers of a map.
  ///
  /// - Parameters:
  ///   - canvas: the colour that the image starts with; nil is transparent.
  ///   - tiles: the layers of tiles, starting at the bottom.
  package static func groundColor(canvas: Color?, tiles: [TileLayerState], scale: Double) -> Color? {
    tiles.last { $0.background(atScale: scale) != nil }?.background(atScale: scale) ?? canvas
  }

  /// The colours of larger areas below the layers: ground and land.
  package var groundColors: [Color] {
    let ground = (groundColor ?? .white).over(.white)
    guard let land = basemap?.land, canvasColor == groundColor else { return [ground] }
    return [ground, land]
  }

  /// Returns the view with the default colours for its ground: of symbols, labels and the selection.
  ///
  /// - Parameter selectionColor: the colour that a caller set; nil for magenta, and cyan on dark ground.
  package func colored(selection: Color?) -> ViewState {
    var view = self
    let ground = groundColor
    view.selectionColor = selection ?? .selection(on: GroundTone(of: ground))
    var areas: [Color] = []
    view.layers = layers.map { layer in
      var colored = layer.colored(on: ground)
      if layer.definition.darkRenderer != nil {
        if case .simple = colored.renderer {
          colored.renderer = colored.renderer.mapSymbols {
            $0.differing(from: areas, on: GroundTone(of: ground))
          }
        } else {
          colored.renderer = colored.renderer.differing(from: groundColors)
        }
      }
      if layer.isShown(atScale: viewpoint.scale), layer.opacity > 0.5 { areas += colored.renderer.areaColors }
      return colored
    }
    view.overlays = overlays.map { $0.colored(on: ground) }
    view.basemap = basemap.map { basemap in
      basemap.with(
        baseLayers: basemap.baseLayers.map { $0.colored(on: ground) },
        referenceLayers: basemap.referenceLayers.map { $0.colored(on: ground) })
    }
    return view
  }

  /// Returns the view with only one of its layers, over the same basemap.
  package func showing(only index: Int) -> ViewState {
    var view = self
    (view.layers, view.overlays) = ([layers[index]], [])
    view.tileLayers.removeAll { $0.section == .operational }
    return view
  }
}
