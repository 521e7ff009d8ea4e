import MapGeometry
import MapModel
import MapSystem

extension LabelCandidates {
  /// A position of a label along a line.
  struct Run {
    let name: String
    let letters: LineRun
    let cost: Double
    var boxes: [LabelBox] { letters.boxes }
  }

  /// The number of positions tested along a stretch, to each side of its middle.
  private static let trials = 12
  /// The longest line in pixels that is smoothed as a whole.
  private static let longestSmoothed = 4096.0
  /// The cost of a full circle of bends, of the distance from the middle of the stretch, and of another side.
  private static let (bendCost, farCost, sideCost) = (120.0, 4.0, 8.0)
  /// The cost of a vertical label; a level one is read best.
  private static let slopeCost = 6.0
  /// The cost of a label whose letters all lie over their line, and the share of a letter's box, at each side, that may.
  ///
  /// - Source: design decision; a smoothed line misses the tips of narrow bends.
  private static let (ownLineCost, looseShare) = (60.0, 0.25)

  /// Returns the possible positions of a text on a stretch of a line.
  ///
  /// `dynamic` classes, and those that have no side, also try the other side of the line.
  func runs(of text: LineText, on stretch: (line: Int, from: Double, to: Double)) -> [Run] {
    guard !text.clusters.isEmpty else { return [] }
    let place = definition.placement?.line ?? (-1, .along)
    guard let path = path(of: text, on: stretch, part: place.part) else { return [] }
    var runs = runs(of: text, on: path, stretch, side: place.side, part: place.part, cost: 0)
    let hasNoSide = definition.lineOrientation == .unconstrained
    if definition.triesPositions || hasNoSide, place.side != 0 {
      runs += self.runs(of: text, on: path, stretch, side: -place.side, part: place.part, cost: Self.sideCost)
    }
    return runs
  }

  /// The smoothed line of a stretch.
  private struct Path {
    let smooth: LabelBaseline
    let reversed: LabelBaseline
    /// The line before it was smoothed.
    let straight: LabelBaseline
    /// The stretch, in distances along the smoothed line.
    let from: Double
    let to: Double

    /// Returns the share of a label's letters that lie over the line between two distances along the smoothed line.
    func coverage(of boxes: [LabelBox], halfWidth: Double, from start: Double, to end: Double) -> Double {
      guard smooth.length > 0, !boxes.isEmpty else { return 0 }
      let scale = straight.length / smooth.length
      let hull = LabelBox(around: boxes).grown(by: halfWidth)
      let all = straight.segments(from: start * scale, to: end * scale)
      let segments = all.trimmed { hull.meets(straight.box(ofSegment: $0)) }
      let covered = boxes.count { box in
        let loose = LabelCandidates.looseShare * min(box.xMax - box.xMin, box.yMax - box.yMin)
        let core = box.grown(by: halfWidth - loose)
        return segments.contains {
          core.meets(straight.box(ofSegment: $0))
            && core.envelope.meetsSegment(
              straight.x[$0], straight.y[$0], straight.x[$0 + 1], straight.y[$0 + 1])
        }
      }
      return Double(covered) / Double(boxes.count)
    }
  }

  /// Returns the smoothed line of a stretch; nil if it is too short for a text.
  private func path(
    of text: LineText, on stretch: (line: Int, from: Double, to: Double), part: LabelingPlacement.LinePart
  ) -> Path? {
    var (straight, from, to) = (bases[stretch.line], stretch.from, stretch.to)
    if part == .along {
      guard mayOverrun || text.width <= straight.length else { return nil }
      // Of a very long line, only the piece around the middle of the stretch is smoothed.
      if straight.length > Self.longestSmoothed {
        let (middle, room) = ((from + to) / 2, Self.longestSmoothed / 4)
        (from, to) = (max(from, middle - room), min(to, middle + room))
        let margin = min(text.width, Self.longestSmoothed) + Self.longestSmoothed / 16
        let start = max(from - margin, 0)
        straight = straight.piece(from: start, to: min(to + margin, straight.length))
        (from, to) = (from - start, to - start)
      }
    }
    let smooth = straight.smoothed(step: max(text.size / 4, 1), reach: 4)
    // The stretch is measured along the line itself, which smoothing shortens.
    let scale = straight.length > 0 ? smooth.length / straight.length : 1
    return Path(
      smooth: smooth, reversed: smooth.reversed, straight: straight, from: from * scale, to: to * scale)
  }

