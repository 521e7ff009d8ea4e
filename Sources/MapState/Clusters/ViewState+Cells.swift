import MapDrawing
import MapFeatures
import MapGeometry
import MapLayout
package import MapModel
package import MapSystem

/// Counts of points in cells.
extension ViewState {
  /// Returns the view with the points of its layers counted in cells, without labels and clusters.
  ///
  /// - Parameter cells: the cells; nil leaves the view unchanged.
  /// - Throws: ``MapStateError`` for a visible layer of another geometry.
  package func counting(in cells: CountingCells?) throws(MapStateError) -> ViewState {
    guard let cells else { return self }
    return with(
      layers: try layers.map { layer throws(MapStateError) in
        guard layer.isShown(atScale: viewpoint.scale), !(layer.source is UnreadSource),
          let kind = layer.source.schema.geometryKind
        else { return layer }
        guard kind == .point else {
          throw MapStateError(
            .usage,
            "layer \"\(layer.name)\": has \(kind.rawValue) features, and only points can be counted in cells; "
              + "hide it with --hide")
        }
        var layer = layer
        (layer.cells, layer.aggregation, layer.undrawnReduction) = (cells, nil, nil)
        (layer.labelsAreEnabled, layer.selectedIDs) = (false, [])
        return layer
      })
  }

  /// Returns a layer's drawing with the number of points in each cell.
  ///
  /// The points are those of the layer's own drawing that are in the view.
  func cellDrawing(
    of layer: LayerState, _ cells: CountingCells, index: Int
  ) async throws -> LayerDrawing {
    let features = try await layer.source.whole()
    let visible = try features.rows(conditions(for: layer).query(for: .drawing))
    let table = try features.shownColumns(on: spatialReference)
    let symbolizer = symbolizer(of: layer)
    let plan = symbolizer.plan(
      cells, classes: layer.renderer.cellClasses, isOnDark: PageTone(canvas: canvasColor).isDark)
    return try symbolizer.counting(visible, of: table, in: plan, index: index)
  }
}

extension RendererForm {
  /// The classes whose points have a colour of their own; none if all have the same.
  fileprivate var cellClasses: [CellCounts.CellClass] {
    var classes = zip(countedLabels, classSymbols).enumerated().map { index, item in
      CellCounts.CellClass(index: index, label: item.0, color: item.1.mainColor ?? .gray)
    }
    if let symbol = defaultSymbol {
      classes.append(
        CellCounts.CellClass(
          index: -1, label: defaultLabel.isEmpty ? "Other" : defaultLabel, color: symbol.mainColor ?? .gray))
    }
    return Set(classes.map(\.color)).count > 1 ? classes : []
  }
}
