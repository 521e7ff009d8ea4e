import MapDrawing
package import MapJSON
import MapLayout
package import MapModel
import MapSystem

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
