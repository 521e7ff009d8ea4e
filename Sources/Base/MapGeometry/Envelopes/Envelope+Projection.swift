extension Envelope {
  /// Returns the envelope in another spatial reference when both are WGS 84 or Web Mercator, or the same; nil
  /// otherwise.
  ///
  /// It is also nil without a spatial reference. Between the two, each axis has its own increasing function, so an
  /// envelope stays an envelope. The sides are rounded to doubles. Whether a point on a side is inside is decided in
  /// the spatial reference of the point's table, against the side as projected there. Latitudes at and beyond the poles
  /// become infinite northings, and infinite northings become the poles. No part is cut off.
  ///
  /// - Error: that of ``WebMercator``.
  public func projected(to reference: SpatialReference) -> Envelope? {
    if spatialReference == reference { return self }
    guard let spatialReference, spatialReference.isBuiltIn, reference.isBuiltIn else { return nil }
    if reference == .webMercator {
      return Envelope(
        xMin: WebMercator.x(longitude: xMin), yMin: Self.northing(latitude: yMin),
        xMax: WebMercator.x(longitude: xMax), yMax: Self.northing(latitude: yMax), spatialReference: reference
      )
    }
    return Envelope(
      xMin: WebMercator.longitude(x: xMin), yMin: Self.latitude(northing: yMin),
      xMax: WebMercator.longitude(x: xMax), yMax: Self.latitude(northing: yMax), spatialReference: reference)
  }

  private static func northing(latitude: Double) -> Double {
    abs(latitude) >= 90 ? latitude * .infinity : WebMercator.y(latitude: latitude)
  }

  private static func latitude(northing: Double) -> Double {
    northing.isInfinite ? (northing < 0 ? -90 : 90) : WebMercator.latitude(y: northing)
  }
}
