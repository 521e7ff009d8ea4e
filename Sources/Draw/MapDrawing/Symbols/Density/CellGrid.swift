import MapGeometry
package import MapModel
import MapSystem

/// The cells of an image: squares from its top left corner, or hexagons that are fixed to the map.
package struct CellGrid: Hashable, Sendable {
  /// A cell by its column and row.
  ///
  /// The centres of hexagons are half a column and a whole row apart, so that column and row are both even or both odd.
  /// Rows of hexagons are counted upwards.
  package struct Cell: Hashable, Sendable {
    package let column: Int
    package let row: Int

    package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }
  }

  /// The shape of the cells.
  package let shape: CountingCells.Shape
  /// The side of a square, or the distance between opposite sides of a hexagon, in output pixels.
  package let side: Double
  /// The corner of the square, or the centre of the hexagon, in column 0 and row 0, in output pixels.
  let (originX, originY): (Double, Double)
  /// The rotation of the hexagons.
  let (cosine, sine): (Double, Double)

  /// Creates the cells of a view.
  init(_ cells: CountingCells, view: ViewState, transform: ViewTransform) {
    (shape, side) = (cells.shape, cells.size * view.pixelRatio)
    guard shape == .hexagon else {
      (originX, originY, cosine, sine) = (0, 0, 1, 0)
      return
    }
    // The hexagon at the origin of the map's coordinates has an even column and row. The nearest such one to the centre
    // of the view keeps the numbers of cells small.
    let (width, center) = (cells.size * view.viewpoint.resolution, view.viewpoint.center)
    let height = width * Self.rowsPerSide
    (originX, originY) = transform.pixel(
      mapX: (center.x / width).rounded() * width, mapY: (center.y / height).rounded() * height, world: 0)
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
  }

  /// Creates cells from their numbers; nil for impossible ones.
  init?(
    _ shape: CountingCells.Shape, side: Double, origin: (x: Double, y: Double),
    direction: (cosine: Double, sine: Double)
  ) {
    guard side.isFinite, side >= 1, origin.x.isFinite, origin.y.isFinite, abs(direction.cosine) <= 1,
      abs(direction.sine) <= 1
    else { return nil }
    (self.shape, self.side, originX, originY) = (shape, side, origin.x, origin.y)
    (cosine, sine) = direction
  }

  /// The distance of every second row of hexagons, divided by the distance of opposite sides.
  private static let rowsPerSide = 3.0.squareRoot()

  /// Returns the cell of a point in output pixels: of hexagons, the one with the nearest centre.
  func cell(x: Double, y: Double) -> Cell {
    guard shape == .hexagon else {
      return Cell(
        column: Int(clamping: (x / side).rounded(.down)), row: Int(clamping: (y / side).rounded(.down)))
    }
    let (dx, dy) = (x - originX, originY - y)
    let east = (dx * cosine + dy * sine) / side
    let north = (dy * cosine - dx * sine) / (side * Self.rowsPerSide)
    // The centres are two grids of rectangles.
    let even = (column: east.rounded(), row: north.rounded())
    let odd = (column: east.rounded(.down) + 0.5, row: north.rounded(.down) + 0.5)
    func distance(_ center: (column: Double, row: Double)) -> Double {
      let (dx, dy) = (east - center.column, north - center.row)
      return dx * dx + 3 * dy * dy
    }
    let nearest = distance(even) <= distance(odd) ? even : odd
    return Cell(column: Int(clamping: 2 * nearest.column), row: Int(clamping: 2 * nearest.row))
  }

  /// Returns the corners of a hexagon in output pixels, moved by a distance towards its centre.
  func corners(of cell: Cell, inset: Double) -> [(x: Double, y: Double)] {
    let centerEast = Double(cell.column) * side / 2
    let centerNorth = Double(cell.row) * side * Self.rowsPerSide / 2
    let half = side / 2 - inset
    let radius = half * 2 / Self.rowsPerSide
    let corners = [
      (0, radius), (half, radius / 2), (half, -radius / 2), (0, -radius), (-half, -radius / 2),
      (-half, radius / 2),
    ]
    return corners.map { corner in
      let (east, north) = (centerEast + corner.0, centerNorth + corner.1)
      return (
        originX + east * cosine - north * sine, originY - (east * sine + north * cosine)
      )
    }
  }
}
