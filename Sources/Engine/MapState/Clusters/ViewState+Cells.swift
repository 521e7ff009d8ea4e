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
    let symbolizer = symbolizer(of: layer)
    let plan = plan(of: layer, cells, symbolizer)
    if let groups = try await groupedPoints(of: layer, cells) {
      return try symbolizer.counting(
        RowSet(rowCount: groups.counts.count, all: true), of: groups.points,
        weights: groups.counts, in: plan, index: index)
    }
    let features = try await layer.source.whole()
    let visible = try features.rows(conditions(for: layer).query(for: .drawing))
    let table = try features.shownColumns(on: spatialReference)
    return try symbolizer.counting(visible, of: table, in: plan, index: index)
  }

  private func plan(
    of layer: LayerState, _ cells: CountingCells, _ symbolizer: LayerSymbolizer
  ) -> CellCounts.Plan {
    symbolizer.plan(
      cells, classes: layer.renderer.cellClasses, isOnDark: GroundTone(of: groundColor) == .dark)
  }

  /// Returns the points of a layer's own drawing that are in the view, in groups that the source counts; nil if the source
  /// must return the rows.
  func groupedPoints(of layer: LayerState, _ cells: CountingCells) async throws -> GroupedPoints? {
    guard layer.source.inMemory == nil, !(layer.source is FetchedFeatures) else { return nil }
    let symbolizer = symbolizer(of: layer)
    guard let groups = symbolizer.pointGroups(in: plan(of: layer, cells, symbolizer)) else { return nil }
    return try await layer.source.points(conditions(for: layer).query(for: .drawing), in: groups)
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
