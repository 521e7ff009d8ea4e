internal import MapGeometry
internal import MapModel
internal import MapSystem

/// Strokes of paths with very many segments side by side.
///
/// Cairo keeps all edges of a stroke that cross a pixel row in one sorted list. Its time grows with the square of
/// their number: 20,000 segments of 200 pixels took a minute. Instead, pieces of the stroke are painted one after
/// another, each pixel keeps the greatest coverage, and the colour is painted once. So overlapping pieces do not add
/// up, neither with a transparent colour nor at soft edges. The image equals that of one stroke, except at pixels
/// where edges of distant parts of the path cross.
extension CairoContext {
  /// The number of segments over one pixel row above which a path is stroked in pieces.
  ///
  /// - Source: measured; at this number one stroke takes up to three times as long as its pieces.
  private static var crowdedRow: Int { 1024 }
  /// The number of segments in a piece, not counting those that it shares with the next piece.
  ///
  /// - Source: measured from 10 to 1000 segments; this number took the fewest milliseconds for wide and narrow
  ///   strokes.
  private static var pieceLength: Int { 64 }
  /// The number of segments that a piece shares with the next.
  ///
  /// One would be enough for the join between them. More give neighbouring segments in one pixel their combined
  /// coverage.
  private static var sharedLength: Int { 16 }

  /// Returns whether so many segments, with their width, cross a pixel row that the path is stroked in pieces.
  func isCrowded(_ geometry: CoordinateBuffer, row: Int, sides: PathSides, width: Double) -> Bool {
    guard geometry.vertices(ofRow: row).count > Self.crowdedRow else { return false }
    // The coordinates are within the limit, so far inside the range of Int.
    let top = sides.top - width / 2
    let rows = Int(clamping: sides.bottom + width / 2 - top) + 1
    // The change in the number of crossing segments from each row to the next.
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

  /// Strokes a row's parts in the current colour.
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

  /// Strokes parts in pieces on the piece surface of the coverage.
  private func gather(
    _ geometry: CoordinateBuffer, parts: Range<Int>, closed: Bool, look: Look, in coverage: StrokeCoverage
  ) {
    var chain = StrokeChain()
    // Short parts are collected and stroked together.
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

  /// Strokes one long part; the pieces' own ends are cut straight, inside the area that the next piece paints.
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
      // Around a ring the first segments follow again.
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

/// The distinct vertices of one part at Cairo's resolution, in order.
///
/// A ring does not repeat its first vertex, but indexes beyond the end wrap around.
private struct StrokeChain {
  private var x: [Double] = []
  private var y: [Double] = []
  private(set) var isClosed = false

  var count: Int { x.count }

  subscript(index: Int) -> (x: Double, y: Double) {
    let index = index < x.count ? index : index - x.count
    return (x[index], y[index])
  }

  /// Reads a part.
  ///
  /// For Cairo a segment shorter than 1/256 pixel does not exist. As the last segment of a piece it would lose the
  /// join before it.
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
