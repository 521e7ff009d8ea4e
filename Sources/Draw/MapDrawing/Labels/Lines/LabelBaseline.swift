import MapGeometry
import MapSystem

/// A chain of points in pixels along which a label is written, glyph by glyph.
struct LabelBaseline {
  /// The cosine of the largest angle between neighbouring glyphs, 25 degrees.
  private static let bendLimit = 0.906_307_787
  /// The smallest horizontal share of a glyph's direction: a glyph leans at most this far beyond the vertical.
  private static let uprightLimit = -1e-6
  /// The steps by which a glyph is pushed on when it would overlap the one before it, and their limit, in ems.
  private static let (push, pushLimit) = (0.04, 0.24)

  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  /// The distance of each point from the first one along the chain.
  private(set) var lengths: [Double] = []

  var length: Double { lengths.last ?? 0 }

  /// Creates a chain; repeated points count once.
  init(x: [Double], y: [Double]) {
    for index in x.indices {
      guard let lastX = self.x.last, let lastY = self.y.last, let last = lengths.last else {
        append(x[index], y[index], 0)
        continue
      }
      let (dx, dy) = (x[index] - lastX, y[index] - lastY)
      let step = (dx * dx + dy * dy).squareRoot()
      if step > 1e-6 { append(x[index], y[index], last + step) }
    }
  }

  private mutating func append(_ x: Double, _ y: Double, _ length: Double) {
    self.x.append(x)
    self.y.append(y)
    lengths.append(length)
  }

  /// The chain in the opposite direction.
  var reversed: LabelBaseline { LabelBaseline(x: x.reversed(), y: y.reversed()) }

  /// Returns the point at a distance along the chain; beyond the ends, the end segments are prolonged.
  func point(at distance: Double) -> (x: Double, y: Double) {
    var segment = segment(at: distance)
    return point(at: distance, near: &segment)
  }

  /// Returns the point at a distance along the chain; the search starts at a segment, and leaves the one that holds the point.
  @inline(__always)
  private func point(at distance: Double, near segment: inout Int) -> (x: Double, y: Double) {
    guard x.count > 1 else { return (x.first ?? 0, y.first ?? 0) }
    while segment > 0, lengths[segment] > distance { segment -= 1 }
    while segment < x.count - 2, lengths[segment + 1] <= distance { segment += 1 }
    let (low, high) = (segment, segment + 1)
    let share = (distance - lengths[low]) / (lengths[high] - lengths[low])
    return (x[low] + share * (x[high] - x[low]), y[low] + share * (y[high] - y[low]))
  }

  /// Returns the segment at a distance along the chain; beyond the ends, the first or the last one.
  private func segment(at distance: Double) -> Int {
    guard x.count > 1 else { return 0 }
    // Points are mostly at equal distances, so the segment is near this one.
    let guess = distance / length * Double(x.count - 1)
    var low = Int(clamping: min(max(guess.isNaN ? 0 : guess, 0), Double(x.count - 2)))
    if lengths[low] > distance || lengths[low + 1] <= distance {
      var (first, last) = lengths[low] > distance ? (0, low) : (low, x.count - 1)
      while last - first > 1 {
        let middle = (first + last) / 2
        if lengths[middle] <= distance { first = middle } else { last = middle }
      }
      low = min(first, x.count - 2)
    }
    return low
  }

  /// Returns the segments between two distances, by the index of their first points.
  func segments(from start: Double, to end: Double) -> Range<Int> {
    func index(of distance: Double) -> Int {
      var (first, last) = (0, x.count)
      while first < last {
        let middle = (first + last) / 2
        if lengths[middle] <= distance { first = middle + 1 } else { last = middle }
      }
      return first
    }
    let last = max(x.count - 1, 0)
    let lower = min(max(index(of: start) - 1, 0), last)
    return lower..<max(min(index(of: end), last), lower)
  }

