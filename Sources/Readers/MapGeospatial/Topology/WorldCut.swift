import CGeospatial
import MapFeatures
import MapGeometry
import MapSystem

extension SpatialComparison {
  /// Returns whether the query or a feature lies beyond the sides of the world.
  func reachesBeyond(_ world: ClosedRange<Double>) -> Bool {
    let extent = query.envelope(ofRow: 0)
    return worldsReached != 0...0 || extent.xMin < world.lowerBound || extent.xMax > world.upperBound
  }
}

/// A cut of geometries at the antimeridian that moves all pieces into one world copy.
struct WorldCut {
  private let world: ClosedRange<Double>
  private let copy: Int
  /// The greatest number of world copies that a geometry may reach into.
  ///
  /// - Source: design decision; data beyond it are errors, and each copy costs a cut.
  private static let copyLimit = 8.0

  /// Creates a cut into the world copy `copy` world widths east of `world`.
  init(_ world: ClosedRange<Double>, _ copy: Int) { (self.world, self.copy) = (world, copy) }

  /// Returns a row of a buffer within the world copy: parts beyond one side reappear at the other.
  ///
  /// - Throws: ``LibraryError`` when GEOS fails.
  func cut(
    _ row: Int, of buffer: CoordinateBuffer, _ context: GEOSContext
  ) throws(LibraryError) -> GEOSGeometry {
    let extent = buffer.envelope(ofRow: row)
    let span = world.upperBound - world.lowerBound
    let (low, high) = (
      world.lowerBound + Double(copy) * span, world.upperBound + Double(copy) * span
    )
    if extent.xMin >= low, extent.xMax <= high { return try GEOSGeometry(context, row: row, of: buffer) }
    let box = try GEOSGeometry(context, row: 0, of: Self.rectangle(low, high, extent))
    let west = ((extent.xMin - world.lowerBound) / span).rounded(.down)
    let east = ((extent.xMax - world.lowerBound) / span).rounded(.down)
    guard east - west < Self.copyLimit, let first = Int(exactly: west), let last = Int(exactly: east) else {
      throw LibraryError("a geometry goes around the world more than \(Int(clamping: Self.copyLimit)) times")
    }
    var pieces: [GEOSGeometry] = []
    for turn in first...last {
      var moved = try GEOSGeometry(context, row: row, of: buffer, shift: Double(copy - turn) * span)
      if buffer.kind == .polygon, moved.fault != nil, let valid = moved.madeValid() { moved = valid }
      let cut = context.calls.GEOSIntersection_r(context.handle, moved.handle, box.handle)
      guard let piece = GEOSGeometry(context, owning: cut) else {
        throw context.takeError("cutting a geometry at the antimeridian")
      }
      pieces.append(piece)
    }
    let dimension =
      switch buffer.kind {
      case .point, .multipoint: 0
      case .polyline: 1
      case .polygon: 2
      }
    // Pieces of a geometry wider than the world overlap, so they are joined.
    return try GEOSGeometry.collection(context, of: pieces, dimension: dimension).united()
  }

  private static func rectangle(_ west: Double, _ east: Double, _ extent: Envelope) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: .polygon)
    let (south, north) = (extent.yMin - 1, extent.yMax + 1)
    for (x, y) in [(west, south), (east, south), (east, north), (west, north), (west, south)] {
      buffer.appendVertex(x: x, y: y)
    }
    buffer.endPart()
    buffer.endRow()
    return buffer
  }
}

extension GEOSGeometry {
  /// Returns the same points as one geometry whose parts share only boundaries.
  ///
  /// - Throws: ``LibraryError`` when GEOS fails.
  func united() throws(LibraryError) -> GEOSGeometry {
    let union = context.calls.GEOSUnaryUnion_r(context.handle, handle)
    guard let geometry = GEOSGeometry(context, owning: union) else {
      throw context.takeError("joining the parts of a geometry")
    }
    return geometry
  }
}
