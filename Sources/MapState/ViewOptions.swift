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
  /// Which of the document's filters hold.
  public var filterMode = FilterMode.document
  /// The layer that ``definition`` and ``displayFilter`` are for; nil is the only one.
  public var filteredLayer: String?
  /// A definition expression instead of the document's.
  public var definition: String?
  /// A display filter instead of the document's.
  public var displayFilter: String?
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
    return view
  }

  private func apply(_ options: ViewOptions) throws(MapError) {
    if let reference = options.reference {
      do { _ = try MapPlane.of(reference) } catch { throw MapError(error, kind: .usage) }
      map.draw(in: reference)
    }
    for layer in layers { layer.apply(options.filterMode) }
    if options.definition != nil || options.displayFilter != nil {
      let layer = try layer(named: options.filteredLayer).layer
      if let definition = options.definition {
        try check(definition, .definition, of: layer)
        layer.definitionExpression = definition
      }
      if let displayFilter = options.displayFilter {
        try check(displayFilter, .display, of: layer)
        layer.setDisplayFilter(displayFilter)
      }
    }
    for name in options.hidden { try layer(named: name).layer.isVisible = false }
    for name in options.shown { try layer(named: name).layer.isVisible = true }
    if let background = options.background { map.backgroundColor = background }
    if let basemap = options.basemap { map.basemap = basemap }
  }

  /// Refuses a filter that cannot be used, before anything is set.
  func check(_ clause: String, _ kind: QueryConditions.Kind, of layer: FeatureLayer) throws(MapError) {
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
    let opened = try layer(named: name)
    let frozen = view.freeze()
    guard let index = layers.firstIndex(where: { $0.layer === opened.layer }) else { return }
    let state = frozen.layers[index]
    do {
      var box = Envelope.empty
      let query = try frozen.conditions(for: state).query(for: .query)
      let source = try await state.source.fetched(for: query)
      let table = try await source.shownColumns(on: frozen.spatialReference)
      if let geometry = table.geometry {
        for row in try await source.rows(query) {
          box = box.union(geometry.envelope(ofRow: row))
        }
      }
      guard !box.isEmpty else { return }
      let extent = box.with(spatialReference: table.schema.spatialReference)
      try view.setViewpoint(Viewpoint(boundingGeometry: extent, rotation: rotation), padding: padding)
    } catch {
      throw MapError(error)
    }
  }

  /// A layer by title, id or index from the bottom; without a name the only one.
  ///
  /// - Throws: ``MapError`` of kind input that lists the layers.
  public func layer(named name: String?) throws(MapError) -> OpenedLayer {
    let list = layers.enumerated().map { "\($0) \"\($1.layer.displayName)\"" }.joined(separator: ", ")
    guard let name else {
      guard layers.count == 1 else {
        throw MapError(.input, "name one layer with --layer; there are \(list.isEmpty ? "none" : list)")
      }
      return layers[0]
    }
    for matches in [layers.filter { $0.layer.title == name }, layers.filter { $0.layer.id == name }] {
      if matches.count == 1 { return matches[0] }
      if matches.count > 1 { throw MapError(.input, "layer \"\(name)\" is ambiguous; there are \(list)") }
    }
    if let index = Int(name), layers.indices.contains(index) { return layers[index] }
    throw MapError(.input, "there is no layer \"\(name)\"; there are \(list.isEmpty ? "none" : list)")
  }
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
