/// The coordinate reference system of a geometry, a table or a map, by its well-known identifier.
///
/// - Source: Esri writes Web Mercator as 102100 (also 102113 and 900913); EPSG's 3857 is the same system, so all
///   four become 3857 here and compare equal.
public struct SpatialReference: Hashable, Sendable {
  /// EPSG or Esri identifier, Web Mercator always as 3857.
  public let wkid: Int

  /// WGS 84 in degrees, longitude before latitude (EPSG:4326 with x east).
  public static let wgs84 = SpatialReference(wkid: 4326)
  /// Web Mercator in metres (EPSG:3857).
  public static let webMercator = SpatialReference(wkid: 3857)

  /// Makes a reference from any identifier; whether it can be used is decided where it is used.
  public init(wkid: Int) {
    self.wkid = [102100, 102113, 900913].contains(wkid) ? 3857 : wkid
  }

  /// True for the systems that work without PROJ: WGS 84 and Web Mercator.
  public var isBuiltIn: Bool { wkid == 4326 || wkid == 3857 }

  /// What a table in this reference is drawn from on a map: itself where the way to the map's is built in, else the map's
  /// reference, or Web Mercator for a map in degrees.
  public func shown(on map: SpatialReference) -> SpatialReference {
    guard self != map, !(isBuiltIn && map.isBuiltIn) else { return self }
    return map.isBuiltIn ? .webMercator : map
  }
}

/// The well-known identifier of a reference: a number of EPSG's or Esri's.
public struct WKID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// An identifier; nil for a number that is not above 0.
  public init?(rawValue: Int) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }

  /// An identifier; nil for a number that is not above 0.
  public init?(_ rawValue: Int) { self.init(rawValue: rawValue) }
}
