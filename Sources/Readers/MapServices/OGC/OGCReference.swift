import MapGeometry

/// A spatial reference identified by its URI, with its axis order.
struct OGCReference: Hashable, Sendable {
  /// The URI as the service writes it.
  let uri: String
  /// The spatial reference; coordinates are stored with east first.
  let spatialReference: SpatialReference
  /// Whether positions have north, or latitude, first.
  let isNorthFirst: Bool

  /// Longitude before latitude in WGS 84, the default for features.
  static let crs84 = OGCReference(
    uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", spatialReference: .wgs84, isNorthFirst: false)

  private init(uri: String, spatialReference: SpatialReference, isNorthFirst: Bool) {
    (self.uri, self.spatialReference, self.isNorthFirst) = (uri, spatialReference, isNorthFirst)
  }

  /// Creates the spatial reference of a URI with a known axis order: CRS84, EPSG:4326 or EPSG:3857; nil for others.
  ///
  /// - Source: OGC 17-069r4 and 18-058: `http(s)://www.opengis.net/def/crs/…`, `urn:ogc:def:crs:…`, `[EPSG:…]`; the
  ///   axis orders are EPSG's. No other is requested, because drawing and counting use one of these.
  init?(uri: String) {
    let words = uri.uppercased().split { "/:#[]<> ".contains($0) }
    guard let code = words.last else { return nil }
    switch code {
    case "CRS84", "CRS84H": self.init(uri: uri, spatialReference: .wgs84, isNorthFirst: false)
    case "4326" where words.contains("EPSG"):
      self.init(uri: uri, spatialReference: .wgs84, isNorthFirst: true)
    case "3857" where words.contains("EPSG"):
      self.init(uri: uri, spatialReference: .webMercator, isNorthFirst: false)
    default: return nil
    }
  }

  /// Creates the spatial reference of a name in GML, where `EPSG:4326` and addresses of an old form have east first.
  ///
  /// - Source: OGC 09-048r5 for the orders of URIs; GeoServer, MapServer and GDAL for the other two forms.
  init?(srsName: String) {
    let old = "http://www.opengis.net/gml/srs/epsg.xml#"
    let name = srsName.hasPrefix(old) ? "EPSG:" + srsName.dropFirst(old.count) : srsName
    guard let named = OGCReference(uri: name) else { return nil }
    let isOld = name.uppercased().hasPrefix("EPSG:")
    self.init(
      uri: srsName, spatialReference: named.spatialReference, isNorthFirst: named.isNorthFirst && !isOld)
  }

  /// The same spatial reference with east first.
  var withEastFirst: OGCReference {
    OGCReference(uri: uri, spatialReference: spatialReference, isNorthFirst: false)
  }

  /// Returns the spatial reference in which to request features, from those that a collection offers.
  ///
  /// Web Mercator if the service stores it, which avoids rounding twice; else CRS84; else the first known one.
  static func best(of offered: [String], storage: String?) -> OGCReference? {
    let known = offered.compactMap { OGCReference(uri: $0) }
    if let storage = storage.flatMap({ OGCReference(uri: $0) }), storage.spatialReference == .webMercator,
      let stored = known.first(where: { $0.spatialReference == .webMercator })
    {
      return stored
    }
    // Without a list, the standard requires CRS84.
    if offered.isEmpty || known.contains(where: \.isDefault) { return .crs84 }
    return known.first
  }

  /// Whether features arrive in this spatial reference by default.
  var isDefault: Bool { spatialReference == .wgs84 && !isNorthFirst }

  /// Returns the value of the parameter `bbox` for an envelope in this spatial reference.
  func box(_ envelope: Envelope) -> String {
    let sides =
      isNorthFirst
      ? [envelope.yMin, envelope.xMin, envelope.yMax, envelope.xMax]
      : [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    // The poles are infinitely far north in Web Mercator; no data lie beyond ±1e9.
    return sides.map { "\(min(max($0, -1e9), 1e9))" }.joined(separator: ",")
  }
}