  /// Returns the part of the chain between two distances.
  func piece(from start: Double, to end: Double) -> LabelBaseline {
    let inner = lengths.indices.filter { lengths[$0] > start && lengths[$0] < end }
    let (first, last) = (point(at: start), point(at: end))
    return LabelBaseline(
      x: [first.x] + inner.map { x[$0] } + [last.x], y: [first.y] + inner.map { y[$0] } + [last.y])
  }

  /// Returns the chain with points at equal distances, each the mean of those around it; the ends stay.
  func smoothed(step: Double, reach: Int) -> LabelBaseline {
    let count = max(Int(clamping: min((length / step).rounded(.up), 1e5)), 1)
    var (x, y): ([Double], [Double]) = ([], [])
    for index in 0...count {
      let point = point(at: length * Double(index) / Double(count))
      x.append(point.x)
      y.append(point.y)
    }
    // Twice, which approximates a bell curve.
    for _ in 0..<2 {
      let (sumsX, sumsY) = (Self.sums(x), Self.sums(y))
      for index in 1..<max(count, 1) {
        let width = min(reach, index, count - index)
        let divisor = Double(2 * width + 1)
        x[index] = (sumsX[index + width + 1] - sumsX[index - width]) / divisor
        y[index] = (sumsY[index + width + 1] - sumsY[index - width]) / divisor
      }
    }
    return LabelBaseline(x: x, y: y)
  }

  private static func sums(_ values: [Double]) -> [Double] {
    var sums = [0.0]
    for value in values { sums.append(sums[sums.count - 1] + value) }
    return sums
  }

  /// Returns the chain moved to its left, which is above it when it runs to the right.
  func moved(left distance: Double) -> LabelBaseline {
    guard distance != 0, x.count > 1 else { return self }
    var (movedX, movedY) = (x, y)
    for index in x.indices {
      let (before, after) = (max(index - 1, 0), min(index + 1, x.count - 1))
      let (dx, dy) = (x[after] - x[before], y[after] - y[before])
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 0 else { continue }
      movedX[index] += distance * dy / length
      movedY[index] -= distance * dx / length
    }
    return LabelBaseline(x: movedX, y: movedY)
  }

  /// Returns whether text between two distances would be upside down; vertical text reads upwards.
  func runsLeft(from start: Double, to end: Double) -> Bool {
    let (first, last) = (point(at: start), point(at: end))
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    return abs(dx) > 1e-6 * abs(dy) ? dx < 0 : dy > 0
  }

  /// Returns the share of the vertical in the direction between two distances: 0 for a level stretch, 1 for a vertical one.
  func slope(from start: Double, to end: Double) -> Double {
    let (first, last) = (point(at: start), point(at: end))
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    let length = (dx * dx + dy * dy).squareRoot()
    return length > 0 ? abs(dy) / length : 0
  }

  /// Returns a label whose middle is at a distance along the chain.
  ///
  /// - Parameter isUpright: whether no glyph may be upside down.
  /// - Returns: nil when glyphs would overlap or bend too much, or, unless it is allowed, turn upside down or extend
  ///   beyond the chain.
  func run(_ text: LineText, center: Double, mayOverrun: Bool, isUpright: Bool = true) -> LineRun? {
    var run = LineRun(base: self, text: text, center: center, mayOverrun: mayOverrun, isUpright: isUpright)
    run.boxes.reserveCapacity(text.clusters.count)
    let bend = placeLetters(of: text, center: center, mayOverrun: mayOverrun, isUpright: isUpright) {
      _, box in
      run.boxes.append(box.bounds.grown(by: text.reach))
    }
    guard let bend else { return nil }
    run.bend = bend
    return run
  }

