import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel
public import MapState

extension MapDocument {
  /// Returns a view of the map with options applied.
  ///
  /// - Throws: `MapStateError`: of kind usage for impossible sizes and areas, of kind input for unknown layers and
  ///   invalid filters.
  public func view(_ request: ViewRequest) async throws(MapStateError) -> MapView {
    if case .center(let center, let scale) = request.place, scale.isNaN, request.zoom == nil {
      let place = [center.y, center.x].map { JSONWriter.text(of: $0) }.joined(separator: ",")
      throw MapStateError(
        .usage, "the viewpoint \(place) has no scale; give it one, as in \(place),20000000, or give a zoom")
    }
    let request = request.onScreen
    try apply(request)
    let (size, viewpoint) = (request.size, request.viewpoint)
    _ = try MapView.pictureSize(width: size.width, height: size.height, pixelRatio: request.pixelRatio)
    let view: MapView
    do {
      view = try MapView(
        map: map, width: size.width, height: size.height, pixelRatio: request.pixelRatio,
        viewpoint: viewpoint, padding: request.placePadding)
    } catch {
      // The caller requested the viewpoint, or else it comes from the document.
      throw viewpoint == nil ? error.with(kind: .input) : error
    }
    if let time = request.time { view.timeExtent = time }
    view.now = request.now
    if viewpoint == nil { try await show(request, in: view) }
    if request.place == nil, map.initialViewpoint == nil, request.fitsDefaultView {
      try await showDefaultView(view, request, leavesStrays: true)
    }
    if let zoom = request.zoom { try view.show(zoom: zoom) }
    return view
  }

  /// Moves a view to the place of a request, and rotates it.
  ///
  /// - Throws: `MapStateError`.
  func show(_ request: ViewRequest, in view: MapView) async throws(MapStateError) {
    if case .fit(let layer) = request.place {
      return try await fit(
        view, layer: layer, rotation: request.rotation ?? .nan, padding: request.placePadding)
    }
    if let viewpoint = request.viewpoint {
      try view.setViewpoint(viewpoint, padding: request.placePadding)
    } else if let rotation = request.rotation {
      try view.rotate(by: rotation - view.viewpoint.rotation)
    }
    if request.place == .everything { try await showDefaultView(view, request, leavesStrays: false) }
  }

  /// Refuses a question about features of a map that has only layers of vector tiles, or only a basemap.
  ///
  /// - Throws: `MapStateError` of kind usage.
  package func checkFeatures() throws(MapStateError) {
    guard layers.isEmpty else { return }
    if map.vectorTiledLayers.isEmpty {
      guard map.basemap != nil, unsupported.isEmpty, map.operationalLayers.isEmpty else { return }
      throw MapStateError(.usage, "the map has only a basemap, whose features are not counted; add a layer")
    }
    throw MapStateError(
      .usage,
      "the map has styles, whose features are pieces of tiles and not counted; ask the tiles themselves, as in "
        + "FILE.pmtiles#LAYER")
  }

  /// Returns the indexes of the layers that a request names; nil if it names none.
  ///
  /// These are ``ViewRequest/layer``, else ``ViewRequest/only``.
  ///
  /// - Throws: `MapStateError` for an unknown layer, and for a ``ViewRequest/layer`` that is not in
  ///   ``ViewRequest/only``.
  public func layers(named request: ViewRequest) throws(MapStateError) -> [Int]? {
    let only = try onlyLayers(request)
    guard let name = request.layer else { return only }
    if only == nil, let table = layers(ofTable: name) { return Array(table) }
    let index = try names.index(of: name)
    guard only?.contains(index) ?? true else {
      throw MapStateError(.usage, "layer \"\(name)\" is not among those that --only names")
    }
    return [index]
  }

  /// Returns the indexes of the layers in ``ViewRequest/only``, first at the bottom; nil if it is empty.
  private func onlyLayers(_ request: ViewRequest) throws(MapStateError) -> [Int]? {
    guard !request.only.isEmpty else { return nil }
    var only: [Int] = []
    for name in request.only where try styleLayers(name) == nil { only.append(try names.index(of: name)) }
    return layers.indices.filter { only.contains($0) }
  }

