import MapExpressions
public import MapFeatures
public import MapGeometry
public import MapModel
import MapSystem

/// A symbolised layer: its items in pixels and the rows to which they belong.
public struct LayerDrawing: Sendable {
  /// The items in painting order.
  public let layer: DisplayLayer
  /// The rows that have a symbol and whose geometry meets the view.
  public let drawn: RowSet
  /// The rows outside the view whose symbol extends into it.
  public let edge: RowSet
  /// The characters of text symbols that the font lacks, by code point.
  public let missingGlyphs: [Unicode.Scalar]
  /// The failures of the renderer's expressions, and of markers that are not drawn.
  package let failures: [String]

  /// The clusters that replace features of the layer; nil for a layer without clusters.
  package var clusters: Clusters?

  /// The clusters of a layer.
  package struct Clusters: Sendable {
    /// The clusters as a layer, whose rows have the numbers of their first features.
    package let layer: LayerState
    /// The clusters in the view.
    package let drawn: RowSet
    /// The features in all clusters.
    package let members: RowSet

    /// Creates the clusters of a layer.
    package init(layer: LayerState, drawn: RowSet, members: RowSet) {
      (self.layer, self.drawn, self.members) = (layer, drawn, members)
    }
  }

  /// The painted rows: ``drawn`` and ``edge`` together.
  public var painted: RowSet {
    var rows = drawn
    rows.formUnion(edge)
    return rows
  }

  /// Creates a drawing.
  public init(layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar] = []) {
    self.init(layer: layer, drawn: drawn, edge: edge, missingGlyphs: missingGlyphs, failures: [])
  }

  /// Creates a drawing with the failures of expressions.
  package init(
    layer: DisplayLayer, drawn: RowSet, edge: RowSet, missingGlyphs: [Unicode.Scalar], failures: [String]
  ) {
    (self.layer, self.drawn, self.edge, self.missingGlyphs) = (layer, drawn, edge, missingGlyphs)
    self.failures = failures
  }
}

/// A symboliser that converts the rows of a layer to a display list: it classifies, projects, clips and places them.
public struct LayerSymbolizer: Sendable {
  let view: ViewState
  let layer: LayerState
  let transform: ViewTransform
  private let styles: SymbolStyles
  private let kind: GeometryKind?
  /// The grid steps per pixel to which vertices of areas are rounded, after dashes are cut.
  ///
  /// - Source: design decision; a vertical or horizontal edge moves by at most 1/32 pixel, which is 8 of 255.
  ///   Measured over 4,556 states and provinces: no pixel inside them differs by more than 14 of 255; with half as
  ///   many steps, 29.
  package static let gridSteps = 16.0

  /// Creates a symboliser for one layer of a view; without a `measurer`, text symbols are not drawn.
  public init(view: ViewState, layer: LayerState, measurer: TextMeasurer? = nil) {
    var layer = layer
    layer.renderer = layer.renderer.resolved(atScale: view.viewpoint.scale)
    (self.view, self.layer) = (view, layer)
    let schema = layer.source.schema
    kind = schema.geometryKind
    transform = ViewTransform(view, from: schema.spatialReference?.shown(on: view.spatialReference))
    styles = SymbolStyles(
      layer.renderer, kind: schema.geometryKind ?? .point,
      pixelRatio: view.pixelRatio * view.symbolFactor(of: layer),
      rotation: view.viewpoint.rotation, measurer: measurer)
  }

  /// Returns the envelopes to fetch: those of the view or a window, grown by the largest reach of a symbol.
  ///
  /// Reach is the distance by which a symbol extends beyond its geometry.
  public func fetchEnvelopes(in window: Envelope? = nil) -> [Envelope] {
    // One more pixel covers the rounding between map and image.
    let reach = styles.reach(with: layer.renderer.visualVariables, scale: view.viewpoint.scale)
    return (window ?? view.extent).grown(by: units(reach + 1)).splitAtAntimeridian()
  }

  /// The largest distance that a symbol of the layer extends beyond its geometry, in view pixels.
  ///
  /// The tips of sharp corners may extend farther.
  public var reach: Double {
    styles.reach(with: layer.renderer.visualVariables, scale: view.viewpoint.scale) { $0.width / 2 }
      / view.pixelRatio
  }

