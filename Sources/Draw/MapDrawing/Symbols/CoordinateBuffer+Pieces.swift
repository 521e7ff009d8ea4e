package import MapGeometry

extension CoordinateBuffer {
  /// Splits all rows into pieces with about the same number of vertices, to be processed concurrently.
  package func pieces() -> [Range<Int>] { pieces(of: 0..<rowCount) }

  /// Splits some rows into pieces of about `limit` vertices; the ranges are positions in `rows`.
  func pieces(of rows: some RandomAccessCollection<Int>, vertices limit: Int = 1 << 14) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var (start, place, sum) = (0, 0, 0)
    for row in rows {
      sum += vertices(ofRow: row).count
      place += 1
      if sum >= limit || place == rows.count {
        pieces.append(start..<place)
        (start, sum) = (place, 0)
      }
    }
    return pieces
  }
}
