internal import MapGeometry
internal import MapModel

/// Strokes of paths of which very many segments lie side by side.
///
/// Cairo keeps all edges of a stroke that cross a row of pixels in one sorted list, and its time grows with the square
/// of their number: 20,000 segments of 200 pixels took a minute. Pieces of the stroke are painted one after the other
/// instead, and of their coverages each pixel keeps the greatest; then the colour is painted once. So pieces do not add
/// up where they overlap, neither a clear colour nor the soft edges. The picture is that of one stroke but for pixels
/// where edges of far parts of the path cross.
extension CairoContext {
  /// Segments over one row of pixels above which a path is stroked in pieces.
  ///
  /// - Source: measured; at so many, one stroke takes up to three times as long as its pieces.
  private static var crowdedRow: Int { 1024 }
  /// Segments of a piece, but for those that it shares with the next.
  ///
  /// - Source: measured from 10 to 1000 segments; fewest milliseconds, wide and narrow.
  private static var pieceLength: Int { 64 }
  /// Segments that a piece shares with the next: one makes the join between them, more give neighbours in one pixel the
  /// coverage that they have together.
  private static var sharedLength: Int { 16 }

  /// True when a row of pixels is crossed by so many segments of a row's path, as wide as they are, that it is stroked
  /// in pieces.
  func isCrowded(_ geometry: CoordinateBuffer, row: Int, sides: PathSides, width: Double) -> Bool {
    guard geometry.vertices(ofRow: row).count > Self.crowdedRow else { return false }
    // Within the coordinate limit, so far inside Int.
    let top = sides.top - width / 2
    let rows = Int(clamping: sides.bottom + width / 2 - top) + 1
    // By how many segments more each row is crossed than the one above.
    var changes = Array(repeating: 0, count: rows + 1)
    for part in geometry.parts(ofRow: row) {
      for vertex in geometry.vertices(ofPart: part).dropFirst() {
        let (a, b) = (geometry.y[vertex - 1], geometry.y[vertex])
        changes[Int(clamping: min(a, b) - width / 2 - top)] += 1
        changes[Int(clamping: max(a, b) + width / 2 - top) + 1] -= 1
      }
    }
    var crossing = 0
    return changes.contains { change in
      crossing += change
      return crossing > Self.crowdedRow
    }
  }

  /// Strokes a row's parts, in the colour that is set.
  func strokeInPieces(
    _ geometry: CoordinateBuffer, row: Int, closed: Bool, look: Look, isSoft: Bool, window: BandWindow
  ) throws(CairoError) {
    let coverage = try StrokeCoverage(window: window, reach: look.reach)
    try coverage.piece.draw { pen in
      pen.prepare(for: window)
      if !isSoft { pen.turnAntialiasingOff() }
      pen.setColor(red: 0, green: 0, blue: 0)
      pen.setLineWidth(look.width)
      pen.gather(geometry, parts: geometry.parts(ofRow: row), closed: closed, look: look, in: coverage)
    }
    if let error = coverage.error { throw error }
    mask(coverage.sum, y: window.origin)
  }

  /// Strokes parts in pieces, on the surface that the coverage takes them from.
  private func gather(
    _ geometry: CoordinateBuffer, parts: Range<Int>, closed: Bool, look: Look, in coverage: StrokeCoverage
  ) {
    var chain = StrokeChain()
    // Short parts wait to be stroked together.
    var waiting = parts.lowerBound..<parts.lowerBound
    for part in parts {
      let count = geometry.vertices(ofPart: part).count
      if count > 2 * Self.pieceLength {
        gatherWhole(geometry, parts: waiting, closed: closed, look: look, in: coverage)
        chain.read(geometry, part: part, closed: closed)
        gatherLong(chain, look: look, in: coverage)
        waiting = part + 1..<part + 1
      } else {
        waiting = waiting.lowerBound..<part + 1
        let first = geometry.vertices(ofPart: waiting.lowerBound).lowerBound
        if geometry.vertices(ofPart: part).upperBound - first >= Self.pieceLength {
          gatherWhole(geometry, parts: waiting, closed: closed, look: look, in: coverage)
          waiting = part + 1..<part + 1
        }
      }
      if coverage.isFull { return }
    }
    gatherWhole(geometry, parts: waiting, closed: closed, look: look, in: coverage)
  }

