import MapExpressions
package import MapFeatures
package import MapGeometry
package import MapModel
import MapSystem

/// A symboliser that converts the rows of a layer to a display list: it classifies, projects, clips and places them.
///
/// A class for the reason of ``PathPlacing``.
package final class LayerSymbolizer: Sendable {
  let view: ViewState
  let layer: LayerState
  let transform: ViewTransform
  /// The test of items that surely change a pixel.
  let ink: CertainInk
  /// The styles of the classes, or of the rules, by which symbols reach beyond their geometry.
  private let styles: SymbolStyles
  private let kind: GeometryKind?
  private let measurer: TextMeasurer?

  /// Creates a symboliser for one layer of a view; without a `measurer`, text symbols are not drawn.
  package init(view: ViewState, layer: LayerState, measurer: TextMeasurer? = nil) {
    var layer = layer
    let schema = layer.source.schema
    kind = schema.geometryKind
    layer.renderer = layer.renderer.resolved(atScale: view.viewpoint.scale).suited(to: kind ?? .point)
    (self.view, self.layer, self.measurer) = (view, layer, measurer)
    transform = ViewTransform(view, from: schema.spatialReference?.shown(on: view.spatialReference))
    ink = CertainInk(canvas: transform.canvas, opacity: layer.visibleOpacity(atScale: view.viewpoint.scale))
    styles = SymbolStyles(
      layer.renderer, kind: schema.geometryKind ?? .point,
      pixelRatio: view.pixelRatio * view.symbolFactor(of: layer),
      rotation: view.viewpoint.rotation, measurer: measurer)
  }

  /// Returns the styles of a pass.
  private func looks(_ pass: SymbolPass) -> SymbolStyles {
    guard !pass.partRules.isEmpty else { return styles }
    return SymbolStyles(
      pass.renderer, kind: kind ?? .point, pixelRatio: styles.pixelRatio, rotation: view.viewpoint.rotation,
      measurer: measurer, partRules: pass.partRules)
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
    var unseen = UnseenRows(rowCount: table.rowCount)
    var batches: [DisplayBatch] = []
    var missing: Set<Unicode.Scalar> = []
    for pass in SymbolPass.all(of: layer.renderer, classifier) {
      guard let geometry = table.geometry else { break }
      // The candidates are not held while their symbols are placed.
      let rows = try RowStyles(
        candidates: paintingOrder(of: candidates, pass, table), classes: pass.classes,
        renderer: pass.renderer, looks: looks(pass), table: table, view: view)
      missing.formUnion(rows.looks.missing)
      failures += fails(rows.failure)
      var own = PaintedRows(rowCount: table.rowCount)
      batches += self.batches(
        rows, of: table, geometry, visible: visible, painted: &own, failures: &failures)
      if ink.isClear { own.clear() }
      add(own.invisible, rows, visible: visible, to: &unseen)
      painted.add(own)
    }
    var display = DisplayLayer(
      index: index, name: layer.name, opacity: ink.isClear ? 0 : layer.opacity, batches: batches)
    display.blendMode = layer.definition.blendMode
    return LayerDrawing(
      layer: display, rows: painted, invisibility: unseen.reasons(of: painted.invisible),
      missingGlyphs: missing.sorted { $0.value < $1.value }, failures: failures)
  }

  /// Returns the items of styled rows.
  private func batches(
    _ rows: RowStyles, of table: FeatureColumns, _ geometry: CoordinateBuffer, visible: RowSet,
    painted: inout PaintedRows, failures: inout [String]
  ) -> [DisplayBatch] {
    var batches: [DisplayBatch] = []
    switch geometry.kind {
    case .point, .multipoint:
      if case .heatmap(let renderer) = layer.renderer {
        let heat = heatmap(renderer, rows.rows, of: table, geometry, visible: visible, painted: &painted)
        failures += heat.failures
        return heat.batches
      }
      batches = [.markers(markers(rows, visible: visible, of: geometry, painted: &painted))]
      if !rows.looks.shapes.isEmpty || rows.charts != nil {
        let shapes = ShapePlacing(transform: transform, worlds: worlds(reach: rows.reach), ink: ink)
        batches.append(.shapes(shapes.place(rows, of: geometry, rows: &painted)))
      }
    case .polyline, .polygon:
      if case .heatmap = layer.renderer {
        failures.append("nothing is drawn: a heat map needs points, not \(geometry.kind.rawValue) features")
        return []
      }
      let shapes = PathPlacing(
        rows, of: geometry, visible: visible, transform: transform, worlds: worlds(reach: rows.reach),
        ink: ink
      ).place()
      for item in shapes.rows { painted.add(item.row, isInView: item.isInView, item.ink) }
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
    return batches
  }

  /// Adds the invisible rows of a pass with their reasons, and the rows in the view that have no size.
  private func add(
    _ invisible: RowSet, _ styled: RowStyles, visible: RowSet, to unseen: inout UnseenRows
  ) {
    for row in styled.sizeless where visible.contains(row) { unseen.add(row, .size, hasSymbol: false) }
    guard !invisible.isEmpty else { return }
    for (row, style) in zip(styled.rows, styled.styles) where invisible.contains(row) {
      let own = styled.charts == nil ? styled.looks.invisibility[Int(style)] : nil
      unseen.add(row, ink.isClear ? .opacity : own ?? .other)
    }
  }

  /// Returns the reason why a row with a class may change no pixel of the image; nil if only its shape decides.
  ///
  /// - Throws: ``RendererFieldError``.
  package func invisibility(
    ofRow row: Int, _ table: FeatureColumns
  ) throws(RendererFieldError) -> Invisibility? {
    guard !ink.isClear else { return .opacity }
    let rows = RowSet(rowCount: table.rowCount, rows: [row])
    let classifier = try RowClassifier(layer.renderer, table: table, rows: rows, view: view)
    var found: Invisibility?
    for pass in SymbolPass.all(of: layer.renderer, classifier)
    where pass.classes[row] != RowClassifier.notDrawn {
      let styled = try RowStyles(
        candidates: [row], classes: pass.classes, renderer: pass.renderer, looks: looks(pass), table: table,
        view: view)
      guard let style = styled.styles.first else {
        if !styled.sizeless.isEmpty { found = found ?? .size }
        continue
      }
      guard styled.charts == nil, let reason = styled.looks.invisibility[Int(style)] else { return nil }
      found = found ?? reason
    }
    return found
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
    of rows: RowSet, _ pass: SymbolPass, _ table: FeatureColumns
  ) throws(RendererFieldError) -> [Int] {
    let order = pass.drawingOrder.isEmpty ? layer.drawingOrder : pass.drawingOrder
    let sorted = try RowOrder(order, table: table).sorted(rows)
    guard layer.drawingOrder.isEmpty, layer.renderer.drawsInClassOrder else { return sorted }
    return RowOrder.sorted(sorted, byClass: pass.classes)
  }

  /// Returns the rows that have a geometry and get a symbol with ink, whether or not they are in the view.
  ///
  /// - Throws: ``RendererFieldError``.
  package func symbolised(_ rows: RowSet, of table: FeatureColumns) throws(RendererFieldError) -> RowSet {
    guard let geometry = table.geometry, !ink.isClear else { return RowSet(rowCount: table.rowCount) }
    let classifier = try RowClassifier(layer.renderer, table: table, rows: rows, view: view)
    var inked = RowSet(rowCount: table.rowCount)
    for pass in SymbolPass.all(of: layer.renderer, classifier) {
      let styled = try RowStyles(
        candidates: rows.filter { !geometry.isEmpty(row: $0) }, classes: pass.classes,
        renderer: pass.renderer,
        looks: looks(pass), table: table, view: view)
      let hasInk = styled.looks.invisibility.map { styled.charts != nil || $0 == nil || $0 == .offset }
      for (row, style) in zip(styled.rows, styled.styles) where hasInk[Int(style)] { inked.insert(row) }
    }
    return inked
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

  func worlds(reach: Double) -> ClosedRange<Int> {
    ViewTransform.worlds(shownIn: view.extent.grown(by: units(reach + 1)), of: layer.source.worldsReached)
  }

  private func units(_ pixels: Double) -> Double { pixels / view.pixelRatio * view.viewpoint.resolution }
}
