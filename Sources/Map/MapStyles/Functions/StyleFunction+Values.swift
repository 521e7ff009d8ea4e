extension StyleFunction {
  /// Returns the value for the values of the arguments.
  ///
  /// Functions that ask for the feature or the view are not here, nor those that do not evaluate every argument.
  func value(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    switch self {
    case .error: throw StyleFault(StyleText.text(arguments[0]))
    case .typeof: return .string(arguments[0].type.description)
    case .toRGBA:
      guard case .color(let color) = arguments[0] else { return .null }
      return .array(
        [color.red * 255, color.green * 255, color.blue * 255, color.alpha].map(StyleValue.number))
    case .rgba: return try Self.color(arguments)
    case .member:
      guard case .object(let object) = arguments[1] else { return .null }
      return object[StyleText.text(arguments[0])] ?? .null
    case .hasMember:
      guard case .object(let object) = arguments[1] else { return .boolean(false) }
      return .boolean(object[StyleText.text(arguments[0])] != nil)
    case .add: return .number(arguments.reduce(0) { $0 + Self.number($1) })
    case .multiply: return .number(arguments.reduce(1) { $0 * Self.number($1) })
    case .subtract: return .number(Self.number(arguments[0]) - Self.number(arguments[1]))
    case .negate: return .number(-Self.number(arguments[0]))
    case .divide: return .number(Self.number(arguments[0]) / Self.number(arguments[1]))
    case .remainder:
      return .number(Self.number(arguments[0]).truncatingRemainder(dividingBy: Self.number(arguments[1])))
    case .power: return .number(StyleArithmetic.power(Self.number(arguments[0]), Self.number(arguments[1])))
    case .ln2: return .number(0.693_147_180_559_945_3)
    case .pi: return .number(.pi)
    case .e: return .number(2.718_281_828_459_045)
    case .numeric(let operation): return .number(operation.value(Self.number(arguments[0])))
    case .min: return .number(arguments.reduce(.infinity) { Self.least($0, Self.number($1)) })
    case .max: return .number(-arguments.reduce(.infinity) { Self.least($0, -Self.number($1)) })
    case .not: return .boolean(!arguments[0].isTrue)
    case .upcase: return .string(StyleText.text(arguments[0]).uppercased())
    case .downcase: return .string(StyleText.text(arguments[0]).lowercased())
    case .concat: return try Self.joined(arguments, "")
    case .split: return .array(try Self.parts(StyleText.text(arguments[0]), StyleText.text(arguments[1])))
    case .join: return try Self.joined(arguments[0].array ?? [], StyleText.text(arguments[1]))
    case .resolvedLocale:
      guard case .collator(let collator) = arguments[0] else { return .null }
      return .string(collator.resolvedLocale)
    case .at: return try Self.element(arguments)
    case .isIn: return try Self.contains(arguments)
    case .indexOf: return try Self.index(arguments)
    case .slice: return try Self.part(arguments)
    case .length: return try Self.count(of: arguments[0])
    case .array: return .array(arguments)
    case .comparison(let comparison):
      var collator: StyleCollator?
      if arguments.count > 2, case .collator(let given) = arguments[2] { collator = given }
      return .boolean(try comparison.holds(arguments[0], arguments[1], collator))
    case .propertyNamed, .hasPropertyNamed, .properties, .featureState, .geometryType, .id, .zoom,
      .heatmapDensity, .elevation, .lineProgress, .accumulated, .all, .any, .isSupportedScript, .image:
      throw StyleFault("The function needs a feature or a view.")
    }
  }

  private static func number(_ value: StyleValue) -> Double { value.number ?? .nan }

  private static func least(_ first: Double, _ second: Double) -> Double {
    first.isNaN || second.isNaN ? .nan : Swift.min(first, second)
  }

  private static func color(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    let alpha = arguments.count > 3 ? arguments[3] : .number(1)
    if let fault = StyleColor.fault(arguments[0], arguments[1], arguments[2], alpha) {
      throw StyleFault(fault)
    }
    return .color(
      StyleColor(
        number(arguments[0]) / 255, number(arguments[1]) / 255, number(arguments[2]) / 255,
        alpha: number(alpha)))
  }
}
