/// A function of the values of its arguments.
enum StyleFunction: Hashable, Sendable {
  case error, typeof, toRGBA, rgba
  case propertyNamed, hasPropertyNamed, member, hasMember, properties, featureState, geometryType, id
  case zoom, heatmapDensity, elevation, lineProgress, accumulated
  case add, multiply, subtract, negate, divide, remainder, power
  case ln2, pi, e
  case numeric(StyleArithmetic)
  case min, max
  case not, all, any
  case isSupportedScript, upcase, downcase, concat, split, join, resolvedLocale
  case at, isIn, indexOf, slice, length, image, array
  case comparison(StyleComparison)

  /// The inputs that the function itself depends on, besides its arguments.
  var needs: StyleNeeds {
    switch self {
    case .propertyNamed, .hasPropertyNamed, .properties, .featureState, .geometryType, .id: .feature
    case .zoom: .zoom
    case .heatmapDensity, .elevation, .lineProgress, .accumulated: .position
    case .isSupportedScript, .image: .view
    default: []
    }
  }

  /// The properties of the feature that the function itself needs.
  var fields: StyleFields {
    switch self {
    case .propertyNamed, .hasPropertyNamed, .properties, .featureState, .id: .many
    case .geometryType: .kind
    default: .none
    }
  }
}

/// A function by its name in styles: its result and the arguments that it takes.
struct StyleDefinition: Sendable {
  enum Arguments: Sendable {
    case types([StyleType])
    /// Arguments of a type, in any number.
    case many(StyleType)

    /// The types as messages write them.
    var text: String {
      switch self {
      case .types(let types): "(\(types.map(\.description).joined(separator: ", ")))"
      case .many(let type): "(\(type)...)"
      }
    }

    /// Returns whether a number of arguments fits.
    func takes(_ count: Int) -> Bool {
      if case .types(let types) = self { types.count == count } else { true }
    }

    /// Returns the type of an argument.
    func type(at index: Int) -> StyleType {
      switch self {
      case .types(let types): types[index]
      case .many(let type): type
      }
    }
  }

  let result: StyleType
  let overloads: [(arguments: Arguments, function: StyleFunction)]

  /// The functions by name.
  ///
  /// - Source: MapLibre Style Specification, "Expressions".
  static let all: [String: StyleDefinition] = {
    var all: [String: StyleDefinition] = [:]
    func define(_ name: String, _ result: StyleType, _ overloads: (Arguments, StyleFunction)...) {
      all[name] = StyleDefinition(
        result: result, overloads: overloads.map { (arguments: $0.0, function: $0.1) })
    }
    define("error", .error, (.types([.string]), .error))
    define("typeof", .string, (.types([.value]), .typeof))
    define("to-rgba", .array(.number, count: 4), (.types([.color]), .toRGBA))
    define("rgb", .color, (.types([.number, .number, .number]), .rgba))
    define("rgba", .color, (.types([.number, .number, .number, .number]), .rgba))
    define("has", .boolean, (.types([.string]), .hasPropertyNamed), (.types([.string, .object]), .hasMember))
    define("get", .value, (.types([.string]), .propertyNamed), (.types([.string, .object]), .member))
    define("feature-state", .value, (.types([.string]), .featureState))
    define("properties", .object, (.types([]), .properties))
    define("geometry-type", .string, (.types([]), .geometryType))
    define("id", .value, (.types([]), .id))
    define("zoom", .number, (.types([]), .zoom))
    define("heatmap-density", .number, (.types([]), .heatmapDensity))
    define("elevation", .number, (.types([]), .elevation))
    define("line-progress", .number, (.types([]), .lineProgress))
    define("accumulated", .value, (.types([]), .accumulated))
    define("+", .number, (.many(.number), .add))
    define("*", .number, (.many(.number), .multiply))
    define("-", .number, (.types([.number, .number]), .subtract), (.types([.number]), .negate))
    define("/", .number, (.types([.number, .number]), .divide))
    define("%", .number, (.types([.number, .number]), .remainder))
    define("^", .number, (.types([.number, .number]), .power))
    define("ln2", .number, (.types([]), .ln2))
    define("pi", .number, (.types([]), .pi))
    define("e", .number, (.types([]), .e))
    for operation in StyleArithmetic.allCases {
      define(operation.rawValue, .number, (.types([.number]), .numeric(operation)))
    }
    define("min", .number, (.many(.number), .min))
    define("max", .number, (.many(.number), .max))
    define("all", .boolean, (.types([.boolean, .boolean]), .all), (.many(.boolean), .all))
    define("any", .boolean, (.types([.boolean, .boolean]), .any), (.many(.boolean), .any))
    define("!", .boolean, (.types([.boolean]), .not))
    define("is-supported-script", .boolean, (.types([.string]), .isSupportedScript))
    define("upcase", .string, (.types([.string]), .upcase))
    define("downcase", .string, (.types([.string]), .downcase))
    define("concat", .string, (.many(.value), .concat))
    define("split", .array(.string, count: nil), (.types([.string, .string]), .split))
    define("join", .string, (.types([.array(.string, count: nil), .string]), .join))
    define("resolved-locale", .string, (.types([.collator]), .resolvedLocale))
    return all
  }()
}