  private func apply(_ request: ViewRequest) throws(MapStateError) {
    if let reference = request.reference {
      do { _ = try MapPlane.of(reference) } catch { throw MapStateError(error, kind: .usage) }
      map.draw(in: reference)
    }
    guard !request.keepsLayers else { return }
    _ = try layers(named: request)
    try applyFilters(request, mode: request.filterMode, to: layers)
    try applyVisibility(request)
    for name in request.idsOf {
      guard let styles = try styleLayers(name) else {
        throw MapStateError(.usage, "--ids-of \(name): is no layer with a style")
      }
      styles.layer.entersIDImages = true
    }
    if let background = request.background { map.backgroundColor = background }
    if let basemap = request.basemap { map.basemap = basemap.map { Basemap(style: $0) } }
    if request.showsBasemapNames || request.showsGraticule {
      let basemap = map.basemap ?? Basemap()
      if request.showsBasemapNames { basemap.showsNames = true }
      if request.showsGraticule { basemap.showsGraticule = true }
      map.basemap = basemap
    }
  }

  /// Applies a filter mode to layers, then the request's filters; if one of these is invalid, changes nothing.
  func applyFilters(
    _ request: ViewRequest, mode: FilterMode?, to changed: [OpenedLayer]
  ) throws(MapStateError) {
    let definitions = try targets(of: request.definitions, "--definition", .definition, request)
    let conditions = try targets(of: request.conditions, "--where", .definition, request)
    let displayFilters = try targets(of: request.displayFilters, "--display-filter", .display, request)
    map.update {
      if let mode { for layer in changed { layer.apply(mode) } }
      for (layer, filter) in definitions { layer.definitionFilter = filter }
      for (layer, filter) in conditions {
        layer.definitionFilter = Self.joined(layer.definitionFilter, filter, for: layer)
      }
      for (layer, filter) in displayFilters { layer.setDisplayFilter(filter) }
    }
  }

  /// Hides and shows layers; layers that are both in ``ViewRequest/hidden`` and ``ViewRequest/only`` are an error.
  func applyVisibility(_ request: ViewRequest) throws(MapStateError) {
    let only = try onlyLayers(request)
    let (hidden, hiddenStyles) = try split(request.hidden)
    let (shown, shownStyles) = try split(request.shown)
    try applyVisibility(ofStyles: request, hidden: hiddenStyles, shown: shownStyles)
    if let index = hidden.first(where: { only?.contains($0) ?? false }) {
      throw MapStateError(
        .usage, "--hide contradicts --only for layer \"\(layers[index].layer.name)\"; give one of them")
    }
    for index in hidden { layers[index].layer.isVisible = false }
    for index in shown { layers[index].layer.isVisible = true }
    if let only {
      for (index, item) in layers.enumerated() { item.layer.isVisible = only.contains(index) }
    }
  }

  /// Returns the indexes of named layers with features, and the named layers of styles.
  private func split(
    _ names: [String]
  ) throws(MapStateError) -> (layers: [Int], styles: [StyleLayerName]) {
    var found: (layers: [Int], styles: [StyleLayerName]) = ([], [])
    for name in names {
      if let styles = try styleLayers(name) {
        found.styles.append(styles)
      } else {
        found.layers.append(try layerIndex(named: name))
      }
    }
    return found
  }

  /// Returns the layers of a style with a name; nil for the name of another layer.
  private func styleLayers(_ name: String) throws(MapStateError) -> StyleLayerName? {
    guard !names.layers.contains(where: { $0.title == name || $0.id == name }) else { return nil }
    return try StyleLayerName(name, among: map.vectorTiledLayers, isAlone: layers.isEmpty)
  }

  /// Hides and shows layers of styles.
  private func applyVisibility(
    ofStyles request: ViewRequest, hidden: [StyleLayerName], shown: [StyleLayerName]
  ) throws(MapStateError) {
    for name in hidden { name.layer.hiddenStyleLayerIDs.formUnion(name.ids) }
    for name in shown { name.layer.hiddenStyleLayerIDs.subtract(name.ids) }
    var only: [StyleLayerName] = []
    for name in request.only { if let styles = try styleLayers(name) { only.append(styles) } }
    guard !only.isEmpty else { return }
    for layer in map.vectorTiledLayers {
      let kept = only.filter { $0.layer === layer }.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
      layer.hiddenStyleLayerIDs.formUnion(Set(layer.styleLayerIDs).subtracting(kept))
    }
  }

