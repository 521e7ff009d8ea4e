package import MapGeometry

/// The functions of a projection and a topology library that a table needs, supplied by the caller.
///
/// The core can therefore be tested and used without either: it implements WGS 84, Web Mercator and envelopes itself.
package struct SpatialOperations: Sendable {
  /// Projects points in place from one spatial reference to another.
  ///
  /// x is east and y north in both. A point that cannot be projected becomes infinite or NaN.
  package typealias Projection =
    @Sendable (
      _ x: inout [Double], _ y: inout [Double], _ from: SpatialReference, _ to: SpatialReference
    ) throws(SpatialOperationError) -> Void

  /// Returns the candidate rows that have a relationship to the query geometry.
  package typealias Comparison =
    @Sendable (SpatialComparison) throws(SpatialOperationError) -> RowSet

  /// Throws if a polygon, the only row of a buffer, is invalid; the error states the reason and the position.
  package typealias Validation = @Sendable (CoordinateBuffer) throws(SpatialOperationError) -> Void

  /// Returns the unit of a spatial reference's coordinates; nil for an unknown one.
  package typealias Units = @Sendable (SpatialReference) -> CoordinateUnit?

  /// Returns the area of use of a spatial reference, in WGS 84; nil if it is unknown.
  package typealias AreasOfUse = @Sendable (SpatialReference) -> Envelope?

  /// Returns the shape of a spatial reference's projection; nil if it is unknown.
  package typealias Shapes = @Sendable (SpatialReference) -> ProjectionShape?

  /// Returns the part of a polygon, the only row of a buffer, inside another polygon; nil if it is empty.
  package typealias Cut =
    @Sendable (CoordinateBuffer, CoordinateBuffer) throws(SpatialOperationError) -> CoordinateBuffer?

  private let library: Projection?
  private let comparison: Comparison?
  private let validation: Validation?
  private let units: Units?
  private let areasOfUse: AreasOfUse?
  private let shapes: Shapes?
  private let cut: Cut?

  /// Creates operations with the functions of libraries; without them, only the built-in ones work.
  package init(
    projection: Projection? = nil, comparison: Comparison? = nil, validation: Validation? = nil,
    units: Units? = nil, areasOfUse: AreasOfUse? = nil, shapes: Shapes? = nil, cut: Cut? = nil
  ) {
    (library, self.comparison, self.validation) = (projection, comparison, validation)
    (self.units, self.areasOfUse) = (units, areasOfUse)
    (self.shapes, self.cut) = (shapes, cut)
  }

  /// The operations of a build without libraries.
  package static let builtIn = SpatialOperations()

  /// Whether spatial references other than the built-in ones are supported.
  package var hasLibrary: Bool { library != nil }

  /// Returns the candidate rows that have a relationship to the query geometry.
  ///
  /// - Throws: ``SpatialOperationError``, also if the library is missing.
  package func compare(_ comparison: SpatialComparison) throws(SpatialOperationError) -> RowSet {
    guard let compare = self.comparison else {
      throw SpatialOperationError(
        "the relationship \(comparison.relationship.rawValue) of these geometries needs GEOS, "
          + "which this build lacks", isMissingLibrary: true)
    }
    return try compare(comparison)
  }

  /// Checks that a polygon's interior is well defined; without the library every polygon passes, by the even-odd rule.
  func validate(_ polygon: CoordinateBuffer) throws(SpatialOperationError) { try validation?(polygon) }

  /// Returns the unit of a spatial reference's coordinates; nil if it is unknown or needs a missing library.
  package func unit(of reference: SpatialReference) -> CoordinateUnit? {
    switch reference {
    case .wgs84: .angular(.degrees)
    case .webMercator: .linear(.meters)
    default: units?(reference)
    }
  }

  /// Returns the area of use of a spatial reference, in WGS 84; nil if it is unknown.
  package func areaOfUse(of reference: SpatialReference) -> Envelope? { areasOfUse?(reference) }

  /// Returns the shape of a spatial reference's projection; nil if it is unknown.
  func shape(of reference: SpatialReference) -> ProjectionShape? { shapes?(reference) }

  /// Returns the part of a polygon inside another; nil if it is empty.
  ///
  /// - Throws: ``SpatialOperationError``, also if the library is missing.
  func cut(
    _ polygon: CoordinateBuffer, to area: CoordinateBuffer
  ) throws(SpatialOperationError) -> CoordinateBuffer? {
    guard let cut else {
      throw SpatialOperationError(
        "cutting a polygon needs GEOS, which this build lacks", isMissingLibrary: true)
    }
    return try cut(polygon, area)
  }

  /// Projects points in place from one spatial reference to another.
  ///
  /// Between WGS 84 and Web Mercator this uses ``WebMercator``, as for envelopes.
  ///
  /// - Throws: ``SpatialOperationError`` for an unknown spatial reference, or one that needs a missing library.
  package func project(
    x: inout [Double], y: inout [Double], from source: SpatialReference, to target: SpatialReference
  ) throws(SpatialOperationError) {
    guard source != target else { return }
    if source.isBuiltIn, target.isBuiltIn {
      let toMetres = target == .webMercator
      for index in x.indices {
        x[index] = toMetres ? WebMercator.x(longitude: x[index]) : WebMercator.longitude(x: x[index])
        y[index] = toMetres ? WebMercator.y(latitude: y[index]) : WebMercator.latitude(y: y[index])
      }
      return
    }
    guard let library else {
      let foreign = source.isBuiltIn ? target : source
      throw SpatialOperationError(
        "EPSG:\(foreign.wkid) needs PROJ, which this build lacks; WGS 84 (4326) and Web Mercator (3857) work",
        isMissingLibrary: true)
    }
    try library(&x, &y, source, target)
  }

  /// Whether a spatial reference can be projected to Web Mercator.
  package func knows(_ reference: SpatialReference) -> Bool {
    do { try check(reference) } catch { return false }
    return true
  }

  /// Throws unless a spatial reference can be projected to Web Mercator.
  ///
  /// - Throws: ``SpatialOperationError`` for an unknown spatial reference, or one that needs a missing library.
  package func check(_ reference: SpatialReference) throws(SpatialOperationError) {
    var (x, y) = ([Double](), [Double]())
    try project(x: &x, y: &y, from: reference, to: .webMercator)
  }

  /// Projects geometries to another spatial reference; a row with a point that cannot be projected loses its geometry.
  ///
  /// - Cost: one call of the library for all vertices.
  /// - Throws: ``SpatialOperationError``.
  package func projected(
    _ buffer: CoordinateBuffer, from source: SpatialReference, to target: SpatialReference
  ) throws(SpatialOperationError) -> (buffer: CoordinateBuffer, lostRows: Int) {
    var (x, y) = (buffer.x, buffer.y)
    try project(x: &x, y: &y, from: source, to: target)
    return buffer.moved(x: x, y: y)
  }
}

/// The error for a spatial operation that fails because of a spatial reference, a geometry or a missing library.
package struct SpatialOperationError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package let description: String
  /// Whether the reason is a library that is not installed or not part of the build.
  package let isMissingLibrary: Bool

  /// Creates an error with a reason.
  package init(_ description: String, isMissingLibrary: Bool = false) {
    (self.description, self.isMissingLibrary) = (description, isMissingLibrary)
  }
}