  /// Symbolises rows of the table.
  ///
  /// - Parameters:
  ///   - candidates: the rows that pass all filters and lie in ``fetchEnvelopes(in:)``.
  ///   - visible: the candidates that meet the view's bounding box.
  /// - Throws: ``RendererFieldError``.
  public func drawing(
    index: Int, table: FeatureColumns, candidates: RowSet, visible: RowSet
  ) throws(RendererFieldError) -> LayerDrawing {
    let classifier = try RowClassifier(layer.renderer, table: table, view: view)
    func fails(_ error: ArcadeError?) -> [String] {
      error.map { ["an expression of the renderer fails for some features: \($0)"] } ?? []
    }
    var failures = fails(classifier.failure)
    var drawn = RowSet(rowCount: table.rowCount)
    var edge = RowSet(rowCount: table.rowCount)
    var batches: [DisplayBatch] = []
    var missing: Set<Unicode.Scalar> = []
    if let geometry = table.geometry {
      let order = try RowOrder(layer.drawingOrder, table: table)
      let rows = try RowStyles(
        candidates: order.sorted(candidates), classes: classifier.classes, renderer: layer.renderer,
        looks: styles, table: table, view: view)
      missing = rows.looks.missing
      failures += fails(rows.failure)
      switch geometry.kind {
      case .point, .multipoint:
        if case .heatmap(let renderer) = layer.renderer {
          let heat = heatmap(
            renderer, rows.rows, of: table, geometry, visible: visible, drawn: &drawn, edge: &edge)
          batches = heat.batches
          failures += heat.failures
          break
        }
        batches = [.markers(markers(rows, visible: visible, of: geometry, drawn: &drawn, edge: &edge))]
        if !rows.looks.shapes.isEmpty {
          let shapes = ShapePlacing(transform: transform, worlds: worlds(reach: rows.looks.reach))
          let placed = shapes.place(rows, of: geometry, drawn: drawn, edge: &edge)
          batches.append(.paths(placed.batch))
          if placed.left > 0 {
            failures.append(
              "\(placed.left) markers are not drawn: all markers have more than \(ShapePlacing.largestCount) vertices"
            )
          }
        }
      case .polyline, .polygon:
        if case .heatmap = layer.renderer {
          failures.append("nothing is drawn: a heat map needs points, not \(geometry.kind.rawValue) features")
          break
        }
        batches = [.paths(paths(rows, visible: visible, of: geometry, drawn: &drawn, edge: &edge))]
        if case .dotDensity(let renderer) = layer.renderer, geometry.kind == .polygon {
          let dots = dots(renderer, rows.rows, of: table, geometry)
          batches += dots.batches
          failures += dots.failures
        }
      }
    }
    var display = DisplayLayer(index: index, name: layer.name, opacity: layer.opacity, batches: batches)
    display.blendMode = layer.definition.blendMode
    return LayerDrawing(
      layer: display,
      drawn: drawn, edge: edge, missingGlyphs: missing.sorted { $0.value < $1.value },
      failures: failures)
  }

  /// Returns the rows that have a geometry and get a symbol, whether or not they are in the view.
  ///
  /// - Throws: ``RendererFieldError``.
  public func symbolised(_ rows: RowSet, of table: FeatureColumns) throws(RendererFieldError) -> RowSet {
    guard let geometry = table.geometry else { return RowSet(rowCount: table.rowCount) }
    let classes = try RowClassifier(layer.renderer, table: table, view: view).classes
    let styled = try RowStyles(
      candidates: rows.filter { !geometry.isEmpty(row: $0) }, classes: classes, renderer: layer.renderer,
      looks: styles, table: table, view: view)
    return RowSet(rowCount: table.rowCount, rows: styled.rows)
  }

  /// Whether the view is rotated, so that its bounding box is larger than the view.
  ///
  /// When it is not rotated, the query has decided exactly which rows meet the view.
  var isTurned: Bool { view.viewpoint.rotation != 0 }

  private func markers(
    _ styled: RowStyles, visible: RowSet, of geometry: CoordinateBuffer, drawn: inout RowSet,
    edge: inout RowSet
  ) -> MarkerBatch {
    let placing = MarkerPlacing(
      transform: transform, worlds: worlds(reach: styled.looks.reach),
      visible: visible, isTurned: isTurned)
    let pieces = (0..<styled.rows.count).pieces(of: 1 << 13)
    let parts = concurrentMap(pieces.count) { placing.place(styled, pieces[$0], of: geometry) }
    var batch = MarkerBatch(styles: styled.looks.markers)
    batch.reserve(parts.reduce(0) { $0 + $1.batch.row.count })
    for part in parts {
      batch.append(part.batch)
      for row in part.drawn { drawn.insert(Int(row)) }
      for row in part.edge { edge.insert(Int(row)) }
    }
    return batch
  }

