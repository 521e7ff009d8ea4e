import Glibc
import MapGeometry
import MapModel

/// The places of markers along lines and in polygons, in pixels.
struct MarkerPlaces: Sendable {
  /// A place, and the direction of the line there; y points down.
  struct Spot {
    let x: Double
    let y: Double
    /// The cosine and sine of the direction, clockwise from the right.
    let cosine: Double
    let sine: Double
  }

  /// The largest number of places of one feature.
  ///
  /// - Source: design decision: an image has a few million pixels, and each marker covers some.
  private static let largestCount = 100_000

  private let placement: PlacedMarkerSymbol.Placement
  private let followsLine: Bool
  private let offset: Double

  /// Creates the places of a symbol for a pixel ratio.
  init(_ symbol: PlacedMarkerSymbol, pixelRatio: Double) {
    func length(_ length: Double) -> Double { SymbolNumber.dash.bounded(abs(length) * pixelRatio) }
    placement =
      switch symbol.placement {
      case .alongLine(let distances, let ending, let start):
        .alongLine(
          // Markers closer than a pixel look like a line.
          distances: distances.map(length), ending: ending,
          start: SymbolNumber.offset.bounded(start * pixelRatio))
      case .ends(let ends, let distance): .ends(ends, distance: length(distance))
      case .vertices, .center: symbol.placement
      case .ratios(let ratios, let begin, let end, let flips):
        .ratios(ratios, begin: length(begin), end: length(end), flipsFirst: flips)
      case .onLine(let origin, let distance):
        .onLine(origin, distance: SymbolNumber.offset.bounded(distance * pixelRatio))
      }
    followsLine = symbol.followsLine
    offset = SymbolNumber.offset.bounded(symbol.offset * pixelRatio)
  }

  /// The largest distance of a place from the line, in pixels.
  var reach: Double { abs(offset) }

  /// Whether the markers are rotated by the line.
  var turns: Bool { if case .center = placement { false } else { followsLine } }

  /// Returns the places of the only row of a buffer that lie in a window.
  func spots(of path: CoordinateBuffer, in window: Envelope) -> [Spot] {
    if case .center(let center) = placement {
      guard path.kind == .polygon, let place = Self.center(center, of: path),
        window.contains(x: place.x, y: place.y)
      else { return [] }
      return [Spot(x: place.x, y: place.y, cosine: 1, sine: 0)]
    }
    var spots: [Spot] = []
    for part in path.parts(ofRow: 0) where spots.count < Self.largestCount {
      let range = path.vertices(ofPart: part)
      var chain = Chain(x: Array(path.x[range]), y: Array(path.y[range]))
      // Vertices at one place have no direction.
      chain.removeRepeatedVertices()
      guard chain.x.count > 1 else { continue }
      add(chain, to: &spots, in: window)
    }
    return spots
  }

