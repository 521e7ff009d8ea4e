import Glibc

/// A line that symbols follow, in CSS pixels of a tile at the whole zoom and in output pixels.
struct SymbolLine: Sendable {
  /// The coordinates in the tile: lengths of texts and the spacing do not depend on the fraction of the zoom.
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  /// The coordinates in the image.
  private(set) var pixelX: [Double] = []
  private(set) var pixelY: [Double] = []

  var count: Int { x.count }

  /// Appends a vertex; one at the position of the last is left out.
  mutating func append(x: Double, y: Double, pixelX: Double, pixelY: Double) {
    if let lastX = self.x.last, let lastY = self.y.last, lastX == x, lastY == y { return }
    self.x.append(x)
    self.y.append(y)
    self.pixelX.append(pixelX)
    self.pixelY.append(pixelY)
  }

  /// Appends the vertices of another line.
  mutating func append(_ other: SymbolLine) {
    for index in 0..<other.count {
      append(x: other.x[index], y: other.y[index], pixelX: other.pixelX[index], pixelY: other.pixelY[index])
    }
  }

  /// Returns the length of a segment by the index of its first vertex.
  func length(_ segment: Int) -> Double {
    let (dx, dy) = (x[segment + 1] - x[segment], y[segment + 1] - y[segment])
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The length of the line.
  var length: Double { (0..<max(count - 1, 0)).reduce(0) { $0 + length($1) } }

  /// Returns the direction of a segment in radians.
  func angle(_ segment: Int) -> Double {
    atan2(y[segment + 1] - y[segment], x[segment + 1] - x[segment])
  }

  /// Returns the point on a segment at a share of its length.
  func point(_ segment: Int, _ share: Double) -> (x: Double, y: Double, pixelX: Double, pixelY: Double) {
    func mix(_ values: [Double]) -> Double {
      values[segment] + share * (values[segment + 1] - values[segment])
    }
    return (mix(x), mix(y), mix(pixelX), mix(pixelY))
  }

  /// Returns the pieces of the line inside a square.
  ///
  /// Vertices on the sides of the square have exactly the coordinates of the sides.
  func clipped(to side: ClosedRange<Double>) -> [SymbolLine] {
    guard count > 1 else { return [] }
    if x.allSatisfy(side.contains), y.allSatisfy(side.contains) { return [self] }
    var pieces: [SymbolLine] = []
    var piece = SymbolLine()
    for segment in 0..<count - 1 {
      guard let (start, end) = shares(ofSegment: segment, inside: side) else { continue }
      let isJoined = start == 0 && piece.count > 0 && piece.x.last == x[segment] && piece.y.last == y[segment]
      if !isJoined {
        if piece.count > 1 { pieces.append(piece) }
        piece = SymbolLine()
        piece.append(self, segment, start, side)
      }
      piece.append(self, segment, end, side)
    }
    if piece.count > 1 { pieces.append(piece) }
    return pieces
  }

  /// Appends the point on a segment of another line, exactly on a side of the square when it was cut there.
  private mutating func append(
    _ line: SymbolLine, _ segment: Int, _ share: Double, _ side: ClosedRange<Double>
  ) {
    var point = line.point(segment, share)
    if share == 1 {
      (point.x, point.y) = (line.x[segment + 1], line.y[segment + 1])
      (point.pixelX, point.pixelY) = (line.pixelX[segment + 1], line.pixelY[segment + 1])
    } else if share > 0 {
      let near = (side.upperBound - side.lowerBound) * 1e-9
      for bound in [side.lowerBound, side.upperBound] {
        if abs(point.x - bound) < near { point.x = bound }
        if abs(point.y - bound) < near { point.y = bound }
      }
    }
    append(x: point.x, y: point.y, pixelX: point.pixelX, pixelY: point.pixelY)
  }

  /// Returns the shares of a segment's length between which it is inside a square; nil when it is outside.
  private func shares(ofSegment segment: Int, inside side: ClosedRange<Double>) -> (Double, Double)? {
    var (start, end) = (0.0, 1.0)
    for (a, b) in [(x[segment], x[segment + 1]), (y[segment], y[segment + 1])] {
      if a == b {
        guard side.contains(a) else { return nil }
        continue
      }
      let (first, last) = ((side.lowerBound - a) / (b - a), (side.upperBound - a) / (b - a))
      start = max(start, min(first, last))
      end = min(end, max(first, last))
    }
    return start <= end ? (start, end) : nil
  }
}
