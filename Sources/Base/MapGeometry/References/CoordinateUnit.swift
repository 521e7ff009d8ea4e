/// A unit of length, defined by its length in metres.
public struct LinearUnit: Hashable, Sendable {
  /// The length of the unit in metres.
  public let meters: Double

  /// Creates a unit from its length in metres.
  public init(meters: Double) { self.meters = meters }

  /// The metre.
  public static let meters = LinearUnit(meters: 1)
  /// The kilometre, 1000 metres.
  public static let kilometers = LinearUnit(meters: 1000)
  /// The international foot, 0.3048 metres.
  public static let feet = LinearUnit(meters: 0.3048)
  /// The US survey foot, used before 2023, 1200/3937 metres.
  public static let usSurveyFeet = LinearUnit(meters: 1200.0 / 3937)
  /// The yard, three feet.
  public static let yards = LinearUnit(meters: 0.9144)
  /// The statute mile, 5,280 feet.
  public static let miles = LinearUnit(meters: 1609.344)
  /// The nautical mile, 1,852 metres.
  public static let nauticalMiles = LinearUnit(meters: 1852)
}

/// A unit of angle, defined by its size in degrees.
public struct AngularUnit: Hashable, Sendable {
  /// The size of the unit in degrees.
  public let degrees: Double

  /// Creates a unit from its size in degrees.
  public init(degrees: Double) { self.degrees = degrees }

  /// The degree.
  public static let degrees = AngularUnit(degrees: 1)
  /// The radian, 180/π degrees.
  public static let radians = AngularUnit(degrees: 180 / .pi)
  /// The grad or gon, 1/400 of a full circle.
  public static let grads = AngularUnit(degrees: 0.9)
}

/// The unit of the coordinates of a spatial reference.
public enum CoordinateUnit: Hashable, Sendable {
  /// A unit of length, in a projected spatial reference.
  case linear(LinearUnit)
  /// A unit of angle, for longitude and latitude.
  case angular(AngularUnit)
}

/// A number with its unit.
public struct Quantity<Unit: Hashable & Sendable>: Hashable, Sendable {
  /// The number.
  public let value: Double
  /// The unit.
  public let unit: Unit

  /// Creates a quantity from a number and its unit.
  public init(value: Double, unit: Unit) { (self.value, self.unit) = (value, unit) }
}

extension Quantity<LinearUnit> {
  /// Returns the same length in another unit.
  public func converted(to unit: LinearUnit) -> Quantity {
    Quantity(value: value * (self.unit.meters / unit.meters), unit: unit)
  }
}

extension Quantity<AngularUnit> {
  /// Returns the same angle in another unit.
  public func converted(to unit: AngularUnit) -> Quantity {
    Quantity(value: value * (self.unit.degrees / unit.degrees), unit: unit)
  }
}
