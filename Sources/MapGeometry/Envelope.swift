/// An upright rectangle, sides included.
///
/// An empty envelope has NaN sides, which compare false with everything: it meets nothing and holds nothing.
/// With `xMin` above `xMax` it is one that crosses the antimeridian; only ``splitAtAntimeridian()`` knows that
/// reading, everything else takes the sides as they are.
public struct Envelope: Geometry, Hashable {
  /// West side.
  public let xMin: Double
  /// South side.
  public let yMin: Double
  /// East side.
  public let xMax: Double
  /// North side.
  public let yMax: Double
  private let (lowest, highest): (OptionalNumber, OptionalNumber)
  private let (least, most): (OptionalNumber, OptionalNumber)
  /// The reference of the sides.
  public let spatialReference: SpatialReference?

  /// An envelope from its sides, as they are.
  public init(
    xMin: Double, yMin: Double, xMax: Double, yMax: Double, zMin: Double? = nil, zMax: Double? = nil,
    mMin: Double? = nil, mMax: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
    (lowest, highest) = (OptionalNumber(zMin), OptionalNumber(zMax))
    (least, most) = (OptionalNumber(mMin), OptionalNumber(mMax))
    self.spatialReference = spatialReference
  }

  /// An envelope from ranges.
  public init(
    xRange: ClosedRange<Double>, yRange: ClosedRange<Double>, zRange: ClosedRange<Double>? = nil,
    mRange: ClosedRange<Double>? = nil, spatialReference: SpatialReference? = nil
  ) {
    self.init(
      xMin: xRange.lowerBound, yMin: yRange.lowerBound, xMax: xRange.upperBound, yMax: yRange.upperBound,
      zMin: zRange?.lowerBound, zMax: zRange?.upperBound, mMin: mRange?.lowerBound, mMax: mRange?.upperBound,
      spatialReference: spatialReference)
  }

  /// An envelope from its south-western and its north-eastern corner, in the reference of the first that has one.
  public init(min: Point, max: Point) {
    self.init(
      xMin: min.x, yMin: min.y, xMax: max.x, yMax: max.y, zMin: min.z, zMax: max.z, mMin: min.m, mMax: max.m,
      spatialReference: min.spatialReference ?? max.spatialReference)
  }

  /// An envelope around a centre.
  public init(center: Point, width: Double, height: Double) {
    self.init(
      xMin: center.x - width / 2, yMin: center.y - height / 2, xMax: center.x + width / 2,
      yMax: center.y + height / 2, zMin: center.z, zMax: center.z, mMin: center.m, mMax: center.m,
      spatialReference: center.spatialReference)
  }

  /// The envelope of points; empty ones are skipped, and none at all give an empty envelope.
  public init(of points: some Sequence<Point>, spatialReference: SpatialReference?) {
    var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    var (z0, z1, m0, m1) = (Double.nan, Double.nan, Double.nan, Double.nan)
    var isEmpty = true
    for point in points where !point.isEmpty {
      (x0, y0, x1, y1) = (
        Swift.min(x0, point.x), Swift.min(y0, point.y), Swift.max(x1, point.x), Swift.max(y1, point.y)
      )
      // IEEE 754's minimum passes over NaN, which stands for none.
      if let z = point.z { (z0, z1) = (.minimum(z0, z), .maximum(z1, z)) }
      if let m = point.m { (m0, m1) = (.minimum(m0, m), .maximum(m1, m)) }
      isEmpty = false
    }
    self.init(
      xMin: isEmpty ? .nan : x0, yMin: isEmpty ? .nan : y0, xMax: isEmpty ? .nan : x1,
      yMax: isEmpty ? .nan : y1, zMin: z0, zMax: z1, mMin: m0, mMax: m1, spatialReference: spatialReference)
  }

  /// The envelope of nothing.
  public static let empty = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)

  /// East minus west.
  public var width: Double { xMax - xMin }
  /// North minus south.
  public var height: Double { yMax - yMin }
  /// The middle.
  public var center: Point {
    // Halving first cannot overflow.
    func middle(_ low: Double?, _ high: Double?) -> Double? {
      low.flatMap { low in high.map { low / 2 + $0 / 2 } }
    }
    return Point(
      x: xMin / 2 + xMax / 2, y: yMin / 2 + yMax / 2, z: middle(zMin, zMax), m: middle(mMin, mMax),
      spatialReference: spatialReference)
  }

  /// The lowest height; nil where none is known.
  public var zMin: Double? { lowest.value }
  /// The greatest height; nil where none is known.
  public var zMax: Double? { highest.value }
  /// The least measure; nil where none is known.
  public var mMin: Double? { least.value }
  /// The greatest measure; nil where none is known.
  public var mMax: Double? { most.value }
  /// True when a height is known.
  public var hasZ: Bool { lowest.isThere || highest.isThere }
  /// True when a measure is known.
  public var hasM: Bool { least.isThere || most.isThere }

  /// True when there is no coordinate.
  public var isEmpty: Bool { xMin.isNaN || yMin.isNaN || xMax.isNaN || yMax.isNaN }
  /// The smallest envelope that holds it.
  public var extent: Envelope { self }
  /// The case it is of the closed family.
  public var form: GeometryForm { .envelope(self) }

  /// True when the two share a place, sides and corners included.
  public func meets(_ other: Envelope) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  /// True when `other` lies inside, sides included.
  public func contains(_ other: Envelope) -> Bool {
    xMin <= other.xMin && xMax >= other.xMax && yMin <= other.yMin && yMax >= other.yMax
  }

  /// True when the place lies inside or on a side.
  public func contains(x: Double, y: Double) -> Bool { x >= xMin && x <= xMax && y >= yMin && y <= yMax }

  /// The smallest envelope that holds both; an empty one adds nothing.
  public func union(_ other: Envelope) -> Envelope {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let flat = Envelope(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin), xMax: max(xMax, other.xMax),
      yMax: max(yMax, other.yMax), spatialReference: spatialReference ?? other.spatialReference)
    // Apart, because unions of many rows, which have neither, are to cost no more for it.
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

  /// The same grown by `distance` on every side.
  public func grown(by distance: Double) -> Envelope {
    with(xMin: xMin - distance, yMin: yMin - distance, xMax: xMax + distance, yMax: yMax + distance)
  }

  /// The same sides under another reference; nothing is projected.
  public func with(spatialReference: SpatialReference?) -> Envelope {
    Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, zMin: zMin, zMax: zMax, mMin: mMin, mMax: mMax,
      spatialReference: spatialReference)
  }

  /// Other sides, with the heights, measures and reference of these.
  package func with(xMin: Double, yMin: Double, xMax: Double, yMax: Double) -> Envelope {
    Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, zMin: zMin, zMax: zMax, mMin: mMin, mMax: mMax,
      spatialReference: spatialReference)
  }
}
