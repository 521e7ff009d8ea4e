package import MapGeometry

extension CoordinateBuffer {
  /// All rows in pieces of about as many vertices, to be worked on at once.
  package func pieces() -> [Range<Int>] { pieces(of: 0..<rowCount) }

  /// Some rows in such pieces; places in `rows`.
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
