import MapSystem

/// The result of a search for overlapping polygons of a row.
enum PolygonOverlap {
  /// No polygon shares area with another.
  case none
  /// The rings of the union.
  case joined([[PolygonUnion.Place]])
  /// The polygons overlap, but their union is not known.
  case unknown
}

extension CoordinateBuffer {
  /// Returns whether polygons of a row overlap, and their union.
  ///
  /// Polygons that only share boundaries do not overlap. A polygon in a hole of another does not overlap it.
  ///
  /// - Parameter polygons: the parts of each polygon, its rings.
  /// - Cost: where the envelopes of no two polygons overlap, a pass over the vertices; otherwise about 0.1 µs per vertex of
  ///   polygons that do not meet.
  func overlap(of polygons: [Range<Int>]) -> PolygonOverlap {
    let boxes = polygons.map(envelope(ofParts:))
    guard let near = pairs(of: polygons, boxes) else { return .none }
    var search = OverlapSearch(near.areas)
    for polygon in near.members { search.add(polygons[polygon], of: self, polygon: Int32(polygon)) }
    guard search.mayOverlap() else { return .none }
    var edges: [EdgeGrid.Edge] = []
    for polygon in near.members {
      forEachEdge(of: polygons[polygon], polygon: Int32(polygon)) { edges.append($0) }
    }
    guard let union = PolygonUnion(edges) else { return .unknown }
    guard var rings = union.rings else { return .none }
    let joined = Set(near.members)
    for (index, parts) in polygons.enumerated() where !joined.contains(index) {
      rings += parts.map { part in vertices(ofPart: part).map { PolygonUnion.Place(x[$0], y[$0]) } }
    }
    return .joined(rings)
  }

  /// Returns the polygons that may overlap another, and the common areas of their envelopes; nil if none do.
  private func pairs(
    of polygons: [Range<Int>], _ boxes: [Envelope]
  ) -> (members: [Int], areas: [Envelope])? {
    guard let near = Self.overlaps(of: boxes) else {
      return (Array(polygons.indices), [boxes.reduce(.empty) { $0.union($1) }])
    }
    let counts = polygons.map(vertexCount(ofParts:))
    let runs = VertexRuns(of: self, from: polygons.first?.first, to: polygons.last?.last)
    var (pairs, budget) = (near, Self.comparisonsPerVertex * counts.reduce(0, +))
    pairs.removeAll { first, second in
      budget -= counts[first] + counts[second]
      let area = boxes[first].intersection(boxes[second])
      return budget >= 0 && areApart(polygons[first], polygons[second], in: area, runs, &budget)
    }
    guard !pairs.isEmpty else { return nil }
    return (
      Set(pairs.flatMap { [$0.0, $0.1] }).sorted(), pairs.map { boxes[$0.0].intersection(boxes[$0.1]) }
    )
  }

  private func vertexCount(ofParts parts: Range<Int>) -> Int {
    guard let first = parts.first, let last = parts.last else { return 0 }
    return vertices(ofPart: last).upperBound - vertices(ofPart: first).lowerBound
  }

  /// The number of edges, and of pairs of edges, that are compared for each vertex before a grid is made.
  ///
  /// - Source: design decision; measured over the islands of counties.
  private static let comparisonsPerVertex = 128

  /// Returns whether two polygons surely share no point, by comparing each edge with each.
  private func areApart(
    _ a: Range<Int>, _ b: Range<Int>, in area: Envelope, _ runs: VertexRuns, _ budget: inout Int
  ) -> Bool {
    guard let first = edges(of: a, near: area, around: b, runs),
      let second = edges(of: b, near: area, around: a, runs)
    else { return false }
    budget -= first.count * second.count
    return budget >= 0 && !first.contains { edge in second.contains { edge.isNear($0) && edge.meets($0) } }
  }

  /// Returns the edges of a polygon that may enter a box; nil if the first vertex of another polygon is inside it.
  private func edges(
    of parts: Range<Int>, near box: Envelope, around other: Range<Int>, _ runs: VertexRuns
  ) -> [EdgeGrid.Edge]? {
    guard let part = other.first, let vertex = vertices(ofPart: part).first else { return [] }
    let (x, y) = (x.span, y.span)
    let (px, py) = (x[vertex], y[vertex])
    let (west, south, east, north) = (box.xMin, box.yMin, box.xMax, box.yMax)
    var (edges, isInside) = ([EdgeGrid.Edge](), false)
    for part in parts {
      let vertices = vertices(ofPart: part)
      var index = vertices.lowerBound + 1
      while index < vertices.upperBound {
        let (run, end) = runs.run(ofEdgeTo: index)
        if run.isFar(from: box), !run.mayPassEast(ofX: px, y: py) {
          index = end
          continue
        }
        for index in index..<min(end, vertices.upperBound) {
          let (ax, ay, bx, by) = (x[index - 1], y[index - 1], x[index], y[index])
          if (ay > py) != (by > py), (by > ay) == (orientation(ax, ay, bx, by, px, py) > 0) {
            isInside.toggle()
          }
          if ax < west && bx < west || ax > east && bx > east || ay < south && by < south { continue }
          if ay > north && by > north { continue }
          edges.append(EdgeGrid.Edge(ax: ax, ay: ay, bx: bx, by: by, polygon: 0))
        }
        index = end
      }
    }
    return isInside ? nil : edges
  }

