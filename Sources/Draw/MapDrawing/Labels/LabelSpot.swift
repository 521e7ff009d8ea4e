import MapGeometry
import MapModel

/// A position for a label of any size: beside a symbol, or in the middle of an area.
struct LabelSpot {
  /// The cost of lines under the whole label, in steps around the symbol.
  ///
  /// - Source: design decision: a line across a label moves it by two to ten positions.
  static let inkCost = 30.0
  /// The cost of a label that another marker is nearly as near to as its own, and the difference of the distances in
  /// pixels without a cost.
  static let (nearCost, clearMargin) = (9.0, 5.0)
  /// The cost of a label at the edge of the image, and the distance in pixels without a cost.
  static let (edgeCost, clearEdge) = (6.0, 4.0)
  /// The costs of a label whose halo crosses the edge of its area, of one beside it, of one that extends beyond it, and of one
  /// that covers a marker because it must be drawn.
  ///
  /// - Source: design decision: a label over a border hides it, and a line from a label outside does not.
  static let (tightCost, besideCost, overrunCost, markerCost) = (3.0, 4.0, 80.0, 50.0)
  /// The positions around a symbol that are tried.
  enum Search {
    /// At the distance of the class.
    case usual
    /// Also nearer to the symbol and farther from it, for labels without a free position.
    case far
    /// In smaller steps around the symbol and nearer to it, for the first labels of an image without a position yet.
    case fine
    /// Far from the symbol, with a line to it, for the first labels of an image that would cover others.
    case leader
  }

  /// The distances that a label may lie from its symbol beyond its offset, in pixels.
  private static let slacks = [2.0, 4]
  /// The distances of a label with a line to its symbol, in pixels, and the cost of such a line.
  ///
  /// - Source: design decision; a line costs as much as a hidden marker, and less than one that is covered in part.
  private static let (leaders, leaderCost) = ([10.0, 16, 24, 34, 48], 20.0)
  /// The cost of such a distance, in steps per pixel.
  private static let slackCost = 0.5
  /// The number of fine steps in one of the 16 usual ones: about 1 to 3 pixels each.
  private static let fineSteps = 8
  /// The share of a square's half side by which its corners are outside of the circle in it, along each axis.
  private static let cornerShare = 1 - 1 / 2.0.squareRoot()

  /// The name in reports.
  let name: String
  /// The symbol of the label's feature; a point for areas.
  private(set) var symbol: LabelBox
  /// Whether the symbol is the circle in its box.
  private let isRound: Bool
  /// The side of the symbol: -1 is left or above, 1 is right or below, 0 is centred; fractions are shifted.
  let side: (x: Double, y: Double)
  /// The distance from the symbol along each axis on which the label is beside it.
  let distance: Double
  let offset: (x: Double, y: Double)
  let cost: Double

  /// The sides around a symbol in clockwise order, with their costs.
  ///
  /// - Source: the order of preference in E. Imhof, Positioning Names on Maps (1975): right before left, above before
  ///   below, and centred last.
  private static let ring: [(name: String, x: Double, y: Double, cost: Double)] = [
    ("aboveRight", 1, -1, 0), ("centerRight", 1, -0.5, 2), ("centerRight", 1, 0, 1),
    ("centerRight", 1, 0.5, 3),
    ("belowRight", 1, 1, 2), ("belowCenter", 0.5, 1, 7), ("belowCenter", 0, 1, 7),
    ("belowCenter", -0.5, 1, 8),
    ("belowLeft", -1, 1, 5), ("centerLeft", -1, 0.5, 6), ("centerLeft", -1, 0, 4),
    ("centerLeft", -1, -0.5, 5),
    ("aboveLeft", -1, -1, 3), ("aboveCenter", -0.5, -1, 6), ("aboveCenter", 0, -1, 6),
    ("aboveCenter", 0.5, -1, 7),
  ]

