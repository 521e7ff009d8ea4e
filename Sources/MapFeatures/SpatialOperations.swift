public import MapGeometry

/// What a table needs of a projection and a topology library, given from above as functions.
///
/// So the core tests and runs without either: WGS 84, Web Mercator and envelopes are its own.
public struct SpatialOperations: Sendable {
  /// Places in one reference brought to another, in place; x is east and y north in both, and a place without an image
  /// becomes infinite or NaN.
  public typealias Projection =
    @Sendable (
      _ x: inout [Double], _ y: inout [Double], _ from: SpatialReference, _ to: SpatialReference
    ) throws(SpatialOperationError) -> Void

  /// The rows of those in question that lie to the query geometry as asked.
  public typealias Comparison =
    @Sendable (SpatialComparison) throws(SpatialOperationError) -> RowSet

  /// Throws where a polygon, the one row of a buffer, is not valid, saying why and where.
  public typealias Validation = @Sendable (CoordinateBuffer) throws(SpatialOperationError) -> Void

  /// What the coordinates of a reference are counted in; nil for one that is not known.
  public typealias Units = @Sendable (SpatialReference) -> CoordinateUnit?

  /// Where a reference is meant to be used, in WGS 84; nil where that is not known.
  public typealias AreasOfUse = @Sendable (SpatialReference) -> Envelope?

  /// The shape of a reference's projection; nil where it is not known.
  public typealias Shapes = @Sendable (SpatialReference) -> ProjectionShape?

  /// The part of a polygon, the one row of a buffer, that lies in another; nil for none.
  public typealias Cut =
    @Sendable (CoordinateBuffer, CoordinateBuffer) throws(SpatialOperationError) -> CoordinateBuffer?

  private let library: Projection?
  private let comparison: Comparison?
  private let validation: Validation?
  private let units: Units?
  private let areasOfUse: AreasOfUse?
  private let shapes: Shapes?
  private let cut: Cut?

  /// Operations with the functions of libraries; without one, what is built in alone.
  public init(
    projection: Projection? = nil, comparison: Comparison? = nil, validation: Validation? = nil,
    units: Units? = nil, areasOfUse: AreasOfUse? = nil, shapes: Shapes? = nil, cut: Cut? = nil
  ) {
    (library, self.comparison, self.validation) = (projection, comparison, validation)
    (self.units, self.areasOfUse) = (units, areasOfUse)
    (self.shapes, self.cut) = (shapes, cut)
  }

  /// The operations of a build without libraries.
  public static let builtIn = SpatialOperations()

  /// True where more references are known than those that are built in.
  var hasLibrary: Bool { library != nil }

  /// The rows that lie to a query geometry as asked.
  ///
  /// - Throws: ``SpatialOperationError``, also where the library is not there.
  package func compare(_ comparison: SpatialComparison) throws(SpatialOperationError) -> RowSet {
    guard let compare = self.comparison else {
      throw SpatialOperationError(
        "the relation \(comparison.relationship.rawValue) of these geometries needs GEOS, which this build is without"
      )
    }
    return try compare(comparison)
  }

  /// Refuses a polygon whose inside is not clear; without the library all pass, by the even-odd rule.
  func validate(_ polygon: CoordinateBuffer) throws(SpatialOperationError) { try validation?(polygon) }

  /// What the coordinates of a reference are counted in; nil for one that is not known, or needs a library that is not
  /// there.
  package func unit(of reference: SpatialReference) -> CoordinateUnit? {
    switch reference {
    case .wgs84: .angular(.degrees)
    case .webMercator: .linear(.meters)
    default: units?(reference)
    }
  }

  /// Where a reference is meant to be used, in WGS 84; nil where that is not known.
  package func areaOfUse(of reference: SpatialReference) -> Envelope? { areasOfUse?(reference) }

  /// The shape of a reference's projection; nil where it is not known.
  func shape(of reference: SpatialReference) -> ProjectionShape? { shapes?(reference) }

  /// The part of a polygon that lies in another; nil for none.
  ///
  /// - Throws: ``SpatialOperationError``, also where the library is not there.
  func cut(
    _ polygon: CoordinateBuffer, to area: CoordinateBuffer
  ) throws(SpatialOperationError) -> CoordinateBuffer? {
    guard let cut else {
      throw SpatialOperationError("cutting a polygon needs GEOS, which this build is without")
    }
    return try cut(polygon, area)
  }

  /// Brings places from one reference to another.
  ///
  /// Between WGS 84 and Web Mercator by ``WebMercator``, the same as for envelopes.
  /// - Throws: ``SpatialOperationError`` for a reference that is not known, or needs a library that is not there.
  public func project(
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
        "EPSG:\(foreign.wkid) needs PROJ, which this build is without; WGS 84 (4326) and Web Mercator (3857) work"
      )
    }
    try library(&x, &y, source, target)
  }

  /// Whether a reference can be brought to Web Mercator.
  public func knows(_ reference: SpatialReference) -> Bool {
    var (x, y) = ([Double](), [Double]())
    do { try project(x: &x, y: &y, from: reference, to: .webMercator) } catch { return false }
    return true
  }

  /// The same geometries in another reference; a row of which one place has no image has no geometry there.
  ///
  /// - Cost: one call of the library for all vertices.
  /// - Throws: ``SpatialOperationError``.
  public func projected(
    _ buffer: CoordinateBuffer, from source: SpatialReference, to target: SpatialReference
  ) throws(SpatialOperationError) -> (buffer: CoordinateBuffer, lostRows: Int) {
    var (x, y) = (buffer.x, buffer.y)
    try project(x: &x, y: &y, from: source, to: target)
    return buffer.moved(x: x, y: y)
  }
}

/// A spatial question that cannot be answered: a reference, a geometry or a library at fault.
public struct SpatialOperationError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public let description: String

  /// An error in words.
  public init(_ description: String) { self.description = description }
}
