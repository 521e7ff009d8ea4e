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
  /// The reference of the sides.
  public let spatialReference: SpatialReference?

  /// An envelope from its four sides, as they are.
  public init(
    xMin: Double, yMin: Double, xMax: Double, yMax: Double, spatialReference: SpatialReference? = nil
  ) {
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
    self.spatialReference = spatialReference
  }

  /// An envelope from two ranges.
  public init(
    xRange: ClosedRange<Double>, yRange: ClosedRange<Double>, spatialReference: SpatialReference? = nil
  ) {
    self.init(
      xMin: xRange.lowerBound, yMin: yRange.lowerBound, xMax: xRange.upperBound, yMax: yRange.upperBound,
      spatialReference: spatialReference)
  }

  /// An envelope around a centre.
  public init(center: Point, width: Double, height: Double) {
    self.init(
      xMin: center.x - width / 2, yMin: center.y - height / 2, xMax: center.x + width / 2,
      yMax: center.y + height / 2, spatialReference: center.spatialReference)
  }

  /// The envelope of points; empty ones are skipped, and none at all give an empty envelope.
  public init(of points: some Sequence<Point>, spatialReference: SpatialReference?) {
    var sides = Envelope.empty
    for point in points where !point.isEmpty { sides = sides.union(point.extent) }
    self.init(
      xMin: sides.xMin, yMin: sides.yMin, xMax: sides.xMax, yMax: sides.yMax,
      spatialReference: spatialReference)
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
    Point(x: xMin / 2 + xMax / 2, y: yMin / 2 + yMax / 2, spatialReference: spatialReference)
  }

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
    return Envelope(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin), xMax: max(xMax, other.xMax),
      yMax: max(yMax, other.yMax), spatialReference: spatialReference ?? other.spatialReference)
  }

  /// The same grown by `distance` on every side.
  public func grown(by distance: Double) -> Envelope {
    Envelope(
      xMin: xMin - distance, yMin: yMin - distance, xMax: xMax + distance, yMax: yMax + distance,
      spatialReference: spatialReference)
  }

  /// The same sides under another reference; nothing is projected.
  public func with(spatialReference: SpatialReference?) -> Envelope {
    Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, spatialReference: spatialReference)
  }
}
