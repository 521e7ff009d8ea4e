import Glibc

/// The shortest path between two points on the ellipsoid of WGS 84, computed without a library.
///
/// - Error: below a millimetre.
/// - Source: Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested
///   equations", Survey Review 23, 1975.
package enum Geodesic {
  private static let radius = 6_378_137.0
  private static let flattening = 1 / 298.257_223_563

  /// Returns the distance between two points in metres; nil for points nearly opposite each other, and outside the
  /// ellipsoid.
  package static func distance(
    from start: (latitude: Double, longitude: Double), to end: (latitude: Double, longitude: Double)
  ) -> Double? {
    let degree = Double.pi / 180
    guard abs(start.latitude) <= 90, abs(end.latitude) <= 90, start.longitude.isFinite, end.longitude.isFinite
    else { return nil }
    let minor = radius * (1 - flattening)
    let difference = (end.longitude - start.longitude).remainder(dividingBy: 360) * degree
    let first = atan((1 - flattening) * tan(start.latitude * degree))
    let second = atan((1 - flattening) * tan(end.latitude * degree))
    let (sine1, cosine1, sine2, cosine2) = (sin(first), cos(first), sin(second), cos(second))
    var lambda = difference
    for _ in 0..<100 {
      let (sine, cosine) = (sin(lambda), cos(lambda))
      let (a, b) = (cosine2 * sine, cosine1 * sine2 - sine1 * cosine2 * cosine)
      let sineSigma = (a * a + b * b).squareRoot()
      guard sineSigma > 0 else { return 0 }
      let cosineSigma = sine1 * sine2 + cosine1 * cosine2 * cosine
      let sigma = atan2(sineSigma, cosineSigma)
      let sineAlpha = cosine1 * cosine2 * sine / sineSigma
      let cosineAlpha2 = 1 - sineAlpha * sineAlpha
      // Both points on the equator have no middle.
      let middle = cosineAlpha2 > 0 ? cosineSigma - 2 * sine1 * sine2 / cosineAlpha2 : 0
      let c = flattening / 16 * cosineAlpha2 * (4 + flattening * (4 - 3 * cosineAlpha2))
      let next =
        difference + (1 - c) * flattening * sineAlpha
        * (sigma + c * sineSigma * (middle + c * cosineSigma * (2 * middle * middle - 1)))
      if abs(next) > Double.pi { return nil }
      guard abs(next - lambda) < 1e-12 else {
        lambda = next
        continue
      }
      let u2 = cosineAlpha2 * (radius * radius - minor * minor) / (minor * minor)
      let large = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
      let small = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
      let correction =
        small * sineSigma
        * (middle + small / 4
          * (cosineSigma * (2 * middle * middle - 1) - small / 6 * middle
            * (4 * sineSigma * sineSigma - 3) * (4 * middle * middle - 3)))
      return minor * large * (sigma - correction)
    }
    return nil
  }
}
