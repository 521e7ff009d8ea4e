internal import MapFeatures
internal import MapFilter

/// Functions of the feature's geometry, planar in the spatial reference of the table, or in Web Mercator for degrees.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/geometry_functions/.
extension ArcadeFunction {
  static let geometric: [ArcadeFunction] = [
    ArcadeFunction("Geometry", 1...1) { machine, values in
      guard case .feature = values[0], machine.inputs.shape(row: machine.row) != nil else { return .null }
      return .geometry(.ofFeature)
    },
    ArcadeFunction("Area", 1...2) { machine, values throws(ArcadeError) in
      try measure(values, machine, areaUnits) { $0.area }
    },
    ArcadeFunction("Length", 1...2) { machine, values throws(ArcadeError) in
      try measure(values, machine, lengthUnits) { $0.length }
    },
    ArcadeFunction("Centroid", 1...1) { machine, values throws(ArcadeError) in
      switch values[0] {
      case .geometry(.point): return values[0]
      case .feature, .geometry(.ofFeature):
        guard let shape = machine.inputs.shape(row: machine.row) else { return .null }
        try machine.charge(shape.count / 16)
        return shape.centroid.map { .geometry(.point(x: $0.x, y: $0.y)) } ?? .null
      case .null: return .null
      default: throw ArcadeError("expected a feature or a geometry", at: 0)
      }
    },
  ]

  /// Metres in a unit of length.
  private static let lengthUnits: [String: Double] = [
    "meters": 1, "meter": 1, "metres": 1, "kilometers": 1000, "kilometer": 1000, "feet": 0.3048,
    "foot": 0.3048,
    "miles": 1609.344, "mile": 1609.344, "yards": 0.9144, "yard": 0.9144, "nautical-miles": 1852,
    "nautical-mile": 1852, "nauticalmiles": 1852,
  ]
  /// Square metres in a unit of area.
  private static let areaUnits: [String: Double] = {
    var units: [String: Double] = [
      "acres": 4046.8564224, "acre": 4046.8564224, "hectares": 10_000, "hectare": 10_000, "ares": 100,
      "are": 100,
    ]
    for (name, metres) in lengthUnits { units["square-" + name] = metres * metres }
    return units
  }()

  private static func measure(
    _ values: [ArcadeValue], _ machine: ArcadeMachine, _ units: [String: Double],
    _ measure: (ArcadeShape) -> Double
  ) throws(ArcadeError) -> ArcadeValue {
    switch values[0] {
    case .feature, .geometry(.ofFeature): break
    case .geometry(.point): return .number(0)
    case .null: return .number(0)
    default: throw ArcadeError("expected a feature or a geometry", at: 0)
    }
    guard let shape = machine.inputs.shape(row: machine.row) else { return .number(0) }
    try machine.charge(shape.count / 16)
    let result = measure(shape)
    guard values.count > 1, !values[1].isNull else { return .number(result) }
    let unit = try text(values[1], machine).lowercased()
    guard let factor = units[unit] else { throw ArcadeError("unknown unit \(unit)", at: 0) }
    return .number(result / factor)
  }
}

extension ArcadeInputs {
  /// Returns the name of a code by a field's domain; the code itself without one.
  func domainName(of code: ArcadeValue, field: String) -> ArcadeValue {
    guard case .codedValues(_, let values)? = domain(of: field) else { return code }
    let found = values.first { Self.matches($0.code, code) }
    return found.map { .text($0.name) } ?? code
  }

  /// Returns the code of a name by a field's domain; null for an unknown name.
  func domainCode(of name: String, field: String) -> ArcadeValue {
    guard case .codedValues(_, let values)? = domain(of: field) else { return .null }
    guard let found = values.first(where: { $0.name.isSameText(as: name) }) else { return .null }
    switch found.code {
    case .integer(let value): return .number(Double(value))
    case .real(let value): return .number(value)
    case .text(let value): return .text(value)
    default: return .null
    }
  }

  private static func matches(_ code: AttributeValue, _ value: ArcadeValue) -> Bool {
    switch (code, value) {
    case (.integer(let a), .number(let b)): Double(a) == b
    case (.real(let a), .number(let b)): a == b
    case (.text, .text(let b)): code == .text(b)
    default: false
    }
  }
}
