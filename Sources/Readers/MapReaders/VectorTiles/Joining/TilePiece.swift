import MapGeometry

/// The part of a tile's feature in the square of the tile, with positions in the world.
struct TilePiece {
  /// The kind of geometry; multipoint also for one point.
  let kind: GeometryKind
  /// The points, lines or rings; rings are closed, and an exterior ring has a positive area.
  let shapes: [[TileVertex]]

  /// Cuts off what is in the buffer of the tile; nil for a feature that is in the buffer only.
  ///
  /// - Parameter square: the square of the tile, which may have another extent than the layer.
  init?(_ layer: VectorTileLayer, row: Int, in square: TileSquare) {
    self.init(layer.geometries, extent: Double(layer.extent), row: row, in: square)
  }

  /// Cuts off what is in the buffer of the tile, like ``init(_:row:in:)``, from geometries with `extent` units along a side.
  init?(_ geometries: [CoordinateBuffer], extent: Double, row: Int, in square: TileSquare) {
    guard let buffer = geometries.first(where: { !$0.isEmpty(row: row) }) else { return nil }
    let scale = square.side / extent
    func vertex(_ index: Int) -> TileVertex {
      TileVertex(x: buffer.x[index] * scale + square.xMin, y: buffer.y[index] * scale + square.yMin)
    }
    func vertices(_ part: Int) -> [TileVertex] { buffer.vertices(ofPart: part).map(vertex) }
    switch buffer.kind {
    case .point, .multipoint:
      let points = buffer.kind == .point ? [vertex(row)] : buffer.vertices(ofRow: row).map(vertex)
      (kind, shapes) = (.multipoint, points.filter(square.contains).map { [$0] })
    case .polyline:
      kind = .polyline
      shapes = buffer.parts(ofRow: row).flatMap { square.clipped(line: vertices($0)) }
    case .polygon:
      // The first ring is an exterior ring; only tiles of version 1 may have it in the other direction.
      let isReversed = buffer.parts(ofRow: row).first.map { buffer.doubleArea(ofPart: $0) < 0 } ?? false
      let rings = buffer.parts(ofRow: row).map { square.clipped(ring: vertices($0)) }.filter { !$0.isEmpty }
      (kind, shapes) = (.polygon, isReversed ? rings.map { $0.reversed() } : rings)
    }
    if shapes.isEmpty { return nil }
  }

  /// Returns whether a side of the tile cuts a line or polygon.
  func isCut(by square: TileSquare) -> Bool {
    kind != .multipoint && shapes.contains { $0.contains(where: square.isOnSide) }
  }

  /// Returns the position of a single point on a side of the tile; nil for other pieces.
  func pointOnSide(of square: TileSquare) -> TileVertex? {
    kind == .multipoint && shapes.count == 1 && square.isOnSide(shapes[0][0]) ? shapes[0][0] : nil
  }
}
