import CGeospatial
import MapFeatures
import MapGeometry

extension SpatialComparison {
  /// True when the query or a feature lies past the sides of the world.
  func reachesBeyond(_ world: ClosedRange<Double>) -> Bool {
    let extent = query.envelope(ofRow: 0)
    return worldsReached != 0...0 || extent.xMin < world.lowerBound || extent.xMax > world.upperBound
  }
}

/// Geometries cut at the antimeridian and brought into one world copy.
struct WorldCut {
  private let world: ClosedRange<Double>
  private let copy: Int
  /// The number of world copies that a geometry may reach into.
  ///
  /// - Source: design decision; data beyond it are errors, and each copy costs a cut.
  private static let copyLimit = 8.0

  /// A cut into the world copy `copy` worlds east of a world.
  init(_ world: ClosedRange<Double>, _ copy: Int) { (self.world, self.copy) = (world, copy) }

  /// A row of a buffer within the world copy: what lies beyond a side comes in at the other.
  ///
  /// - Throws: ``LibraryError`` where GEOS fails.
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
    // Wider than the world, pieces lie over one another.
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
  /// The same places as one geometry whose parts share no more than boundaries.
  ///
  /// - Throws: ``LibraryError`` where GEOS fails.
  func united() throws(LibraryError) -> GEOSGeometry {
    let union = context.calls.GEOSUnaryUnion_r(context.handle, handle)
    guard let geometry = GEOSGeometry(context, owning: union) else {
      throw context.takeError("joining the parts of a geometry")
    }
    return geometry
  }
}
