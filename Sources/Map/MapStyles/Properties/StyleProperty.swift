package import MapJSON

/// The facts of the style specification about one property of a layer.
///
/// - Source: MapLibre Style Specification, version 8.
package struct StyleProperty: Hashable, Sendable {
  /// The member of a layer that holds a property.
  package enum Group: String, Hashable, Sendable {
    /// A property of the whole layer or of the shape of its features, decided at the whole part of the zoom.
    case layout
    /// A property of the look, decided at the exact zoom.
    case paint
    /// A property of a member of the style itself, such as `light`.
    case root
  }

  /// The inputs that may decide the value of a property.
  package enum Decision: Hashable, Sendable {
    /// The style's state alone.
    case state
    /// The zoom.
    case zoom
    /// The zoom and the feature.
    case feature
    /// The zoom, the feature and the feature's state.
    case featureState
    /// The position along a line: a colour ramp.
    case lineProgress
    /// The density of points: a colour ramp.
    case heatmapDensity
    /// The height of the ground: a colour ramp.
    case elevation

    /// Whether features may decide.
    package var allowsFeatures: Bool { self == .feature || self == .featureState }
    /// Whether the zoom may decide.
    package var allowsZoom: Bool { self == .zoom || allowsFeatures }
    /// Whether the property is a colour ramp.
    package var isRamp: Bool { self == .lineProgress || self == .heatmapDensity || self == .elevation }
  }

  /// The name, such as `fill-color`.
  package let name: String
  /// The member that holds the property.
  package let group: Group
  /// The type of the value.
  package let type: StylePropertyType
  /// The value where the style gives none; nil for no value.
  package let defaultValue: JSONValue?
  /// The inputs that may decide the value.
  package let decision: Decision
  /// Whether values between two stops may be interpolated.
  package let isInterpolated: Bool
  /// The unit of numbers; nil for none.
  package let units: String?
  /// The numbers that are allowed; nil for all.
  package let range: ClosedRange<Double>?
  /// Whether names in braces stand for properties of the feature.
  package let hasTokens: Bool
  /// The condition under which the property has an effect.
  package let requirements: [StyleRequirement]
  /// Whether images show the property.
  package let isDrawn: Bool

  /// Creates a description.
  package init(
    _ name: String, _ group: Group, _ type: StylePropertyType, default defaultValue: JSONValue? = nil,
    by decision: Decision = .featureState, isInterpolated: Bool = false, units: String? = nil,
    within range: ClosedRange<Double>? = nil, hasTokens: Bool = false, requires: [StyleRequirement] = [],
    isDrawn: Bool = true
  ) {
    (self.name, self.group, self.type, self.defaultValue) = (name, group, type, defaultValue)
    (self.decision, self.isInterpolated, self.units) = (decision, isInterpolated, units)
    (self.range, self.hasTokens, requirements, self.isDrawn) = (range, hasTokens, requires, isDrawn)
  }

  static func layout(
    _ name: String, _ type: StylePropertyType, default value: JSONValue? = nil, by decision: Decision,
    isInterpolated: Bool = false, units: String? = nil, within range: ClosedRange<Double>? = nil,
    hasTokens: Bool = false, requires: [StyleRequirement] = [], isDrawn: Bool = true
  ) -> StyleProperty {
    StyleProperty(
      name, .layout, type, default: value, by: decision, isInterpolated: isInterpolated, units: units,
      within: range, hasTokens: hasTokens, requires: requires, isDrawn: isDrawn)
  }

  static func paint(
    _ name: String, _ type: StylePropertyType, default value: JSONValue? = nil, by decision: Decision,
    isInterpolated: Bool = false, units: String? = nil, within range: ClosedRange<Double>? = nil,
    requires: [StyleRequirement] = [], isDrawn: Bool = true
  ) -> StyleProperty {
    StyleProperty(
      name, .paint, type, default: value, by: decision, isInterpolated: isInterpolated, units: units,
      within: range, requires: requires, isDrawn: isDrawn)
  }

  static func root(
    _ name: String, _ type: StylePropertyType, default value: JSONValue? = nil, by decision: Decision,
    isInterpolated: Bool = false, units: String? = nil, within range: ClosedRange<Double>? = nil
  ) -> StyleProperty {
    StyleProperty(
      name, .root, type, default: value, by: decision, isInterpolated: isInterpolated, units: units,
      within: range, isDrawn: false)
  }
}

/// A condition for a property to have an effect.
package enum StyleRequirement: Hashable, Sendable {
  /// The layer must have another property.
  case present(String)
  /// The layer must not have another property.
  case absent(String)
  /// Another property must have one of these values.
  case member(String, in: [JSONValue])
  /// The source must be of a type and have a member.
  case source(String, has: String)
}

/// The type of a property's value.
package indirect enum StylePropertyType: Hashable, Sendable {
  case number, string, boolean, color, formatted, resolvedImage
  case padding, numberArray, colorArray, variableAnchorOffsetCollection, projectionDefinition
  /// A word of a list.
  case enumeration([String])
  /// An array, of a fixed number of elements where there is a count.
  case array(StylePropertyType?, count: Int? = nil)
  /// Null, which only tests of expressions expect.
  case null

  /// The type of an expression for this property.
  var expressionType: StyleType {
    switch self {
    case .number: .number
    case .string, .enumeration: .string
    case .boolean: .boolean
    case .color: .color
    case .formatted: .formatted
    case .resolvedImage: .resolvedImage
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .variableAnchorOffsetCollection: .variableAnchorOffsetCollection
    case .projectionDefinition: .projectionDefinition
    case .array(let element, let count): .array(element?.expressionType ?? .value, count: count)
    case .null: .null
    }
  }

  /// The words of an enumeration; nil for another type.
  package var words: [String]? {
    switch self {
    case .enumeration(let words): words
    case .array(let element?, _): element.words
    default: nil
    }
  }
}
