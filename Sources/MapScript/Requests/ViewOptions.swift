import MapDocuments
public import MapFeatures
import MapFilter
public import MapGeometry
public import MapModel
public import MapState

/// The selection of a document's filters that apply.
public enum FilterMode: String, CaseIterable, Sendable {
  /// Both, as the document defines.
  case document
  /// Neither.
  case none
  /// Only the definition expression.
  case definition
  /// Only the display filter.
  case display
}

/// The options of a view that override its document.
public struct ViewOptions: Sendable {
  /// The area or features to show.
  public enum Place: Sendable {
    /// A viewpoint.
    case viewpoint(Viewpoint)
    /// An envelope, with free view pixels around it.
    case bounds(Envelope, rotation: Double, padding: Double)
    /// All features that pass a layer's definition expression, with free view pixels around them.
    case fit(layer: String, rotation: Double, padding: Double)
  }

  /// The width in view pixels.
  public var width = 800.0
  /// The height in view pixels.
  public var height = 600.0
  /// The number of output pixels per view pixel.
  public var pixelRatio = 1.0
  /// The area to show; nil as in the document.
  public var place: Place?
  /// The spatial reference of the drawn map; nil as in the document.
  public var reference: SpatialReference?
  /// The free view pixels on each side of the default view, in addition to the symbols' size; nil for 4 % of the
  /// view.
  public var padding: Double?
  /// The selection of the document's filters.
  public var filterMode = FilterMode.document
  /// The layer for clauses without a name, which the default view shows; nil for the only layer.
  public var layer: String?
  /// The layers that are drawn or queried; empty for all.
  public var only: [String] = []
  /// The definition expressions that replace the document's, each as SQL or `NAME: SQL`.
  public var definitions: [LayerClause] = []
  /// The display filters that replace the document's, each as SQL or `NAME: SQL`.
  public var displayFilters: [LayerClause] = []
  /// The question whose filters and time the default view applies; its area is ignored.
  public var question = FeatureQuestion()
  /// Whether a view without a viewpoint moves to the default view; false for questions that do not search the view.
  public var fitsDefaultView = true
  /// The view's time; nil as in the document.
  public var time: TimeExtent?
  /// The layers to hide.
  public var hidden: [String] = []
  /// The layers to show.
  public var shown: [String] = []
  /// The background colour; nil as in the document, `.some(nil)` for a transparent one.
  public var background: Color??

  /// The basemap; nil as in the document, `.some(nil)` for none.
  public var basemap: Basemap??

  /// Creates options that change nothing: 800 by 600 view pixels at the document's viewpoint.
  public init() {}
}

extension MapDocument {
  /// Returns a view of the map with options applied.
  ///
  /// - Throws: `MapStateError`: of kind usage for impossible sizes and areas, of kind input for unknown layers and
  ///   invalid filters.
  public func view(_ options: ViewOptions) async throws(MapStateError) -> MapView {
    try apply(options)
    var viewpoint: Viewpoint?
    var padding = 0.0
    switch options.place {
    case .viewpoint(let given): viewpoint = given
    case .bounds(let envelope, let rotation, let free):
      viewpoint = Viewpoint(boundingGeometry: envelope, rotation: rotation)
      padding = free
    case .fit, nil: break
    }
    _ = try MapView.pictureSize(
      width: options.width, height: options.height, pixelRatio: options.pixelRatio)
    let view: MapView
    do {
      view = try MapView(
        map: map, width: options.width, height: options.height, pixelRatio: options.pixelRatio,
        viewpoint: viewpoint, padding: padding)
    } catch {
      // The caller requested the viewpoint, or else it comes from the document.
      throw viewpoint == nil ? error.with(kind: .input) : error
    }
    if let time = options.time { view.timeExtent = time }
    if case .fit(let name, let rotation, let padding) = options.place {
      try await fit(view, layer: name, rotation: rotation, padding: padding)
    }
    if options.place == nil, map.initialViewpoint == nil, options.fitsDefaultView {
      try await showDefaultView(view, options)
    }
    return view
  }

  /// Returns the indexes of the layers that options name; nil if they name none.
  ///
  /// These are ``ViewOptions/layer``, else ``ViewOptions/only``.
  ///
  /// - Throws: `MapStateError` for an unknown layer, and for a ``ViewOptions/layer`` that is not in
  ///   ``ViewOptions/only``.
  public func layers(named options: ViewOptions) throws(MapStateError) -> [Int]? {
    let only = try onlyLayers(options)
    guard let name = options.layer else { return only }
    let index = try names.index(of: name)
    guard only?.contains(index) ?? true else {
      throw MapStateError(.usage, "layer \"\(name)\" is not among those that --only names")
    }
    return [index]
  }

  /// Returns the indexes of the layers in ``ViewOptions/only``, first at the bottom; nil if it is empty.
  private func onlyLayers(_ options: ViewOptions) throws(MapStateError) -> [Int]? {
    guard !options.only.isEmpty else { return nil }
    let only = try options.only.map { name throws(MapStateError) in try names.index(of: name) }
    return layers.indices.filter { only.contains($0) }
  }

