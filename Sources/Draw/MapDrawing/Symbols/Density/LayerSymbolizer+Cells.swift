package import MapFeatures
import MapGeometry
package import MapModel
import MapSystem

/// Counts in cells.
extension LayerSymbolizer {
  /// Returns the cells of the view with the colours of some classes.
  package func plan(
    _ cells: CountingCells, classes: [CellCounts.CellClass], isOnDark: Bool
  ) -> CellCounts.Plan {
    CellCounts.Plan(
      grid: CellGrid(cells, view: view, transform: transform), classes: classes, isOnDark: isOnDark)
  }

  /// Returns the groups of points that have one place in a plan's cells and one class; nil if only the rows can decide.
  package func pointGroups(in plan: CellCounts.Plan) -> PointGroups? {
    let own = layer.source.schema.spatialReference
    guard own?.shown(on: view.spatialReference) == own, let fields = layer.renderer.classFields else {
      return nil
    }
    return transform.groups(in: plan.grid, worlds: worlds(reach: 0), classFields: fields)
  }

  /// Counts the points of rows in cells, and draws the counts.
  ///
  /// Rows that get no symbol are not counted. Where the view shows the world more than once, a point counts in each copy.
  ///
  /// - Parameters:
  ///   - visible: the rows that meet the view.
  ///   - weights: the number of points of each row; nil for one.
  /// - Cost: sorting one number for each point.
  /// - Throws: ``RendererFieldError``.
  package func counting(
    _ visible: RowSet, of table: FeatureColumns, weights: [Int]? = nil, in plan: CellCounts.Plan, index: Int
  ) throws(RendererFieldError) -> LayerDrawing {
    let classifier = try RowClassifier(layer.renderer, table: table, rows: visible, view: view)
    let rows = visible.filter { classifier.classes[$0] != RowClassifier.notDrawn }
    var counts = CellCounts(plan, points: [])
    var drawn = RowSet(rowCount: table.rowCount)
    if let geometry = table.geometry {
      let (worlds, hasClasses) = (worlds(reach: 0), !plan.classes.isEmpty)
      let pieces = rows.indices.pieces(of: 1 << 16)
      let parts = concurrentMap(pieces.count) { piece in
        var (keys, points, drawn): ([UInt64], [Int], [Int]) = ([], [], [])
        keys.reserveCapacity(pieces[piece].count)
        for row in rows[pieces[piece]] {
          let before = keys.count
          for cell in cells(ofRow: row, geometry, plan.grid, worlds) {
            if let key = CellCounts.key(cell, hasClasses ? Int(classifier.classes[row]) : 0) {
              keys.append(key)
              if let weights { points.append(weights[row]) }
            }
          }
          if keys.count > before { drawn.append(row) }
        }
        return (counts: CellCounts(plan, points: keys, weights: weights == nil ? nil : points), drawn: drawn)
      }
      for part in parts {
        counts = counts.adding(part.counts)
        for row in part.drawn { drawn.insert(row) }
      }
    }
    let (width, height) = (transform.canvas.xMax.rounded(), transform.canvas.yMax.rounded())
    var display = DisplayLayer(
      index: index, name: layer.name, opacity: ink.isClear ? 0 : layer.opacity,
      batches: counts.batches(width: Int(clamping: width), height: Int(clamping: height)))
    display.blendMode = layer.definition.blendMode
    var drawing = LayerDrawing(
      layer: display, drawn: drawn, edge: RowSet(rowCount: table.rowCount), missingGlyphs: [],
      failures: classifier.failure.map {
        ["an expression of the renderer fails for some features: \($0)"]
      } ?? [])
    drawing.cells = counts
    if ink.isClear { drawing.hide(drawn, because: .opacity) }
    if let weights { drawing.groupedPoints = drawing.drawn.reduce(0) { $0 + weights[$1] } }
    return drawing
  }

  /// Returns the cell of a point in each world copy.
  private func cells(
    ofRow row: Int, _ geometry: CoordinateBuffer, _ grid: CellGrid, _ worlds: ClosedRange<Int>
  ) -> [CellGrid.Cell] {
    guard let vertex = geometry.vertices(ofRow: row).first else { return [] }
    let canvas = transform.canvas
    var cells: [CellGrid.Cell] = []
    var nearest: (x: Double, y: Double, distance: Double)?
    for world in worlds {
      let (x, y) = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
      // A point on the border of two world copies belongs to one of them.
      if x >= 0, y >= 0, x < canvas.xMax, y < canvas.yMax {
        cells.append(grid.cell(x: x, y: y))
      } else {
        let distance = max(-x, x - canvas.xMax, -y, y - canvas.yMax)
        if distance < nearest?.distance ?? .infinity { nearest = (x, y, distance) }
      }
    }
    // The query has decided which points are in the view, whatever is rounded here.
    if cells.isEmpty, let nearest {
      cells.append(
        grid.cell(
          x: min(max(nearest.x, 0), canvas.xMax.nextDown), y: min(max(nearest.y, 0), canvas.yMax.nextDown)))
    }
    return cells
  }
}

extension RendererForm {
  /// The fields that decide the class of a feature; nil if something else does.
  fileprivate var classFields: [PointGroups.ClassField]? {
    guard valueExpression == nil else { return nil }
    switch self {
    case .simple, .heatmap, .dotDensity: return []
    case .pieChart, .rules: return nil
    case .uniqueValue(let renderer): return renderer.fieldNames.map { PointGroups.ClassField(name: $0) }
    case .classBreaks(let renderer):
      guard renderer.normalization == nil else { return nil }
      let bounds = renderer.classBreaks.flatMap { [$0.minimum, $0.maximum] }
      return [PointGroups.ClassField(name: renderer.fieldName, bounds: bounds)]
    }
  }
}