  private func paths(
    _ styled: RowStyles, visible: RowSet, of geometry: CoordinateBuffer, drawn: inout RowSet,
    edge: inout RowSet
  ) -> PathBatch {
    let pieces = geometry.pieces(of: styled.rows)
    let parts = concurrentMap(pieces.count) { paths(styled, pieces[$0], visible: visible, of: geometry) }
    // A single part is often large, so it is not copied.
    var batch = parts.count == 1 ? parts[0].batch : PathBatch(styles: styled.looks.paths, kind: geometry.kind)
    if parts.count > 1 { batch.reserve(parts.map(\.batch)) }
    for part in parts {
      if parts.count > 1 { batch.append(part.batch) }
      for row in part.drawn { drawn.insert(row) }
      for row in part.edge { edge.insert(row) }
    }
    return batch
  }

  /// Returns the paths of some of the rows.
  private func paths(
    _ styled: RowStyles, _ piece: Range<Int>, visible: RowSet, of geometry: CoordinateBuffer
  ) -> (batch: PathBatch, drawn: [Int], edge: [Int]) {
    let styles = styled.looks
    var batch = PathBatch(styles: styles.paths, kind: geometry.kind)
    var (drawn, edge): ([Int], [Int]) = ([], [])
    // Wide enough that the cuts of clipping, and the joins at them, stay outside the image.
    let window = transform.canvas.grown(by: styles.reach + 8)
    let worlds = worlds(reach: styles.reach)
    var pixels = CoordinateBuffer(kind: geometry.kind)
    var clipped = CoordinateBuffer(kind: geometry.kind)
    var thinned = CoordinateBuffer(kind: geometry.kind)
    // One buffer for each part of a symbol.
    var dashes: [CoordinateBuffer] = []
    for item in piece {
      let (row, looks) = (styled.rows[item], styles.looks[Int(styled.styles[item])])
      var isDrawn = !isTurned && visible.contains(row)
      var isPainted = false
      for world in worlds {
        transform.project(row, of: geometry, world: world, into: &pixels)
        let extent = pixels.envelope(ofRow: 0)
        guard extent.meets(window) else { continue }
        if isTurned, pixels.row(0, meets: transform.canvas) { isDrawn = true }
        // Dashes and arrows start at the line's own ends, wherever the line is clipped.
        for (place, style) in looks.enumerated() {
          guard let dashed = styles.dashed[style] else { continue }
          while dashes.count <= place { dashes.append(CoordinateBuffer(kind: geometry.kind)) }
          cut(pixels, into: &dashes[place], DashedPath(pattern: dashed.pattern, window: window))
        }
        let heads =
          styles.arrows.isEmpty
          ? [] : looks.map { styles.arrows[$0]?.heads(of: pixels, on: transform.canvas) ?? [] }
        if !window.contains(extent) {
          clipped.removeAll()
          clipped.appendRow(0, of: pixels, clippedTo: window)
          swap(&pixels, &clipped)
        }
        // Areas share borders and have many vertices too close to distinguish; lines are better left unchanged.
        if geometry.kind == .polygon {
          thinned.removeAll()
          thinned.appendRow(0, of: pixels, thinnedTo: Self.gridSteps)
          swap(&pixels, &thinned)
        }
        for (place, style) in looks.enumerated() {
          let dashed = styles.dashed[style]
          let stroked = dashed == nil ? pixels : dashes[place]
          let stroke = styles.paths[dashed?.style ?? style].stroke
          let heads = heads.isEmpty ? [] : heads[place]
          guard
            isDrawn || !heads.isEmpty
              || strokePaints(stroked, stroke, closed: dashed == nil && stroked.kind == .polygon)
          else { continue }
          isPainted = true
          if styles.paths[style].paints { batch.append(pixels, style: style, row: row) }
          if let dashed { batch.append(dashes[place], style: dashed.style, row: row) }
          if let arrows = styles.arrows[style] {
            for head in heads { batch.append(head, style: arrows.style, row: row) }
          }
        }
      }
      if isDrawn { drawn.append(row) } else if isPainted { edge.append(row) }
    }
    return (batch, drawn, edge)
  }

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

extension PathBatch {
  /// Appends the only row of a buffer as an item, unless it is empty.
  fileprivate mutating func append(_ path: CoordinateBuffer, style: Int, row: Int) {
    guard !path.isEmpty(row: 0) else { return }
    geometry.appendRow(0, of: path)
    self.style.append(UInt32(style))
    self.row.append(Int32(row))
  }
}

extension PathBatch {
  /// Appends a ring as an item.
  fileprivate mutating func append(_ ring: [(x: Double, y: Double)], style: Int, row: Int) {
    for place in ring { geometry.appendVertex(x: place.x, y: place.y) }
    geometry.endPart()
    geometry.endRow()
    self.style.append(UInt32(style))
    self.row.append(Int32(row))
  }
}

extension PathStyle {
  /// Whether the style paints anything.
  fileprivate var paints: Bool { fill != nil || hatch != nil || stroke != nil }
}
