import MapGeometry

/// A reference system by its address, and how its coordinates are ordered.
struct OGCReference: Hashable, Sendable {
  /// The address as the service writes it.
  let uri: String
  /// The system; coordinates are kept with east first.
  let spatialReference: SpatialReference
  /// True where a position has north, or latitude, first.
  let isNorthFirst: Bool

  /// Longitude before latitude in WGS 84: what features come in unless asked otherwise.
  static let crs84 = OGCReference(
    uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", spatialReference: .wgs84, isNorthFirst: false)

  private init(uri: String, spatialReference: SpatialReference, isNorthFirst: Bool) {
    (self.uri, self.spatialReference, self.isNorthFirst) = (uri, spatialReference, isNorthFirst)
  }

  /// The system of an address whose order of axes is known: CRS84, EPSG's 4326, and Web Mercator; nil for every other.
  ///
  /// - Source: OGC 17-069r4 and 18-058: `http(s)://www.opengis.net/def/crs/…`, `urn:ogc:def:crs:…`, `[EPSG:…]`; the axes
  ///   are EPSG's. Others are not asked for: what draws and counts is in one of these.
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

  /// The system that features are asked in, of those that a collection offers.
  ///
  /// Web Mercator where the service stores it, so that no coordinate is rounded twice; else CRS84; else what is known.
  static func best(of offered: [String], storage: String?) -> OGCReference? {
    let known = offered.compactMap { OGCReference(uri: $0) }
    if let storage = storage.flatMap({ OGCReference(uri: $0) }), storage.spatialReference == .webMercator,
      let stored = known.first(where: { $0.spatialReference == .webMercator })
    {
      return stored
    }
    // Without a list it is what the standard demands.
    if offered.isEmpty || known.contains(where: \.isDefault) { return .crs84 }
    return known.first
  }

  /// True for what comes without asking.
  var isDefault: Bool { spatialReference == .wgs84 && !isNorthFirst }

  /// An envelope in this system as the parameter `bbox` has it.
  func box(_ envelope: Envelope) -> String {
    let sides =
      isNorthFirst
      ? [envelope.yMin, envelope.xMin, envelope.yMax, envelope.xMax]
      : [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    // The poles are infinitely far north in Web Mercator; no data are beyond this.
    return sides.map { "\(min(max($0, -1e9), 1e9))" }.joined(separator: ",")
  }
}
