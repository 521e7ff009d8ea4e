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
  /// The number of intervals along each side in the search for strips.
  private static let intervals = 1024
  /// The largest number of strips.
  private static let mostStrips = 16

  /// Returns the extent of all parts but those far from them; nil if there are none.
  ///
  /// It is in the spatial reference of the plane; its centre is between -180 and 180 degrees.
  ///
  /// - Cost: passes over the vertices: one, two for each strip, and one more if there may be one.
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
    var strips = possibleStrips(in: kept, bounds, of: parts)
    guard !strips.isEmpty else { return nil }
    var (totals, outside) = (
      [Double](repeating: 0, count: pieces.count), [Double](repeating: 0, count: pieces.count)
    )
    parts.forEach(isWeighed: true) { part in
      totals[part.piece] += part.weight
      guard kept.contains(part.box) else {
        outside[part.piece] += part.weight
        return
      }
      for index in strips.indices { strips[index].add(part) }
    }
    strips.removeAll { strip in
      guard strip.isWide(in: bounds, least: Self.leastStrip) else { return true }
      return pieces.indices.contains { piece in
        strip.counts[piece] > 0
          && (totals[piece] == 0
            || abs(outside[piece] + strip.weights[piece]) > Self.mostShare * abs(totals[piece]))
      }
    }
    return strips.enumerated().max { first, second in
      // Of equal strips, the first is used.
      (first.element.width(in: bounds), -first.offset) < (second.element.width(in: bounds), -second.offset)
    }?.element
  }

  /// Returns the strips that may be wide enough, by intervals.
  private func possibleStrips(in kept: PartBox, _ bounds: PartBox, of parts: GroundParts) -> [Strip] {
    let count = Self.intervals
    let (wide, tall) = (bounds.x1 - bounds.x0, bounds.y1 - bounds.y0)
    // The number of parts that begin in an interval, minus those that ended in the one before.
    var (across, along) = ([Int](repeating: 0, count: count + 1), [Int](repeating: 0, count: count + 1))
    func interval(_ place: Double, _ start: Double, _ side: Double) -> Int {
      side > 0 ? min(Int(clamping: (place - start) / side * Double(count)), count - 1) : 0
    }
    parts.forEach { part in
      guard kept.contains(part.box) else { return }
      across[interval(part.box.x0, bounds.x0, wide)] += 1
      across[interval(part.box.x1, bounds.x0, wide) + 1] -= 1
      along[interval(part.box.y0, bounds.y0, tall)] += 1
      along[interval(part.box.y1, bounds.y0, tall) + 1] -= 1
    }
    func strips(
      _ changes: [Int], _ start: Double, _ side: Double, _ sides: (low: Strip.Side, high: Strip.Side)
    )
      -> [Strip]
    {
      guard side > 0 else { return [] }
      var (found, open, first): ([Strip], Int, Int?) = ([], 0, nil)
      for index in 0..<count {
        open += changes[index]
        guard open > 0 else {
          first = first ?? index
          continue
        }
        guard let begin = first else { continue }
        first = nil
        let cut = start + Double(begin + index) / 2 / Double(count) * side
        // Intervals are coarse by one at each end.
        let least = Double(index - begin + 2) / Self.leastStrip
        for (side, rest) in [(sides.low, count - index), (sides.high, begin)] where Double(rest - 2) <= least
        {
          found.append(Strip(cut: cut, side: side, pieces: pieces.count))
        }
      }
      return found
    }
    return strips(across, bounds.x0, wide, (.west, .east)) + strips(along, bounds.y0, tall, (.south, .north))
  }
}

/// An empty strip across all parts, and the parts beyond it.
private struct Strip {
  /// The side on which parts lie beyond the strip.
  enum Side { case west, east, south, north }

  /// A coordinate inside the strip.
  let cut: Double
  let side: Side
  /// The sum of the weights of the parts beyond the strip, and their number, for each piece.
  private(set) var weights: [Double]
  private(set) var counts: [Int]
  /// The edges of the strip: the nearest coordinates of parts on both sides.
  private var (low, high) = (-Double.infinity, Double.infinity)

  init(cut: Double, side: Side, pieces: Int) {
    (self.cut, self.side) = (cut, side)
    (weights, counts) = (Array(repeating: 0, count: pieces), Array(repeating: 0, count: pieces))
  }

  mutating func add(_ part: GroundPart) {
    let isAcross = side == .west || side == .east
    let (from, to) = isAcross ? (part.box.x0, part.box.x1) : (part.box.y0, part.box.y1)
    let isLow = to < cut
    if isLow { low = max(low, to) } else { high = min(high, from) }
    guard isLow == (side == .west || side == .south) else { return }
    weights[part.piece] += part.weight
    counts[part.piece] += 1
  }

  /// Returns the width of the strip relative to that of the rest of a box; infinite for a rest without width.
  func width(in bounds: PartBox) -> Double {
    let rest =
      switch side {
      case .west: bounds.x1 - high
      case .east: low - bounds.x0
      case .south: bounds.y1 - high
      case .north: low - bounds.y0
      }
    return rest > 0 ? (high - low) / rest : .infinity
  }

  func isWide(in bounds: PartBox, least: Double) -> Bool { high > low && width(in: bounds) >= least }
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