  private func add(_ chain: Chain, to spots: inout [Spot], in window: Envelope) {
    /// Adds a place beside the line; a negative side is seen against its direction.
    func add(_ place: (x: Double, y: Double, dx: Double, dy: Double), side: Double = 1, turn: Double = 1) {
      // To the left of a direction, where y points down.
      let (x, y) = (place.x + side * offset * place.dy, place.y - side * offset * place.dx)
      guard window.contains(x: x, y: y) else { return }
      let (cosine, sine) = followsLine ? (place.dx * turn, place.dy * turn) : (1, 0)
      spots.append(Spot(x: x, y: y, cosine: cosine, sine: sine))
    }
    switch placement {
    case .center: break
    case .vertices(let inner, let ends):
      let last = chain.x.count - 1
      for index in 0...last {
        let isEnd = !chain.isClosed && (index == 0 || index == last)
        guard isEnd ? ends : inner, index > 0 || !chain.isClosed else { continue }
        add(chain.corner(index))
      }
    case .ends(let ends, let distance):
      guard distance < chain.length || distance == 0 else { break }
      // The marker points out of the line; the offset is to the left, seen from the end.
      if ends != .end { add(chain.place(at: distance), turn: -1) }
      if ends != .begin { add(chain.place(at: chain.length - distance), side: -1) }
    case .onLine(.segmentMiddle, let distance):
      for index in 1..<chain.x.count {
        add(chain.place(at: (chain.starts[index - 1] + chain.starts[index]) / 2 + distance))
      }
    case .onLine(let origin, let distance):
      let place =
        switch origin {
        case .begin: distance
        case .middle, .segmentMiddle: chain.length / 2 + distance
        case .end: chain.length - distance
        }
      guard place >= 0, place <= chain.length else { break }
      add(chain.place(at: place))
    case .ratios(let ratios, let begin, let end, let flips):
      let length = chain.length - begin - end
      guard length >= 0 else { break }
      for (index, ratio) in ratios.enumerated() {
        add(chain.place(at: begin + ratio * length), turn: flips && index == 0 ? -1 : 1)
      }
    case .alongLine(let distances, let ending, let start):
      for place in Self.places(
        distances, ending, start: start, along: chain, in: window.grown(by: abs(offset)))
      { add(chain.place(at: place)) }
    }
  }

  /// Returns the distances from the start of a line at which markers of a pattern are, near a window.
  private static func places(
    _ distances: [Double], _ ending: PlacedMarkerSymbol.Ending, start: Double, along chain: Chain,
    in window: Envelope
  ) -> [Double] {
    var period = distances.reduce(0, +)
    guard let last = distances.last, period >= 1, period.isFinite else { return [] }
    // A closed line has its first vertex only once.
    let ending = ending == .fullGap && chain.isClosed ? .markers : ending
    let gaps = ending == .fullGap ? 2 * last : 0
    var ratio = 1.0
    if ending != .none {
      var count = ((chain.length - gaps) / period).rounded()
      if count <= 0 { count = gaps > 0 ? 0 : 1 }
      ratio = chain.length / (gaps + count * period)
      if ratio < 0.01 { ratio = 1 }
    }
    period *= ratio
    var first: Double
    switch ending {
    case .none:
      first = start.truncatingRemainder(dividingBy: period)
      if first < 0 { first += period }
      first -= period
    case .halfGap: first = last / 2 * ratio
    case .fullGap: first = last * ratio
    case .markers: first = 0
    }
    // A line that is not closed has its last marker at its end.
    let end =
      chain.length
      + (ending == .markers ? (chain.isClosed ? -1e-6 : 1e-6) * max(chain.length, 1) : 0)
      - (ending == .fullGap ? 1e-6 * max(chain.length, 1) : 0)
    var marks: [Double] = [0]
    for distance in distances.dropLast() { marks.append((marks.last ?? 0) + distance * ratio) }
    var places: [Double] = []
    let clip = DashedPath(pattern: DashPattern(lengths: []), window: window)
    for index in 1..<chain.x.count {
      let length = chain.starts[index] - chain.starts[index - 1]
      guard
        let shown = clip.shownRange(
          chain.x[index - 1], chain.y[index - 1], chain.x[index], chain.y[index])
      else { continue }
      // One segment starts where the one before it ends; a marker there belongs to the first of them.
      let low = chain.starts[index - 1] + shown.lowerBound * length
      let high = min(chain.starts[index - 1] + shown.upperBound * length, end)
      var turn = ((low - first) / period).rounded(.down) - 1
      if ending != .none { turn = max(turn, 0) }
      while first + turn * period <= high, places.count < largestCount {
        for mark in marks {
          let place = first + turn * period + mark
          if place >= max(low, 0), place <= high, place > places.last ?? -1 {
            places.append(min(place, chain.length))
          }
        }
        turn += 1
      }
    }
    return places
  }