  /// Returns the definition expression of each layer with the request applied.
  func definitions(_ request: ViewRequest) throws(MapStateError) -> [ParsedFilter] {
    var found = layers.map(\.layer.definitionFilter)
    for (layer, filter) in try targets(of: request.definitions, "--definition", .definition, request) {
      for index in layers.indices where layers[index].layer === layer { found[index] = filter }
    }
    for (layer, filter) in try targets(of: request.conditions, "--where", .definition, request) {
      for index in layers.indices where layers[index].layer === layer {
        found[index] = Self.joined(found[index], filter, for: layer)
      }
    }
    return found
  }

  /// Returns the filter of the rows that pass two filters; a blank one passes all rows.
  ///
  /// Comparisons of texts with numbers are cast, as in the definition expressions of documents.
  private static func joined(
    _ first: ParsedFilter, _ second: ParsedFilter, for layer: FeatureLayer
  ) -> ParsedFilter {
    for (one, other) in [(first, second), (second, first)] where one.text.allSatisfy(\.isWhitespace) {
      return other
    }
    let joined = ParsedFilter("(\(first)) AND (\(second))")
    let schema = layer.source.schema
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    return joined.castingTexts(in: fields) ?? joined
  }

  /// Returns the layers that clauses apply to, with their filters, which are checked.
  private func targets(
    of clauses: [LayerClause], _ option: String, _ kind: QueryConditions.Kind, _ request: ViewRequest
  ) throws(MapStateError) -> [(FeatureLayer, ParsedFilter)] {
    var found: [(FeatureLayer, ParsedFilter)] = []
    for clause in clauses {
      let table =
        request.only.isEmpty
        ? request.layer.map { layers(ofTable: $0) } ?? layersOfOnlyTable : nil
      let targets: [(FeatureLayer, ParsedFilter)]
      if let table, try names.split(clause).layer == nil {
        targets = table.map { (layers[$0].layer, clause.readings[0]) }
      } else {
        targets = [try target(of: clause, option, request)]
      }
      for (layer, filter) in targets {
        try check(filter, kind, of: layer)
        found.append((layer, filter))
      }
    }
    return found
  }

  /// Returns the layer that a clause applies to, and its filter.
  private func target(
    of clause: LayerClause, _ option: String, _ request: ViewRequest
  ) throws(MapStateError) -> (FeatureLayer, ParsedFilter) {
    let (named, filter) = try names.split(clause)
    if let named { return (layers[named].layer, filter) }
    let only = request.only.count == 1 ? request.only.first : nil
    guard request.layer != nil || only != nil || layers.count == 1 else {
      // A text before a colon that is no part of a condition is a misspelt name.
      if let colon = clause.text.firstRange(of: ": ") {
        let name = String(clause.text[..<colon.lowerBound])
        if !name.contains(where: { "'\"=<>()".contains($0) }) { _ = try names.index(of: name) }
      }
      throw MapStateError(
        .usage, "\(option): write \"NAME: SQL\" or name a layer with --layer; available: \(names.list)")
    }
    return (try layer(named: request.layer ?? only).layer, filter)
  }

  /// Refuses an invalid filter before any change is made; filters of unread tables are not checked.
  private func check(_ filter: ParsedFilter, _ kind: QueryConditions.Kind, of layer: FeatureLayer)
    throws(MapStateError)
  {
    guard !(layer.source is UnreadSource) else { return }
    do {
      try QueryConditions.check(filter, kind, for: layer.source)
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

  /// Returns the index of the one layer that a request names, as found by ``layer(named:)``.
  ///
  /// - Throws: `MapStateError` as ``layer(named:)``, and for several layers in ``ViewRequest/only``.
  public func layerIndex(_ request: ViewRequest) throws(MapStateError) -> Int {
    guard request.only.count < 2 else {
      throw MapStateError(.usage, "--only names \(request.only.count) layers; this question takes one")
    }
    return try layerIndex(named: request.layer ?? request.only.first)
  }

  /// Returns the indexes of the layers that show the one table that a request names: several, if its geometries are of
  /// several kinds.
  ///
  /// - Throws: `MapStateError` as ``layerIndex(_:)``.
  package func tableLayers(_ request: ViewRequest) throws(MapStateError) -> [Int] {
    if request.only.isEmpty,
      let table = request.layer.map({ layers(ofTable: $0) }) ?? layersOfOnlyTable
    {
      return Array(table)
    }
    return [try layerIndex(request)]
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
    layer.setDefinitionFilter(
      ofDocument: hasDefinition ? document.definition.$definitionExpression : .none)
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