  /// The same sides in smaller steps.
  private static let fineRing = ring.indices.flatMap { index in
    let (a, b) = (ring[index], ring[(index + 1) % ring.count])
    return (0..<fineSteps).map { step in
      let share = Double(step) / Double(fineSteps)
      return (
        name: a.name, x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y),
        cost: a.cost + share * (b.cost - a.cost)
      )
    }
  }

  fileprivate init(
    name: String, symbol: LabelBox, isRound: Bool = false, side: (x: Double, y: Double), distance: Double,
    offset: (x: Double, y: Double), cost: Double
  ) {
    (self.name, self.symbol, self.side, self.distance) = (name, symbol, side, distance)
    (self.offset, self.cost, self.isRound) = (offset, cost, isRound)
  }

  /// The distance by which a label may be inside the box of its symbol along both axes: at the corners of a circle.
  private var inset: Double {
    guard isRound, abs(side.x) == 1, abs(side.y) == 1 else { return 0 }
    return (symbol.xMax - symbol.xMin) / 2 * Self.cornerShare
  }

  /// Returns the line from the symbol to a label's block.
  func leader(to block: LabelBox, width: Double) -> LabelLeader {
    let center = symbol.center
    let end = (x: min(max(center.x, block.xMin), block.xMax), y: min(max(center.y, block.yMin), block.yMax))
    let (x, y) = (end.x - center.x, end.y - center.y)
    let length = max((x * x + y * y).squareRoot(), .leastNonzeroMagnitude)
    // The share of the way to the edge of the symbol: of the circle, or of the box.
    let (halfWidth, halfHeight) = ((symbol.xMax - symbol.xMin) / 2, (symbol.yMax - symbol.yMin) / 2)
    let share =
      isRound
      ? halfWidth / length : min(halfWidth / max(abs(x), 1e-9), halfHeight / max(abs(y), 1e-9))
    let start = (x: center.x + min(share, 1) * x, y: center.y + min(share, 1) * y)
    return LabelLeader(startX: start.x, startY: start.y, endX: end.x, endY: end.y, width: width)
  }

  /// Returns the distance of a label's block from the symbol.
  func distance(to block: LabelBox) -> Double {
    isRound ? block.distance(toCircleIn: symbol) : block.distance(to: symbol)
  }

  /// Returns the positions around a symbol, the preferred one first.
  fileprivate static func around(
    _ symbol: LabelBox, isRound: Bool = false, preferred: (x: Double, y: Double), distance: Double,
    offset: (x: Double, y: Double), pixelRatio: Double, triesOthers: Bool, search: Search
  ) -> [LabelSpot] {
    let first = ring.firstIndex { ($0.x, $0.y) == preferred }
    let name = first.map { ring[$0].name } ?? "centerCenter"
    var spots = [
      LabelSpot(
        name: name, symbol: symbol, isRound: isRound, side: preferred, distance: distance, offset: offset,
        cost: -1)
    ]
    guard triesOthers else { return spots }
    if search == .leader { spots = [] }
    // At a corner the distance counts on both axes, so it is the diagonal that must not be too long.
    let longest = (distance + (slacks.last ?? 0) * pixelRatio) / 2.0.squareRoot()
    let nearer = distance > 0 ? [(distance: 0.0, cost: slackCost * distance / pixelRatio)] : []
    let distances: [(distance: Double, cost: Double)] =
      switch search {
      case .usual: [(distance, 0)]
      case .far:
        [(distance, 0)] + nearer + slacks.map { (distance + $0 * pixelRatio, $0 * slackCost) }
      case .fine:
        [(distance, 0)] + nearer.flatMap { [(distance / 2, $0.cost / 2), $0] }
      case .leader:
        leaders.map { ($0 * pixelRatio, leaderCost + $0 * slackCost) }
      }
    let isFine = search == .fine || search == .leader
    let (sides, steps) = isFine ? (fineRing, fineSteps) : (ring, 1)
    for (distance, cost) in distances {
      for (index, side) in sides.enumerated() {
        if index == first.map({ $0 * steps }), cost == 0 { continue }
        let away = first.map { min(abs(index / steps - $0), ring.count - abs(index / steps - $0)) } ?? 0
        let isCorner = abs(side.x) == 1 && abs(side.y) == 1
        spots.append(
          LabelSpot(
            name: side.name, symbol: symbol, isRound: isRound, side: (side.x, side.y),
            distance: isCorner ? min(distance, longest) : distance, offset: offset,
            cost: side.cost + Double(away) / 2 + cost))
      }
    }
    return spots
  }

  /// The directions in which a label far from its area is searched, along a square, and the cost of those to the left.
  private static let directions = (0..<32).map { index in
    let along = Double(index % 8) / 4 - 1
    let (x, y) = [(1, along), (-along, 1), (-1, -along), (along, -1)][index / 8]
    let length = (x * x + y * y).squareRoot()
    return (x: x / length, y: y / length)
  }
  private static let leftCost = 4.0

  /// Returns the positions of a label of some size around a point, by their distance from it in one direction each.
  static func rays(
    from place: (x: Double, y: Double), distances: [Double], width: Double, height: Double
  ) -> [[LabelSpot]] {
    directions.map { direction in
      distances.map { distance in
        let x = place.x + direction.x * (distance + width / 2)
        let y = place.y + direction.y * (distance + height / 2)
        return LabelSpot(
          name: "withLine", symbol: LabelBox(xMin: x, yMin: y, xMax: x, yMax: y), side: (0, 0), distance: 0,
          offset: (0, 0), cost: leftCost * (1 - direction.x) / 2)
      }
    }
  }

  /// Returns the position for a symbol moved by an offset.
  func moved(x: Double, y: Double) -> LabelSpot {
    var spot = self
    spot.symbol = symbol.moved(x: x, y: y)
    return spot
  }

  /// Returns the top left corner of a label's block; the first baseline is on a whole pixel, where letters are
  /// sharpest.
  func corner(of layout: LabelLayout, size: Double) -> (x: Double, y: Double) {
    let box = symbol.grown(by: -inset)
    let x = start(side.x, box.xMin, box.xMax, layout.width) + offset.x
    let y = start(side.y, box.yMin, box.yMax, layout.height) + offset.y
    let ascent = LabelLayout.ascent * size
    return (x, (y + ascent).rounded() - ascent)
  }

  /// Returns the box that any label at this position covers, whatever its text.
  ///
  /// The box is one em high, less rounding, and has no width.
  func core(size: Double) -> LabelBox {
    let box = symbol.grown(by: -inset)
    let x = start(side.x, box.xMin, box.xMax, 0) + offset.x
    let y = start(side.y, box.yMin, box.yMax, size) + offset.y
    return LabelBox(xMin: x, yMin: y + 0.5, xMax: x, yMax: y + size - 0.5)
  }

  /// Returns the start of a block of a given length along an axis.
  private func start(_ side: Double, _ low: Double, _ high: Double, _ length: Double) -> Double {
    switch side {
    case -1: low - distance - length
    case 0: (low + high - length) / 2
    case 1: high + distance
    default: (low + high - length) / 2 + side * (length + high - low) / 2
    }
  }
}

