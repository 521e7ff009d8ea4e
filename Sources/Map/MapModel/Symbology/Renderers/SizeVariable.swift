/// A visual variable that sets a size or width from a number of the feature or from the scale.
///
/// - Units: sizes in pixels of 1/96 inch; documents use points of 1/72 inch.
public struct SizeVariable: Hashable, Sendable {
  /// The rule that converts a value to a size.
  public enum Rule: Hashable, Sendable {
    /// Linear interpolation between stops, ascending by value, clamped at both ends.
    case stops([VariableStop<Double>])
    /// Linear interpolation between two values, clamped to the two sizes.
    case bounded(minimum: Double, maximum: Double, smallest: ScaledSize, largest: ScaledSize)
    /// The smallest size times the ratio of the values, or times its square root for symbols compared by area.
    case proportional(minimum: Double, smallest: ScaledSize, largest: ScaledSize?)
    /// The true size on the ground at the nominal scale.
    case ground(GroundMeasure)
  }

  /// The input of the variable.
  public let input: VariableInput
  /// The rule that converts a value to a size.
  public let rule: Rule
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a variable; stops may be in any order.
  public init(input: VariableInput, rule: Rule) {
    self.input = input
    if case .stops(let stops) = rule { self.rule = .stops(stops.ascending()) } else { self.rule = rule }
  }

  /// Returns the size for a value at a scale denominator; nil if the symbol is not drawn.
  ///
  /// - Parameter byArea: Whether the symbol is compared by area.
  public func size(of value: Double?, scale: Double, byArea: Bool) -> Double? {
    guard let value, value.isFinite else { return nil }
    let size: Double?
    switch rule {
    case .stops(let stops): size = stops.interpolated(at: value)
    case .bounded(let minimum, let maximum, let smallest, let largest):
      let ends = [VariableStop(minimum, smallest), VariableStop(maximum, largest)].ascending()
      size = ends.place(of: value).map { place in
        let (a, b) = (place.below.pixels(atScale: scale), place.above.pixels(atScale: scale))
        return a + (b - a) * place.fraction
      }
    case .proportional(let minimum, let smallest, let largest):
      let ratio = value / minimum
      let free = smallest.pixels(atScale: scale) * (byArea ? ratio.squareRoot() : ratio)
      size = largest.map { min(free, $0.pixels(atScale: scale)) } ?? free
    case .ground(let measure):
      size = measure.meters(of: value) * ResolvedViewpoint.scalePerResolution / scale
    }
    // NaN, such as the root of a negative value, compares false.
    guard let size, size > 0 else { return nil }
    return min(size, SymbolNumber.size.limit)
  }

  /// Returns an upper bound of the sizes at a scale denominator; infinite where the data decide.
  package func upperBound(atScale scale: Double) -> Double {
    switch rule {
    case .stops(let stops): stops.map(\.output).max() ?? 0
    case .bounded(_, _, let smallest, let largest):
      max(smallest.pixels(atScale: scale), largest.pixels(atScale: scale))
    case .proportional(_, _, let largest): largest?.pixels(atScale: scale) ?? .infinity
    case .ground: .infinity
    }
  }
}

/// A size that may depend on the scale.
public enum ScaledSize: Hashable, Sendable {
  /// The same size at all scales.
  case fixed(Double)
  /// Linear interpolation between scale denominators, ascending, clamped at both ends.
  case byScale([VariableStop<Double>])

  /// Returns the size at a scale denominator, in pixels.
  public func pixels(atScale scale: Double) -> Double {
    switch self {
    case .fixed(let size): size
    case .byScale(let stops): stops.interpolated(at: scale) ?? 0
    }
  }
}

/// A length or area on the ground, and the part of the symbol that it measures.
///
/// - Source: Esri web map specification, `valueUnit` and `valueRepresentation`. Design decision: an area is that of a
///   circle.
public struct GroundMeasure: Hashable, Sendable {
  /// The units, spelled as in web maps.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Inches of 0.0254 m.
    case inches
    /// Feet of 0.3048 m.
    case feet
    /// Yards of 0.9144 m.
    case yards
    /// Miles of 1609.344 m.
    case miles
    /// Nautical miles of 1852 m.
    case nauticalMiles = "nautical-miles"
    /// Millimetres: 0.001 m.
    case millimeters
    /// Centimetres: 0.01 m.
    case centimeters
    /// Decimetres: 0.1 m.
    case decimeters
    /// Metres.
    case meters
    /// Kilometres: 1000 m.
    case kilometers

    /// The length of the unit in metres.
    ///
    /// - Source: international yard and pound agreement of 1959: 0.9144 m per yard.
    var meters: Double {
      switch self {
      case .inches: 0.0254
      case .feet: 0.3048
      case .yards: 0.9144
      case .miles: 1609.344
      case .nauticalMiles: 1852
      case .millimeters: 0.001
      case .centimeters: 0.01
      case .decimeters: 0.1
      case .meters: 1
      case .kilometers: 1000
      }
    }
  }

  /// The part of the symbol that is measured.
  public enum Part: String, Hashable, Sendable {
    /// Half the size.
    case radius
    /// The size.
    case diameter
    /// The area of a circle with the size as diameter, in square units.
    case area
    /// The size.
    case width
    /// The size.
    case distance
  }

  /// The unit.
  public var unit: Unit
  /// The part of the symbol that is measured.
  public var part: Part

  /// Creates a measure.
  public init(unit: Unit, part: Part) { (self.unit, self.part) = (unit, part) }

  /// Returns the size for a value, in metres.
  func meters(of value: Double) -> Double {
    switch part {
    case .radius: 2 * value * unit.meters
    case .diameter, .width, .distance: value * unit.meters
    case .area: 2 * (value / .pi).squareRoot() * unit.meters
    }
  }
}
