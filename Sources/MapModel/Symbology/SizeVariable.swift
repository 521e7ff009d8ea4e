/// A size or width by a number of the feature or by the scale.
///
/// - Units: sizes in pixels of 1/96 inch; documents write points of 1/72 inch.
public struct SizeVariable: Hashable, Sendable {
  /// How a value becomes a size.
  public enum Rule: Hashable, Sendable {
    /// Linear between stops, ascending by value, clamped at both ends.
    case stops([VariableStop<Double>])
    /// Linear between two values, clamped to the two sizes.
    case bounded(minimum: Double, maximum: Double, smallest: ScaledSize, largest: ScaledSize)
    /// A multiple of the smallest size: by the ratio of the values, or its root for symbols that are compared by area.
    case proportional(minimum: Double, smallest: ScaledSize, largest: ScaledSize?)
    /// As large as on the ground, by the nominal scale.
    case ground(GroundMeasure)
  }

  /// What it depends on.
  public let input: VariableInput
  /// How a value becomes a size.
  public let rule: Rule

  /// A variable; stops may come in any order.
  public init(input: VariableInput, rule: Rule) {
    self.input = input
    if case .stops(let stops) = rule { self.rule = .stops(stops.ascending()) } else { self.rule = rule }
  }

  /// The size of a value at a scale, the N of 1:N; nil for none, which is a symbol that is not drawn.
  ///
  /// - Parameter byArea: true for symbols that are compared by area.
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
    // NaN, as of a negative value's root, compares false.
    guard let size, size > 0 else { return nil }
    return min(size, SymbolNumber.size.limit)
  }

  /// No size is larger at the scale; infinite where the data decide.
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
  /// The same at all scales.
  case fixed(Double)
  /// Linear between scales, each the N of 1:N, ascending, clamped at both ends.
  case byScale([VariableStop<Double>])

  /// The size at a scale.
  public func pixels(atScale scale: Double) -> Double {
    switch self {
    case .fixed(let size): size
    case .byScale(let stops): stops.interpolated(at: scale) ?? 0
    }
  }
}

/// A length or area on the ground, and what of a symbol it measures.
///
/// - Source: Esri web map specification, `valueUnit` and `valueRepresentation`; ours: the area is a circle's.
public struct GroundMeasure: Hashable, Sendable {
  /// The units, spelled as in web maps.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// 0.0254 m.
    case inches
    /// 0.3048 m.
    case feet
    /// 0.9144 m.
    case yards
    /// 1609.344 m.
    case miles
    /// 1852 m.
    case nauticalMiles = "nautical-miles"
    /// 0.001 m.
    case millimeters
    /// 0.01 m.
    case centimeters
    /// 0.1 m.
    case decimeters
    /// 1 m.
    case meters
    /// 1000 m.
    case kilometers

    /// The length in metres.
    ///
    /// - Source: international yard and pound agreement of 1959: 0.9144 m a yard.
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

  /// What of the symbol is measured.
  public enum Part: String, Hashable, Sendable {
    /// Half its size.
    case radius
    /// Its size.
    case diameter
    /// The area of a circle of its size, in square units.
    case area
    /// Its size.
    case width
    /// Its size.
    case distance
  }

  /// The unit.
  public var unit: Unit
  /// What is measured.
  public var part: Part

  /// A measure.
  public init(unit: Unit, part: Part) { (self.unit, self.part) = (unit, part) }

  /// The size in metres of a value.
  func meters(of value: Double) -> Double {
    switch part {
    case .radius: 2 * value * unit.meters
    case .diameter, .width, .distance: value * unit.meters
    case .area: 2 * (value / .pi).squareRoot() * unit.meters
    }
  }
}