  private func envelope(ofParts parts: Range<Int>) -> Envelope {
    var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    guard let first = parts.first, let last = parts.last else { return .empty }
    for index in vertices(ofPart: first).lowerBound..<vertices(ofPart: last).upperBound {
      x0 = min(x0, x[index])
      x1 = max(x1, x[index])
      y0 = min(y0, y[index])
      y1 = max(y1, y[index])
    }
    return Envelope(xMin: x0, yMin: y0, xMax: x1, yMax: y1)
  }

  fileprivate func forEachEdge(of parts: Range<Int>, polygon: Int32, _ body: (EdgeGrid.Edge) -> Void) {
    for part in parts {
      let range = vertices(ofPart: part)
      for index in range.dropFirst() {
        body(
          EdgeGrid.Edge(ax: x[index - 1], ay: y[index - 1], bx: x[index], by: y[index], polygon: polygon))
      }
    }
  }

  /// The number of pairs of envelopes that are compared for each envelope, before all are taken to be near.
  ///
  /// - Source: design decision.
  private static let pairsPerEnvelope = 256

  /// Returns the pairs of envelopes that share area; nil if there are too many to list.
  private static func overlaps(of boxes: [Envelope]) -> [(Int, Int)]? {
    let order = boxes.indices.filter { !boxes[$0].isEmpty }.sorted { boxes[$0].xMin < boxes[$1].xMin }
    var (pairs, budget) = ([(Int, Int)](), pairsPerEnvelope * boxes.count + 10_000)
    // Plain arrays, because an envelope is too large to be read for each pair.
    let (west, east) = (order.map { boxes[$0].xMin }, order.map { boxes[$0].xMax })
    let (south, north) = (order.map { boxes[$0].yMin }, order.map { boxes[$0].yMax })
    for first in order.indices {
      var second = first + 1
      while second < order.count, west[second] < east[first] {
        if south[second] < north[first], south[first] < north[second] {
          pairs.append((order[first], order[second]))
        }
        second += 1
      }
      budget -= second - first
      guard budget >= 0, pairs.count <= 4 * boxes.count + 1000 else { return nil }
    }
    return pairs
  }
}

/// The envelopes of short runs of edges, to pass over the edges of a polygon that are far from another.
private struct VertexRuns {
  /// An envelope; plain numbers, because ``Envelope`` is larger.
  struct Run {
    var (xMin, yMin, xMax, yMax) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)

    /// Whether all edges are on one side of a box.
    func isFar(from box: Envelope) -> Bool {
      xMax < box.xMin || xMin > box.xMax || yMax < box.yMin || yMin > box.yMax
    }

    /// Whether a line from a point to the east may cross an edge.
    func mayPassEast(ofX x: Double, y: Double) -> Bool { yMin <= y && yMax > y && xMax >= x }
  }

  private static let length = 16
  private let start: Int
  private var runs: [Run] = []

  /// Reads the vertices of parts, which follow each other.
  init(of buffer: CoordinateBuffer, from first: Int?, to last: Int?) {
    guard let first, let last else {
      start = 0
      return
    }
    start = buffer.vertices(ofPart: first).lowerBound
    let end = buffer.vertices(ofPart: last).upperBound
    let (x, y) = (buffer.x.span, buffer.y.span)
    for lower in stride(from: start, to: end, by: Self.length) {
      var run = Run()
      // With the first vertex of the next run, where the last edge ends.
      for index in lower..<min(lower + Self.length + 1, end) {
        run.xMin = min(run.xMin, x[index])
        run.xMax = max(run.xMax, x[index])
        run.yMin = min(run.yMin, y[index])
        run.yMax = max(run.yMax, y[index])
      }
      runs.append(run)
    }
  }

  /// Returns the run with the edge that ends at a vertex, and the end of the first edge of the next run.
  func run(ofEdgeTo vertex: Int) -> (run: Run, next: Int) {
    let index = (vertex - 1 - start) / Self.length
    return (runs[index], start + (index + 1) * Self.length + 1)
  }
}

/// A search whether polygons meet or contain each other, in the areas that their envelopes have in common.
private struct OverlapSearch {
  private static let side = 64
  private let envelope: Envelope
  /// The cells of a grid that areas meet.
  private var isNear = [Bool](repeating: false, count: side * side)
  /// The edges in these cells.
  private var edges: [EdgeGrid.Edge] = []
  /// A vertex of each polygon, and its edges.
  private var probes: [(x: Double, y: Double, polygon: Int32)] = []
  private var polygons: [(parts: Range<Int>, polygon: Int32)] = []
  private var buffer = CoordinateBuffer(kind: .polygon)