/// A position of a label with its size.
struct LabelPosition {
  /// The name in reports.
  let name: String
  /// The top left corner of the label's block.
  let x: Double
  let y: Double
  /// The boxes that no other label may cover.
  let boxes: [LabelBox]
  let cost: Double
  let layout: LabelLayout
  /// The letters of a label that is turned or along a line; nil for horizontal labels.
  var letters: Letters?
  /// The parts of less important markers that the label hides.
  var cover = MarkerGrid.Cover()
  /// The line to the symbol; nil beside it.
  var leader: LabelLeader?
  /// The text of a shorter or wrapped label; nil for the whole text.
  var text: String?
  /// The row of the area that the label lies over; nil for none.
  var overRow: Int32?
  /// Whether the halo crosses the edge of that area.
  var isTight = false
  /// Whether the line crosses other areas than those at its ends.
  var crossesOthers = false

  /// The distance from the names before and behind a name on its line, in sizes of letters, and the part of the height of the
  /// text that counts.
  private static let (lineGap, lineShare) = (0.6, 0.3)

  /// The middle of the label and the room before and behind it, where another name would seem to continue it; nil for labels
  /// along lines.
  var lineBox: LabelBox? {
    guard letters == nil, let box = boxes.first else { return nil }
    let (middle, half) = (box.center.y, Self.lineShare / 2 * (box.yMax - box.yMin))
    let gap = Self.lineGap * layout.height
    return LabelBox(xMin: box.xMin - gap, yMin: middle - half, xMax: box.xMax + gap, yMax: middle + half)
  }