  /// Places letters one after the other; returns the sum of the sines of the angles between neighbours.
  ///
  /// - Returns: nil where ``run(_:center:mayOverrun:isUpright:)`` does.
  fileprivate func placeLetters(
    of text: LineText, center: Double, mayOverrun: Bool, isUpright: Bool,
    _ place: (LineText.Cluster, OrientedBox) -> Void
  ) -> Double? {
    let start = center - text.width / 2
    guard text.width > 0, mayOverrun || (start >= -1e-6 && start + text.width <= length + 1e-6) else {
      return nil
    }
    var (pushed, bend, segment) = (0.0, 0.0, segment(at: start))
    var last: (box: OrientedBox, x: Double, y: Double)?
    for cluster in text.clusters {
      var box: OrientedBox
      while true {
        let middle = start + cluster.middle + pushed
        let a = point(at: middle - cluster.reach, near: &segment)
        let origin = point(at: middle, near: &segment)
        let b = point(at: middle + cluster.reach, near: &segment)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0 else { return nil }
        box = OrientedBox(origin: origin, x: dx / length, y: dy / length, box: cluster.box)
        guard let last, box.overlaps(last.box) else { break }
        pushed += Self.push * text.size
        guard pushed <= Self.pushLimit * text.size * Double(text.clusters.count).squareRoot() else {
          return nil
        }
      }
      guard !isUpright || box.x >= Self.uprightLimit else { return nil }
      if let last {
        guard last.x * box.x + last.y * box.y >= Self.bendLimit else { return nil }
        bend += abs(last.x * box.y - last.y * box.x)
      }
      last = (box, box.x, box.y)
      place(cluster, box)
    }
    let end = start + text.width + pushed
    return mayOverrun || end <= length + 1e-6 ? bend : nil
  }
}

/// A label along a line.
struct LineRun {
  private let base: LabelBaseline
  private let text: LineText
  private let center: Double
  private let (mayOverrun, isUpright): (Bool, Bool)
  /// The box of each letter with its halo.
  fileprivate(set) var boxes: [LabelBox] = []
  /// The sum of the sines of the angles between neighbouring letters.
  fileprivate(set) var bend = 0.0

  fileprivate init(base: LabelBaseline, text: LineText, center: Double, mayOverrun: Bool, isUpright: Bool) {
    (self.base, self.text, self.center) = (base, text, center)
    (self.mayOverrun, self.isUpright) = (mayOverrun, isUpright)
  }

  /// The glyphs, which are computed for the few labels that are drawn: of all positions, they would take much memory.
  var glyphs: [LabelItem.Glyph] {
    var glyphs: [LabelItem.Glyph] = []
    _ = base.placeLetters(of: text, center: center, mayOverrun: mayOverrun, isUpright: isUpright) {
      letter, box in
      for glyph in text.glyphs[letter.glyphs] {
        let point = box.point(glyph.x - letter.middle, glyph.y)
        glyphs.append(
          LabelItem.Glyph(
            outline: glyph.outline, character: glyph.character, x: point.x, y: point.y, directionX: box.x,
            directionY: box.y))
      }
    }
    return glyphs
  }
}

/// A line of text as letters, each with the marks over it.
struct LineText {
  /// A letter, in pixels relative to the start of the baseline, y down.
  struct Cluster {
    /// The indices into ``LineText/glyphs``.
    var glyphs: Range<Int>
    /// The box of the ink relative to ``middle`` on the baseline.
    var box: LabelBox
    /// The distance of the ink's middle from the start of the text.
    let middle: Double
    /// The distance over which the direction of the line is measured, to each side.
    let reach: Double
  }

  private(set) var clusters: [Cluster] = []
  private(set) var glyphs: [LabelItem.Glyph] = []
  let width: Double
  let size: Double
  /// The distance that the halo extends.
  let reach: Double
  /// The distances that the ink extends above and below the baseline.
  private(set) var (above, below) = (0.0, 0.0)

