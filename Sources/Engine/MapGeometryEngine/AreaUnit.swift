/// A unit of area, defined by its size in square metres.
public struct AreaUnit: Hashable, Sendable {
  /// The number of square metres in the unit.
  public let squareMeters: Double

  /// Creates a unit from its size in square metres.
  public init(squareMeters: Double) { self.squareMeters = squareMeters }

  /// The square metre.
  public static let squareMeters = AreaUnit(squareMeters: 1)
  /// The square kilometre, a million square metres.
  public static let squareKilometers = AreaUnit(squareMeters: 1e6)
  /// The hectare, ten thousand square metres.
  public static let hectares = AreaUnit(squareMeters: 1e4)
  /// The square of the international foot.
  public static let squareFeet = AreaUnit(squareMeters: 0.3048 * 0.3048)
  /// The square yard, nine square feet.
  public static let squareYards = AreaUnit(squareMeters: 0.9144 * 0.9144)
  /// The international acre, 4,840 square yards.
  public static let acres = AreaUnit(squareMeters: 4046.8564224)
  /// The square of the statute mile, 640 acres.
  public static let squareMiles = AreaUnit(squareMeters: 1609.344 * 1609.344)
}
