import MapBasemap
package import MapDrawing
public import MapFeatures
import MapFilter
import MapGeometry
public import MapModel
import MapSystem

extension ViewState {
  /// Returns the rows of a layer for a purpose, selected by the layer's query conditions.
  ///
  /// - Throws: ``MapStateError``.
  public func rows(of layer: LayerState, for purpose: QueryPurpose) async throws(MapStateError) -> RowSet {
    try await naming(layer) {
      try await layer.source.whole().rows(conditions(for: layer).query(for: purpose))
    }
  }

  /// Returns the number of rows of a layer that a question selects.
  ///
  /// - Throws: ``MapStateError``.
  public func count(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(area: .everywhere)
  ) async throws(MapStateError) -> Int {
    try await naming(layer) {
      try await layer.source.count(conditions(for: layer, asking: question).query(for: .query))
    }
  }

  /// Returns a layer's drawing in pixels: its items, the drawn rows, and the rows at the edge.
  ///
  /// Rows at the edge are outside the view, and their symbols reach into it. Both change a pixel of the image.
  ///
  /// Selected features are drawn a second time on top.
  ///
  /// - Parameter window: the ground for which features must be fetched; nil for the whole view.
  /// - Throws: ``MapStateError``.
  package func drawing(
    of layer: LayerState, index: Int, window: Envelope? = nil
  ) async throws(MapStateError) -> LayerDrawing {
    let drawing = try await drawingWithoutEffects(of: layer, index: index, window: window)
    // Effects change no answer about features, and only those have a window.
    guard window == nil else { return drawing }
    return try await addingEffectsAndGroups(
      to: try naming(layer) { try settled(drawing, of: layer) }, of: layer, index: index)
  }

  /// Returns a layer's drawing in pixels without its effects.
  ///
  /// - Parameter counted: the view whose features decide about bins and their colours; by default this one.
  func drawingWithoutEffects(
    of layer: LayerState, index: Int, window: Envelope? = nil, counted: ViewState? = nil
  ) async throws(MapStateError) -> LayerDrawing {
    try await naming(layer) {
      if let cells = layer.cells { return try await cellDrawing(of: layer, cells, index: index) }
      if let aggregation = aggregation(of: layer) {
        return try await clusteredDrawing(
          of: layer, aggregation, index: index, window: window, counted: counted ?? self)
      }
      let symbolizer = symbolizer(of: layer)
      let features = try await layer.source.whole()
      var fetched = conditions(for: layer)
      let visible = try features.rows(fetched.query(for: .drawing))
      try Task.checkCancellation()
      fetched.viewArea = QueryArea(symbolizer.fetchEnvelopes(in: window))
      let candidates = try features.rows(fetched.query(for: .drawing))
      try Task.checkCancellation()
      let table = try features.shownColumns(on: spatialReference)
      let drawing = try symbolizer.drawing(
        index: index, table: table, candidates: candidates, visible: visible)
      var selected = ObjectIDs(table).rows(with: layer.selectedIDs, rowCount: table.rowCount)
      var shown = drawing.inView
      shown.formUnion(drawing.edge)
      selected.formIntersection(shown)
      guard !selected.isEmpty else { return drawing }
      var marked = layer
      marked.renderer = layer.renderer.selected(in: selectionColor)
      let above = try self.symbolizer(of: marked).drawing(
        index: index, table: table, candidates: selected, visible: visible)
      return drawing.adding(above)
    }
  }

  /// Returns the whole image as a display list.
  ///
  /// For large layers, paint layer by layer instead.
  ///
  /// - Throws: ``MapStateError``.
  package func displayList() async throws(MapStateError) -> DisplayList {
    try await displayList(covered: [])
  }

  /// Returns the whole image as a display list, with labels that avoid some rectangles in output pixels.
  ///
  /// - Parameter joinsTiles: whether features of vector tiles are joined at the sides of tiles, for formats without pixels.
  func displayList(
    covered: [Envelope], joinsTiles: Bool = false
  ) async throws(MapStateError) -> DisplayList {
    let below = try await listBelowLabels(covered: covered, joinsTiles: joinsTiles)
    var list = below.list
    list.labels = labels(below.labels)?.layers ?? []
    return list
  }

  /// Returns the labels of the view as layers in its pixels, and the warnings about them.
  ///
  /// Images of parts of the view show these labels whole, each once.
  ///
  /// - Throws: ``MapStateError``.
  package func placedLabels() async throws(MapStateError) -> (layers: [DisplayLayer], warnings: [String]) {
    let below = try await listBelowLabels(drawsTiles: false)
    let drawing = labels(below.labels)
    return (drawing?.layers ?? [], labelWarnings(drawing?.report))
  }

