#if Geospatial
  import MapModel
  import Glibc
  public import MapGeometry
  import MapGeospatial

  extension GeometryEngine {
    /// Returns the area within a distance on the WGS 84 ellipsoid; a negative distance shrinks an area.
    ///
    /// Edges are shortest paths between vertices. The result is in the spatial reference of the geometry and
    /// continues past ±180°. It is empty if nothing is left.
    ///
    /// The result is nil in these cases:
    /// - A vertex has no longitude and latitude.
    /// - The distance is 0 or more than 9,000 km, or negative for a geometry that is not an area.
    /// - The result would surround a pole, or have more than a million vertices.
    /// - The deviation would exceed `maxDeviation`, in the unit of the distance.
    ///
    /// - Error: chords deviate by up to 0.01 % of the distance.
    /// - Cost: one union per edge.
    public static func geodeticBuffer(
      around geometry: any Geometry, distance: Double, distanceUnit: LinearUnit = .meters,
      maxDeviation: Double = .nan, curveType: GeodeticCurveType = .geodesic
    ) -> Polygon? {
      let isArea = geometry.form.kind == .polygon
      guard !(maxDeviation < 1e-4 * abs(distance)) else { return nil }
      let distance = distance * distanceUnit.meters
      guard distance > 0 || distance < 0 && isArea, abs(distance) <= 9_000_000,
        let parts = GeodeticParts(geometry, distance: abs(distance))
      else { return nil }
      var pieces: [any Geometry] = []
      for part in parts.edges {
        guard let ring = GeodeticRing.around(part, distance: abs(distance)) else { return nil }
        pieces.append(Polygon(parts: [ring], spatialReference: .wgs84))
      }
      guard let border = joined(pieces) else { return nil }
      var result: (any Geometry)? = border
      if isArea {
        let area = Polygon(parts: parts.rings, spatialReference: .wgs84)
        result = distance > 0 ? union(area, border) : difference(area, border)
      }
      guard let result else { return nil }
      let polygon = result as? Polygon ?? Polygon(parts: [], spatialReference: .wgs84)
      guard let reference = geometry.spatialReference, reference != .wgs84 else { return polygon }
      return project(polygon, into: reference)
    }

    /// Returns the union, computed in pairs so that few large unions are needed.
    private static func joined(_ pieces: [any Geometry]) -> (any Geometry)? {
      guard pieces.count > 1 else { return pieces.first }
      let middle = pieces.count / 2
      guard let first = joined(Array(pieces[..<middle])), let second = joined(Array(pieces[middle...])) else {
        return nil
      }
      return union(first, second)
    }
  }

  /// A geometry as shortest paths between points in degrees, each close enough to a straight line in the plane.
  private struct GeodeticParts {
    /// The edges as lists of points; a single point is an edge with one point.
    var edges: [[Point]] = []
    /// The rings of an area.
    var rings: [[Point]] = []

    init?(_ geometry: any Geometry, distance: Double) {
      let isArea = geometry.form.kind == .polygon
      var count = 0.0
      for part in geometry.vertices {
        var places: [Point] = []
        for vertex in part {
          guard let place = GeometryEngine.degrees(vertex) else { return nil }
          // Past ±180° the longitude continues instead of jumping back.
          let longitude = places.last.map { Self.running(place.longitude, after: $0.x) } ?? place.longitude
          places.append(Point(latitude: place.latitude, longitude: longitude))
        }
        guard let first = places.first, let last = places.last else { continue }
        if geometry.form.kind.isPoints {
          edges += places.map { [$0] }
          continue
        }
        if isArea, first != last {
          let end = Self.running(first.x, after: last.x)
          // A ring that does not close surrounds a pole.
          guard abs(end - first.x) < 1e-9 else { return nil }
          places.append(first)
        }
        var ring: [Point] = []
        for (start, end) in zip(places, places.dropFirst()) where start != end {
          guard let edge = Self.edge(start, end, distance, &count) else { return nil }
          edges.append(edge)
          ring += edge.dropLast()
        }
        if ring.isEmpty { edges.append([first]) }
        if let start = ring.first { rings.append(ring + [start]) }
      }
      if edges.isEmpty { return nil }
    }

    /// Returns the longitude moved by multiples of 360° to be nearest to another.
    static func running(_ longitude: Double, after last: Double) -> Double {
      longitude - ((longitude - last) / 360).rounded() * 360
    }

    /// Returns the shortest path with enough points that its chords deviate no more than the buffer's circles do.
    ///
    /// Chords are straight in degrees or in Web Mercator. There, a path of length h deviates by h² tan(latitude) /
    /// 8R.
    private static func edge(
      _ start: Point, _ end: Point, _ distance: Double, _ count: inout Double
    ) -> [Point]? {
      guard let way = GeometryEngine.geodesic(from: start, to: end) else { return nil }
      let steepest = min(max(abs(start.y), abs(end.y)) + distance / 111_000, 89)
      let step = (8 * 6.4e6 * GeodeticRing.error * distance / (1 + tan(steepest * Double.pi / 180)))
        .squareRoot()
      let pieces = max(1, (way.distance / min(step, 1e5)).rounded(.up))
      count += pieces
      guard count < 1e6 else { return nil }
      var edge = [start]
      for index in stride(from: 1.0, to: pieces, by: 1) {
        guard
          let place = try? Geodesics.direct(
            from: (start.y, start.x), distance: way.distance * index / pieces, azimuth: way.azimuth)
        else { return nil }
        edge.append(
          Point(latitude: place.latitude, longitude: running(place.longitude, after: edge[edge.count - 1].x)))
      }
      return edge + [end]
    }
  }

  /// The area within a distance of a shortest path, as a ring in degrees.
  private enum GeodeticRing {
    /// The distance between a chord over one degree and its circle, as a fraction of the radius.
    static let error = 1 - cos(Double.pi / 360)

    /// Returns the ring; nil if it surrounds a pole.
    static func around(_ way: [Point], distance: Double) -> [Point]? {
      guard let first = way.first, let last = way.last else { return nil }
      var ring: [Point] = []
      var isWhole = true
      func add(_ from: Point, _ azimuth: Double) {
        guard
          let place = try? Geodesics.direct(from: (from.y, from.x), distance: distance, azimuth: azimuth)
        else {
          isWhole = false
          return
        }
        ring.append(
          Point(
            latitude: place.latitude,
            longitude: GeodeticParts.running(place.longitude, after: ring.last?.x ?? from.x)))
      }
      if way.count == 1 {
        for azimuth in 0..<360 { add(first, Double(azimuth)) }
      } else {
        let headings = way.dropLast().compactMap { place in
          GeometryEngine.geodesic(from: place, to: last)?.azimuth
        }
        guard let start = headings.first, headings.count == way.count - 1,
          let end = GeometryEngine.geodesic(from: way[way.count - 2], to: last)?.arrival
        else { return nil }
        // The ring goes along the left side, around the end, back along the right side and around the start.
        for (place, heading) in zip(way, headings) { add(place, heading - 90) }
        for turn in -90...90 { add(last, end + Double(turn)) }
        for (place, heading) in zip(way, headings).reversed() { add(place, heading + 90) }
        for turn in 91...269 { add(first, start + Double(turn)) }
      }
      guard isWhole, let corner = ring.first, let close = ring.last,
        abs(GeodeticParts.running(corner.x, after: close.x) - corner.x) < 1e-9
      else { return nil }
      return ring + [corner]
    }
  }
#endif
