extension StylePolygons {
  /// Returns whether all points or lines of a feature are within the polygons; a boundary is outside.
  ///
  /// - Source: MapLibre Style Specification, "within": on the grid of the feature's tile, around the antimeridian.
  func contain(_ parts: [[StylePoint]], ofLines: Bool, in tile: StyleTile) -> Bool {
    let polygons = polygons.map { $0.map { $0.map(tile.world) } }
    guard let bounds = Box(polygons.joined().joined()) else { return false }
    var parts = parts.map { $0.map { StyleTile.onGrid($0 + tile.corner) } }
    guard let box = Box(parts.joined()) else { return false }
    if !ofLines || box.upper.x - box.lower.x <= tile.worldSize / 2 {
      parts = parts.map { $0.map { Self.shifted($0, towards: bounds, tile.worldSize) } }
    }
    guard let box = Box(parts.joined()), box.isInside(bounds) else { return false }
    return parts.allSatisfy { part in
      if ofLines { return polygons.contains { Self.contains(part, $0) } }
      return part.allSatisfy { point in
        polygons.contains { PlanePolygon.place(point, in: $0) == .inside }
      }
    }
  }

  private static func contains(_ line: [StylePoint], _ rings: [[StylePoint]]) -> Bool {
    line.allSatisfy { PlanePolygon.place($0, in: rings) == .inside }
      && zip(line, line.dropFirst()).allSatisfy { start, end in
        !rings.contains { ring in
          zip(ring, ring.dropFirst()).contains { PlanePolygon.cross(start, end, $0, $1) }
        }
      }
  }

  /// Moves a point by a whole world, when it is then nearer to the polygons.
  private static func shifted(_ point: StylePoint, towards bounds: Box, _ world: Double) -> StylePoint {
    guard point.x < bounds.lower.x || point.x > bounds.upper.x else { return point }
    for edge in [bounds.lower.x, bounds.upper.x] {
      if point.x - edge > world / 2 { return point - StylePoint(world, 0) }
      if edge - point.x > world / 2 { return point + StylePoint(world, 0) }
    }
    return point
  }

  /// The least and greatest coordinates of points.
  struct Box {
    var lower: StylePoint
    var upper: StylePoint

    init?(_ points: some Sequence<StylePoint>) {
      var iterator = points.makeIterator()
      guard let first = iterator.next() else { return nil }
      (lower, upper) = (first, first)
      while let point = iterator.next() {
        lower = pointwiseMin(lower, point)
        upper = pointwiseMax(upper, point)
      }
    }

    func isInside(_ other: Box) -> Bool {
      lower.x > other.lower.x && upper.x < other.upper.x && lower.y > other.lower.y && upper.y < other.upper.y
    }
  }
}

/// Tests of points, segments and polygons in a plane.
enum PlanePolygon {
  enum Location { case inside, boundary, outside }

  /// Returns where a point is; rings inside of rings are holes.
  static func place(_ point: StylePoint, in rings: [[StylePoint]]) -> Location {
    var isInside = false
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) {
        let (a, b) = (point - start, point - end)
        if a.x * b.y - b.x * a.y == 0, a.x * b.x <= 0, a.y * b.y <= 0 { return .boundary }
        if (start.y > point.y) != (end.y > point.y),
          point.x < (end.x - start.x) * (point.y - start.y) / (end.y - start.y) + start.x
        {
          isInside.toggle()
        }
      }
    }
    return isInside ? .inside : .outside
  }

  /// Returns whether two segments cross; those that only touch or are parallel do not.
  static func cross(_ a: StylePoint, _ b: StylePoint, _ c: StylePoint, _ d: StylePoint) -> Bool {
    let (first, second) = (b - a, d - c)
    if second.x * first.y - second.y * first.x == 0 { return false }
    return separates(a, b, c, d) && separates(c, d, a, b)
  }

  private static func separates(_ a: StylePoint, _ b: StylePoint, _ start: StylePoint, _ end: StylePoint)
    -> Bool
  {
    let (first, second, line) = (a - start, b - start, end - start)
    let (side, other) = (first.x * line.y - line.x * first.y, second.x * line.y - line.x * second.y)
    return side > 0 && other < 0 || side < 0 && other > 0
  }
}
