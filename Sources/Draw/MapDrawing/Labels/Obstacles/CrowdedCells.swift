import MapGeometry
import MapSystem

/// The cells of an image in which markers surely block every position around a symbol.
///
/// Many points of a crowded layer share a cell, so one answer serves them all.
struct CrowdedCells {
  /// A position of a label around a symbol at (0, 0).
  struct Position {
    /// The box that a label of any text covers.
    let core: LabelBox
    let symbol: LabelBox
    /// The smallest distance between the two.
    let gap: Double
  }

  /// The smallest side of a cell in pixels, the largest number of cells, and that of the cells of all symbols.
  ///
  /// - Source: design decision; smaller cells are hardly shared, and in larger ones positions are seldom blocked alike.
  private static let (leastSide, cellLimit, totalLimit) = (2.0, 1e6, 16_000_000)

  private let canvas: LabelBox
  private let side: Double
  private let columns: Int
  private let rows: Int
  /// For each symbol and cell, whether all positions are blocked; 0 is not known yet.
  private var answers: [Int32: [UInt8]] = [:]
  private static let (crowded, free): (UInt8, UInt8) = (1, 2)

  init(canvas: LabelBox) {
    self.canvas = canvas
    let (width, height) = (canvas.xMax - canvas.xMin, canvas.yMax - canvas.yMin)
    side = max(Self.leastSide, (width * height / Self.cellLimit).squareRoot())
    columns = max(Int(clamping: (width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (height / side).rounded(.up)), 1)
  }

  /// Returns whether all positions around a symbol are inside the image or not free, and one is inside; false when
  /// that is not certain.
  ///
  /// - Cost: O(positions) once for each symbol and cell.
  mutating func surelyBlock(
    _ positions: [Position], ofSymbol symbol: Int32, x: Double, y: Double, _ markers: MarkerGrid
  ) -> Bool {
    let (column, row) = (Int(clamping: x / side), Int(clamping: y / side))
    guard x >= 0, y >= 0, column < columns, row < rows else { return false }
    let cell = row * columns + column
    if answers[symbol] == nil {
      guard (answers.count + 1) * columns * rows <= Self.totalLimit else { return false }
      answers[symbol] = Array(repeating: 0, count: columns * rows)
    }
    if let known = answers[symbol]?[cell], known != 0 { return known == Self.crowded }
    let (left, top) = (Double(column) * side, Double(row) * side)
    let isInside = positions.contains { position in
      canvas.contains(position.core.moved(x: left, y: top))
        && canvas.contains(position.core.moved(x: left + side, y: top + side))
    }
    let isCrowded =
      isInside
      && positions.allSatisfy { position in
        markers.surelyBlocks(
          position.core.moved(x: left, y: top), own: position.symbol.moved(x: left, y: top),
          gap: position.gap,
          reach: side)
      }
    answers[symbol]?[cell] = isCrowded ? Self.crowded : Self.free
    return isCrowded
  }
}
