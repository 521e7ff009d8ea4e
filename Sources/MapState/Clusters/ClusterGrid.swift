import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapSystem

/// The cells of a layer's clusters or bins: the same for every position of the view.
///
/// Those of clusters are squares of the map at a scale, and those of bins are cells of geohashes in degrees.
struct ClusterGrid {
  /// A cell, by its column and row.
  struct Cell: Hashable, Comparable {
    let column: Int
    let row: Int

    static func < (a: Cell, b: Cell) -> Bool { (a.row, a.column) < (b.row, b.column) }
  }

  /// Whether the cells are those of geohashes.
  let isGeohash: Bool
  /// The size of a cell in the units of the spatial reference.
  private let (width, height): (Double, Double)
  /// The corner of the cell in column 0 and row 0.
  private let (left, bottom): (Double, Double)
  /// The cells that the view shows, with the reach of their symbols, as ranges of columns and rows.
  private let windows: [(columns: Range<Int>, rows: Range<Int>)]
  private let reference: SpatialReference?

  /// Creates the cells that meet a part of the map.
  init(side: Double, meeting extent: Envelope) {
    (isGeohash, width, height, left, bottom) = (false, side, side, 0, 0)
    reference = extent.spatialReference
    windows = extent.splitAtAntimeridian().map { part in
      (Self.cells(part.xMin, part.xMax, side), Self.cells(part.yMin, part.yMax, side))
    }
  }

  /// Creates the cells of geohashes with a number of characters that meet an area in degrees.
  ///
  /// - Source: G. M. Morton, "A computer oriented geodetic data base", 1966, and geohash.org: five bits for each
  ///   character, in turn of the longitude and the latitude, from (−180, −90).
  init(geohashLevel level: Int, meeting area: Envelope) {
    let (columns, rows) = (1 << ((5 * level + 1) / 2), 1 << (5 * level / 2))
    (isGeohash, width, height) = (true, 360 / Double(columns), 180 / Double(rows))
    (left, bottom, reference) = (-180, -90, .wgs84)
    let (width, height) = (width, height)
    windows = area.splitAtAntimeridian().map { part in
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

  private static func index(_ place: Double, _ side: Double) -> Int {
    let cell = (place / side).rounded(.down)
    return cell.isFinite ? Int(clamping: min(max(cell, -0x1p52), 0x1p52)) : 0
  }

  /// The boxes of the cells.
  ///
  /// They are a billionth larger than the cells, because products and quotients are rounded.
  var envelopes: [Envelope] {
    windows.map { envelope(columns: $0.columns, rows: $0.rows).grown(by: width * 1e-9) }
  }

  /// Returns the box of a cell.
  func envelope(of cell: Cell) -> Envelope {
    envelope(columns: cell.column..<cell.column + 1, rows: cell.row..<cell.row + 1)
  }

  private func envelope(columns: Range<Int>, rows: Range<Int>) -> Envelope {
    Envelope(
      xMin: left + Double(columns.lowerBound) * width, yMin: bottom + Double(rows.lowerBound) * height,
      xMax: left + Double(columns.upperBound) * width, yMax: bottom + Double(rows.upperBound) * height,
      spatialReference: reference)
  }

  /// Returns the cell of a point; nil outside the shown cells.
  func cell(x: Double, y: Double) -> Cell? {
    guard x.isFinite, y.isFinite else { return nil }
    var cell = Cell(column: Self.index(x - left, width), row: Self.index(y - bottom, height))
    // The last cells of geohashes include the antimeridian and the north pole.
    if isGeohash, x == 180 { cell = Cell(column: cell.column - 1, row: cell.row) }
    if isGeohash, y == 90 { cell = Cell(column: cell.column, row: cell.row - 1) }
    let isShown = windows.contains { $0.columns.contains(cell.column) && $0.rows.contains(cell.row) }
    return isShown ? cell : nil
  }
}
