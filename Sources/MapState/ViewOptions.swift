public import MapFeatures
import MapFilter
public import MapGeometry
public import MapModel

/// Which of a document's filters are in force.
public enum FilterMode: String, CaseIterable, Sendable {
  /// Both, as the document says.
  case document
  /// Neither.
  case none
  /// The definition expression alone.
  case definition
  /// The display filter alone.
  case display
}

/// How a view of an opened map differs from what its document says.
public struct ViewOptions: Sendable {
  /// Where to look.
  public enum Place: Sendable {
    /// A viewpoint.
    case viewpoint(Viewpoint)
    /// An envelope to show, with free view pixels around.
    case bounds(Envelope, rotation: Double, padding: Double)
    /// All features that a layer's expression leaves, turned, with free view pixels around.
    case fit(layer: String, rotation: Double, padding: Double)
  }

  /// Width in view pixels.
  public var width = 800.0
  /// Height in view pixels.
  public var height = 600.0
  /// Picture pixels a view pixel.
  public var pixelRatio = 1.0
  /// Where to look; nil as the document says.
  public var place: Place?
  /// The reference to draw the map in; nil as the document says.
  public var reference: SpatialReference?
  /// Free view pixels on each side of the default view, beside the reach of symbols; nil is 4 % of the view.
  public var padding: Double?
  /// Which of the document's filters hold.
  public var filterMode = FilterMode.document
  /// The layer that clauses without a name are for and that the default view shows; nil is the only one.
  public var layer: String?
  /// Layers that are drawn or asked alone; none are all.
  public var only: [String] = []
  /// Definition expressions instead of the document's, each SQL or `NAME: SQL`.
  public var definitions: [String] = []
  /// Display filters instead of the document's, each SQL or `NAME: SQL`.
  public var displayFilters: [String] = []
  /// The filters and the time of a question, which the default view honours; its area is not.
  public var question = FeatureQuestion()
  /// False leaves a view without a viewpoint where it starts, for questions that do not look in it.
  public var fitsDefaultView = true
  /// The view's time; nil as the document says.
  public var time: TimeExtent?
  /// Layers to hide.
  public var hidden: [String] = []
  /// Layers to show.
  public var shown: [String] = []
  /// What lies under everything; nil as the document says, `.some(nil)` clear.
  public var background: Color??

  /// What lies below the layers; nil as the document says, `.some(nil)` nothing.
  public var basemap: Basemap??

  /// Nothing differs: 800 by 600 at the document's viewpoint.
  public init() {}
}

