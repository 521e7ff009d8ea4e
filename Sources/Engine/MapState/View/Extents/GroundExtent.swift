import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The smallest extent of rows of tables, across the antimeridian if that extent is narrower.
package struct GroundExtent {
  /// Some rows of a table as the map shows them, or the extent of a whole table.
  package enum Piece {
    case rows(RowSet, FeatureColumns)
    case whole(Envelope)
  }

  let pieces: [Piece]
  let plane: MapPlane
  /// The number of intervals around the world in the search for the widest gap.
  private static let steps = 4096
  /// The fraction of the world's width from which a view with its margin shows the whole world in any case.
  private static let nearlyWorld = 0.92

  package init(of pieces: [Piece], on plane: MapPlane) { (self.pieces, self.plane) = (pieces, plane) }

  /// Returns the extent; empty if there is nothing to show.
  ///
  /// It is in the spatial reference of the rows if they share one and the extent does not cross the antimeridian.
  /// Otherwise it is in that of the plane.
  /// - Throws: `MappingError` for rows that cannot be projected to the plane.
  package func extent() throws(MappingError) -> Envelope {
    let boxes = pieces.map(\.box).filter { !$0.isEmpty }
    guard let first = boxes.first else { return .empty }
    var plain: Envelope
    if boxes.allSatisfy({ $0.spatialReference == first.spatialReference }) {
      plain = boxes.reduce(first) { $0.union($1) }
    } else {
      plain = .empty
      for box in boxes { plain = plain.union(try plane.box(of: box.withLatitudes, "the extent of the data")) }
    }
    guard let world = Envelope.worldWidth(of: plane.reference), let short = shortWay() else {
      return plain.withLatitudes
    }
    let tall = try plane.box(of: plain.withLatitudes, "the extent of the data")
    return Envelope(
      xMin: short.lowerBound * world, yMin: tall.yMin, xMax: short.upperBound * world, yMax: tall.yMax,
      spatialReference: plane.reference)
  }

  /// Returns the extent across the antimeridian as fractions of the world's width; nil if it is not narrower.
  ///
  /// Its centre is between -1/2 and 1/2.
  private func shortWay() -> ClosedRange<Double>? {
    guard let (plain, gap) = seam(), plain.upperBound - plain.lowerBound > 0.5 else { return nil }
    var (shortWest, shortEast) = (Double.infinity, -Double.infinity)
    for piece in pieces {
      piece.forEachSpan { span in
        let turns = (span.lowerBound - gap).rounded(.down)
        (shortWest, shortEast) = (
          min(shortWest, span.lowerBound - turns), max(shortEast, span.upperBound - turns)
        )
      }
    }
    let width = shortEast - shortWest
    guard width < plain.upperBound - plain.lowerBound, width < Self.nearlyWorld else { return nil }
    let turns = ((shortWest + shortEast) / 2 + 0.5).rounded(.down)
    return (shortWest - turns)...(shortEast - turns)
  }

  /// Returns the extent without regard to the antimeridian and the centre of the widest gap around the world, as fractions
  /// of the world's width; nil without rows, without a gap, and for rows in a spatial reference without world copies.
  func seam() -> (plain: ClosedRange<Double>, gap: Double)? {
    var (west, east) = (Double.infinity, -Double.infinity)
    // The number of rows that start in an interval, minus those that ended in the one before.
    var changes = [Int](repeating: 0, count: Self.steps + 1)
    var isEverywhere = false
    func step(_ x: Double) -> Int {
      let place = x + 0.5
      return min(Int(clamping: (place - place.rounded(.down)) * Double(Self.steps)), Self.steps - 1)
    }
    for piece in pieces {
      guard piece.hasWorld else { return nil }
      piece.forEachSpan { span in
        (west, east) = (min(west, span.lowerBound), max(east, span.upperBound))
        guard span.upperBound - span.lowerBound < 1 else {
          isEverywhere = true
          return
        }
        let (first, last) = (step(span.lowerBound), step(span.upperBound))
        changes[first] += 1
        changes[last + 1] -= 1
        if last < first {
          changes[0] += 1
          changes[Self.steps] -= 1
        }
      }
    }
    guard west <= east, !isEverywhere, let gap = Self.widestGap(changes) else { return nil }
    return (west...east, gap)
  }

  /// Returns the centre of the longest run of empty intervals, as a fraction of the world's width; nil if there is
  /// none.
  private static func widestGap(_ changes: [Int]) -> Double? {
    var (open, run, widest, middle) = (0, 0, 0, Double?.none)
    let isFree = changes.prefix(steps).map { change -> Bool in
      open += change
      return open == 0
    }
    // Two rounds find a run across the antimeridian.
    for step in 0..<2 * steps {
      run = isFree[step % steps] ? min(run + 1, steps) : 0
      if run > widest {
        widest = run
        middle = (Double(step) + 1 - Double(run) / 2) / Double(steps) - 0.5
      }
    }
    return middle
  }
}

extension GroundExtent.Piece {
  /// The extent without regard to the antimeridian.
  fileprivate var box: Envelope {
    switch self {
    case .whole(let envelope): return envelope
    case .rows(let rows, let table):
      guard let geometry = table.geometry else { return .empty }
      var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
      for row in rows {
        let box = geometry.envelope(ofRow: row)
        // The sides of a row without geometry are NaN, so all comparisons are false.
        if box.xMin < x0 { x0 = box.xMin }
        if box.yMin < y0 { y0 = box.yMin }
        if box.xMax > x1 { x1 = box.xMax }
        if box.yMax > y1 { y1 = box.yMax }
      }
      guard x0 <= x1 else { return .empty }
      return Envelope(
        xMin: x0, yMin: y0, xMax: x1, yMax: y1, spatialReference: table.schema.spatialReference)
    }
  }

  var reference: SpatialReference? {
    switch self {
    case .whole(let envelope): envelope.spatialReference
    case .rows(_, let table): table.schema.spatialReference
    }
  }

  fileprivate var hasWorld: Bool { Envelope.worldWidth(of: reference) != nil }

  /// Calls a closure with the x span of each row that has a geometry, as fractions of the world's width.
  fileprivate func forEachSpan(_ body: (ClosedRange<Double>) -> Void) {
    guard let world = Envelope.worldWidth(of: reference) else { return }
    func report(_ box: Envelope) {
      if box.xMin <= box.xMax { body((box.xMin / world)...(box.xMax / world)) }
    }
    switch self {
    case .whole(let envelope): report(envelope)
    case .rows(let rows, let table):
      guard let geometry = table.geometry else { return }
      for row in rows {
        let box = geometry.envelope(ofRow: row)
        guard box.width > world / 2, geometry.kind != .point else {
          report(box)
          continue
        }
        // Parts on both sides of the antimeridian are close to each other, so each part has its own span.
        for part in geometry.parts(ofRow: row) {
          let x = geometry.x[geometry.vertices(ofPart: part)]
          guard geometry.kind != .multipoint else {
            for x in x { body((x / world)...(x / world)) }
            continue
          }
          if let west = x.min(), let east = x.max() { body((west / world)...(east / world)) }
        }
      }
    }
  }
}

extension Envelope {
  /// The envelope with its sides limited to -90° and 90° if it is in degrees; otherwise unchanged.
  var withLatitudes: Envelope {
    guard spatialReference == .wgs84 else { return self }
    return with(xMin: xMin, yMin: min(max(yMin, -90), 90), xMax: xMax, yMax: min(max(yMax, -90), 90))
  }
}
