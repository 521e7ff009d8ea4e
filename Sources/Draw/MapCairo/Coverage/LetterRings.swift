internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// The outlines of a label's letters as rings of straight lines, in pixels of the image.
///
/// All letters are one row, so that their halos cover no pixel twice. The letters of every font run in the same
/// direction, so that letters of two fonts do not cancel out where they share a pixel.
struct LetterRings {
  private(set) var geometry = CoordinateBuffer(kind: .polygon)
  /// The image rows where two shapes of one letter may overlap, such as the A and the ring of an Å.
  private(set) var sharedRows: [Range<Int>] = []
  /// The points of the current letter, the start of each of its rings and the end of the last.
  private var points: [Place] = []
  private var starts: [Int] = []

  /// The number of straight lines that replace a curve is at most this.
  ///
  /// - Source: design decision; more than any curve within Cairo's range needs.
  private static let chordLimit = 2048.0

  /// Removes all letters.
  mutating func removeAll() {
    geometry.removeAll()
    sharedRows.removeAll()
  }

  /// Adds the outline of a letter, transformed to the image's pixels by `place`.
  mutating func add(_ steps: [GlyphOutline.Step], _ place: (Double, Double) -> Place) {
    points.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    for step in steps {
      switch step {
      case .move(let x, let y):
        starts.append(points.count)
        points.append(place(x, y))
      case .line(let x, let y): points.append(place(x, y))
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        addCurve(place(x1, y1), place(x2, y2), place(x, y))
      case .close: break
      }
    }
    starts.append(points.count)
    appendRings()
  }

  /// Ends the label.
  mutating func end() { geometry.endRow() }

  /// Adds the chords of a cubic curve from the last point, each within ``CairoContext/tolerance`` of the curve.
  ///
  /// - Source: Wang's formula: n² = 6 / 8 · max |second difference of the control points| / tolerance.
  private mutating func addCurve(_ b: Place, _ c: Place, _ d: Place) {
    guard let a = points.last else { return }
    let (first, second) = (a - 2 * b + c, b - 2 * c + d)
    let bend = max((first * first).sum(), (second * second).sum()).squareRoot()
    let count = max(1, min((0.75 * bend / CairoContext.tolerance).squareRoot().rounded(.up), Self.chordLimit))
    for chord in 1..<max(1, Int(clamping: count)) {
      let t = Double(chord) / count
      let (near, far) = (1 - t, t)
      let start = near * near * near * a + 3 * near * near * far * b
      points.append(start + 3 * near * far * far * c + far * far * far * d)
    }
    points.append(d)
  }

  /// Appends the rings of the current letter, in such a direction that their area is positive.
  private mutating func appendRings() {
    let areas = rings.map { area(of: $0) }
    let sum = areas.reduce(0, +)
    noteSharedRows(zip(rings, areas).filter { $1 * sum > 0 }.map { box(of: $0.0) })
    for ring in rings {
      let first = points[sum < 0 ? ring.upperBound - 1 : ring.lowerBound]
      for index in ring {
        let point = points[sum < 0 ? ring.upperBound - 1 - (index - ring.lowerBound) : index]
        geometry.appendVertex(x: point.x, y: point.y)
      }
      geometry.appendVertex(x: first.x, y: first.y)
      geometry.endPart()
    }
  }

  private func area(of ring: Range<Int>) -> Double {
    var area = 0.0
    var last = points[ring.upperBound - 1]
    for point in points[ring] {
      area += last.x * point.y - point.x * last.y
      last = point
    }
    return area
  }

  private func box(of ring: Range<Int>) -> (low: Place, high: Place) {
    let first = points[ring.lowerBound]
    return points[ring].reduce((first, first)) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
  }

  /// The number of boxes that are compared with the ones before them.
  ///
  /// - Source: design decision; letters of most scripts have fewer shapes.
  private static let comparedBoxes = 64

  private mutating func noteSharedRows(_ boxes: [(low: Place, high: Place)]) {
    for (index, box) in boxes.enumerated() {
      for other in boxes[max(0, index - Self.comparedBoxes)..<index] {
        let (low, high) = (pointwiseMax(box.low, other.low), pointwiseMin(box.high, other.high))
        guard low.x < high.x, low.y < high.y else { continue }
        let first = Int(clamping: low.y.rounded(.down))
        sharedRows.append(first..<max(first, Int(clamping: high.y.rounded(.up))))
      }
    }
  }

  private var rings: some Sequence<Range<Int>> {
    zip(starts, starts.dropFirst()).lazy.map { $0..<$1 }.filter { !$0.isEmpty }
  }
}
