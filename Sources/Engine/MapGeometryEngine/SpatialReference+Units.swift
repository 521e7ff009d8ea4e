import MapFeatures
public import MapGeometry

extension SpatialReference {
  /// Creates the spatial reference with an identifier; nil for an unknown identifier, and for one of heights or
  /// geocentric coordinates alone.
  ///
  /// - Source: EPSG's and Esri's systems as listed by PROJ; a build without PROJ knows only WGS 84 and Web
  ///   Mercator.
  public init?(wkid: WKID) {
    self.init(wkid: wkid.rawValue)
    guard SpatialOperations.installed.knows(self) else { return nil }
  }

  /// The unit of the coordinates; nil for an unknown spatial reference.
  public var unit: CoordinateUnit? { SpatialOperations.installed.unit(of: self) }

  /// Whether the coordinates are longitude and latitude.
  public var isGeographic: Bool { if case .angular? = unit { true } else { false } }
}
