package import MapGeometry

extension SpatialOperations {
  /// Returns the smallest envelope in a spatial reference that contains an envelope of another; empty if none exists.
  ///
  /// If the target has world copies, the envelope continues past ±180° instead of wrapping.
  ///
  /// - Error: exact between WGS 84 and Web Mercator; otherwise 33 by 33 points are projected, and the area may reach
  ///   slightly farther between them.
  /// - Throws: ``SpatialOperationError`` for an unknown spatial reference.
  package func box(
    around envelope: Envelope, in target: SpatialReference
  ) throws(SpatialOperationError) -> Envelope {
    guard let source = envelope.spatialReference, source != target else { return envelope }
    if let projected = envelope.projected(to: target) { return projected }
    return try probed(envelope, in: target).box
  }

  /// Returns the box around projected points of an envelope, and whether all of them could be projected.
  private func probed(
    _ envelope: Envelope, in target: SpatialReference
  ) throws(SpatialOperationError) -> (box: Envelope, isWhole: Bool) {
    guard let source = envelope.spatialReference else { return (envelope, true) }
    // xMin above xMax crosses the antimeridian.
    let turn = envelope.xMax < envelope.xMin ? Envelope.worldWidth(of: source) ?? 0 : 0
    let (width, height) = (envelope.xMax + turn - envelope.xMin, envelope.yMax - envelope.yMin)
    let steps = width == 0 && height == 0 ? [0] : (0...32).map { Double($0) / 32 }
    var (x, y) = ([Double](), [Double]())
    for down in steps {
      for along in steps {
        x.append(envelope.xMin + width * along)
        y.append(envelope.yMin + height * down)
      }
    }
    try project(x: &x, y: &y, from: source, to: target)
    // The middle decides between the possible ways around the world.
    let middle = x[x.count / 2]
    let world = Envelope.worldWidth(of: target)
    let places = zip(x, y).compactMap { x, y -> Point? in
      guard x.isFinite, y.isFinite else { return nil }
      guard let world, middle.isFinite else { return Point(x: x, y: y) }
      return Point(x: x - ((x - middle) / world).rounded() * world, y: y)
    }
    return (Envelope(of: places, spatialReference: target), places.count == x.count)
  }

  /// Returns a box in WGS 84 that contains an envelope with a margin; nil if none is known.
  ///
  /// There is none for a view that reaches beyond the rim of a projection. A box with a pole includes all meridians.
  ///
  /// - Error: as for ``box(around:in:)``, reduced by a margin of one step between the projected points.
  package func ground(of envelope: Envelope) -> Envelope? {
    guard let reference = envelope.spatialReference,
      let (box, isWhole) = try? probed(envelope, in: .wgs84), isWhole
    else { return nil }
    let (dx, dy) = (box.width / 32, box.height / 32)
    // The poles lie between the projected points, and all meridians meet there.
    var (x, y) = ([0.0, 0.0], [90.0, -90.0])
    do { try project(x: &x, y: &y, from: .wgs84, to: reference) } catch { return nil }
    let hasPole = (
      north: envelope.contains(x: x[0], y: y[0]), south: envelope.contains(x: x[1], y: y[1])
    )
    let isAround = hasPole.north || hasPole.south || box.width + 2 * dx >= 360
    return Envelope(
      xMin: isAround ? -180 : box.xMin - dx, yMin: hasPole.south ? -90 : max(box.yMin - dy, -90),
      xMax: isAround ? 180 : box.xMax + dx, yMax: hasPole.north ? 90 : min(box.yMax + dy, 90),
      spatialReference: .wgs84)
  }
}
