import MapDrawing
import MapFeatures
import MapGeometry
package import MapJSON
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

  /// Returns the legend's entries for a layer of counts, and nil without a point in the view.
  func cellLegend(
    of layer: LayerState, index: Int, viewOnly: Bool, hasCounts: Bool
  ) async throws(MapStateError) -> LegendLayer? {
    let drawing = try await drawing(of: try await fetched(layer), index: index)
    guard let cells = drawing.cells, cells.sum > 0 else { return nil }
    return LegendLayer(
      of: cells, title: layer.name, opacity: layer.opacity, viewOnly: viewOnly, hasCounts: hasCounts)
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

/// The counts of a layer that is drawn as a density, for reports and notes.
package struct CellSummary: Hashable, Sendable {
  /// The shape of the cells.
  package let shape: CountingCells.Shape
  /// The number of cells with a point.
  package let cellCount: Int
  /// The sum of all counts.
  package let sum: Int
  /// The greatest number of points in a cell; 0 without points.
  package let greatest: Int

  /// Creates the summary of counts.
  init(_ cells: CellCounts) {
    (shape, cellCount) = (cells.plan.grid.shape, cells.cellCount)
    (sum, greatest) = (cells.sum, cells.greatest)
  }

  /// The summary as JSON with keys in a fixed order.
  package var json: JSONValue {
    [
      "cell": .string(shape.rawValue), "cells": .number(cellCount), "sum": .number(sum),
      "greatest": .number(greatest),
    ]
  }

  /// The line that distinguishes the image from one with symbols.
  package var note: String {
    func text(_ number: Int) -> String { LegendNumber.text(Double(number)) }
    let name = shape == .pixel ? "square" : "hexagon"
    return
      "is drawn as a density: \(text(sum)) points are counted in \(text(cellCount)) \(name)\(cellCount == 1 ? "" : "s"), "
      + "with at most \(text(greatest)) in one, and have no symbols"
  }
}
