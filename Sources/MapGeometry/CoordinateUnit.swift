/// A unit of length, as long as so many metres.
public struct LinearUnit: Hashable, Sendable {
  /// Metres in one of it.
  public let meters: Double

  /// A unit of so many metres.
  public init(meters: Double) { self.meters = meters }

  /// The metre.
  public static let meters = LinearUnit(meters: 1)
  /// A thousand metres.
  public static let kilometers = LinearUnit(meters: 1000)
  /// The international foot, 0.3048 metres.
  public static let feet = LinearUnit(meters: 0.3048)
  /// The foot of American surveys before 2023, 1200/3937 metres.
  public static let usSurveyFeet = LinearUnit(meters: 1200.0 / 3937)
  /// Three feet.
  public static let yards = LinearUnit(meters: 0.9144)
  /// The statute mile, 5,280 feet.
  public static let miles = LinearUnit(meters: 1609.344)
  /// The nautical mile, 1,852 metres.
  public static let nauticalMiles = LinearUnit(meters: 1852)
}

/// A unit of angles, as wide as so many degrees.
public struct AngularUnit: Hashable, Sendable {
  /// Degrees in one of it.
  public let degrees: Double

  /// A unit of so many degrees.
  public init(degrees: Double) { self.degrees = degrees }

  /// The degree.
  public static let degrees = AngularUnit(degrees: 1)
  /// The radian, 180/π degrees.
  public static let radians = AngularUnit(degrees: 180 / .pi)
  /// The grad or gon, 400 of them a full turn.
  public static let grads = AngularUnit(degrees: 0.9)
}

/// What the coordinates of a reference are counted in.
public enum CoordinateUnit: Hashable, Sendable {
  /// A plane's.
  case linear(LinearUnit)
  /// Longitude and latitude.
  case angular(AngularUnit)
}

/// A number with what it is counted in.
public struct Quantity<Unit: Hashable & Sendable>: Hashable, Sendable {
  /// How many.
  public let value: Double
  /// Of what.
  public let unit: Unit

  /// So many of a unit.
  public init(value: Double, unit: Unit) { (self.value, self.unit) = (value, unit) }
}

extension Quantity<LinearUnit> {
  /// The same length in another unit.
  public func converted(to unit: LinearUnit) -> Quantity {
    Quantity(value: value * (self.unit.meters / unit.meters), unit: unit)
  }
}

extension Quantity<AngularUnit> {
  /// The same angle in another unit.
  public func converted(to unit: AngularUnit) -> Quantity {
    Quantity(value: value * (self.unit.degrees / unit.degrees), unit: unit)
  }
}
