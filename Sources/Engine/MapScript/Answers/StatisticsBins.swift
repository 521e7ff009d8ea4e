import MapGeometry
import MapJSON
import MapModel
package import MapState
import MapSystem

/// The cells of the map by which statistics are grouped.
package struct StatisticsBins: Hashable, Sendable {
  /// A shape of cells.
  package enum Shape: String, CaseIterable, Sendable {
    /// Hexagons with a corner at the top.
    case hexagon
    /// Squares.
    case square
    /// The cells of geohashes, in degrees.
    case geohash
  }

  /// The shape.
  package let shape: Shape
  /// The distance of opposite sides in units of the map's spatial reference; of geohashes, the number of characters.
  package let size: Double

  /// The greatest number of characters of a geohash.
  ///
  /// - Source: design decision; such a cell is 37 by 19 mm at the equator.
  private static let longestGeohash = 12.0

  /// Returns the cells that points in a spatial reference may be in.
  func grid(meeting extent: Envelope) -> ClusterGrid {
    switch shape {
    case .hexagon: ClusterGrid(.pointyHexagon, side: size, meeting: extent, isOfBins: true)
    case .square: ClusterGrid(.square, side: size, meeting: extent, isOfBins: true)
    case .geohash: ClusterGrid(geohashLevel: Int(clamping: size), meeting: extent)
    }
  }

  /// Returns the name of a cell: its geohash, or its column and row.
  func name(of cell: ClusterGrid.Cell) -> String {
    guard shape == .geohash else { return "\(cell.column)/\(cell.row)" }
    let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    let length = Int(clamping: size)
    // The bits of the column and the row in turn, from the first of the column.
    var (column, row) = ((5 * length + 1) / 2, 5 * length / 2)
    var name = ""
    var (digit, count) = (0, 0)
    for bit in 0..<5 * length {
      if bit % 2 == 0 {
        column -= 1
        digit = digit << 1 | (cell.column >> column) & 1
      } else {
        row -= 1
        digit = digit << 1 | (cell.row >> row) & 1
      }
      count += 1
      if count == 5 {
        name.append(digits[digit & 31])
        (digit, count) = (0, 0)
      }
    }
    return name
  }
}

extension StatisticsBins: RequestText {
  /// Reads the text form: a shape and a size after a colon.
  package init(text: String) throws(MapStateError) {
    let written = try CellText<Shape>(text, of: "bins", .usage)
    let (shape, size) = (written.shape, written.size())
    switch shape {
    case .geohash:
      guard let size, size == size.rounded(), (1...Self.longestGeohash).contains(size) else {
        throw MapStateError(.usage, "bins geohash need a number of characters from 1 to 12, as in geohash:5")
      }
      (self.shape, self.size) = (shape, size)
    case .hexagon, .square:
      guard let size, size > 0, size.isFinite else {
        throw MapStateError(
          .usage, "bins \(shape.rawValue) need a width in units of the map, as in \(shape.rawValue):50000")
      }
      (self.shape, self.size) = (shape, size)
    }
  }
}
