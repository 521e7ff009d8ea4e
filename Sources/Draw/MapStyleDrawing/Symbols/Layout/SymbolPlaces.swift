import MapGeometry

/// A point of a feature at which a symbol may be, in CSS pixels of its tile and in output pixels.
struct SymbolPlace {
  let x: Double
  let y: Double
  let pixelX: Double
  let pixelY: Double
}

extension StyledTileLayer {
  /// Calls a closure with each line of a row: lines, and the rings of areas.
  func forEachLine(ofRow row: Int, in tile: SymbolTile, _ body: (SymbolLine) -> Void) {
    for (units, own) in zip(geometries, pixels)
    where (units.kind == .polyline || units.kind == .polygon) && !units.isEmpty(row: row) {
      for part in units.parts(ofRow: row) {
        var line = SymbolLine()
        for vertex in units.vertices(ofPart: part) {
          let place = tile.place(units.x[vertex], units.y[vertex])
          line.append(x: place.x, y: place.y, pixelX: own.x[vertex], pixelY: own.y[vertex])
        }
        if line.count > 1 { body(line) }
      }
    }
  }

  /// Returns the points of a row at which symbols are: its points, the first points of its lines, and the poles of
  /// its areas.
  ///
  /// - Source: MapLibre GL JS 5.
  func places(ofRow row: Int, in tile: SymbolTile) -> [SymbolPlace] {
    var places: [SymbolPlace] = []
    for (units, own) in zip(geometries, pixels) where !units.isEmpty(row: row) {
      func add(_ vertex: Int) {
        let place = tile.place(units.x[vertex], units.y[vertex])
        guard tile.contains(place.x, place.y) else { return }
        places.append(
          SymbolPlace(x: place.x, y: place.y, pixelX: own.x[vertex], pixelY: own.y[vertex]))
      }
      switch units.kind {
      case .point: add(row)
      case .multipoint: units.vertices(ofRow: row).forEach(add)
      case .polyline:
        for part in units.parts(ofRow: row) where units.vertices(ofPart: part).count > 1 {
          add(units.vertices(ofPart: part).lowerBound)
        }
      case .polygon: places += poles(ofRow: row, units, own, in: tile)
      }
    }
    return places
  }

  /// Returns the poles of the areas of a row.
  private func poles(
    ofRow row: Int, _ units: CoordinateBuffer, _ own: CoordinateBuffer, in tile: SymbolTile
  ) -> [SymbolPlace] {
    var areas: [Area] = []
    for part in units.parts(ofRow: row) {
      var ring: [(x: Double, y: Double)] = []
      for vertex in units.vertices(ofPart: part) { ring.append(tile.place(units.x[vertex], units.y[vertex])) }
      if let buffer = tile.buffer { ring = Self.clipped(ring, to: -buffer...tile.side + buffer) }
      guard ring.count > 2, Self.area(of: ring) != 0 else { continue }
      if let last = areas.indices.last, Self.isHole(ring, of: areas[last]) {
        areas[last].append(ring)
      } else {
        areas.append(Area(ring))
      }
    }
    let vertices = units.vertices(ofRow: row)
    return areas.compactMap { area in
      // 16 of 8192 units along a side of 512 CSS pixels.
      guard let pole = TilePole.point(of: area.rings, precision: tile.overscaling),
        tile.contains(pole.x, pole.y),
        let pixel = Self.pixel(of: pole, vertices, units, own, in: tile)
      else { return nil }
      return SymbolPlace(x: pole.x, y: pole.y, pixelX: pixel.x, pixelY: pixel.y)
    }
  }