  /// The box around all boxes.
  private var box: LabelBox { LabelBox(around: boxes) }
  /// The middle of the label.
  var center: (x: Double, y: Double) { box.center }

  /// The letters of a label that is not horizontal.
  enum Letters {
    case turned([LabelItem.Glyph])
    case along(LineRun)

    var glyphs: [LabelItem.Glyph] {
      switch self {
      case .turned(let glyphs): glyphs
      case .along(let run): run.glyphs
      }
    }
  }

  /// Returns the label at this position.
  func item(text: String, row: Int32) -> LabelItem {
    LabelItem(
      text: self.text ?? text, style: 0, row: row, box: (leader == nil ? box : boxes[0]).envelope,
      glyphs: letters?.glyphs
        ?? layout.glyphs.map {
          LabelItem.Glyph(outline: $0.outline, character: $0.character, x: $0.x + x, y: $0.y + y)
        }, leader: leader)
  }
}

extension LabelCandidates {
  private var offset: (x: Double, y: Double) {
    (
      x: SymbolNumber.offset.bounded(definition.textSymbol.offsetX * pixelRatio),
      y: SymbolNumber.offset.bounded(-definition.textSymbol.offsetY * pixelRatio)
    )
  }

  private var distance: Double { SymbolNumber.offset.bounded(definition.offsetDistance * pixelRatio) }

  /// Returns the possible positions around a symbol at (0, 0), the preferred one first.
  ///
  /// - Parameter search: the positions to try.
  func spots(aroundSymbol index: Int32, _ search: LabelSpot.Search = .usual) -> [LabelSpot] {
    LabelSpot.around(
      LabelBox(symbols[Int(index)]), isRound: areRound[Int(index)],
      preferred: definition.placement?.side ?? (1, -1), distance: distance,
      offset: offset, pixelRatio: pixelRatio, triesOthers: definition.triesPositions, search: search)
  }

  /// Returns the possible positions of a label beside the visible part of an area.
  func spots(besideArea anchor: Anchor) -> [LabelSpot] {
    LabelSpot.around(
      LabelBox(areas.envelope(ofRow: Int(anchor.index))), preferred: (1, -1), distance: distance,
      offset: offset,
      pixelRatio: pixelRatio, triesOthers: true, search: .usual)
  }

  /// Returns the possible positions of a label in an area, the preferred one first.
  func spots(inArea anchor: Anchor) -> [LabelSpot] {
    let widest = spot(at: anchor.place)
    guard definition.triesPositions else { return [widest] }
    let others = PoleOfInaccessibility.others(inRow: Int(anchor.index), of: areas)
    return [widest]
      + others.map { spot(at: ($0.x, $0.y), named: "interior", cost: 2 + 6 * (1 - $0.room)) }
  }

  /// Returns the positions of a label at places inside its area, the roomiest first.
  func spots(inArea places: [(x: Double, y: Double)]) -> [LabelSpot] {
    places.enumerated().map { index, place in
      spot(at: place, named: "interior", cost: Double(2 + index))
    }
  }

  /// Returns the position of a label in the middle of a place.
  func spot(at place: (x: Double, y: Double), named name: String = "widest", cost: Double = 0) -> LabelSpot {
    LabelSpot(
      name: name, symbol: LabelBox(xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y), side: (0, 0),
      distance: distance, offset: offset, cost: cost)
  }
}

extension LabelLayout {
  /// Returns the block of the lines at a position, and the box with its ink, halo and frame.
  func boxes(at spot: LabelSpot, _ style: LabelStyle) -> (block: LabelBox, box: LabelBox) {
    let corner = spot.corner(of: self, size: style.size)
    let block = LabelBox(xMin: corner.x, yMin: corner.y, xMax: corner.x + width, yMax: corner.y + height)
    let inked = ink.isEmpty ? block : block.union(LabelBox(ink).moved(x: corner.x, y: corner.y))
    return (block, inked.grown(by: style.reach))
  }
}
