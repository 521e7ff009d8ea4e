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

  /// WGS 84's: half axis and flattening.
  private static func ellipsoid(_ calls: cgeospatial_proj) -> geod_geodesic {
    var ellipsoid = geod_geodesic()
    calls.geod_init(&ellipsoid, 6_378_137, 1 / 298.257_223_563)
    return ellipsoid
  }
}
