public import MapDrawing
public import MapFeatures
import MapFilter
import MapGeometry
public import MapModel
import MapSystem

/// A failure to count or draw a layer of a view.
public struct LayerError: Error, CustomStringConvertible {
  /// The layer's title, or its id without a title.
  public let layer: String
  /// The fault.
  public let cause: any Error

  package init(layer: String, cause: any Error) { (self.layer, self.cause) = (layer, cause) }

  /// The error in one line.
  public var description: String {
    layer.isEmpty ? "layer without title: \(cause)" : "layer \"\(layer)\": \(cause)"
  }
}

extension ViewState {
  /// Returns the rows of a layer for a purpose, selected by the layer's query conditions.
  ///
  /// - Throws: ``LayerError``.
  public func rows(of layer: LayerState, for purpose: QueryPurpose) async throws(LayerError) -> RowSet {
    try await naming(layer) { try await layer.source.rows(conditions(for: layer).query(for: purpose)) }
  }

  /// Returns the number of rows of a layer that a question selects.
  ///
  /// - Throws: ``LayerError``.
  public func count(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(area: .everywhere)
  ) async throws(LayerError) -> Int {
    try await naming(layer) {
      try await layer.source.count(conditions(for: layer, asking: question).query(for: .query))
    }
  }

  /// Returns a layer's drawing in pixels: its items, the drawn rows, and the rows at the edge.
  ///
  /// Rows at the edge are outside the view, and their symbols reach into it.
  ///
  /// Selected features are drawn a second time on top.
  ///
  /// - Parameter window: the ground for which features must be fetched; nil for the whole view.
  /// - Throws: ``LayerError``.
  public func drawing(
    of layer: LayerState, index: Int, window: Envelope? = nil
  ) async throws(LayerError) -> LayerDrawing {
    try await naming(layer) {
      let symbolizer = symbolizer(of: layer)
      var fetched = conditions(for: layer)
      let visible = try await layer.source.rows(fetched.query(for: .drawing))
      fetched.viewEnvelopes = symbolizer.fetchEnvelopes(in: window)
      let candidates = try await layer.source.rows(fetched.query(for: .drawing))
      let table = try await layer.source.shownColumns(on: spatialReference)
      let drawing = try symbolizer.drawing(
        index: index, table: table, candidates: candidates, visible: visible)
      var selected = ObjectIDs(table).rows(with: layer.selectedIDs, rowCount: table.rowCount)
      selected.formIntersection(drawing.painted)
      guard !selected.isEmpty else { return drawing }
      var marked = layer
      marked.renderer = layer.renderer.selected(in: selectionColor)
      let above = try self.symbolizer(of: marked).drawing(
        index: index, table: table, candidates: selected, visible: visible)
      return LayerDrawing(
        layer: DisplayLayer(
          index: index, name: layer.name, opacity: layer.opacity,
          batches: drawing.layer.batches + above.layer.batches),
        drawn: drawing.drawn, edge: drawing.edge, missingGlyphs: drawing.missingGlyphs)
    }
  }

  /// Returns the symbolizer of a layer of the view, with the bundled fonts for text.
  package func symbolizer(of layer: LayerState) -> LayerSymbolizer {
    LayerSymbolizer(view: self, layer: layer, measurer: TextEngine.measurer)
  }

  /// Returns the whole image as a display list.
  ///
  /// For large layers, paint layer by layer instead.
  ///
  /// - Throws: ``LayerError``.
  public func displayList() async throws(LayerError) -> DisplayList {
    let below = try await listBelowLabels()
    var list = below.list
    list.labels = labels(below.labels)?.layers ?? []
    return list
  }

  /// Returns the display list without labels, and the possible labels.
  func listBelowLabels() async throws(LayerError) -> (list: DisplayList, labels: LabelInput) {
    var list = DisplayList(width: pictureWidth, height: pictureHeight, background: canvasColor)
    var labels = newLabels()
    for (index, layer) in (basemap?.layers ?? []).enumerated() {
      let drawing = try await drawing(of: layer, index: index).layer
      list.basemap.append(drawing)
      labels.obstacles?.add(drawing, priority: nil)
    }
    for (place, layer) in ownBasemapLayers where place < 0 {
      list.basemap.append(try await basemapDrawing(of: layer, place, &labels))
    }
    for (index, layer) in layers.enumerated() where !(layer.source is UnreadSource) {
      let layer = try await fetched(layer)
      let drawing = try await drawing(of: layer, index: index)
      list.layers.append(drawing.layer)
      try await addLabels(of: layer, index: index, drawing: drawing, to: &labels)
    }
    for (place, layer) in ownBasemapLayers where place >= 0 {
      list.overlays.append(try await basemapDrawing(of: layer, place, &labels))
    }
    for (index, overlay) in overlays.enumerated() {
      let drawing = try await drawing(of: overlay, index: index).layer
      list.overlays.append(drawing)
      labels.obstacles?.add(drawing, priority: nil)
    }
    return (list, labels)
  }

  /// The basemap's own layers from bottom to top, each with the index that its labels use.
  ///
  /// Layers below the map's layers have negative indexes. The indexes of those above continue after the map's
  /// layers.
  var ownBasemapLayers: [(place: Int, layer: LayerState)] {
    guard let basemap else { return [] }
    return basemap.baseLayers.enumerated().map { ($0 - basemap.baseLayers.count, $1) }
      + basemap.referenceLayers.enumerated().map { ($0 + layers.count, $1) }
  }

  /// Returns the drawing of a basemap's own layer, and adds its labels.
  func basemapDrawing(
    of layer: LayerState, _ place: Int, _ labels: inout LabelInput
  ) async throws(LayerError) -> DisplayLayer {
    let layer = try await fetched(layer)
    let drawing = try await drawing(of: layer, index: place)
    try await addLabels(of: layer, index: place, drawing: drawing, to: &labels)
    return drawing.layer
  }

  /// The width of the image in output pixels.
  public var pictureWidth: Int { Int(clamping: (width * pixelRatio).rounded()) }
  /// The height of the image in output pixels.
  public var pictureHeight: Int { Int(clamping: (height * pixelRatio).rounded()) }

  func naming<Result>(
    _ layer: LayerState, _ body: () async throws -> Result
  ) async throws(LayerError) -> Result {
    do { return try await body() } catch { throw LayerError(layer: layer.name, cause: error) }
  }
}
