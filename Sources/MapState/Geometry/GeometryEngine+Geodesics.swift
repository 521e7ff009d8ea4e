#if MAPSTATE_GEOSPATIAL
  public import MapGeometry
  import MapGeospatial

  /// The shortest way between two places on the ellipsoid.
  public struct GeodeticDistanceResult: Hashable, Sendable {
    /// Its length in metres.
    public let distance: Double
    /// Which way it sets out, in degrees clockwise from north, -180 to 180.
    public let azimuth1: Double
    /// Which way it arrives, seen onward.
    public let azimuth2: Double
  }

  /// Measures on the ellipsoid of WGS 84, whatever the reference of the coordinates.
  ///
  /// - Units: metres, and degrees clockwise from north.
  extension GeometryEngine {
    /// The shortest way from one place to another; nil for a place without longitude and latitude.
    public static func geodeticDistance(from start: Point, to end: Point) -> GeodeticDistanceResult? {
      guard let from = degrees(start), let to = degrees(end),
        let way = try? Geodesics.inverse(from: from, to: to)
      else { return nil }
      return GeodeticDistanceResult(
        distance: way.distance, azimuth1: way.azimuth, azimuth2: way.arrival)
    }

    /// Points moved by a distance in a direction, each in its own reference; nil where one has no longitude and
    /// latitude.
    public static func geodeticMove(_ points: [Point], distance: Double, azimuth: Double) -> [Point]? {
      var moved: [Point] = []
      for point in points {
        guard let place = degrees(point), distance.isFinite, azimuth.isFinite,
          let end = try? Geodesics.direct(from: place, distance: distance, azimuth: azimuth),
          let back = placed(end, like: point)
        else { return nil }
        moved.append(back)
      }
      return moved
    }

    /// The same lines with vertices on the shortest way between, no farther apart than a length in metres.
    ///
    /// Nil for a length that is not above 0, for more than a million vertices, or where one has no longitude and
    /// latitude.
    public static func geodeticDensify(_ geometry: any Geometry, maxSegmentLength: Double) -> (any Geometry)?
    {
      guard maxSegmentLength > 0 else { return nil }
      var count = 0.0
      var parts: [[Point]] = []
      for part in geometry.vertices {
        var dense = Array(part.prefix(1))
        for (start, end) in zip(part, part.dropFirst()) {
          guard let from = degrees(start), let way = geodeticDistance(from: start, to: end) else {
            return nil
          }
          let pieces = max(1, (way.distance / maxSegmentLength).rounded(.up))
          count += pieces
          guard count < 1e6 else { return nil }
          for step in stride(from: 1.0, to: pieces, by: 1) {
            guard
              let place = try? Geodesics.direct(
                from: from, distance: way.distance * step / pieces, azimuth: way.azimuth1),
              let point = placed(place, like: start)
            else { return nil }
            dense.append(point)
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