  /// Returns the pixel of a point by the affine transform of two vertices of its feature.
  private static func pixel(
    of point: (x: Double, y: Double), _ vertices: Range<Int>, _ units: CoordinateBuffer,
    _ own: CoordinateBuffer, in tile: SymbolTile
  ) -> (x: Double, y: Double)? {
    // The vertex nearest to the point, and the one farthest from that, which give the most precise direction.
    func nearest(_ x: Double, _ y: Double) -> Int? {
      vertices.min {
        abs(units.x[$0] - x) + abs(units.y[$0] - y) < abs(units.x[$1] - x) + abs(units.y[$1] - y)
      }
    }
    let (x, y) = (point.x / tile.scale + tile.origin.x, point.y / tile.scale + tile.origin.y)
    guard let a = nearest(x, y) else { return nil }
    func distance(_ vertex: Int) -> Double {
      let (dx, dy) = (units.x[vertex] - units.x[a], units.y[vertex] - units.y[a])
      return dx * dx + dy * dy
    }
    guard let b = vertices.max(by: { distance($0) < distance($1) }), distance(b) > 0 else { return nil }
    let (ux, uy) = (units.x[b] - units.x[a], units.y[b] - units.y[a])
    let (px, py) = (own.x[b] - own.x[a], own.y[b] - own.y[a])
    let square = ux * ux + uy * uy
    let (cosine, sine) = ((ux * px + uy * py) / square, (ux * py - uy * px) / square)
    let (dx, dy) = (x - units.x[a], y - units.y[a])
    return (own.x[a] + dx * cosine - dy * sine, own.y[a] + dx * sine + dy * cosine)
  }

  /// The rings of an area with their boxes; the first is the outer ring.
  private struct Area {
    private(set) var rings: [[(x: Double, y: Double)]] = []
    private(set) var boxes: [SymbolBox] = []
    /// Whether the outer ring has a positive area.
    let isPositive: Bool

    init(_ outer: [(x: Double, y: Double)]) {
      isPositive = StyledTileLayer.area(of: outer) > 0
      append(outer)
    }

    mutating func append(_ ring: [(x: Double, y: Double)]) {
      rings.append(ring)
      boxes.append(StyledTileLayer.box(of: ring))
    }
  }

  /// Returns whether a ring is a hole of an area.
  ///
  /// In tiles, holes have the direction opposite to that of outer rings; in GeoJSON, any direction.
  private static func isHole(_ ring: [(x: Double, y: Double)], of area: Area) -> Bool {
    let (own, box) = (Self.box(of: ring), area.boxes[0])
    guard own.left >= box.left, own.top >= box.top, own.right <= box.right, own.bottom <= box.bottom else {
      return false
    }
    if (Self.area(of: ring) > 0) != area.isPositive { return true }
    // Inside of the area, and not of one of its holes.
    let point = (x: (ring[0].x + ring[1].x) / 2, y: (ring[0].y + ring[1].y) / 2)
    var isInside = false
    for (ring, box) in zip(area.rings, area.boxes) where box.top <= point.y && box.bottom > point.y {
      guard var previous = ring.last else { continue }
      for next in ring {
        if (previous.y > point.y) != (next.y > point.y),
          point.x < (next.x - previous.x) * (point.y - previous.y) / (next.y - previous.y) + previous.x
        {
          isInside.toggle()
        }
        previous = next
      }
    }
    return isInside
  }

  private static func box(of ring: [(x: Double, y: Double)]) -> SymbolBox {
    var box = SymbolBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
    for (x, y) in ring { box = box.union(SymbolBox(left: x, top: y, right: x, bottom: y)) }
    return box
  }

  private static func area(of ring: [(x: Double, y: Double)]) -> Double {
    guard var previous = ring.last, let origin = ring.first else { return 0 }
    var area = 0.0
    for point in ring {
      area += (previous.x - origin.x) * (point.y - origin.y) - (point.x - origin.x) * (previous.y - origin.y)
      previous = point
    }
    return area
  }

  /// Returns the part of a ring in a square, by the algorithm of Sutherland and Hodgman.
  private static func clipped(
    _ ring: [(x: Double, y: Double)], to side: ClosedRange<Double>
  ) -> [(x: Double, y: Double)] {
    if ring.allSatisfy({ side.contains($0.x) && side.contains($0.y) }) { return ring }
    var points = ring.map { [$0.x, $0.y] }
    for axis in 0...1 {
      for (bound, sign) in [(side.lowerBound, 1.0), (side.upperBound, -1.0)] {
        guard var previous = points.last else { return [] }
        var kept: [[Double]] = []
        for point in points {
          let (a, b) = (sign * (previous[axis] - bound), sign * (point[axis] - bound))
          if (a < 0) != (b < 0) {
            let share = a / (a - b)
            kept.append([
              previous[0] + share * (point[0] - previous[0]), previous[1] + share * (point[1] - previous[1]),
            ])
          }
          if b >= 0 { kept.append(point) }
          previous = point
        }
        points = kept
      }
    }
    return points.map { ($0[0], $0[1]) }
  }
}