  init(_ areas: [Envelope]) {
    envelope = areas.reduce(.empty) { $0.union($1) }
    for area in areas {
      let (columns, rows) = cells(area.xMin, area.yMin, area.xMax, area.yMax)
      for row in rows { for column in columns { isNear[row * Self.side + column] = true } }
    }
  }

  private func cells(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double
  ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    func cell(_ value: Double, _ low: Double, _ length: Double) -> Int {
      let share = (value - low) / length * Double(Self.side)
      // An area without length divides by zero; a place beyond it is in the last cell, or the cells would be reversed.
      return share > 0 ? Int(clamping: min(share, Double(Self.side - 1))) : 0
    }
    let (west, south) = (envelope.xMin, envelope.yMin)
    return (
      cell(x0, west, envelope.width)...cell(x1, west, envelope.width),
      cell(y0, south, envelope.height)...cell(y1, south, envelope.height)
    )
  }

  mutating func add(_ parts: Range<Int>, of buffer: CoordinateBuffer, polygon: Int32) {
    self.buffer = buffer
    polygons.append((parts, polygon))
    if let part = parts.first, let vertex = buffer.vertices(ofPart: part).first {
      probes.append((buffer.x[vertex], buffer.y[vertex], polygon))
    }
    var near: [EdgeGrid.Edge] = []
    buffer.forEachEdge(of: parts, polygon: polygon) { edge in
      let (x0, x1) = (min(edge.ax, edge.bx), max(edge.ax, edge.bx))
      let (y0, y1) = (min(edge.ay, edge.by), max(edge.ay, edge.by))
      guard x0 <= envelope.xMax, x1 >= envelope.xMin, y0 <= envelope.yMax, y1 >= envelope.yMin else { return }
      let (columns, rows) = cells(x0, y0, x1, y1)
      let isClose = rows.contains { row in columns.contains { isNear[row * Self.side + $0] } }
      if isClose { near.append(edge) }
    }
    edges += near
  }

  /// Returns whether edges of two polygons meet, or one polygon contains another; true if that takes too long to tell.
  func mayOverlap() -> Bool { haveContact() || haveContainment() }

  private func haveContact() -> Bool {
    let limit = 16 * edges.count + 100_000
    guard let grid = EdgeGrid(edges, limit: limit) else { return true }
    var (isFound, budget) = (false, 50 * limit)
    grid.forEachPair(edges, budget: &budget) { a, b in
      guard edges[a].polygon != edges[b].polygon else { return true }
      isFound = edges[a].meets(edges[b])
      return !isFound
    }
    return isFound || budget < 0
  }

  /// Returns whether a vertex of a polygon is inside another, if no edges of two polygons meet.
  private func haveContainment() -> Bool {
    let sorted = probes.sorted { $0.y < $1.y }
    guard let first = sorted.first, let last = sorted.last else { return false }
    let count = 4 * sorted.count
    let scale = Double(count) / (last.y - first.y)
    func bin(_ y: Double) -> Int {
      let share = (y - first.y) * scale
      return share > 0 ? Int(clamping: min(share, Double(count - 1))) : 0
    }
    // The number of probes in all bins before each.
    var before = [Int](repeating: 0, count: count + 1)
    for probe in sorted { before[bin(probe.y) + 1] += 1 }
    for index in 1...count { before[index] += before[index - 1] }
    var isInside: [Int: Bool] = [:]
    for (parts, polygon) in polygons {
      buffer.forEachEdge(of: parts, polygon: polygon) { edge in
        let (low, high) = (min(edge.ay, edge.by), max(edge.ay, edge.by))
        guard high > first.y, low <= last.y else { return }
        for index in before[bin(low)]..<before[bin(high) + 1] {
          let probe = sorted[index]
          guard (edge.ay > probe.y) != (edge.by > probe.y), probe.polygon != polygon else { continue }
          let side = orientation(edge.ax, edge.ay, edge.bx, edge.by, probe.x, probe.y)
          guard (edge.by > edge.ay) == (side > 0) else { continue }
          isInside[index, default: false].toggle()
        }
      }
      if isInside.values.contains(true) { return true }
      isInside.removeAll(keepingCapacity: true)
    }
    return false
  }
}

extension Envelope {
  /// Returns the common area with an envelope that it meets.
  fileprivate func intersection(_ other: Envelope) -> Envelope {
    Envelope(
      xMin: max(xMin, other.xMin), yMin: max(yMin, other.yMin), xMax: min(xMax, other.xMax),
      yMax: min(yMax, other.yMax))
  }
}

extension EdgeGrid.Edge {
  /// Returns whether two edges share a point.
  fileprivate func meets(_ other: EdgeGrid.Edge) -> Bool {
    let c = orientation(ax, ay, bx, by, other.ax, other.ay)
    if c != 0, c == orientation(ax, ay, bx, by, other.bx, other.by) { return false }
    let e = orientation(other.ax, other.ay, other.bx, other.by, ax, ay)
    return e == 0 || e != orientation(other.ax, other.ay, other.bx, other.by, bx, by)
  }
}