  private func apply(_ options: ViewOptions) throws(MapStateError) {
    if let reference = options.reference {
      do { _ = try MapPlane.of(reference) } catch { throw MapStateError(error, kind: .usage) }
      map.draw(in: reference)
    }
    for layer in layers { layer.apply(options.filterMode) }
    _ = try layers(named: options)
    for clause in options.definitions {
      let (layer, filter) = try target(of: clause, "--definition", options)
      try check(filter, .definition, of: layer)
      layer.definitionFilter = filter
    }
    for clause in options.displayFilters {
      let (layer, filter) = try target(of: clause, "--display-filter", options)
      try check(filter, .display, of: layer)
      layer.setDisplayFilter(filter)
    }
    try refuseContradictions(options)
    for name in options.hidden { try layer(named: name).layer.isVisible = false }
    for name in options.shown { try layer(named: name).layer.isVisible = true }
    if let only = try onlyLayers(options) {
      for (index, item) in layers.enumerated() { item.layer.isVisible = only.contains(index) }
    }
    if let background = options.background { map.backgroundColor = background }
    if let basemap = options.basemap { map.basemap = basemap }
  }

  /// Refuses a layer that `--hide` and `--only` name.
  private func refuseContradictions(_ options: ViewOptions) throws(MapStateError) {
    let only = try onlyLayers(options) ?? []
    for name in options.hidden {
      let index = try names.index(of: name)
      guard !only.contains(index) else {
        throw MapStateError(
          .usage, "--hide contradicts --only for layer \"\(layers[index].layer.name)\"; give one of them")
      }
    }
  }

  /// Returns the layer that a clause applies to, and its filter.
  private func target(
    of clause: LayerClause, _ option: String, _ options: ViewOptions
  ) throws(MapStateError) -> (FeatureLayer, ParsedFilter) {
    let (named, filter) = try names.split(clause)
    if let named { return (layers[named].layer, filter) }
    let only = options.only.count == 1 ? options.only.first : nil
    guard options.layer != nil || only != nil || layers.count == 1 else {
      // A text before a colon that is no part of a condition is a misspelt name.
      if let colon = clause.text.firstRange(of: ": ") {
        let name = String(clause.text[..<colon.lowerBound])
        if !name.contains(where: { "'\"=<>()".contains($0) }) { _ = try names.index(of: name) }
      }
      throw MapStateError(
        .usage, "\(option): write \"NAME: SQL\" or name a layer with --layer; available: \(names.list)")
    }
    return (try layer(named: options.layer ?? only).layer, filter)
  }

  /// Refuses an invalid filter before any change is made; filters of unread tables are not checked.
  func check(_ filter: ParsedFilter, _ kind: QueryConditions.Kind, of layer: FeatureLayer)
    throws(MapStateError)
  {
    guard !(layer.source is UnreadSource) else { return }
    do {
      try QueryConditions.check(filter, kind, for: layer.source.schema)
    } catch {
      throw MapStateError(error, ofLayer: layer.displayName)
    }
  }

  /// Zooms to all features that pass a layer's definition expression; without features, the view stays unchanged.
  ///
  /// Without a rotation, the view keeps its own.
  /// - Throws: `MapStateError`.
  public func fit(
    _ view: MapView, layer name: String, rotation: Double = .nan, padding: Double
  ) async throws(MapStateError) {
    let index = try layerIndex(named: name)
    let frozen = view.freeze()
    let state = frozen.layers[index]
    do {
      let query = try frozen.conditions(for: state).query(for: .query)
      let fetched = try await state.source.fetch(query)
      let table = try fetched.shownColumns(on: frozen.spatialReference)
      let extent = try GroundExtent(
        of: [.rows(try fetched.rows(query), table)], on: view.plane
      ).extent()
      guard !extent.isEmpty else { return }
      var target = Viewpoint(boundingGeometry: extent, rotation: rotation)
      if extent.width == 0, extent.height == 0 {
        target = Viewpoint(center: extent.center, scale: MapView.scaleOfPoint, rotation: rotation)
      }
      do { try view.setViewpoint(target, padding: padding) } catch { throw error.with(kind: .input) }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns a layer by title, id or index from the bottom; without a name, the only layer.
  ///
  /// - Throws: `MapStateError` that lists the layers: of kind input for an unknown name, of kind usage if no layer is
  ///   named and there are several.
  public func layer(named name: String?) throws(MapStateError) -> OpenedLayer {
    layers[try layerIndex(named: name)]
  }

  /// Returns the index of a layer, from 0 at the bottom, as found by ``layer(named:)``.
  ///
  /// - Throws: `MapStateError` as ``layer(named:)``.
  public func layerIndex(named name: String?) throws(MapStateError) -> Int {
    guard let name else { return try names.onlyIndex() }
    return try names.index(of: name)
  }

  /// The names of the layers.
  var names: LayerNames { LayerNames(layers: layers.map { ($0.layer.title, $0.layer.id) }) }
}

extension OpenedLayer {
  /// Applies the document's filters by mode.
  ///
  /// Both filters are set each time, so switching modes leaves none behind.
  public func apply(_ mode: FilterMode) {
    let hasDefinition = mode == .document || mode == .definition
    let hasDisplay = mode == .document || mode == .display
    layer.definitionFilter = hasDefinition ? document.definition.$definitionExpression : .none
    layer.displayFilterDefinition = hasDisplay ? document.displayFilter?.definition : nil
  }
}

extension FeatureLayer {
  /// The layer's title, or its id without a title.
  var displayName: String { definition.name }

  /// Sets a single display filter; a blank clause removes the filter.
  func setDisplayFilter(_ filter: ParsedFilter) {
    guard filter.text.contains(where: { !$0.isWhitespace }) else {
      displayFilterDefinition = nil
      return
    }
    let filter = DisplayFilter(name: "filter", filter: filter)
    displayFilterDefinition = ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [filter])
  }
}