  private func runs(
    of text: LineText, on path: Path, _ stretch: (line: Int, from: Double, to: Double), side: Double,
    part: LabelingPlacement.LinePart, cost: Double
  ) -> [Run] {
    let line = lines[stretch.line]
    let distance = line.halfWidth + SymbolNumber.offset.bounded(definition.offsetDistance * pixelRatio)
    /// Returns the height of the baseline over the line, for a side of the letters.
    func height(_ side: Double) -> Double {
      // Letters of a line in the middle: half the height of a small letter is above the line.
      side < 0
        ? distance + text.below : side > 0 ? -distance - text.above : -Self.smallLetters / 2 * text.size
    }
    let smooth = path.smooth
    let keepsDirection = definition.textOrientation == .direction && definition.textLayout != .horizontal
    /// The line where it runs to the right and to the left, moved to the side of the letters when a label first needs
    /// it.
    var bases: [LabelBaseline?] = [nil, nil]
    let sideName = side < 0 ? "above" : side > 0 ? "below" : "center"
    let isAcross = definition.textLayout == .perpendicular
    /// Half the length of the line that a label takes.
    let half = isAcross ? text.size / 2 : text.width / 2
    func run(at center: Double, mayOverrun: Bool, _ partName: String, cost: Double) -> Run? {
      let runsLeft = smooth.runsLeft(from: center - half, to: center + half)
      let isReversed = runsLeft && !keepsDirection
      let middle = isReversed ? path.reversed : smooth
      let own = isReversed ? smooth.length - center : center
      // Above on the page is below letters that are upside down; to the left of a line is below reversed letters.
      let isOtherSide = definition.lineOrientation == .direction ? isReversed : runsLeft && keepsDirection
      let side = isOtherSide ? -side : side
      let height = height(side)
      var (base, moved) = (middle, own)
      if isAcross {
        let shift = side * (distance + text.width / 2)
        base = middle.crossing(
          at: own, reach: half, half: text.width / 2, shift: shift, keepsDirection: keepsDirection
        ).moved(left: -Self.smallLetters / 2 * text.size)
        moved = base.length / 2
      } else if definition.textLayout == .horizontal || definition.textLayout == .straight {
        base = middle.chord(at: own, half: half, isHorizontal: definition.textLayout == .horizontal)
          .moved(left: height)
        moved = base.length / 2
      } else {
        base = bases[runsLeft ? 1 : 0] ?? middle.moved(left: height)
        bases[runsLeft ? 1 : 0] = base
        // The moved line is longer on the outside of bends: the same share of both is the same point.
        if !mayOverrun {
          moved = max(min(base.distance(atShareOf: own, along: middle), base.length - half), half)
        }
      }
      let isUpright = !keepsDirection
      guard let run = base.run(text, center: moved, mayOverrun: mayOverrun, isUpright: isUpright) else {
        return nil
      }
      var cost = cost + run.bend * Self.bendCost / 6.3
      if !isAcross {
        cost += smooth.slope(from: center - half, to: center + half) * Self.slopeCost
        if side != 0 {
          let (start, end) = (center - 3 * half - text.size, center + 3 * half + text.size)
          cost +=
            path.coverage(of: run.boxes, halfWidth: line.halfWidth, from: start, to: end) * Self.ownLineCost
        }
      }
      return Run(name: sideName + partName, letters: run, cost: cost)
    }
    let length = smooth.length
    switch part {
    case .start: return run(at: half, mayOverrun: mayOverrun, "Start", cost: cost).map { [$0] } ?? []
    case .end: return run(at: length - half, mayOverrun: mayOverrun, "End", cost: cost).map { [$0] } ?? []
    case .before: return run(at: -half - distance, mayOverrun: true, "Before", cost: cost).map { [$0] } ?? []
    case .after:
      return run(at: length + half + distance, mayOverrun: true, "After", cost: cost).map { [$0] } ?? []
    case .along: break
    }
    let (from, to) = (path.from, path.to)
    let middle = (from + to) / 2
    let room = max((to - from) / 2 - half, 0)
    guard room > 0 || mayOverrun || 2 * half <= length else { return [] }
    var runs: [Run] = []
    // Positions less than a quarter of an em apart hardly differ.
    let trials = Int(clamping: min((room / text.size * 4).rounded(.up), Double(Self.trials)))
    for trial in -trials...trials {
      let share = Double(trial) / Double(max(trials, 1))
      let found = run(
        at: min(
          max(middle + share * room, mayOverrun ? -.infinity : half),
          mayOverrun ? .infinity : length - half),
        mayOverrun: mayOverrun, "Along", cost: cost + abs(share) * Self.farCost)
      if let found { runs.append(found) }
    }
    return runs
  }

