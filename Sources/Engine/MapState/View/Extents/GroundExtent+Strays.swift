package import MapFeatures
package import MapGeometry
import MapSystem

/// The parts of features far from all others.
///
/// They lie beyond an empty strip on one of four sides, which is at least an eighth as wide as the rest. Of each layer, all of
/// them are at most 1 % of the area, of the length of lines, or of the number of points, as measured on the plane of the map.
///
/// - Source: design decision.
extension GroundExtent {
  /// The largest share of a layer's features.
  private static let mostShare = 0.01
  /// The least width of the empty strip relative to that of the rest.
  private static let leastStrip = 0.125
  /// The largest number of strips.
  private static let mostStrips = 16

  /// Returns the extent of all parts but those far from them; nil if there are none.
  ///
  /// It is in the spatial reference of the plane; its centre is between -180 and 180 degrees.
  ///
  /// - Cost: two passes over the vertices, and two more for each strip; three with lines and areas, if there may be a strip.
  package func extentWithoutStrays() -> Envelope? {
    guard let parts = GroundParts(self) else { return nil }
    var kept = PartBox.everything
    for _ in 0...Self.mostStrips {
      let bounds = parts.bounds(in: kept)
      guard bounds.x0 <= bounds.x1, let strip = strip(in: kept, bounds, of: parts) else { break }
      kept = kept.cut(strip.cut, strip.side)
    }
    guard kept != .everything else { return nil }
    let bounds = parts.bounds(in: kept)
    let world = Envelope.worldWidth(of: plane.reference)
    let turns = world.map { (((bounds.x0 + bounds.x1) / 2) / $0 + 0.5).rounded(.down) * $0 } ?? 0
    return Envelope(
      xMin: bounds.x0 - turns, yMin: bounds.y0, xMax: bounds.x1 - turns, yMax: bounds.y1,
      spatialReference: plane.reference)
  }

  /// Returns the number of features that a view does not show, and that of features it shows with parts outside.
  ///
  /// - Parameters:
  ///   - view: the extent of the view, on the plane.
  ///   - shown: the rows of the first piece in the view.
  package func rows(outside view: Envelope, _ shown: RowSet) -> (outside: Int, cut: Int) {
    guard let parts = GroundParts(self) else { return (0, 0) }
    let world = Envelope.worldWidth(of: plane.reference)
    let shifts: [Double] = world.map { [0, -$0, $0] } ?? [0]
    // The parts of a row come one after the other.
    var (outside, cut, last) = (0, 0, Int?.none)
    parts.forEach { part in
      guard let row = part.row, row != last else { return }
      guard shown.contains(row) else {
        (outside, last) = (outside + 1, row)
        return
      }
      let isSeen = shifts.contains { shift in
        part.box.x0 + shift <= view.xMax && part.box.x1 + shift >= view.xMin && part.box.y0 <= view.yMax
          && part.box.y1 >= view.yMin
      }
      if !isSeen { (cut, last) = (cut + 1, row) }
    }
    return (outside, cut)
  }

  /// Returns the widest strip between parts inside a box and the rest, relative to the rest; nil if there is none.
  private func strip(in kept: PartBox, _ bounds: PartBox, of parts: GroundParts) -> Strip? {
    var search = StripSearch(in: kept, bounds, pieces: pieces.count)
    let weighsAtOnce = parts.havePlainWeights
    parts.forEach { search.add($0, weighing: weighsAtOnce) }
    let strips =
      search.across.strips(.west, .east, least: Self.leastStrip)
      + search.along.strips(.south, .north, least: Self.leastStrip)
    guard !strips.isEmpty else { return nil }
    if !weighsAtOnce { parts.forEach(isWeighed: true) { search.weigh($0) } }
    let allowed = strips.filter { strip in
      let intervals = strip.side.isAcross ? search.across : search.along
      return pieces.indices.allSatisfy { piece in
        let beyond = intervals.sum(of: piece, strip.beyond)
        let total = search.totals[piece]
        return beyond.count == 0
          || total != 0 && abs(search.outside[piece] + beyond.weight) <= Self.mostShare * abs(total)
      }
    }
    return allowed.enumerated().max { first, second in
      // Of equal strips, the first is used.
      (first.element.width, -first.offset) < (second.element.width, -second.offset)
    }?.element
  }
}

/// The parts inside a box along both axes, and their weights.
private struct StripSearch {
  private let kept: PartBox
  private(set) var across: PartIntervals
  private(set) var along: PartIntervals
  /// The weight of all parts of each piece, and that of the parts outside of the box.
  private(set) var totals: [Double]
  private(set) var outside: [Double]

