import MapDrawing
import MapFeatures
import MapGeometry
package import MapModel

/// Clusters and bins of points.
extension ViewState {
  /// Returns the clusters of a layer that apply at the scale; nil if features are drawn one by one.
  func aggregation(of layer: LayerState) -> FeatureAggregation? {
    guard let aggregation = layer.aggregation, layer.source.schema.geometryKind == .point,
      aggregation.maxScale == 0 || viewpoint.scale >= aggregation.maxScale
    else { return nil }
    return aggregation.inheriting(layer.renderer)
  }

  /// Returns the renderer of a layer's clusters or bins at the scale; nil if features are drawn one by one.
  package func aggregationRenderer(of layer: LayerState) -> RendererForm? {
    aggregation(of: layer)?.renderer(over: layer.renderer)
  }

  /// Returns the envelopes to fetch for a layer: as far as its symbols and effects reach, and whole cells of clusters.
  func fetchEnvelopes(of layer: LayerState, in window: Envelope?) -> [Envelope] {
    let margin = effectMargin(of: layer) + groupMargin(of: layer)
    if window == nil, margin > 0 {
      return grown(by: margin).fetchEnvelopes(of: layer, in: grown(by: margin).extent)
    }
    guard let aggregation = aggregation(of: layer) else {
      return symbolizer(of: layer).fetchEnvelopes(in: window)
    }
    return grid(of: layer, aggregation, in: window).envelopes
  }

  /// Returns the cells whose clusters the view may show.
  private func grid(
    of layer: LayerState, _ aggregation: FeatureAggregation, in window: Envelope? = nil
  ) -> ClusterGrid {
    let clusters = clusterState(of: layer, aggregation, source: layer.source)
    let reach = max(symbolizer(of: layer).reach, symbolizer(of: clusters).reach) + 1
    let area = (window ?? extent).grown(by: reach * viewpoint.resolution)
    guard let bins = aggregation.bins else {
      return ClusterGrid(side: 2 * aggregation.radius * viewpoint.resolution, meeting: area)
    }
    let world = worldWidth
    let level = bins.level(worldPixels: world / viewpoint.resolution)
    guard bins.shape == .geohash else {
      return ClusterGrid(
        bins.shape, side: world * bins.width(ofLevel: level), meeting: area, isOfBins: true)
    }
    let degrees =
      area.projected(to: .wgs84) ?? (try? SpatialOperations.installed.box(around: area, in: .wgs84))
    let whole = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    return ClusterGrid(geohashLevel: level, meeting: degrees ?? whole)
  }

  /// The width of the world in units of the map, at the equator.
  private var worldWidth: Double {
    let metres = 2 * WebMercator.halfWorld
    return Envelope.worldWidth(of: spatialReference)
      ?? metres * ResolvedViewpoint.scalePerResolution * viewpoint.resolution / viewpoint.scale
  }

  /// Returns the layer of clusters over a layer.
  private func clusterState(
    of layer: LayerState, _ aggregation: FeatureAggregation, source: any FeatureSource
  ) -> LayerState {
    var definition = LayerDefinition(id: layer.id, title: layer.title)
    (definition.opacity, definition.blendMode) = (layer.opacity, layer.definition.blendMode)
    (definition.effect, definition.groups) = (layer.definition.effect, layer.groups)
    definition.scalesSymbols = layer.scalesSymbols
    definition.labelDefinitions = aggregation.labelDefinitions
    definition.labelsAreEnabled = !aggregation.labelDefinitions.isEmpty
    return LayerState(definition, source: source, renderer: aggregation.renderer(over: layer.renderer))
  }

  /// Returns a layer's drawing with clusters over the features that are alone in their cells.
  ///
  /// The numbers of a cluster are those of all features in its cell, also outside the view.
  ///
  /// - Parameter counted: the view whose features decide about bins and their colours; an effect draws a larger one.
  func clusteredDrawing(
    of layer: LayerState, _ aggregation: FeatureAggregation, index: Int, window: Envelope?, counted: ViewState
  ) async throws -> LayerDrawing {
    // The colours of a ramp depend on all bins of the view.
    let window = aggregation.ramp == nil ? window : nil
    let features = try await layer.source.whole()
    var asked = conditions(for: layer)
    let visible = try features.rows(asked.query(for: .drawing))
    let grid = grid(of: layer, aggregation, in: window)
    asked.viewArea = QueryArea(grid.envelopes)
    let rows = try features.rows(asked.query(for: .drawing))
    let table = try features.shownColumns(on: spatialReference)
    let areBinned =
      try aggregation.bins == nil || aggregation.threshold == 0
      || features.rows(counted.conditions(for: layer).query(for: .drawing)).count > aggregation.threshold
    let clusters = try ClusterTable(
      rows, of: table, grid, aggregation, renderer: aggregation.renderer(over: layer.renderer), view: self,
      areBinned: areBinned)
    var state = clusterState(of: layer, aggregation, source: InMemorySource(clusters.table))
    let cells = try await state.source.whole()
    let shown = try cells.rows(conditions(for: state).query(for: .drawing))
    if let ramp = aggregation.ramp, let index = clusters.table.schema.index(ofField: ramp.fieldName) {
      let ranged = try cells.rows(counted.conditions(for: state).query(for: .drawing))
      let numbers = ranged.intersection(clusters.clusters).compactMap {
        clusters.table.columns[index].number(at: $0)
      }
      state.renderer = ramp.ranging(over: numbers).renderer
    }
    let above = try settled(
      symbolizer(of: state).drawing(
        index: index, table: try cells.shownColumns(on: spatialReference), candidates: clusters.clusters,
        visible: shown), of: state)
    let own = try symbolizer(of: layer).drawing(
      index: index, table: table, candidates: clusters.singles,
      visible: visible.intersection(clusters.singles))
    return own.adding(
      clusters: above,
      LayerDrawing.Clusters(
        layer: state, drawn: above.drawn, invisible: above.invisible, members: clusters.members,
        features: clusters.features))
  }
}
