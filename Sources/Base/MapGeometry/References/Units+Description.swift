import MapJSON

extension LinearUnit: CustomStringConvertible {
  /// The name of the unit, such as `kilometers`; for a unit without a name its length in metres.
  public var description: String {
    switch self {
    case .meters: "meters"
    case .kilometers: "kilometers"
    case .feet: "feet"
    case .usSurveyFeet: "US survey feet"
    case .yards: "yards"
    case .miles: "miles"
    case .nauticalMiles: "nautical miles"
    default: "units of \(JSONWriter.text(of: meters)) meters"
    }
  }
}

extension AngularUnit: CustomStringConvertible {
  /// The name of the unit, such as `degrees`; for a unit without a name its size in degrees.
  public var description: String {
    switch self {
    case .degrees: "degrees"
    case .radians: "radians"
    case .grads: "grads"
    default: "units of \(JSONWriter.text(of: degrees)) degrees"
    }
  }
}

extension CoordinateUnit: CustomStringConvertible {
  /// The name of the unit.
  public var description: String {
    switch self {
    case .linear(let unit): unit.description
    case .angular(let unit): unit.description
    }
  }
}

extension Quantity: CustomStringConvertible {
  /// The value and its unit, such as `5 kilometers`.
  public var description: String { "\(JSONWriter.text(of: value)) \(unit)" }
}