  /// - Parameter bounds: the box around the parts inside `kept`.
  init(in kept: PartBox, _ bounds: PartBox, pieces: Int) {
    self.kept = kept
    across = PartIntervals(from: bounds.x0, to: bounds.x1, pieces: pieces)
    along = PartIntervals(from: bounds.y0, to: bounds.y1, pieces: pieces)
    totals = Array(repeating: 0, count: pieces)
    outside = totals
  }

  mutating func add(_ part: GroundPart, weighing: Bool) {
    if weighing { weigh(part) }
    guard kept.contains(part.box) else { return }
    across.add(from: part.box.x0, to: part.box.x1)
    along.add(from: part.box.y0, to: part.box.y1)
  }

  mutating func weigh(_ part: GroundPart) {
    totals[part.piece] += part.weight
    guard kept.contains(part.box) else {
      outside[part.piece] += part.weight
      return
    }
    across.weigh(part, from: part.box.x0)
    along.weigh(part, from: part.box.y0)
  }
}

/// An empty strip across all parts, with few parts beyond it.
private struct Strip {
  /// The side on which parts lie beyond the strip.
  enum Side {
    case west, east, south, north

    var isAcross: Bool { self == .west || self == .east }
  }

  /// A coordinate inside the strip.
  let cut: Double
  let side: Side
  /// The width relative to that of the rest; infinite for a rest without width.
  let width: Double
  /// The intervals beyond the strip.
  let beyond: Range<Int>
}

/// The parts along one axis, in intervals of equal length.
private struct PartIntervals {
  /// The number of intervals.
  private static let count = 1024

  private let start: Double
  private let end: Double
  private let side: Double
  /// The number of parts that begin in an interval, minus those that ended in the one before.
  private var changes = [Int](repeating: 0, count: count + 1)
  /// The least coordinate of the parts that begin in an interval, and the largest of those that end in it.
  private var lows = [Double](repeating: .infinity, count: count)
  private var highs = [Double](repeating: -.infinity, count: count)
  /// The weight and the number of the parts that begin in an interval, one piece after the other.
  private var weights: [Double]
  private var counts: [Int]

  init(from start: Double, to end: Double, pieces: Int) {
    (self.start, self.end, side) = (start, end, end - start)
    (weights, counts) = (
      Array(repeating: 0, count: pieces * Self.count), Array(repeating: 0, count: pieces * Self.count)
    )
  }

  private func interval(_ place: Double) -> Int {
    side > 0 ? min(Int(clamping: (place - start) / side * Double(Self.count)), Self.count - 1) : 0
  }

  mutating func add(from low: Double, to high: Double) {
    let (first, last) = (interval(low), interval(high))
    changes[first] += 1
    changes[last + 1] -= 1
    lows[first] = min(lows[first], low)
    highs[last] = max(highs[last], high)
  }

  mutating func weigh(_ part: GroundPart, from low: Double) {
    let place = part.piece * Self.count + interval(low)
    weights[place] += part.weight
    counts[place] += 1
  }

  /// Returns the weight and the number of the parts of a piece in some intervals.
  func sum(of piece: Int, _ intervals: Range<Int>) -> (weight: Double, count: Int) {
    let places = piece * Self.count + intervals.lowerBound..<piece * Self.count + intervals.upperBound
    return (weights[places].reduce(0, +), counts[places].reduce(0, +))
  }

  /// Returns the strips, by their place, whose width relative to the rest is at least a number.
  func strips(_ lowSide: Strip.Side, _ highSide: Strip.Side, least: Double) -> [Strip] {
    guard side > 0 else { return [] }
    // The least coordinate of the parts that begin in an interval or behind it.
    var ahead = lows
    for index in (0..<Self.count - 1).reversed() { ahead[index] = min(ahead[index], ahead[index + 1]) }
    var (found, open, first, low): ([Strip], Int, Int?, Double) = ([], 0, nil, -.infinity)
    for index in 0..<Self.count {
      open += changes[index]
      defer { low = max(low, highs[index]) }
      guard open > 0 else {
        first = first ?? index
        continue
      }
      guard let begin = first else { continue }
      first = nil
      let cut = start + Double(begin + index) / 2 / Double(Self.count) * side
      let high = ahead[index]
      for (side, beyond, rest) in [
        (lowSide, 0..<begin, end - high), (highSide, index..<Self.count, low - start),
      ] {
        let width = rest > 0 ? (high - low) / rest : .infinity
        if high > low, width >= least {
          found.append(Strip(cut: cut, side: side, width: width, beyond: beyond))
        }
      }
    }
    return found
  }
}

extension PartBox {
  /// Returns the part of the box on the other side of a coordinate.
  fileprivate func cut(_ place: Double, _ side: Strip.Side) -> PartBox {
    var box = self
    switch side {
    case .west: box.x0 = place
    case .east: box.x1 = place
    case .south: box.y0 = place
    case .north: box.y1 = place
    }
    return box
  }
}