  /// Returns the centre of a row of polygons; nil for a row without vertices.
  private static func center(
    _ center: PlacedMarkerSymbol.Center, of path: CoordinateBuffer
  ) -> (x: Double, y: Double)? {
    let box = path.envelope(ofRow: 0)
    guard !box.isEmpty else { return nil }
    switch center {
    case .extent: return (box.center.x, box.center.y)
    case .inside: return PoleOfInaccessibility.place(inRow: 0, of: path)
    case .mass:
      var (area, mx, my) = (0.0, 0.0, 0.0)
      for part in path.parts(ofRow: 0) {
        let range = path.vertices(ofPart: part)
        for index in range.dropFirst() {
          // Relative to the box, so that large coordinates lose no precision.
          let (ax, ay) = (path.x[index - 1] - box.xMin, path.y[index - 1] - box.yMin)
          let (bx, by) = (path.x[index] - box.xMin, path.y[index] - box.yMin)
          let cross = ax * by - bx * ay
          area += cross
          mx += (ax + bx) * cross
          my += (ay + by) * cross
        }
      }
      guard area != 0 else { return (box.center.x, box.center.y) }
      return (box.xMin + mx / (3 * area), box.yMin + my / (3 * area))
    }
  }
}

/// A line of vertices with the distances along it.
struct Chain {
  private(set) var x: [Double]
  private(set) var y: [Double]
  /// The distance of each vertex from the first, along the line.
  private(set) var starts: [Double] = [0]

  /// Creates a line; vertices may repeat.
  init(x: [Double], y: [Double]) {
    (self.x, self.y) = (x, y)
    measure()
  }

  private mutating func measure() {
    starts = [0]
    for index in x.indices.dropFirst() {
      starts.append(starts[index - 1] + hypot(x[index] - x[index - 1], y[index] - y[index - 1]))
    }
  }

  /// The length of the line.
  var length: Double { starts.last ?? 0 }
  /// Whether the line ends where it starts.
  var isClosed: Bool { x.count > 2 && x.first == x.last && y.first == y.last }

  /// Removes vertices at the place of the one before.
  mutating func removeRepeatedVertices() {
    let kept = x.indices.filter { $0 == 0 || x[$0] != x[$0 - 1] || y[$0] != y[$0 - 1] }
    guard kept.count < x.count else { return }
    (x, y) = (kept.map { x[$0] }, kept.map { y[$0] })
    measure()
  }

  /// Returns the direction of the segment that ends at a vertex, as a vector of length 1.
  func direction(_ index: Int) -> (dx: Double, dy: Double) {
    let (dx, dy) = (x[index] - x[index - 1], y[index] - y[index - 1])
    let length = hypot(dx, dy)
    return length > 0 ? (dx / length, dy / length) : (1, 0)
  }

  /// Returns the point at a distance along the line, and the direction there.
  func place(at distance: Double) -> (x: Double, y: Double, dx: Double, dy: Double) {
    let index = min(max(starts.firstIndex { $0 >= distance } ?? x.count - 1, 1), x.count - 1)
    let (dx, dy) = direction(index)
    let rest = distance - starts[index - 1]
    return (x[index - 1] + dx * rest, y[index - 1] + dy * rest, dx, dy)
  }

  /// Returns a vertex, and the mean of the directions before and after it.
  func corner(_ index: Int) -> (x: Double, y: Double, dx: Double, dy: Double) {
    let before = index > 0 ? direction(index) : nil
    let after = index < x.count - 1 ? direction(index + 1) : isClosed ? direction(1) : nil
    var (dx, dy) = (
      (before?.dx ?? 0) + (after?.dx ?? 0), (before?.dy ?? 0) + (after?.dy ?? 0)
    )
    let length = hypot(dx, dy)
    // A line that turns back has the direction across it.
    if length > 1e-9 {
      (dx, dy) = (dx / length, dy / length)
    } else {
      (dx, dy) = (-(after?.dy ?? 0), after?.dx ?? 1)
    }
    return (x[index], y[index], dx, dy)
  }
}
