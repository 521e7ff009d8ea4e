/// The type of an expression or of a value.
///
/// - Source: MapLibre Style Specification, "Types".
package indirect enum StyleType: Hashable, Sendable, CustomStringConvertible {
  case null, number, string, boolean, color, object, value, error, collator, formatted, padding
  case numberArray, colorArray, resolvedImage, variableAnchorOffsetCollection, projectionDefinition
  /// An array, of a fixed number of elements where there is a count.
  case array(StyleType, count: Int?)

  /// The type of arrays of any length and elements.
  static let anyArray = StyleType.array(.value, count: nil)

  /// The type as messages write it.
  package var description: String {
    switch self {
    case .array(let item, let count?): "array<\(item), \(count)>"
    case .array(.value, nil): "array"
    case .array(let item, nil): "array<\(item)>"
    case .null: "null"
    case .number: "number"
    case .string: "string"
    case .boolean: "boolean"
    case .color: "color"
    case .object: "object"
    case .value: "value"
    case .error: "error"
    case .collator: "collator"
    case .formatted: "formatted"
    case .padding: "padding"
    case .numberArray: "numberArray"
    case .colorArray: "colorArray"
    case .resolvedImage: "resolvedImage"
    case .variableAnchorOffsetCollection: "variableAnchorOffsetCollection"
    case .projectionDefinition: "projectionDefinition"
    }
  }

  /// Whether every value of another type is of this type.
  func includes(_ other: StyleType) -> Bool {
    switch (self, other) {
    case (_, .error): true
    case (.array(let item, let count), .array(let otherItem, let otherCount)):
      (otherCount == 0 && otherItem == .value || item.includes(otherItem))
        && (count == nil || count == otherCount)
    case (.value, .collator): false
    case (.value, _): true
    default: self == other
    }
  }

  /// Whether two types are the same but for the elements of arrays.
  func hasKind(of other: StyleType) -> Bool {
    if case (.array, .array) = (self, other) { return true }
    return self == other
  }

  /// Whether the type is an array.
  var isArray: Bool { if case .array = self { true } else { false } }

  /// Whether values of the type may be interpolated.
  var isInterpolatable: Bool {
    switch self {
    case .number, .projectionDefinition, .color, .padding, .numberArray, .colorArray,
      .variableAnchorOffsetCollection, .array(.number, count: .some):
      true
    default: false
    }
  }

  /// Returns why values of another type are not of this type; nil when they are.
  func mismatch(_ other: StyleType) -> String? {
    includes(other) ? nil : "Expected \(self) but found \(other) instead."
  }
}
