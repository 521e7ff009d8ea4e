/// The cells of an image in which points are counted, instead of drawing their symbols.
package struct CountingCells: Hashable, Sendable {
  /// A shape of cells.
  package enum Shape: String, CaseIterable, Sendable {
    /// Squares of the image.
    case pixel
    /// Hexagons that are fixed to the map, with two sides along its meridians.
    case hexagon

    /// The size of a cell if none is named.
    package var standardSize: Double { self == .pixel ? 1 : 16 }

    /// The possible sizes of a cell.
    ///
    /// - Source: design decision; smaller hexagons cannot be told from squares.
    package var sizes: ClosedRange<Double> { self == .pixel ? 1...512 : 4...512 }
  }

  /// The shape of the cells.
  package let shape: Shape
  /// The side of a square, or the distance between opposite sides of a hexagon, in view pixels.
  package let size: Double

  /// Creates cells; nil for a size outside ``Shape/sizes``.
  package init?(_ shape: Shape, size: Double? = nil) {
    let size = size ?? shape.standardSize
    guard shape.sizes.contains(size) else { return nil }
    (self.shape, self.size) = (shape, size)
  }
}