extension MapDocument {
  /// A view of the map with these options in force.
  ///
  /// - Throws: ``MapError``: usage for impossible sizes and places, input for unknown layers and filters that do not
  ///   fit.
  public func view(_ options: ViewOptions) async throws(MapError) -> MapView {
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
    do {
      _ = try MapView.pictureSize(
        width: options.width, height: options.height, pixelRatio: options.pixelRatio)
    } catch {
      throw MapError(error, kind: .usage)
    }
    let view: MapView
    do {
      view = try MapView(
        map: map, width: options.width, height: options.height, pixelRatio: options.pixelRatio,
        viewpoint: viewpoint, padding: padding)
    } catch {
      // A viewpoint that was asked for is the caller's, else it is the document's.
      throw MapError(error, kind: viewpoint == nil ? .input : .usage)
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

  /// The indexes of the layers that options are about: the selected one, else the only ones; nil where they name none.
  ///
  /// - Throws: ``MapError`` for a name that no layer has, and for a selected layer that is not among the only ones.
  public func layers(named options: ViewOptions) throws(MapError) -> [Int]? {
    let only = try onlyLayers(options)
    guard let name = options.layer else { return only }
    let index = try names.index(of: name)
    guard only?.contains(index) ?? true else {
      throw MapError(.usage, "layer \"\(name)\" is not among those that --only names")
    }
    return [index]
  }

  /// The indexes of the only layers, first at the bottom; nil where options name none.
  private func onlyLayers(_ options: ViewOptions) throws(MapError) -> [Int]? {
    guard !options.only.isEmpty else { return nil }
    let only = try options.only.map { name throws(MapError) in try names.index(of: name) }
    return layers.indices.filter { only.contains($0) }
  }

  private func apply(_ options: ViewOptions) throws(MapError) {
    if let reference = options.reference {
      do { _ = try MapPlane.of(reference) } catch { throw MapError(error, kind: .usage) }
      map.draw(in: reference)
    }
    for layer in layers { layer.apply(options.filterMode) }
    _ = try layers(named: options)
    for text in options.definitions {
      let (layer, clause) = try target(of: text, "--definition", options)
      try check(clause, .definition, of: layer)
      layer.definitionExpression = clause
    }
    for text in options.displayFilters {
      let (layer, clause) = try target(of: text, "--display-filter", options)
      try check(clause, .display, of: layer)
      layer.setDisplayFilter(clause)
    }
    for name in options.hidden { try layer(named: name).layer.isVisible = false }
    for name in options.shown { try layer(named: name).layer.isVisible = true }
    if let only = try onlyLayers(options) {
      for (index, item) in layers.enumerated() { item.layer.isVisible = only.contains(index) }
    }
    if let background = options.background { map.backgroundColor = background }
    if let basemap = options.basemap { map.basemap = basemap }
  }

  /// The layer that a clause is for, and its SQL.
  private func target(
    of text: String, _ option: String, _ options: ViewOptions
  ) throws(MapError) -> (FeatureLayer, String) {
    let (named, clause) = try names.split(text)
    if let named { return (layers[named].layer, clause) }
    let only = options.only.count == 1 ? options.only.first : nil
    guard options.layer != nil || only != nil || layers.count == 1 else {
      throw MapError(
        .usage, "\(option): write \"NAME: SQL\" or name a layer with --layer; available: \(names.list)")
    }
    return (try layer(named: options.layer ?? only).layer, text)
  }

  /// Refuses a filter that cannot be used, before anything is set; of a table that was not read nothing is known.
  func check(_ clause: String, _ kind: QueryConditions.Kind, of layer: FeatureLayer) throws(MapError) {
    guard !(layer.source is UnreadSource) else { return }
    do {
      try QueryConditions.check(clause, kind, for: layer.source.schema)
    } catch {
      throw MapError(LayerError(layer: layer.displayName, cause: error))
    }
  }

  /// Shows all features of a layer that its expression leaves; with none the view stays.
  ///
  /// Without a rotation the view keeps its own.
  /// - Throws: ``MapError``.
  public func fit(
    _ view: MapView, layer name: String, rotation: Double = .nan, padding: Double
  ) async throws(MapError) {
    let index = try layerIndex(named: name)
    let frozen = view.freeze()
    let state = frozen.layers[index]
    do {
      let query = try frozen.conditions(for: state).query(for: .query)
      let source = try await state.source.fetched(for: query)
      let table = try await source.shownColumns(on: frozen.spatialReference)
      let extent = try GroundExtent(
        of: [.rows(try await source.rows(query), table)], on: view.plane
      ).extent()
      guard !extent.isEmpty else { return }
      var target = Viewpoint(boundingGeometry: extent, rotation: rotation)
      if extent.width == 0, extent.height == 0 {
        target = Viewpoint(center: extent.center, scale: MapView.scaleOfPoint, rotation: rotation)
      }
      try view.setViewpoint(target, padding: padding)
    } catch {
      throw MapError(error)
    }
  }

  /// A layer by title, id or index from the bottom; without a name the only one.
  ///
  /// - Throws: ``MapError`` that lists the layers: of kind input for a name that none has, of kind usage where none is
  ///   named and there are several.
  public func layer(named name: String?) throws(MapError) -> OpenedLayer {
    layers[try layerIndex(named: name)]
  }

  /// The index of a layer, from 0 at the bottom, as ``layer(named:)`` finds it.
  ///
  /// - Throws: ``MapError`` as ``layer(named:)``.
  public func layerIndex(named name: String?) throws(MapError) -> Int {
    guard let name else { return try names.onlyIndex() }
    return try names.index(of: name)
  }

  /// The names of the layers.
  var names: LayerNames { LayerNames(layers: layers.map { ($0.layer.title, $0.layer.id) }) }
}

/// A layer of an opened map with what its document says of it.
public struct OpenedLayer: Sendable {
  /// The layer.
  public let layer: FeatureLayer
  /// What the document says.
  public let document: WebMapLayer

  /// Puts the document's filters in force by mode: both are set each time, so switching leaves none behind.
  public func apply(_ mode: FilterMode) {
    let hasDefinition = mode == .document || mode == .definition
    let hasDisplay = mode == .document || mode == .display
    layer.definitionExpression = hasDefinition ? document.definitionExpression : ""
    layer.displayFilterDefinition = hasDisplay ? document.displayFilter?.definition : nil
  }
}

extension FeatureLayer {
  /// Title, else id.
  var displayName: String { title.isEmpty ? id : title }

  /// Puts one display filter in force; a blank clause is none.
  func setDisplayFilter(_ clause: String) {
    guard clause.contains(where: { !$0.isWhitespace }) else {
      displayFilterDefinition = nil
      return
    }
    let filter = DisplayFilter(name: "filter", whereClause: clause)
    displayFilterDefinition = ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [filter])
  }
}
