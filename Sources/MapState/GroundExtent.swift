import MapFeatures
import MapGeometry
import MapModel

/// The smallest extent around rows of tables, across the antimeridian where that way is shorter.
struct GroundExtent {
  /// Rows of a table, as a map shows them, or the extent of all of them.
  enum Piece {
    case rows(RowSet, FeatureColumns)
    case whole(Envelope)
  }

  private let pieces: [Piece]
  private let plane: MapPlane
  /// Steps around the world by which the widest gap is found.
  private static let steps = 4096
  /// The part of the world from which on a view with its margin shows the whole world either way.
  private static let nearlyWorld = 0.92

  init(of pieces: [Piece], on plane: MapPlane) { (self.pieces, self.plane) = (pieces, plane) }

  /// The extent: in the reference of the rows where they share one and it does not cross the antimeridian, else in the
  /// plane's; empty where there is nothing to show.
  ///
  /// - Throws: ``MappingError`` for rows without a place on the plane.
  func extent() throws(MappingError) -> Envelope {
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

  /// The way across the antimeridian as parts of the world, its middle within -1/2 and 1/2; nil where the plain way is
  /// as short.
  private func shortWay() -> ClosedRange<Double>? {
    var (west, east) = (Double.infinity, -Double.infinity)
    // How many rows begin in a step, less those that ended in the one before.
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
    guard east - west > 0.5, !isEverywhere else { return nil }
    guard let gap = Self.widestGap(changes) else { return nil }
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
    guard width < east - west, width < Self.nearlyWorld else { return nil }
    let turns = ((shortWest + shortEast) / 2 + 0.5).rounded(.down)
    return (shortWest - turns)...(shortEast - turns)
  }

  /// The middle of the longest run of steps that no row is in, as a part of the world; nil where there is none.
  private static func widestGap(_ changes: [Int]) -> Double? {
    var (open, run, widest, middle) = (0, 0, 0, Double?.none)
    let isFree = changes.prefix(steps).map { change -> Bool in
      open += change
      return open == 0
    }
    // Twice around, for a run across the antimeridian.
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
  /// The plain extent.
  fileprivate var box: Envelope {
    switch self {
    case .whole(let envelope): return envelope
    case .rows(let rows, let table):
      guard let geometry = table.geometry else { return .empty }
      var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
      for row in rows {
        let box = geometry.envelope(ofRow: row)
        // Sides of a row without geometry are NaN and compare false.
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

  fileprivate var reference: SpatialReference? {
    switch self {
    case .whole(let envelope): envelope.spatialReference
    case .rows(_, let table): table.schema.spatialReference
    }
  }

  fileprivate var hasWorld: Bool { Envelope.worldWidth(of: reference) != nil }

  /// Calls with the span in x of each row that has a geometry, as parts of the world.
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
        // Parts on both sides of the antimeridian are near each other.
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
  /// The part of an envelope in degrees that has latitudes; any other as it is.
  fileprivate var withLatitudes: Envelope {
    guard spatialReference == .wgs84 else { return self }
    return with(xMin: xMin, yMin: min(max(yMin, -90), 90), xMax: xMax, yMax: min(max(yMax, -90), 90))
  }
}
