#if Geospatial
  public import MapGeometry
  import MapGeospatial

  /// The type of curve that a geodetic operation follows.
  public enum GeodeticCurveType: Hashable, Sendable {
    /// The shortest path on the ellipsoid.
    case geodesic
  }

  /// The shortest path between two points on the ellipsoid.
  public struct GeodeticDistanceResult: Hashable, Sendable {
    /// The length of the path.
    public let distance: Quantity<LinearUnit>
    /// The direction at the start, clockwise from north, -180° to 180°.
    public let azimuth1: Quantity<AngularUnit>
    /// The direction at the end, in forward direction.
    public let azimuth2: Quantity<AngularUnit>
  }

  /// Measurements on the WGS 84 ellipsoid, for coordinates in any spatial reference.
  ///
  /// - Units: metres and degrees clockwise from north, unless others are requested.
  extension GeometryEngine {
    /// Returns the shortest path from one point to another; nil for a point without longitude and latitude.
    public static func geodeticDistance(
      from start: Point, to end: Point, distanceUnit: LinearUnit? = nil, azimuthUnit: AngularUnit? = nil,
      curveType: GeodeticCurveType = .geodesic
    ) -> GeodeticDistanceResult? {
      guard let way = geodesic(from: start, to: end) else { return nil }
      func azimuth(_ degrees: Double) -> Quantity<AngularUnit> {
        Quantity(value: degrees, unit: AngularUnit.degrees).converted(to: azimuthUnit ?? .degrees)
      }
      return GeodeticDistanceResult(
        distance: Quantity(value: way.distance, unit: LinearUnit.meters).converted(
          to: distanceUnit ?? .meters),
        azimuth1: azimuth(way.azimuth), azimuth2: azimuth(way.arrival))
    }

    /// Returns the geodetic length of lines or of an area's border; nil for a point without longitude and latitude.
    ///
    /// Edges are shortest paths between vertices.
    public static func geodeticLength(
      of geometry: any Geometry, lengthUnit: LinearUnit = .meters, curveType: GeodeticCurveType = .geodesic
    ) -> Double? {
      var length = 0.0
      for segment in chains(of: geometry).flatMap(\.segments) {
        guard let way = geodesic(from: segment.startPoint, to: segment.endPoint) else { return nil }
        length += way.distance
      }
      return length / lengthUnit.meters
    }

    /// Returns the geodetic area without holes; nil for a vertex without longitude and latitude.
    ///
    /// Edges are shortest paths between vertices.
    ///
    /// - Units: square metres, unless others are requested.
    public static func geodeticArea(
      of geometry: any Geometry, unit: AreaUnit? = nil, curveType: GeodeticCurveType = .geodesic
    ) -> Double? {
      let reference = geometry.spatialReference
      let area = sum(overRingsOf: geometry) { buffer, ring in
        var corners: [(latitude: Double, longitude: Double)] = []
        for vertex in buffer.vertices(ofPart: ring) {
          let place = Point(x: buffer.x[vertex], y: buffer.y[vertex], spatialReference: reference)
          guard let corner = degrees(place) else { return nil }
          corners.append(corner)
        }
        return try? Geodesics.area(of: corners)
      }
      return area.map { $0 / (unit ?? .squareMeters).squareMeters }
    }

    /// Returns the shortest path in metres and degrees.
    static func geodesic(
      from start: Point, to end: Point
    ) -> (distance: Double, azimuth: Double, arrival: Double)? {
      guard let from = degrees(start), let to = degrees(end) else { return nil }
      return try? Geodesics.inverse(from: from, to: to)
    }

    /// Moves points by a distance in a direction; nil if a point has no longitude and latitude.
    ///
    /// Each result is in the spatial reference of its point.
    public static func geodeticMove(
      _ points: [Point], distance: Double, distanceUnit: LinearUnit = .meters, azimuth: Double,
      azimuthUnit: AngularUnit = .degrees, curveType: GeodeticCurveType = .geodesic
    ) -> [Point]? {
      let (metres, heading) = (distance * distanceUnit.meters, azimuth * azimuthUnit.degrees)
      var moved: [Point] = []
      for point in points {
        guard let place = degrees(point), metres.isFinite, heading.isFinite,
          let end = try? Geodesics.direct(from: place, distance: metres, azimuth: heading),
          let back = placed(end, like: point)
        else { return nil }
        moved.append(point.moved(x: back.x, y: back.y, spatialReference: back.spatialReference))
      }
      return moved
    }

    /// Adds vertices along the shortest paths between vertices until every segment has at most a given length.
    ///
    /// Returns nil if the length is not above 0, if there would be more than a million vertices, or if a vertex has
    /// no longitude and latitude.
    public static func geodeticDensify(
      _ geometry: any Geometry, maxSegmentLength: Double, lengthUnit: LinearUnit = .meters,
      curveType: GeodeticCurveType = .geodesic
    ) -> (any Geometry)? {
      let longest = maxSegmentLength * lengthUnit.meters
      guard longest > 0 else { return nil }
      var count = 0.0
      var parts: [[Point]] = []
      for part in geometry.vertices {
        var dense = Array(part.prefix(1))
        for (start, end) in zip(part, part.dropFirst()) {
          guard let from = degrees(start), let way = geodesic(from: start, to: end) else {
            return nil
          }
          let pieces = max(1, (way.distance / longest).rounded(.up))
          count += pieces
          guard count < 1e6 else { return nil }
          for step in stride(from: 1.0, to: pieces, by: 1) {
            guard
              let place = try? Geodesics.direct(
                from: from, distance: way.distance * step / pieces, azimuth: way.azimuth),
              let point = placed(place, like: start)
            else { return nil }
            dense.append(start.toward(end, step / pieces, x: point.x, y: point.y))
          }
          dense.append(end)
        }
        parts.append(dense)
      }
      return switch geometry.form {
      case .polyline: Polyline(parts: parts, spatialReference: geometry.spatialReference)
      case .polygon, .envelope: Polygon(parts: parts, spatialReference: geometry.spatialReference)
      case .point, .multipoint: geometry
      }
    }

    static func degrees(_ point: Point) -> (latitude: Double, longitude: Double)? {
      guard let place = point.spatialReference == .wgs84 ? point : project(point, into: .wgs84),
        place.x.isFinite, abs(place.y) <= 90
      else { return nil }
      return (place.y, place.x)
    }

    private static func placed(_ place: (latitude: Double, longitude: Double), like point: Point) -> Point? {
      let degrees = Point(latitude: place.latitude, longitude: place.longitude)
      guard let reference = point.spatialReference, reference != .wgs84 else { return degrees }
      return project(degrees, into: reference)
    }
  }
#endif
