import CGeospatial

/// Shortest ways on the ellipsoid of WGS 84, by PROJ's geodesics (Karney 2013).
///
/// - Units: degrees and metres; azimuths clockwise from north.
/// - Error: 15 nanometres.
public enum Geodesics {
  /// The way from one place to another.
  ///
  /// - Throws: ``LibraryError`` without PROJ.
  public static func inverse(
    from: (latitude: Double, longitude: Double), to: (latitude: Double, longitude: Double)
  ) throws(LibraryError) -> (distance: Double, azimuth: Double, arrival: Double) {
    let calls = try Transformation.library.get()
    var ellipsoid = ellipsoid(calls)
    var (distance, azimuth, arrival) = (0.0, 0.0, 0.0)
    calls.geod_inverse(
      &ellipsoid, from.latitude, from.longitude, to.latitude, to.longitude, &distance, &azimuth, &arrival)
    return (distance, azimuth, arrival)
  }

  /// The place at the end of a way.
  ///
  /// - Throws: ``LibraryError`` without PROJ.
  public static func direct(
    from: (latitude: Double, longitude: Double), distance: Double, azimuth: Double
  ) throws(LibraryError) -> (latitude: Double, longitude: Double) {
    let calls = try Transformation.library.get()
    var ellipsoid = ellipsoid(calls)
    var (latitude, longitude) = (0.0, 0.0)
    calls.geod_direct(
      &ellipsoid, from.latitude, from.longitude, azimuth, distance, &latitude, &longitude, nil)
    return (latitude, longitude)
  }

  /// The square metres within a ring whose edges are shortest ways; of the two sides that it has the smaller.
  ///
  /// - Parameter ring: its corners; the last need not be the first.
  /// - Error: 0.1 square metres for each corner.
  /// - Throws: ``LibraryError`` without PROJ, and for more corners than it counts.
  public static func area(
    of ring: [(latitude: Double, longitude: Double)]
  ) throws(LibraryError) -> Double {
    let calls = try Transformation.library.get()
    guard let count = Int32(exactly: ring.count) else { throw LibraryError("a ring of too many corners") }
    var ellipsoid = ellipsoid(calls)
    var (latitudes, longitudes) = (ring.map(\.latitude), ring.map(\.longitude))
    var (area, length) = (0.0, 0.0)
    // PROJ reads the corners only; its type does not say so.
    calls.geod_polygonarea(&ellipsoid, &latitudes, &longitudes, count, &area, &length)
    return abs(area)
  }

  /// WGS 84's: half axis and flattening.
  private static func ellipsoid(_ calls: cgeospatial_proj) -> geod_geodesic {
    var ellipsoid = geod_geodesic()
    calls.geod_init(&ellipsoid, 6_378_137, 1 / 298.257_223_563)
    return ellipsoid
  }
}
