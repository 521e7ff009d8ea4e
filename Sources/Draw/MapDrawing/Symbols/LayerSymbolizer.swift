import MapExpressions
package import MapFeatures
package import MapGeometry
package import MapModel
import MapSystem

/// A symboliser that converts the rows of a layer to a display list: it classifies, projects, clips and places them.
package struct LayerSymbolizer: Sendable {
  let view: ViewState
  let layer: LayerState
  let transform: ViewTransform
  /// The test of items that surely change a pixel.
  let ink: CertainInk
  private let styles: SymbolStyles
  private let kind: GeometryKind?
  /// The grid steps per pixel to which vertices of areas are rounded, after dashes are cut.
  ///
  /// - Source: design decision; a vertical or horizontal edge moves by at most 1/32 pixel, which is 8 of 255.
  ///   Measured over 4,556 states and provinces: no pixel inside them differs by more than 14 of 255; with half as
  ///   many steps, 29.
  package static let gridSteps = 16.0

  /// Creates a symboliser for one layer of a view; without a `measurer`, text symbols are not drawn.
  package init(view: ViewState, layer: LayerState, measurer: TextMeasurer? = nil) {
    var layer = layer
    layer.renderer = layer.renderer.resolved(atScale: view.viewpoint.scale)
    (self.view, self.layer) = (view, layer)
    let schema = layer.source.schema
    kind = schema.geometryKind
    transform = ViewTransform(view, from: schema.spatialReference?.shown(on: view.spatialReference))
    ink = CertainInk(canvas: transform.canvas, opacity: layer.visibleOpacity(atScale: view.viewpoint.scale))
    styles = SymbolStyles(
      layer.renderer, kind: schema.geometryKind ?? .point,
      pixelRatio: view.pixelRatio * view.symbolFactor(of: layer),
      rotation: view.viewpoint.rotation, measurer: measurer)
  }

  /// Returns the envelopes to fetch: those of the view or a window, grown by the largest reach of a symbol.
  ///
  /// Reach is the distance by which a symbol extends beyond its geometry.
  package func fetchEnvelopes(in window: Envelope? = nil) -> [Envelope] {
    // One more pixel covers the rounding between map and image.
    let reach = styles.reach(with: layer.renderer.visualVariables, scale: view.viewpoint.scale)
    return (window ?? view.extent).grown(by: units(reach + 1)).splitAtAntimeridian()
  }

  /// The largest distance that a symbol of the layer extends beyond its geometry, in view pixels.
  ///
  /// The tips of sharp corners may extend farther.
  package var reach: Double {
    styles.reach(with: layer.renderer.visualVariables, scale: view.viewpoint.scale) { $0.width / 2 }
      / view.pixelRatio
  }

  /// Symbolises rows of the table.
  ///
  /// - Parameters:
  ///   - candidates: the rows that pass all filters and lie in ``fetchEnvelopes(in:)``.
  ///   - visible: the candidates that meet the view.
  /// - Throws: ``RendererFieldError``.
  package func drawing(
    index: Int, table: FeatureColumns, candidates: RowSet, visible: RowSet
  ) throws(RendererFieldError) -> LayerDrawing {
    let classifier = try RowClassifier(layer.renderer, table: table, rows: candidates, view: view)
    func fails(_ error: ArcadeError?) -> [String] {
      error.map { ["an expression of the renderer fails for some features: \($0)"] } ?? []
    }
    var failures = fails(classifier.failure)
    var painted = PaintedRows(rowCount: table.rowCount)
    var invisibility: [Invisibility: Int] = [:]
    var batches: [DisplayBatch] = []
    var missing: Set<Unicode.Scalar> = []
    if let geometry = table.geometry {
      // The candidates are not held while their symbols are placed.
      let rows = try RowStyles(
        candidates: paintingOrder(of: candidates, classifier.classes, table), classes: classifier.classes,
        renderer: layer.renderer, looks: styles, table: table, view: view)
      missing = rows.looks.missing
      failures += fails(rows.failure)
      switch geometry.kind {
      case .point, .multipoint:
        if case .heatmap(let renderer) = layer.renderer {
          let heat = heatmap(renderer, rows.rows, of: table, geometry, visible: visible, painted: &painted)
          batches = heat.batches
          failures += heat.failures
          break
        }
        batches = [.markers(markers(rows, visible: visible, of: geometry, painted: &painted))]
        if !rows.looks.shapes.isEmpty || rows.charts != nil {
          let shapes = ShapePlacing(transform: transform, worlds: worlds(reach: rows.reach), ink: ink)
          batches.append(.shapes(shapes.place(rows, of: geometry, rows: &painted)))
        }
      case .polyline, .polygon:
        if case .heatmap = layer.renderer {
          failures.append("nothing is drawn: a heat map needs points, not \(geometry.kind.rawValue) features")
          break
        }
        let shapes = paths(rows, visible: visible, of: geometry, painted: &painted)
        batches = [.paths(shapes.paths)]
        if !shapes.markers.row.isEmpty { batches.append(.markers(shapes.markers)) }
        if let charts = shapes.charts { batches.append(.shapes(charts)) }
        if shapes.left > 0 {
          failures.append(
            "\(shapes.left) \(shapes.left == 1 ? "feature is" : "features are") not drawn: the markers of the others have more than \(PathBatch.largestShapes) vertices"
          )
        }
        if case .dotDensity(let renderer) = layer.renderer, geometry.kind == .polygon {
          let dots = dots(renderer, rows.rows, of: table, geometry)
          batches += dots.batches
          failures += dots.failures
          add(dots.batches, to: &painted)
        }
      }
      if ink.isClear { painted.clear() }
      invisibility = reasons(of: painted.invisible, rows, visible: visible)
    }
    var display = DisplayLayer(
      index: index, name: layer.name, opacity: ink.isClear ? 0 : layer.opacity, batches: batches)
    display.blendMode = layer.definition.blendMode
    return LayerDrawing(
      layer: display, rows: painted, invisibility: invisibility,
      missingGlyphs: missing.sorted { $0.value < $1.value }, failures: failures)
  }

  /// Returns the numbers of invisible rows by the reason, with the rows in the view that have no size.
  private func reasons(
    of invisible: RowSet, _ styled: RowStyles, visible: RowSet
  ) -> [Invisibility: Int] {
    var reasons: [Invisibility: Int] = [:]
    let sizeless = styled.sizeless.count { visible.contains($0) }
    if sizeless > 0 { reasons[.size] = sizeless }
    guard !invisible.isEmpty else { return reasons }
    for (row, style) in zip(styled.rows, styled.styles) where invisible.contains(row) {
      let own = styled.charts == nil ? styled.looks.invisibility[Int(style)] : nil
      reasons[ink.isClear ? .opacity : own ?? .other, default: 0] += 1
    }
    return reasons
  }

  /// Returns the reason why a row with a class may change no pixel of the image; nil if only its shape decides.
  ///
  /// - Throws: ``RendererFieldError``.
  package func invisibility(
    ofRow row: Int, _ table: FeatureColumns
  ) throws(RendererFieldError) -> Invisibility? {
    guard !ink.isClear else { return .opacity }
    let rows = RowSet(rowCount: table.rowCount, rows: [row])
    let classes = try RowClassifier(layer.renderer, table: table, rows: rows, view: view).classes
    let styled = try RowStyles(
      candidates: [row], classes: classes, renderer: layer.renderer, looks: styles, table: table, view: view)
    guard let style = styled.styles.first else { return styled.sizeless.isEmpty ? nil : .size }
    return styled.charts == nil ? styled.looks.invisibility[Int(style)] : nil
  }

  /// Adds dots to the rows of their areas.
  private func add(_ dots: [DisplayBatch], to painted: inout PaintedRows) {
    for case .markers(let batch) in dots {
      let isCertain = batch.styles.map(ink.isCertain)
      let inside = batch.styles.map { $0.places(on: transform.canvas)?.inside ?? .empty }
      for item in batch.row.indices {
        let style = Int(batch.style[item])
        let isSure = isCertain[style] && inside[style].contains(x: batch.x[item], y: batch.y[item])
        guard batch.styles[style].paints(transform.canvas, x: batch.x[item], y: batch.y[item]) else {
          continue
        }
        painted.addItem(ofRow: Int(batch.row[item]), isSure ? .certain : .doubtful)
      }
    }
  }

  private func paintingOrder(
    of rows: RowSet, _ classes: [Int32], _ table: FeatureColumns
  ) throws(RendererFieldError) -> [Int] {
    let sorted = try RowOrder(layer.drawingOrder, table: table).sorted(rows)
    guard layer.drawingOrder.isEmpty, layer.renderer.drawsInClassOrder else { return sorted }
    return RowOrder.sorted(sorted, byClass: classes)
  }

  /// Returns the rows that have a geometry and get a symbol with ink, whether or not they are in the view.
  ///
  /// - Throws: ``RendererFieldError``.
  package func symbolised(_ rows: RowSet, of table: FeatureColumns) throws(RendererFieldError) -> RowSet {
    guard let geometry = table.geometry, !ink.isClear else { return RowSet(rowCount: table.rowCount) }
    let classes = try RowClassifier(layer.renderer, table: table, rows: rows, view: view).classes
    let styled = try RowStyles(
      candidates: rows.filter { !geometry.isEmpty(row: $0) }, classes: classes, renderer: layer.renderer,
      looks: styles, table: table, view: view)
    let hasInk = styled.looks.invisibility.map { styled.charts != nil || $0 == nil || $0 == .offset }
    let inked = zip(styled.rows, styled.styles).lazy.filter { hasInk[Int($0.1)] }.map(\.0)
    return RowSet(rowCount: table.rowCount, rows: inked)
  }

  private func markers(
    _ styled: RowStyles, visible: RowSet, of geometry: CoordinateBuffer, painted: inout PaintedRows
  ) -> MarkerBatch {
    let placing = MarkerPlacing(
      transform: transform, worlds: worlds(reach: styled.reach),
      visible: visible, ink: ink)
    let pieces = (0..<styled.rows.count).pieces(of: 1 << 13)
    // Each piece is added and released while others are placed, so that the markers are not held twice.
    let whole = concurrentPipeline(
      pieces[...], next: { $0.popFirst() }, work: { placing.place(styled, $0, of: geometry) },
      into: PlacedMarkers(
        batch: MarkerBatch(styles: styled.looks.markers), expected: styled.rows.count, rows: painted),
      take: { $0.add($1) })
    painted = whole.rows
    return whole.batch
  }

  /// The markers of the rows so far.
  private struct PlacedMarkers: Sendable {
    var batch: MarkerBatch
    /// The number of markers if each row has one.
    let expected: Int
    var rows: PaintedRows

    mutating func add(_ part: MarkerPlacing.Part) {
      let count = batch.row.count + part.batch.row.count
      // World copies at the sides of an image add a few more, for which arrays would double their memory.
      let room = max(expected, count)
      if count > batch.row.capacity { batch.reserve(room + room / 16) }
      batch.append(part.batch)
      for row in part.drawn { rows.drawn.insert(Int(row)) }
      for row in part.edge { rows.edge.insert(Int(row)) }
      for row in part.doubtful { rows.doubtful.insert(Int(row)) }
      for row in part.invisible { rows.invisible.insert(Int(row)) }
    }
  }

  private func paths(
    _ styled: RowStyles, visible: RowSet, of geometry: CoordinateBuffer, painted: inout PaintedRows
  ) -> (paths: PathBatch, markers: MarkerBatch, charts: ShapeBatch?, left: Int) {
    let pieces = geometry.pieces(of: styled.rows)
    let parts = concurrentMap(pieces.count) { paths(styled, pieces[$0], visible: visible, of: geometry) }
    // A single part is often large, so it is not copied.
    var batch = parts.count == 1 ? parts[0].batch : PathBatch(styles: styled.looks.paths, kind: geometry.kind)
    if parts.count > 1 { batch.reserve(parts.map(\.batch)) }
    var markers = MarkerBatch(styles: styled.looks.markers)
    var charts = styled.charts.map { ShapeBatch(symbols: .charts($0)) }
    for part in parts {
      if parts.count > 1 { batch.append(part.batch) }
      markers.append(part.markers)
      if let own = part.charts { charts?.append(own) }
      for item in part.rows { painted.add(item.row, isInView: item.isInView, item.ink) }
    }
    return (batch, markers, charts, parts.reduce(0) { $0 + $1.left })
  }

  /// Returns the paths of some of the rows.
  private func paths(
    _ styled: RowStyles, _ piece: Range<Int>, visible: RowSet, of geometry: CoordinateBuffer
  ) -> (
    batch: PathBatch, markers: MarkerBatch, charts: ShapeBatch?,
    rows: [(row: Int, isInView: Bool, ink: ItemInk)], left: Int
  ) {
    let styles = styled.looks
    var left = 0
    var charts = styled.charts.map { ShapeBatch(symbols: .charts($0)) }
    var batch = PathBatch(styles: styles.paths, kind: geometry.kind)
    var markers = MarkerBatch(styles: [])
    let hasGradient = styles.paths.contains { $0.hatch?.isGradient ?? false }
    let markerWindow = transform.canvas.grown(by: styled.reach + 1)
    var rows: [(row: Int, isInView: Bool, ink: ItemInk)] = []
    // Wide enough that the cuts of clipping, and the joins at them, stay outside the image.
    let window = transform.canvas.grown(by: styled.reach + 8)
    let worlds = worlds(reach: styled.reach)
    var pixels = CoordinateBuffer(kind: geometry.kind)
    var clipped = CoordinateBuffer(kind: geometry.kind)
    var thinned = CoordinateBuffer(kind: geometry.kind)
    // One buffer for each part of a symbol.
    var dashes: [CoordinateBuffer] = []
    for item in piece {
      let row = styled.rows[item]
      var looks = styles.looks[Int(styled.styles[item])]
      if looks.contains(where: { styles.places[$0] != nil }), charts == nil,
        batch.geometry.vertexCount > PathBatch.largestShapes
      {
        left += 1
        rows.append((row, visible.contains(row), .none))
        continue
      }
      // The shapes of a chart's class are those of legends; only the fill below them is drawn.
      let chartPlaces = charts == nil ? nil : looks.lazy.compactMap { styles.places[$0] }.first
      if charts != nil {
        looks = looks.lowerBound..<(looks.first { styles.places[$0] != nil } ?? looks.upperBound)
      }
      let placedMarkers = styles.placedMarkers[Int(styled.styles[item])]
      let isDrawn = visible.contains(row)
      let (firstPath, firstMarker) = (batch.row.count, markers.row.count)
      let firstChart = charts?.row.count ?? 0
      for world in worlds {
        let extent = transform.project(row, of: geometry, world: world, into: &pixels)
        guard extent.meets(window) else { continue }
        // Effects, dashes, markers and arrows start at the line's own ends, wherever the line is clipped.
        var changed: [Int: CoordinateBuffer] = [:]
        for (place, style) in looks.enumerated() {
          if let effects = styles.effects[style] { changed[place] = effects.applied(to: pixels) }
          guard let dashed = styles.dashed[style] else { continue }
          while dashes.count <= place { dashes.append(CoordinateBuffer(kind: geometry.kind)) }
          cut(
            changed[place] ?? pixels, into: &dashes[place],
            DashedPath(pattern: dashed.pattern, window: window))
        }
        var spots: [Int: [MarkerPlaces.Spot]] = [:]
        for style in looks {
          if let places = styles.places[style] { spots[style] = places.spots(of: pixels, in: markerWindow) }
        }
        for marker in placedMarkers {
          for spot in marker.places.spots(of: pixels, in: markerWindow) {
            let style = marker.style(at: spot)
            guard styles.markers[style].paints(transform.canvas, x: spot.x, y: spot.y) else { continue }
            let place = styles.markers[style].sharpest(x: spot.x, y: spot.y)
            markers.append(x: place.x, y: place.y, style: style, row: row)
          }
        }
        for spot in chartPlaces?.spots(of: pixels, in: markerWindow) ?? [] {
          guard styled.charts?.paints(transform.canvas, chart: item, x: spot.x, y: spot.y) ?? false else {
            continue
          }
          charts?.append(x: spot.x, y: spot.y, symbol: item, row: row)
        }
        let pathExtent =
          hasGradient
          ? PathExtent(
            box: extent,
            depth: looks.contains { styles.paths[$0].hatch?.followsEdge ?? false }
              ? PoleOfInaccessibility.depth(ofRow: 0, of: pixels) : 0) : nil
        let heads =
          styles.arrows.isEmpty
          ? [] : looks.map { styles.arrows[$0]?.heads(of: pixels, on: transform.canvas) ?? [] }
        // The edge of a whole area decides its gradient, so it is not clipped if it can be painted.
        let keepsEdge =
          (pathExtent?.depth ?? 0) > 0 && transform.canvas.grown(by: Self.largestMargin).contains(extent)
        if !window.contains(extent), !keepsEdge {
          clipped.removeAll()
          clipped.appendRow(0, of: pixels, clippedTo: window)
          swap(&pixels, &clipped)
        }
        for (place, path) in changed where !window.contains(path.envelope(ofRow: 0)) {
          var inside = CoordinateBuffer(kind: geometry.kind)
          inside.appendRow(0, of: path, clippedTo: window)
          changed[place] = inside
        }
        // Areas share borders and have many vertices too close to distinguish; lines are better left unchanged.
        if geometry.kind == .polygon {
          thinned.removeAll()
          thinned.appendRow(0, of: pixels, thinnedTo: Self.gridSteps)
          swap(&pixels, &thinned)
        }
        for (place, style) in looks.enumerated() {
          if let spots = spots[style], let shape = styles.shapes[style] {
            for spot in spots {
              batch.append(shape, at: spot, style: style, row: row, pathExtent, on: transform.canvas)
            }
            continue
          }
          let dashed = styles.dashed[style]
          let path = changed[place] ?? pixels
          let stroked = dashed == nil ? path : dashes[place]
          let stroke = styles.paths[dashed?.style ?? style].stroke
          let heads = heads.isEmpty ? [] : heads[place]
          guard
            isDrawn || !heads.isEmpty
              || strokePaints(stroked, stroke, closed: dashed == nil && stroked.kind == .polygon)
          else { continue }
          if styles.paths[style].paints { batch.append(path, style: style, row: row, pathExtent) }
          if let dashed { batch.append(dashes[place], style: dashed.style, row: row, pathExtent) }
          if let arrows = styles.arrows[style] {
            for head in heads { batch.append(head, style: arrows.style, row: row, pathExtent) }
          }
        }
      }
      var shown = ItemInk.none
      for item in firstPath..<batch.row.count where shown != .certain {
        shown = max(shown, ink.ink(ofItem: item, in: batch))
      }
      for item in firstMarker..<markers.row.count where shown != .certain {
        let style = styles.markers[Int(markers.style[item])]
        let isSure =
          ink.isCertain(style)
          && style.places(on: transform.canvas)?.inside.contains(x: markers.x[item], y: markers.y[item])
            ?? false
        shown = isSure ? .certain : .doubtful
      }
      if let charts, let own = styled.charts, shown != .certain, firstChart < charts.row.count {
        let isSure = (firstChart..<charts.row.count).contains { item in
          own.isCertain(Int(charts.symbol[item]), opacity: ink.opacity)
            && transform.canvas.contains(charts.box(ofItem: item))
        }
        shown = isSure ? .certain : .doubtful
      }
      rows.append((row, isDrawn, shown))
    }
    return (batch, markers, charts, rows, left)
  }

  /// The distance from the image within which an area is painted whole, in pixels.
  private static let largestMargin = 16_384.0

  private func cut(_ pixels: CoordinateBuffer, into dashes: inout CoordinateBuffer, _ cutter: DashedPath) {
    dashes.removeAll()
    for part in pixels.parts(ofRow: 0) {
      let range = pixels.vertices(ofPart: part)
      cutter.append(x: pixels.x[range], y: pixels.y[range], to: &dashes)
    }
    dashes.endRow()
  }

  func worlds(reach: Double) -> ClosedRange<Int> {
    ViewTransform.worlds(shownIn: view.extent.grown(by: units(reach + 1)), of: layer.source.worldsReached)
  }

  private func units(_ pixels: Double) -> Double { pixels / view.pixelRatio * view.viewpoint.resolution }

  private func strokePaints(_ path: CoordinateBuffer, _ stroke: Stroke?, closed: Bool) -> Bool {
    guard let stroke else { return false }
    let reach = StrokeReach(canvas: transform.canvas, stroke: stroke)
    return path.parts(ofRow: 0).contains { part in
      let range = path.vertices(ofPart: part)
      return reach.paints(x: path.x[range], y: path.y[range], closed: closed)
    }
  }
}
