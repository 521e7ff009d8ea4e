import MapFeatures
public import MapGeometry

extension SpatialReference {
  /// The reference of an identifier; nil where none is known by it.
  ///
  /// - Source: EPSG's and Esri's systems as PROJ has them; a build without PROJ knows WGS 84 and Web Mercator.
  public init?(wkid: WKID) {
    self.init(wkid: wkid.rawValue)
    guard SpatialOperations.installed.knows(self) else { return nil }
  }

  /// What its coordinates are counted in; nil for one that is not known.
  public var unit: CoordinateUnit? { SpatialOperations.installed.unit(of: self) }

  /// True when its coordinates are longitude and latitude.
  public var isGeographic: Bool { if case .angular? = unit { true } else { false } }
}
