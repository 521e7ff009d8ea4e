import CGeospatial
import MapGeometry
import Synchronization

extension Transformation {
  /// Returns the coordinate unit of a spatial reference; nil without a unit, and for one with a vertical part.
  ///
  /// - Cost: one query of PROJ's database per spatial reference.
  /// - Throws: ``LibraryError`` without PROJ or for an unknown spatial reference.
  static func unit(of reference: SpatialReference) throws(LibraryError) -> CoordinateUnit? {
    if let known = units.withLock({ $0[reference] }) { return known }
    let unit = try reading(reference, readUnit)
    units.withLock { $0[reference] = .some(unit) }
    return unit
  }

  private static let units = Mutex<[SpatialReference: CoordinateUnit?]>([:])

  private static func readUnit(of system: System) -> CoordinateUnit? {
    let (calls, context) = (system.calls, system.context)
    guard let axes = calls.proj_crs_get_coordinate_system(context, system.handle) else { return nil }
    defer { _ = calls.proj_destroy(axes) }
    let type = calls.proj_cs_get_type(context, axes)
    // The size of the unit in metres or radians.
    var factor = 0.0
    guard
      calls.proj_cs_get_axis_info(context, axes, 0, nil, nil, nil, &factor, nil, nil, nil) != 0, factor > 0
    else { return nil }
    // The database has only 15 digits of some factors.
    func isSame(_ one: Double, _ other: Double) -> Bool { abs(one / other - 1) < 1e-12 }
    guard type == PJ_CS_TYPE_ELLIPSOIDAL else {
      return .linear(
        isSame(factor, LinearUnit.usSurveyFeet.meters) ? .usSurveyFeet : LinearUnit(meters: factor))
    }
    let degrees = factor * 180 / .pi
    let named = [AngularUnit.degrees, .grads, .radians].first { isSame(degrees, $0.degrees) }
    return .angular(named ?? AngularUnit(degrees: degrees))
  }

  /// Returns the area of use of a spatial reference in WGS 84; nil when PROJ does not define one.
  ///
  /// `xMin` is greater than `xMax` when the area crosses the antimeridian.
  ///
  /// - Throws: ``LibraryError`` without PROJ or for an unknown spatial reference.
  static func areaOfUse(of reference: SpatialReference) throws(LibraryError) -> Envelope? {
    try reading(reference) { system in
      var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
      guard
        system.calls.proj_get_area_of_use(
          system.context, system.handle, &west, &south, &east, &north, nil) != 0,
        // PROJ reports unknown sides as -1000.
        [west, south, east, north].allSatisfy({ abs($0) <= 360 })
      else { return nil }
      return Envelope(xMin: west, yMin: south, xMax: east, yMax: north, spatialReference: .wgs84)
    }
  }
}
