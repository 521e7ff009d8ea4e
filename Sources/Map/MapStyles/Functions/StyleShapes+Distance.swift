internal import Glibc

extension StyleShapes {
  /// Returns the least distance from a feature in metres; NaN for a feature without coordinates.
  ///
  /// - Source: MapLibre Style Specification, "distance"; distances of ``PlaneRuler``.
  func distance(to parts: [[StylePoint]], kind: StyleGeometryKind, in tile: StyleTile) -> Double {
    let parts = parts.map { $0.map(tile.degrees) }.filter { !$0.isEmpty }
    guard let first = parts.first?.first else { return .nan }
    let ruler = PlaneRuler(latitude: first.y)
    let own: [Shape] =
      switch kind {
      case .point: parts.joined().map(Shape.point)
      case .line: [.line(Array(parts.joined()))]
      case .polygon: Self.polygons(of: parts).map(Shape.polygon)
      case .unknown: []
      }
    guard !own.isEmpty else { return .nan }
    var least = Double.infinity
    for shape in shapes {
      for part in own {
        least = min(least, ruler.distance(part, shape))
        if least == 0 { return 0 }
      }
    }
    return least
  }

  /// The number of steps of a computation with a feature of some points.
  func steps(with count: Int) -> Int {
    let points = shapes.reduce(0) { sum, shape in
      switch shape {
      case .point: sum + 1
      case .line(let line): sum + line.count
      case .polygon(let rings): sum + rings.reduce(0) { $0 + $1.count }
      }
    }
    let (product, isTooMuch) = points.multipliedReportingOverflow(by: count)
    return isTooMuch ? .max : product
  }

  /// Splits rings into polygons: rings that turn as the first one does are outer rings.
  private static func polygons(of rings: [[StylePoint]]) -> [[[StylePoint]]] {
    func area(_ ring: [StylePoint]) -> Double {
      var sum = 0.0
      for index in ring.indices {
        let (a, b) = (ring[index], ring[(index + 1) % ring.count])
        sum += a.x * b.y - b.x * a.y
      }
      return sum
    }
    guard rings.count > 1 else { return [rings] }
    var (polygons, turn): ([[[StylePoint]]], Bool?) = ([], nil)
    for ring in rings {
      let size = area(ring)
      guard size != 0 else { continue }
      if turn == nil { turn = size < 0 }
      if turn == (size < 0) || polygons.isEmpty {
        polygons.append([ring])
      } else {
        polygons[polygons.count - 1].append(ring)
      }
    }
    return polygons
  }
}

/// A ruler for short distances: the ellipsoid is flat around one latitude.
///
/// - Source: Agafonkin, "Fast geodesic approximations with Cheap Ruler", 2016, from the radii of curvature of WGS 84.
struct PlaneRuler {
  private let scale: StylePoint

  init(latitude: Double) {
    let (flattening, radius) = (1 / 298.257223563, 6_378_137.0)
    let eccentricity = flattening * (2 - flattening)
    let cosine = cos(latitude * .pi / 180)
    let squared = 1 / (1 - eccentricity * (1 - cosine * cosine))
    let degree = radius * .pi / 180
    scale = StylePoint(
      degree * squared.squareRoot() * cosine,
      degree * squared.squareRoot() * squared * (1 - eccentricity))
  }

  /// Returns the way from one place to another in metres, the short way around the world.
  private func way(_ from: StylePoint, _ to: StylePoint) -> StylePoint {
    let degrees = to - from
    return StylePoint(remainder(degrees.x, 360), degrees.y) * scale
  }

  private func length(_ way: StylePoint) -> Double { (way * way).sum().squareRoot() }

  private func distance(_ point: StylePoint, _ start: StylePoint, _ end: StylePoint) -> Double {
    let (line, offset) = (way(start, end), way(start, point))
    let square = (line * line).sum()
    let share = square == 0 ? 0 : min(1, max(0, (line * offset).sum() / square))
    return length(offset - line * share)
  }

  private func distance(_ point: StylePoint, toLine line: [StylePoint]) -> Double {
    if line.count == 1 { return length(way(point, line[0])) }
    return zip(line, line.dropFirst()).reduce(Double.infinity) { min($0, distance(point, $1.0, $1.1)) }
  }

  private func distance(_ first: [StylePoint], _ second: [StylePoint]) -> Double {
    if first.count == 1 { return distance(first[0], toLine: second) }
    if second.count == 1 { return distance(second[0], toLine: first) }
    var least = Double.infinity
    for (a, b) in zip(first, first.dropFirst()) {
      for (c, d) in zip(second, second.dropFirst()) {
        if PlanePolygon.cross(a, b, c, d) { return 0 }
        least = min(least, distance(a, c, d), distance(b, c, d), distance(c, a, b))
        least = min(least, distance(d, a, b))
      }
    }
    return least
  }

  private func closed(_ ring: [StylePoint]) -> [StylePoint] {
    ring.first == ring.last || ring.isEmpty ? ring : ring + [ring[0]]
  }

  private func isOutside(_ points: [StylePoint], _ rings: [[StylePoint]]) -> Bool {
    points.allSatisfy { PlanePolygon.place($0, in: rings) == .outside }
  }

  /// Returns the least distance between two shapes.
  func distance(_ first: StyleShapes.Shape, _ second: StyleShapes.Shape) -> Double {
    switch (first, second) {
    case (.point(let a), .point(let b)): return length(way(a, b))
    case (.point(let point), .line(let line)), (.line(let line), .point(let point)):
      return distance(point, toLine: line)
    case (.line(let a), .line(let b)): return distance(a, b)
    case (.point(let point), .polygon(let rings)), (.polygon(let rings), .point(let point)):
      guard isOutside([point], rings) else { return 0 }
      return rings.reduce(Double.infinity) { min($0, distance(point, toLine: closed($1))) }
    case (.line(let line), .polygon(let rings)), (.polygon(let rings), .line(let line)):
      guard isOutside(line, rings) else { return 0 }
      return rings.reduce(Double.infinity) { min($0, distance(line, closed($1))) }
    case (.polygon(let a), .polygon(let b)):
      guard a.allSatisfy({ isOutside($0, b) }), b.allSatisfy({ isOutside($0, a) }) else { return 0 }
      var least = Double.infinity
      for ring in a { for other in b { least = min(least, distance(closed(ring), closed(other))) } }
      return least
    }
  }
}
