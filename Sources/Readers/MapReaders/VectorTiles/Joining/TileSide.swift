/// A line between the columns or the rows of tiles.
struct TileSide: Hashable, Comparable {
  /// Whether all its positions have one x.
  let isVertical: Bool
  /// The x or the y that its positions have in common.
  let common: Double

  /// Returns the line between tiles that a vertex is on; of two, the vertical one; nil for none.
  init?(of vertex: TileVertex, length: Double) { self.init(vertex, vertex, length: length) }

  /// Returns the line between tiles along which a segment runs; nil for none.
  init?(_ start: TileVertex, _ end: TileVertex, length: Double) {
    if start.x == end.x, start.x.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (true, start.x)
    } else if start.y == end.y, start.y.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (false, start.y)
    } else {
      return nil
    }
  }

  /// Orders vertical lines before horizontal ones, and each by position.
  static func < (first: TileSide, second: TileSide) -> Bool {
    first.isVertical == second.isVertical ? first.common < second.common : first.isVertical
  }

  /// Returns the position of a vertex along the line.
  func position(of vertex: TileVertex) -> Double { isVertical ? vertex.y : vertex.x }

  /// Returns the vertex at a position along the line.
  func vertex(at position: Double) -> TileVertex {
    isVertical ? TileVertex(x: common, y: position) : TileVertex(x: position, y: common)
  }
}
