import MapFeatures
import MapFilter
package import MapGeometry
package import MapModel
import MapSystem

/// The cells of a layer's clusters or bins: the same for every position of the view.
///
/// Those of clusters are squares of the map at a scale. Those of bins are cells of geohashes in degrees, or squares and
/// hexagons of the map.
package struct ClusterGrid {
  /// A cell, by its column and row.
  ///
  /// The centres of hexagons are half a column and a whole row apart, or the reverse, so that column and row are both
  /// even or both odd.
  package struct Cell: Hashable, Comparable {
    package let column: Int
    package let row: Int

    package static func < (a: Cell, b: Cell) -> Bool { (a.row, a.column) < (b.row, b.column) }
  }

  /// Whether the cells are bins, which are drawn as areas.
  let isOfBins: Bool
  private let shape: BinCells.Shape
  /// The size of a cell in the units of the spatial reference; of hexagons, both are the distance of opposite sides.
  private let (width, height): (Double, Double)
  /// The corner of the cell in column 0 and row 0, or the centre of that hexagon.
  private let (left, bottom): (Double, Double)
  /// The parts of the map whose cells are shown.
  private let parts: [Envelope]
  /// The cells that the view shows, with the reach of their symbols, as ranges of columns and rows; none of hexagons.
  private let windows: [(columns: Range<Int>, rows: Range<Int>)]
  /// The spatial reference of the cells.
  let reference: SpatialReference?

  /// Creates squares or hexagons of the map that meet a part of it.
  package init(
    _ shape: BinCells.Shape = .square, side: Double, meeting extent: Envelope, isOfBins: Bool = false
  ) {
    (self.shape, self.isOfBins, width, height, left, bottom) = (shape, isOfBins, side, side, 0, 0)
    reference = extent.spatialReference
    parts = extent.splitAtAntimeridian()
    windows =
      shape == .square
      ? parts.map { part in
        (Self.cells(part.xMin, part.xMax, side), Self.cells(part.yMin, part.yMax, side))
      } : []
  }

  /// Creates the cells of geohashes with a number of characters that meet an area in degrees.
  ///
  /// - Source: G. M. Morton, "A computer oriented geodetic data base", 1966, and geohash.org: five bits for each
  ///   character, in turn of the longitude and the latitude, from (−180, −90).
  package init(geohashLevel level: Int, meeting area: Envelope) {
    let (columns, rows) = (1 << ((5 * level + 1) / 2), 1 << (5 * level / 2))
    (shape, isOfBins, width, height) = (.geohash, true, 360 / Double(columns), 180 / Double(rows))
    (left, bottom, reference) = (-180, -90, .wgs84)
    let (width, height) = (width, height)
    parts = area.splitAtAntimeridian()
    windows = parts.map { part in
      (
        Self.cells(part.xMin + 180, part.xMax + 180, width).clamped(to: 0..<columns),
        Self.cells(part.yMin + 90, part.yMax + 90, height).clamped(to: 0..<rows)
      )
    }
  }

  private static func cells(_ low: Double, _ high: Double, _ side: Double) -> Range<Int> {
    let first = index(low, side)
    return first..<max(first, index(high, side)) + 1
  }

  private static func index(_ place: Double, _ side: Double) -> Int { number((place / side).rounded(.down)) }

  private static func number(_ cell: Double) -> Int {
    cell.isFinite ? Int(clamping: min(max(cell, -0x1p52), 0x1p52)) : 0
  }

  private var isHexagon: Bool { shape == .flatHexagon || shape == .pointyHexagon }

  /// The boxes of the cells.
  ///
  /// They are a billionth larger than the cells, because products and quotients are rounded.
  var envelopes: [Envelope] {
    // A shown hexagon has its centre at most its width from the area, and its corners less than a width from there.
    if isHexagon { return parts.map { $0.grown(by: 2 * width) } }
    return windows.map { envelope(columns: $0.columns, rows: $0.rows).grown(by: width * 1e-9) }
  }

  private func envelope(columns: Range<Int>, rows: Range<Int>) -> Envelope {
    Envelope(
      xMin: left + Double(columns.lowerBound) * width, yMin: bottom + Double(rows.lowerBound) * height,
      xMax: left + Double(columns.upperBound) * width, yMax: bottom + Double(rows.upperBound) * height,
      spatialReference: reference)
  }

  /// Returns the cell of a point; nil outside the shown cells.
  package func cell(x: Double, y: Double) -> Cell? {
    guard x.isFinite, y.isFinite else { return nil }
    guard !isHexagon else { return hexagon(x: x, y: y) }
    var cell = Cell(column: Self.index(x - left, width), row: Self.index(y - bottom, height))
    // The last cells of geohashes include the antimeridian and the north pole.
    if shape == .geohash, x == 180 { cell = Cell(column: cell.column - 1, row: cell.row) }
    if shape == .geohash, y == 90 { cell = Cell(column: cell.column, row: cell.row - 1) }
    let isShown = windows.contains { $0.columns.contains(cell.column) && $0.rows.contains(cell.row) }
    return isShown ? cell : nil
  }

  /// Returns the position in a square cell nearest to a point at which a circle stays in the cell.
  ///
  /// Circles of neighbouring clusters then do not overlap. A circle wider than the cell is in its centre.
  func place(x: Double, y: Double, radius: Double, in cell: Cell) -> (x: Double, y: Double) {
    let box = envelope(columns: cell.column..<cell.column + 1, rows: cell.row..<cell.row + 1)
    let (across, along) = (min(radius, width / 2), min(radius, height / 2))
    return (
      min(max(x, box.xMin + across), box.xMax - across), min(max(y, box.yMin + along), box.yMax - along)
    )
  }

  /// Returns the corners of a cell, clockwise, the first one again at the end.
  package func corners(of cell: Cell) -> [(x: Double, y: Double)] {
    guard !isHexagon else {
      let (center, radius) = (center(of: cell), width / Self.rowsPerSide)
      let pointy = [(0, 1.0), (0.5, 0.5), (0.5, -0.5), (0, -1), (-0.5, -0.5), (-0.5, 0.5), (0, 1)]
      return pointy.map { across, along in
        shape == .pointyHexagon
          ? (center.x + across * width, center.y + along * radius)
          : (center.x + along * radius, center.y - across * width)
      }
    }
    let box = envelope(columns: cell.column..<cell.column + 1, rows: cell.row..<cell.row + 1)
    return [
      (box.xMin, box.yMin), (box.xMin, box.yMax), (box.xMax, box.yMax), (box.xMax, box.yMin),
      (box.xMin, box.yMin),
    ]
  }

  // MARK: Hexagons

  /// The distance of every second row of hexagons, divided by the distance of opposite sides.
  private static let rowsPerSide = 3.0.squareRoot()

  /// Returns the hexagon with the nearest centre; nil if it is not shown.
  private func hexagon(x: Double, y: Double) -> Cell? {
    let (across, along) = shape == .pointyHexagon ? (x, y) : (y, x)
    let (east, north) = (across / width, along / (width * Self.rowsPerSide))
    // The centres are two grids of rectangles.
    let even = (column: east.rounded(), row: north.rounded())
    let odd = (column: east.rounded(.down) + 0.5, row: north.rounded(.down) + 0.5)
    func distance(_ center: (column: Double, row: Double)) -> Double {
      let (dx, dy) = (east - center.column, north - center.row)
      return dx * dx + 3 * dy * dy
    }
    let nearest = distance(even) <= distance(odd) ? even : odd
    let cell = Cell(column: Self.number(2 * nearest.column), row: Self.number(2 * nearest.row))
    let center = center(of: cell)
    return parts.contains { $0.grown(by: width).contains(x: center.x, y: center.y) } ? cell : nil
  }

  private func center(of cell: Cell) -> (x: Double, y: Double) {
    let across = Double(cell.column) * width / 2
    let along = Double(cell.row) * width * Self.rowsPerSide / 2
    return shape == .pointyHexagon ? (across, along) : (along, across)
  }
}
