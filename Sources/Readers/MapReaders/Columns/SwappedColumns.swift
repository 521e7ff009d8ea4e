import MapGeometry

/// Two columns of coordinates that are probably longitude and latitude in the wrong order.
///
/// They are if one has the name of the other, or if the values of y cannot be latitudes and those of x can.
struct SwappedColumns {
  /// The advice.
  let warning: String

  /// Compares names and values; nil if the columns can be in the right order.
  init?(x: String, y: String, _ points: CoordinateBuffer) {
    let hasOtherNames =
      Self.latitudes.contains(x.lowercased()) && Self.longitudes.contains(y.lowercased())
    let largest = (x: Self.largest(points.x), y: Self.largest(points.y))
    let hasOtherValues = largest.y > 90 && largest.y <= 180 && largest.x <= 90
    guard hasOtherNames || hasOtherValues else { return nil }
    let reason =
      hasOtherValues
      ? "\(y) has values outside -90 to 90, and \(x) has none" : "\(x) is the name of a latitude"
    warning = "x and y look swapped: \(reason); if \(y) is the longitude, write --x \(y) --y \(x)"
  }

  /// Names of columns with longitudes, in lower case, the most common first.
  static let longitudes = ["longitude", "lon", "lng", "long"]
  /// Names of columns with latitudes, in lower case, the most common first.
  static let latitudes = ["latitude", "lat"]

  private static func largest(_ values: [Double]) -> Double { values.reduce(0) { max($0, abs($1)) } }
}

extension ReadingOptions {
  /// Whether coordinates without a spatial reference of their own may be degrees.
  var mayHaveDegrees: Bool { sourceReference == nil || sourceReference == .wgs84 }
}
