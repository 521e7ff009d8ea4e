/// An axis-aligned rectangle that includes its sides.
///
/// An empty envelope has NaN sides, which compare false with everything: it neither intersects nor contains anything.
/// An envelope with `xMin` greater than `xMax` crosses the antimeridian. Only ``splitAtAntimeridian()`` uses that
/// meaning; all other functions take the sides as they are.
public struct Envelope: Geometry, Hashable {
  /// The west side.
  public let xMin: Double
  /// The south side.
  public let yMin: Double
  /// The east side.
  public let xMax: Double
  /// The north side.
  public let yMax: Double
  private let (lowest, highest): (OptionalNumber, OptionalNumber)
  private let (least, most): (OptionalNumber, OptionalNumber)
  /// The spatial reference of the sides.
  public let spatialReference: SpatialReference?

  /// Creates an envelope from its sides, without reordering them.
  public init(
    xMin: Double, yMin: Double, xMax: Double, yMax: Double, zMin: Double? = nil, zMax: Double? = nil,
    mMin: Double? = nil, mMax: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
    (lowest, highest) = (OptionalNumber(zMin), OptionalNumber(zMax))
    (least, most) = (OptionalNumber(mMin), OptionalNumber(mMax))
    self.spatialReference = spatialReference
  }

  /// Creates an envelope from ranges.
  public init(
    xRange: ClosedRange<Double>, yRange: ClosedRange<Double>, zRange: ClosedRange<Double>? = nil,
    mRange: ClosedRange<Double>? = nil, spatialReference: SpatialReference? = nil
  ) {
    self.init(
      xMin: xRange.lowerBound, yMin: yRange.lowerBound, xMax: xRange.upperBound, yMax: yRange.upperBound,
      zMin: zRange?.lowerBound, zMax: zRange?.upperBound, mMin: mRange?.lowerBound, mMax: mRange?.upperBound,
      spatialReference: spatialReference)
  }

  /// Creates an envelope from its south-west and north-east corners, in the spatial reference of the first corner that
  /// has one.
  public init(min: Point, max: Point) {
    self.init(
      xMin: min.x, yMin: min.y, xMax: max.x, yMax: max.y, zMin: min.z, zMax: max.z, mMin: min.m, mMax: max.m,
      spatialReference: min.spatialReference ?? max.spatialReference)
  }

  /// Creates an envelope around a centre.
  public init(center: Point, width: Double, height: Double) {
    self.init(
      xMin: center.x - width / 2, yMin: center.y - height / 2, xMax: center.x + width / 2,
      yMax: center.y + height / 2, zMin: center.z, zMax: center.z, mMin: center.m, mMax: center.m,
      spatialReference: center.spatialReference)
  }

  /// Creates the envelope of points; empty points are skipped, and no points give an empty envelope.
  public init(of points: some Sequence<Point>, spatialReference: SpatialReference?) {
    var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    var (z0, z1, m0, m1) = (Double.nan, Double.nan, Double.nan, Double.nan)
    var isEmpty = true
    for point in points where !point.isEmpty {
      (x0, y0, x1, y1) = (
        Swift.min(x0, point.x), Swift.min(y0, point.y), Swift.max(x1, point.x), Swift.max(y1, point.y)
      )
      // The minimum of IEEE 754 ignores NaN, which means no value here.
      if let z = point.z { (z0, z1) = (.minimum(z0, z), .maximum(z1, z)) }
      if let m = point.m { (m0, m1) = (.minimum(m0, m), .maximum(m1, m)) }
      isEmpty = false
    }
    self.init(
      xMin: isEmpty ? .nan : x0, yMin: isEmpty ? .nan : y0, xMax: isEmpty ? .nan : x1,
      yMax: isEmpty ? .nan : y1, zMin: z0, zMax: z1, mMin: m0, mMax: m1, spatialReference: spatialReference)
  }

  /// The empty envelope.
  public static let empty = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)

  /// The width, east minus west.
  public var width: Double { xMax - xMin }
  /// The height, north minus south.
  public var height: Double { yMax - yMin }
  /// The centre.
  public var center: Point {
    // Halving first avoids overflow.
    func middle(_ low: Double?, _ high: Double?) -> Double? {
      low.flatMap { low in high.map { low / 2 + $0 / 2 } }
    }
    return Point(
      x: xMin / 2 + xMax / 2, y: yMin / 2 + yMax / 2, z: middle(zMin, zMax), m: middle(mMin, mMax),
      spatialReference: spatialReference)
  }

  /// The lowest Z value; nil when unknown.
  public var zMin: Double? { lowest.value }
  /// The greatest Z value; nil when unknown.
  public var zMax: Double? { highest.value }
  /// The lowest M value; nil when unknown.
  public var mMin: Double? { least.value }
  /// The greatest M value; nil when unknown.
  public var mMax: Double? { most.value }
  /// Whether a Z value is known.
  public var hasZ: Bool { lowest.isThere || highest.isThere }
  /// Whether an M value is known.
  public var hasM: Bool { least.isThere || most.isThere }

  /// Whether the envelope has no coordinates.
  public var isEmpty: Bool { xMin.isNaN || yMin.isNaN || xMax.isNaN || yMax.isNaN }
  /// The envelope itself.
  public var extent: Envelope { self }
  /// The geometry as a case of the closed enumeration.
  public var form: GeometryForm { .envelope(self) }

  /// Returns whether two envelopes share a point; sides and corners count.
  public func meets(_ other: Envelope) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  /// Returns whether `other` lies inside; it may touch the sides.
  public func contains(_ other: Envelope) -> Bool {
    xMin <= other.xMin && xMax >= other.xMax && yMin <= other.yMin && yMax >= other.yMax
  }

  /// Returns whether a point lies inside or on a side.
  public func contains(x: Double, y: Double) -> Bool { x >= xMin && x <= xMax && y >= yMin && y <= yMax }

  /// Returns the smallest envelope that contains both; an empty one is ignored.
  public func union(_ other: Envelope) -> Envelope {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let flat = Envelope(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin), xMax: max(xMax, other.xMax),
      yMax: max(yMax, other.yMax), spatialReference: spatialReference ?? other.spatialReference)
    // Z and M values are handled separately, so that unions of many rows without them cost no more.
    return hasZ || hasM || other.hasZ || other.hasM ? flat.withDepths(of: self, other) : flat
  }

  private func withDepths(of first: Envelope, _ second: Envelope) -> Envelope {
    Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax,
      zMin: OptionalNumber.minimum(first.lowest, second.lowest).value,
      zMax: OptionalNumber.maximum(first.highest, second.highest).value,
      mMin: OptionalNumber.minimum(first.least, second.least).value,
      mMax: OptionalNumber.maximum(first.most, second.most).value, spatialReference: spatialReference)
  }

  /// Returns the envelope extended by `distance` on every side.
  public func grown(by distance: Double) -> Envelope {
    with(xMin: xMin - distance, yMin: yMin - distance, xMax: xMax + distance, yMax: yMax + distance)
  }

  /// Returns the same sides with another spatial reference, without projecting them.
  public func with(spatialReference: SpatialReference?) -> Envelope {
    Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, zMin: zMin, zMax: zMax, mMin: mMin, mMax: mMax,
      spatialReference: spatialReference)
  }

  /// Returns an envelope with other sides but the same Z and M values and spatial reference.
  package func with(xMin: Double, yMin: Double, xMax: Double, yMax: Double) -> Envelope {
    Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, zMin: zMin, zMax: zMax, mMin: mMin, mMax: mMax,
      spatialReference: spatialReference)
  }
}