  /// Divides the layout of a single line into letters.
  init(_ layout: LabelLayout, style: LabelStyle, outlines: [GlyphOutline]) {
    (width, size, reach) = (layout.width, style.size, style.reach)
    let baseline = LabelLayout.ascent * style.size
    for glyph in layout.glyphs {
      guard let bounds = outlines[Int(glyph.outline)].bounds else { continue }
      let y = glyph.y - baseline
      let left = glyph.x + (bounds.xMin + min(style.slant * bounds.yMin, 0)) * size
      let right = glyph.x + (bounds.xMax + max(style.slant * bounds.yMax, 0)) * size
      let (top, bottom) = (y - bounds.yMax * size, y - bounds.yMin * size)
      (above, below) = (max(above, -top), max(below, bottom))
      glyphs.append(LabelItem.Glyph(outline: glyph.outline, character: glyph.character, x: glyph.x, y: y))
      // A mark lies over most of the letter before it.
      if let last = clusters.last,
        min(right, last.middle + last.box.xMax) - max(left, last.middle + last.box.xMin) > (right - left) / 2
      {
        clusters[clusters.count - 1].glyphs = last.glyphs.lowerBound..<glyphs.count
        clusters[clusters.count - 1].box = last.box.union(
          LabelBox(xMin: left - last.middle, yMin: top, xMax: right - last.middle, yMax: bottom))
      } else {
        let middle = (left + right) / 2
        clusters.append(
          Cluster(
            glyphs: glyphs.count - 1..<glyphs.count,
            box: LabelBox(xMin: left - middle, yMin: top, xMax: right - middle, yMax: bottom), middle: middle,
            reach: max((right - left) / 2, size / 4)))
      }
    }
    // Letters that overlap in straight text, such as kerned ones, may overlap by as much along a line.
    for index in clusters.indices.dropLast() {
      let (a, b) = (clusters[index], clusters[index + 1])
      let shared = a.middle + a.box.xMax - b.middle - b.box.xMin
      guard shared > -0.01 * size else { continue }
      let cut = min(shared / 2 + 0.01 * size, (a.box.xMax - a.box.xMin) / 2, (b.box.xMax - b.box.xMin) / 2)
      clusters[index].box.xMax -= cut
      clusters[index + 1].box.xMin += cut
    }
  }
}

/// A rectangle in the direction of a baseline.
private struct OrientedBox {
  let origin: (x: Double, y: Double)
  /// The direction of the baseline, of length 1.
  let x: Double
  let y: Double
  let box: LabelBox

  /// Returns a point given along the baseline and below it.
  func point(_ along: Double, _ down: Double) -> (x: Double, y: Double) {
    (origin.x + along * x - down * y, origin.y + along * y + down * x)
  }

  private var center: (x: Double, y: Double) { point(box.center.x, box.center.y) }
  private var half: (along: Double, down: Double) { ((box.xMax - box.xMin) / 2, (box.yMax - box.yMin) / 2) }

  var bounds: LabelBox {
    let (center, half) = (center, half)
    let width = half.along * abs(x) + half.down * abs(y)
    let height = half.along * abs(y) + half.down * abs(x)
    return LabelBox(
      xMin: center.x - width, yMin: center.y - height, xMax: center.x + width, yMax: center.y + height)
  }

  /// Returns whether the rectangles share area, by the axes of both.
  func overlaps(_ other: OrientedBox) -> Bool { !isApart(from: other) && !other.isApart(from: self) }

  /// Returns whether a side of this rectangle separates the two.
  private func isApart(from other: OrientedBox) -> Bool {
    let (own, theirs) = (half, other.half)
    let (dx, dy) = (other.center.x - center.x, other.center.y - center.y)
    let (cosine, sine) = (abs(x * other.x + y * other.y), abs(x * other.y - y * other.x))
    return abs(dx * x + dy * y) >= own.along + theirs.along * cosine + theirs.down * sine
      || abs(dy * x - dx * y) >= own.down + theirs.along * sine + theirs.down * cosine
  }
}
