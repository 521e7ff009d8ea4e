extension Envelope {
  /// The envelope in another reference, when both are WGS 84 or Web Mercator, or in its own; nil otherwise, and when it
  /// has none.
  ///
  /// Between those two each axis has a function of its own that only rises, so an envelope stays one. Its
  /// sides are rounded to doubles: whether a place that falls on a side is in is decided by its coordinates
  /// in the reference of its table, against the side as projected there. Latitudes at the poles and past them
  /// become infinite northings, and those the poles, so that nothing is cut off.
  ///
  /// Error: that of ``WebMercator``.
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
