/// The coordinate reference system of a geometry, a table or a map, by its well-known identifier (WKID).
///
/// - Source: Esri uses 102100 for Web Mercator (also 102113 and 900913); EPSG's 3857 is the same system, so all four
///   become 3857 here and are equal.
public struct SpatialReference: Hashable, Sendable {
  /// The EPSG or Esri identifier; Web Mercator is always 3857.
  public let wkid: Int

  /// WGS 84 in degrees, longitude before latitude (EPSG:4326 with x east).
  public static let wgs84 = SpatialReference(wkid: 4326)
  /// Web Mercator in metres (EPSG:3857).
  public static let webMercator = SpatialReference(wkid: 3857)

  /// Creates a spatial reference from any identifier; it is checked only when it is used.
  public init(wkid: Int) {
    self.wkid = [102100, 102113, 900913].contains(wkid) ? 3857 : wkid
  }

  /// Whether the spatial reference is WGS 84 or Web Mercator, which work without PROJ.
  public var isBuiltIn: Bool { wkid == 4326 || wkid == 3857 }

  /// Returns the spatial reference in which a table in this one is drawn on a map.
  ///
  /// It is this one when the conversion to the map's is built in. Otherwise it is Web Mercator for a map in WGS 84 or
  /// Web Mercator, and else the map's own.
  public func shown(on map: SpatialReference) -> SpatialReference {
    guard self != map, !(isBuiltIn && map.isBuiltIn) else { return self }
    return map.isBuiltIn ? .webMercator : map
  }
}

/// The well-known identifier of a spatial reference, a number assigned by EPSG or Esri.
public struct WKID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates an identifier; nil for a number that is not above 0.
  public init?(rawValue: Int) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Creates an identifier; nil for a number that is not above 0.
  public init?(_ rawValue: Int) { self.init(rawValue: rawValue) }
}