  /// Returns a layer of a basemap's style as drawn; straight meridians and parallels are sharp.
  func styleDrawing(of layer: LayerState, index: Int) async throws(MapStateError) -> DisplayLayer {
    let drawing = try await drawing(of: layer, index: index).layer
    return layer.id == BundledBasemap.graticuleID ? drawing.snappingStraightLines() : drawing
  }

  /// Returns the display list without labels, and the possible labels.
  ///
  /// - Parameters:
  ///   - drawsTiles: whether the list has the layers of tiles, whose images are as large as the view.
  ///   - joinsTiles: whether features of vector tiles are joined at the sides of tiles.
  func listBelowLabels(
    covered: [Envelope] = [], drawsTiles: Bool = true, joinsTiles: Bool = false
  ) async throws(MapStateError) -> (list: DisplayList, labels: LabelInput) {
    let styled =
      drawsTiles
      ? try await placedStyles(threads: 1, covered: covered, joinsTiles: joinsTiles) : StyledLayers()
    var list = DisplayList(width: pictureWidth, height: pictureHeight, background: canvasColor)
    var labels = newLabels(avoiding: covered)
    for (index, layer) in (basemap?.layers ?? []).enumerated() {
      let drawing = try await styleDrawing(of: layer, index: index)
      list.basemap.append(drawing)
      avoid(drawing, of: layer, in: &labels)
    }
    for (place, layer) in ownBasemapLayers where place < 0 {
      if drawsTiles {
        list.addBase(try await tileDrawings(.base, below: place + baseCount, styled, joinsTiles: joinsTiles))
      }
      list.basemap.append(try await basemapDrawing(of: layer, place, &labels))
    }
    if drawsTiles { list.addBase(try await tileDrawings(.base, below: nil, styled, joinsTiles: joinsTiles)) }
    var dots = try await basemapDots()
    for (index, layer) in layers.enumerated() {
      if drawsTiles {
        list.layers += try await tileDrawings(.operational, below: index, styled, joinsTiles: joinsTiles)
      }
      if layer.source is UnreadSource { continue }
      let layer = try await fetched(layer)
      let drawing = try await drawing(of: layer, index: index)
      list.layers.append(drawing.layer)
      dots?.yield(to: drawing.layer)
      try await addLabels(of: layer, index: index, drawing: drawing, to: &labels)
    }
    if drawsTiles {
      list.layers += try await tileDrawings(.operational, below: nil, styled, joinsTiles: joinsTiles)
    }
    for (place, layer) in ownBasemapLayers where place >= 0 {
      if drawsTiles {
        list.overlays += try await tileDrawings(
          .reference, below: place - layers.count, styled, joinsTiles: joinsTiles)
      }
      list.overlays.append(try await basemapDrawing(of: layer, place, &labels, dots: dots))
    }
    if drawsTiles {
      list.overlays += try await tileDrawings(.reference, below: nil, styled, joinsTiles: joinsTiles)
    }
    for (index, overlay) in overlays.enumerated() {
      let drawing = try await drawing(of: overlay, index: index).layer
      list.overlays.append(drawing)
      labels.obstacles?.add(drawing, labelledBy: nil)
    }
    list.overlays += try await emphasisDrawing()
    return (list, labels)
  }

  /// Returns the drawing of a basemap's own layer, and adds its labels.
  ///
  /// - Parameter dots: the dots of the basemap that are left over by the map's layers.
  func basemapDrawing(
    of layer: LayerState, _ place: Int, _ labels: inout LabelInput, dots: YieldingDots? = nil
  ) async throws(MapStateError) -> DisplayLayer {
    let layer = try await fetched(layer)
    var drawing = try await drawing(of: layer, index: place)
    if let dots, layer.id == BasemapNames.layerID { drawing.layer = dots.kept(drawing.layer) }
    try await addLabels(of: layer, index: place, drawing: drawing, to: &labels)
    return drawing.layer
  }
}

extension ViewState {
  /// The smallest distance between a dot of the basemap and a marker of a layer, in view pixels.
  ///
  /// - Source: design decision.
  private static let dotGap = 2.0

  /// Returns the dots of the basemap's places; nil without them.
  func basemapDots() async throws(MapStateError) -> YieldingDots? {
    guard let own = ownBasemapLayers.first(where: { $0.layer.id == BasemapNames.layerID }) else { return nil }
    let drawing = try await drawing(of: own.layer, index: own.place).layer
    let canvas = Envelope(xMin: 0, yMin: 0, xMax: Double(pictureWidth), yMax: Double(pictureHeight))
    return YieldingDots(drawing, canvas: canvas, gap: Self.dotGap * pixelRatio)
  }
}

extension DisplayList {
  /// Adds drawings of a basemap; those that own pixels of id images are the lowest layers of the map.
  fileprivate mutating func addBase(_ drawings: [DisplayLayer]) {
    for drawing in drawings {
      if drawing.index < 0 { basemap.append(drawing) } else { layers.append(drawing) }
    }
  }
}
