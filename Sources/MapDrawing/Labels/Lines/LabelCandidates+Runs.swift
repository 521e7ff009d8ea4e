import MapModel

extension LabelCandidates {
  /// A position of a label along a line.
  struct Run {
    let name: String
    let glyphs: [LabelItem.Glyph]
    let boxes: [LabelBox]
    let cost: Double
  }

  /// The number of positions tested along a stretch, to each side of its middle.
  private static let trials = 12
  /// The longest line in pixels that is smoothed as a whole.
  private static let longestSmoothed = 4096.0
  /// The cost of a full circle of bends, of the distance from the middle of the stretch, and of another side.
  private static let (bendCost, farCost, sideCost) = (60.0, 4.0, 8.0)

  /// Returns the possible positions of a text on a stretch of a line.
  ///
  /// `dynamic` classes also try the other side of the line.
  func runs(of text: LineText, on stretch: (line: Int, from: Double, to: Double)) -> [Run] {
    guard !text.clusters.isEmpty else { return [] }
    let place = definition.placement?.line ?? (-1, .along)
    var runs = runs(of: text, on: stretch, side: place.side, part: place.part, cost: 0)
    if definition.triesPositions, place.side != 0 {
      runs += self.runs(of: text, on: stretch, side: -place.side, part: place.part, cost: Self.sideCost)
    }
    return runs
  }

  private func runs(
    of text: LineText, on stretch: (line: Int, from: Double, to: Double), side: Double,
    part: LabelingPlacement.LinePart, cost: Double
  ) -> [Run] {
    let line = lines[stretch.line]
    let distance = line.halfWidth + SymbolNumber.offset.bounded(definition.offsetDistance * pixelRatio)
    // Letters of a line in the middle: half the height of a small letter is above the line.
    let height =
      side < 0
      ? distance + text.below : side > 0 ? -distance - text.above : -Self.smallLetters / 2 * text.size
    var (straight, from, to) = (bases[stretch.line], stretch.from, stretch.to)
    if part == .along {
      guard allowsOverrun || text.width <= straight.length else { return [] }
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
    /// Both directions of the line, each moved to the side that is above it.
    let ways = [smooth, smooth.reversed].map { (middle: $0, base: $0.moved(left: height)) }
    let sideName = side < 0 ? "above" : side > 0 ? "below" : "center"
    func run(at center: Double, mayOverrun: Bool, _ partName: String, cost: Double) -> Run? {
      let half = text.width / 2
      let runsLeft = smooth.runsLeft(from: center - half, to: center + half)
      let way = ways[runsLeft ? 1 : 0]
      let own = runsLeft ? smooth.length - center : center
      // The moved line is longer on the outside of bends: the same share of both is the same point.
      var moved = own
      if !mayOverrun {
        let shared = way.base.distance(atShareOf: own, along: way.middle)
        moved = max(min(shared, way.base.length - half), half)
      }
      guard let run = way.base.run(text, center: moved, mayOverrun: mayOverrun) else { return nil }
      return Run(
        name: sideName + partName, glyphs: run.glyphs, boxes: run.boxes,
        cost: cost + run.bend * Self.bendCost / 6.3)
    }
    let (half, length) = (text.width / 2, smooth.length)
    switch part {
    case .start: return run(at: half, mayOverrun: allowsOverrun, "Start", cost: cost).map { [$0] } ?? []
    case .end: return run(at: length - half, mayOverrun: allowsOverrun, "End", cost: cost).map { [$0] } ?? []
    case .before: return run(at: -half - distance, mayOverrun: true, "Before", cost: cost).map { [$0] } ?? []
    case .after:
      return run(at: length + half + distance, mayOverrun: true, "After", cost: cost).map { [$0] } ?? []
    case .along: break
    }
    // The stretch is measured along the line itself, which smoothing shortens.
    let scale = straight.length > 0 ? length / straight.length : 1
    (from, to) = (from * scale, to * scale)
    let middle = (from + to) / 2
    let room = max((to - from) / 2 - half, 0)
    guard room > 0 || allowsOverrun || text.width <= length else { return [] }
    var runs: [Run] = []
    for trial in -Self.trials...Self.trials where room > 0 || trial == 0 {
      let share = Double(trial) / Double(Self.trials)
      let found = run(
        at: min(
          max(middle + share * room, allowsOverrun ? -.infinity : half),
          allowsOverrun ? .infinity : length - half),
        mayOverrun: allowsOverrun, "Along", cost: cost + abs(share) * Self.farCost)
      if let found { runs.append(found) }
    }
    return runs
  }

  /// The height of small letters in ems.
  private static let smallLetters = 0.536
}

extension LabelBaseline {
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
