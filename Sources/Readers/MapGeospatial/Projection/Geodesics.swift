import CGeospatial

/// Geodesics, the shortest paths on the ellipsoid of WGS 84, computed by PROJ (Karney 2013).
///
/// - Units: degrees and metres; azimuths are clockwise from north.
/// - Error: 15 nanometres.
package enum Geodesics {
  /// Returns the distance between two points and the azimuths at both.
  ///
  /// - Throws: ``LibraryError`` without PROJ.
  package static func inverse(
    from: (latitude: Double, longitude: Double), to: (latitude: Double, longitude: Double)
  ) throws(LibraryError) -> (distance: Double, azimuth: Double, arrival: Double) {
    let calls = try Transformation.library.get()
    var ellipsoid = ellipsoid(calls)
    var (distance, azimuth, arrival) = (0.0, 0.0, 0.0)
    calls.geod_inverse(
      &ellipsoid, from.latitude, from.longitude, to.latitude, to.longitude, &distance, &azimuth, &arrival)
    return (distance, azimuth, arrival)
  }

  /// Returns the point at a distance and azimuth from a start point.
  ///
  /// - Throws: ``LibraryError`` without PROJ.
  package static func direct(
    from: (latitude: Double, longitude: Double), distance: Double, azimuth: Double
  ) throws(LibraryError) -> (latitude: Double, longitude: Double) {
    let calls = try Transformation.library.get()
    var ellipsoid = ellipsoid(calls)
    var (latitude, longitude) = (0.0, 0.0)
    calls.geod_direct(
      &ellipsoid, from.latitude, from.longitude, azimuth, distance, &latitude, &longitude, nil)
    return (latitude, longitude)
  }

  /// Returns the area in square metres inside a ring of geodesic edges; of its two sides, the smaller area.
  ///
  /// - Parameter ring: the corners; the last need not repeat the first.
  /// - Error: 0.1 square metres per corner.
  /// - Throws: ``LibraryError`` without PROJ, and for more corners than fit in 32 bits.
  package static func area(
    of ring: [(latitude: Double, longitude: Double)]
  ) throws(LibraryError) -> Double {
    let calls = try Transformation.library.get()
    guard let count = Int32(exactly: ring.count) else { throw LibraryError("a ring of too many corners") }
    var ellipsoid = ellipsoid(calls)
    var (latitudes, longitudes) = (ring.map(\.latitude), ring.map(\.longitude))
    var (area, length) = (0.0, 0.0)
    // PROJ only reads the corners, although its parameters are not const.
    calls.geod_polygonarea(&ellipsoid, &latitudes, &longitudes, count, &area, &length)
    return abs(area)
  }

  /// Returns the ellipsoid of WGS 84 from its semi-major axis and flattening.
  private static func ellipsoid(_ calls: cgeospatial_proj) -> geod_geodesic {
    var ellipsoid = geod_geodesic()
    calls.geod_init(&ellipsoid, 6_378_137, 1 / 298.257_223_563)
    return ellipsoid
  }
}
