import Glibc

/// Spherical Mercator with the radius of WGS 84, as used by all web maps (EPSG:3857, method 1024).
///
/// - Units: metres and degrees.
/// - Error: less than 5e-8 m compared with PROJ 9.1, inside the world square.
public enum WebMercator {
  /// The radius of the sphere in metres, which is the semi-major axis of WGS 84.
  public static let radius = 6_378_137.0
  /// Half the side of the world square, radius × π.
  public static let halfWorld = 20_037_508.342_789_244
  /// The latitude at which y reaches ``halfWorld``.
  public static let latitudeLimit = 85.051_128_779_806_59

  /// Returns metres east from degrees east.
  public static func x(longitude: Double) -> Double { longitude * (halfWorld / 180) }

  /// Returns metres north from degrees north; infinite at the poles, and NaN beyond them.
  public static func y(latitude: Double) -> Double {
    guard abs(latitude) < 90 else { return abs(latitude) == 90 ? latitude * .infinity : .nan }
    // asinh(tan φ) has the exact sign and is 0 at 0. Near the equator it is more accurate than log(tan(π/4 + φ/2)).
    return radius * asinh(tan(latitude * (.pi / 180)))
  }

  /// Returns degrees east from metres east.
  public static func longitude(x: Double) -> Double { x * (180 / halfWorld) }

  /// Returns degrees north from metres north.
  public static func latitude(y: Double) -> Double { atan(sinh(y / radius)) * (180 / .pi) }
}
