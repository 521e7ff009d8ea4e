import MapFeatures
import MapGeometry

/// A relation of a query geometry to features in a world that repeats.
///
/// Query and feature are moved, part by part, into one world width that starts where neither of them lies. There they
/// are compared as in a flat world. When the two together go all around the world, both are cut at the antimeridian
/// instead.
final class RoundComparison {
  private let asked: SpatialComparison
  private let world: ClosedRange<Double>
  private let context: GEOSContext
  private let queryParts: [RoundPart]
  private var relations: [Double?: PreparedRelation] = [:]

  init(_ asked: SpatialComparison, _ world: ClosedRange<Double>, _ context: GEOSContext) {
    (self.asked, self.world, self.context) = (asked, world, context)
    queryParts = RoundPart.parts(ofRow: 0, of: asked.query)
  }

  /// Returns the candidates for which the relation is true.
  ///
  /// - Throws: ``LibraryError`` when GEOS fails.
  func rows() throws(LibraryError) -> RowSet {
    var rows = RowSet(rowCount: asked.features.rowCount)
    let start = RoundPart.start(of: queryParts, world)
    for row in asked.candidates {
      let parts = RoundPart.parts(ofRow: row, of: asked.features)
      var start = start
      if let middle = start, !parts.allSatisfy({ $0.isWhole(from: middle, world) }) {
        start = RoundPart.start(of: queryParts + parts, world)
      }
      let relation = try relation(from: start)
      let feature = try geometry(row, of: asked.features, parts, from: start)
      let checksValidity = asked.features.kind == .polygon
      if try relation.holds(feature, checksValidity: checksValidity, row: row) { rows.insert(row) }
    }
    return rows
  }

  private func relation(from start: Double?) throws(LibraryError) -> PreparedRelation {
    if let known = relations[start] { return known }
    let query = try geometry(0, of: asked.query, queryParts, from: start)
    let relation = try PreparedRelation(query, asked.relationship, pattern: asked.pattern)
    // Only a few are kept, so that a large table does not fill the memory.
    if relations.count > 8 { relations.removeAll() }
    relations[start] = relation
    return relation
  }

  private func geometry(
    _ row: Int, of buffer: CoordinateBuffer, _ parts: [RoundPart], from start: Double?
  ) throws(LibraryError) -> GEOSGeometry {
    guard let start else { return try WorldCut(world, 0).cut(row, of: buffer, context) }
    let shifts = parts.map { $0.shift(to: start, world) }
    var moved = CoordinateBuffer(kind: buffer.kind)
    for (part, shift) in zip(parts, shifts) {
      for ring in part.runs {
        for vertex in ring {
          let x = shift == 0 ? buffer.x[vertex] : Envelope.moved(x: buffer.x[vertex], by: shift)
          moved.appendVertex(x: x, y: buffer.y[vertex])
        }
        if buffer.kind == .polygon || buffer.kind == .polyline { moved.endPart() }
      }
    }
    if buffer.kind != .point {
      moved.endPart()
      moved.endRow()
    }
    let geometry = try GEOSGeometry(context, row: 0, of: moved)
    // Parts that a table splits at the antimeridian are joined to one area.
    guard buffer.kind == .polygon, parts.count > 1, Set(shifts).count > 1 else { return geometry }
    if geometry.fault != nil, let valid = geometry.madeValid() { return try valid.united() }
    return try geometry.united()
  }
}

/// A part of a geometry that is moved as one: a point, a chain or a ring with its holes.
struct RoundPart {
  /// The vertices, one run for each ring.
  let runs: [Range<Int>]
  private let xMin: Double
  private let xMax: Double

  private init(_ runs: [Range<Int>], of buffer: CoordinateBuffer) {
    self.runs = runs
    var (low, high) = (Double.infinity, -Double.infinity)
    for run in runs {
      for vertex in run { (low, high) = (min(low, buffer.x[vertex]), max(high, buffer.x[vertex])) }
    }
    (xMin, xMax) = (low, high)
  }

  /// Returns the parts of a row.
  static func parts(ofRow row: Int, of buffer: CoordinateBuffer) -> [RoundPart] {
    switch buffer.kind {
    case .point, .multipoint:
      buffer.vertices(ofRow: row).map { RoundPart([$0..<$0 + 1], of: buffer) }
    case .polyline: buffer.parts(ofRow: row).map { RoundPart([buffer.vertices(ofPart: $0)], of: buffer) }
    case .polygon:
      buffer.polygons(ofRow: row).map { rings in
        RoundPart(rings.map { buffer.vertices(ofPart: $0) }, of: buffer)
      }
    }
  }

  /// Returns the middle of the widest gap in x between the parts, reduced to one world; nil when there is no gap.
  static func start(of parts: [RoundPart], _ world: ClosedRange<Double>) -> Double? {
    let span = world.upperBound - world.lowerBound
    let ranges = parts.map { part in
      let low = part.xMin - ((part.xMin - world.lowerBound) / span).rounded(.down) * span
      return (low: low, high: low + part.xMax - part.xMin)
    }.sorted { $0.low < $1.low }
    var best: (gap: Double, middle: Double)?
    // The last range may continue past the end of the world width, before the first range.
    var reached = ranges.reduce(-Double.infinity) { max($0, $1.high) } - span
    for range in ranges {
      let gap = range.low - reached
      if gap > (best?.gap ?? span * 1e-9) { best = (gap, reached + gap / 2) }
      reached = max(reached, range.high)
    }
    return best?.middle
  }

  /// Returns whether the part lies inside one world width that begins at `start`.
  func isWhole(from start: Double, _ world: ClosedRange<Double>) -> Bool {
    xMax + shift(to: start, world) < start + (world.upperBound - world.lowerBound)
      && xMin + shift(to: start, world) > start
  }

  /// Returns the shift that moves the part into the world width that begins at `start`.
  func shift(to start: Double, _ world: ClosedRange<Double>) -> Double {
    let span = world.upperBound - world.lowerBound
    let turn = ((xMin - start) / span).rounded(.down)
    return turn == 0 ? 0 : -turn * span
  }
}