  /// Whether a label may extend beyond the ends of its line; one across the line does not follow it.
  private var mayOverrun: Bool { allowsOverrun || definition.textLayout == .perpendicular }

  /// The height of small letters in ems.
  static let smallLetters = 0.536
}

extension Range<Int> {
  /// Returns the range without the numbers at its ends that lack a property.
  fileprivate func trimmed(_ has: (Int) -> Bool) -> Range<Int> {
    guard let first = first(where: has), let last = last(where: has) else { return lowerBound..<lowerBound }
    return first..<last + 1
  }
}

extension LabelBaseline {
  /// Returns the box around a segment.
  @inline(__always)
  fileprivate func box(ofSegment index: Int) -> LabelBox {
    LabelBox(
      xMin: min(x[index], x[index + 1]), yMin: min(y[index], y[index + 1]),
      xMax: max(x[index], x[index + 1]), yMax: max(y[index], y[index + 1]))
  }

  /// Returns the straight line to the right that replaces the chain around a distance, with the same middle.
  fileprivate func chord(at center: Double, half: Double, isHorizontal: Bool) -> LabelBaseline {
    let (middle, first, last) = (point(at: center), point(at: center - half), point(at: center + half))
    var (dx, dy) = (last.x - first.x, last.y - first.y)
    let length = (dx * dx + dy * dy).squareRoot()
    (dx, dy) = isHorizontal || length == 0 ? (1, 0) : (dx / length, dy / length)
    return LabelBaseline(
      x: [middle.x - half * dx, middle.x + half * dx], y: [middle.y - half * dy, middle.y + half * dy])
  }

  /// Returns the straight line of text across the chain at a distance.
  ///
  /// It reads to the right or upwards, or, if it keeps the direction, to the right of the chain.
  ///
  /// - Parameters:
  ///   - reach: the distance over which the direction of the chain is measured, to each side.
  ///   - half: half the length of the line.
  ///   - shift: the distance of its middle to the right of the chain; negative to the left, which is above the chain.
  fileprivate func crossing(
    at center: Double, reach: Double, half: Double, shift: Double, keepsDirection: Bool
  ) -> LabelBaseline {
    let (middle, first, last) = (point(at: center), point(at: center - reach), point(at: center + reach))
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let right = length > 0 ? (x: -dy / length, y: dx / length) : (x: 0.0, y: 1.0)
    let (x, y) = (middle.x + shift * right.x, middle.y + shift * right.y)
    let isForward = keepsDirection || (abs(right.x) > 1e-6 ? right.x > 0 : right.y < 0)
    let way = isForward ? right : (x: -right.x, y: -right.y)
    return LabelBaseline(x: [x - half * way.x, x + half * way.x], y: [y - half * way.y, y + half * way.y])
  }

  /// Returns the distance along this chain that corresponds to a distance along a chain with as many points.
  func distance(atShareOf distance: Double, along other: LabelBaseline) -> Double {
    guard other.lengths.count == lengths.count, let last = lengths.indices.last, last > 0 else {
      return other.length > 0 ? distance / other.length * length : distance
    }
    var (low, high) = (0, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if other.lengths[middle] <= distance { low = middle } else { high = middle }
    }
    let share = (distance - other.lengths[low]) / (other.lengths[high] - other.lengths[low])
    return lengths[low] + share * (lengths[high] - lengths[low])
  }
}