  /// Strokes some short parts as one piece.
  private func gatherWhole(
    _ geometry: CoordinateBuffer, parts: Range<Int>, closed: Bool, look: Look, in coverage: StrokeCoverage
  ) {
    guard let first = parts.first, let last = parts.last else { return }
    let (x, y) = (geometry.x.span, geometry.y.span)
    let vertices =
      geometry.vertices(ofPart: first).lowerBound..<geometry.vertices(ofPart: last).upperBound
    let sides = PathSides(x, y, vertices)
    guard coverage.wants(sides) else { return }
    setLineEnds(cap: look.cap, join: look.join, miterLimit: look.miterLimit)
    newPath()
    for part in parts { addPart(x, y, geometry.vertices(ofPart: part), closed: closed) }
    stroke()
    coverage.takePiece(sides)
  }

  /// Strokes one long part; the pieces' own ends are cut straight, inside what the next piece
  /// paints.
  private func gatherLong(_ part: StrokeChain, look: Look, in coverage: StrokeCoverage) {
    var chain = part
    if !chain.isClosed {
      if look.cap == .square { chain.extendEnds(by: look.width / 2) }
      if look.cap == .round {
        gatherDisc(chain, at: 0, look: look, in: coverage)
        gatherDisc(chain, at: chain.count - 1, look: look, in: coverage)
      }
    }
    setLineEnds(cap: .butt, join: look.join, miterLimit: look.miterLimit)
    let segments = chain.isClosed ? chain.count : chain.count - 1
    for start in stride(from: 0, to: segments, by: Self.pieceLength) {
      // Around a ring the first ones come again.
      let shared = start + Self.pieceLength + Self.sharedLength
      let end = min(shared, chain.isClosed ? segments + Self.sharedLength : segments)
      let sides = chain.sides(start...end)
      guard coverage.wants(sides) else { continue }
      newPath()
      move(x: chain[start].x, y: chain[start].y)
      for index in start + 1...end { line(x: chain[index].x, y: chain[index].y) }
      stroke()
      coverage.takePiece(sides)
    }
  }

  private func gatherDisc(
    _ chain: StrokeChain, at index: Int, look: Look, in coverage: StrokeCoverage
  ) {
    let sides = chain.sides(index...index)
    guard coverage.wants(sides) else { return }
    newPath()
    circle(x: chain[index].x, y: chain[index].y, radius: look.width / 2)
    fill()
    coverage.takePiece(sides)
  }
}

/// The vertices of one part that Cairo tells apart, in order; a ring's first is not repeated but comes again.
private struct StrokeChain {
  private var x: [Double] = []
  private var y: [Double] = []
  private(set) var isClosed = false

  var count: Int { x.count }

  subscript(index: Int) -> (x: Double, y: Double) {
    let index = index < x.count ? index : index - x.count
    return (x[index], y[index])
  }

  /// Takes over a part.
  ///
  /// A segment shorter than 1/256 pixel is none for Cairo; as the last of a piece it would cost the join before it.
  mutating func read(_ geometry: CoordinateBuffer, part: Int, closed: Bool) {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    func isSame(_ a: Double, _ b: Double) -> Bool { (a * 256).rounded() == (b * 256).rounded() }
    for vertex in geometry.vertices(ofPart: part) {
      let (px, py) = (geometry.x[vertex], geometry.y[vertex])
      if let lastX = x.last, let lastY = y.last, isSame(px, lastX), isSame(py, lastY) { continue }
      x.append(px)
      y.append(py)
    }
    if closed, x.count > 1, isSame(x[0], x[x.count - 1]), isSame(y[0], y[y.count - 1]) {
      x.removeLast()
      y.removeLast()
    }
    isClosed = closed && x.count > 2
  }

  /// Moves the ends outwards, which makes them square caps.
  mutating func extendEnds(by length: Double) {
    guard x.count > 1 else { return }
    for (end, next) in [(0, 1), (x.count - 1, x.count - 2)] {
      let (dx, dy) = (x[end] - x[next], y[end] - y[next])
      let distance = (dx * dx + dy * dy).squareRoot()
      x[end] += dx / distance * length
      y[end] += dy / distance * length
    }
  }

  func sides(_ indices: ClosedRange<Int>) -> PathSides {
    if indices.upperBound < x.count {
      return PathSides(x.span, y.span, indices.lowerBound..<indices.upperBound + 1)
    }
    let (xs, ys) = (indices.map { self[$0].x }, indices.map { self[$0].y })
    return PathSides(xs.span, ys.span, 0..<xs.count)
  }
}
