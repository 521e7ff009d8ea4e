package import MapJSON

/// A value of an expression.
package enum StyleValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case color(StyleColor)
  case array([StyleValue])
  case object(StyleObject)
  case formatted([FormattedSection])
  case image(StyleImage)
  case collator(StyleCollator)
  /// Distances from the top, right, bottom and left.
  case padding([Double])
  case numbers([Double])
  case colors([StyleColor])
  case anchorOffsets([AnchorOffset])
  case projection(StyleProjection)

  /// Creates the value that is written in JSON.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let number): self = .number(number.double)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { StyleValue($0) })
    case .object(let object): self = .object(StyleObject(object))
    }
  }

  /// The greatest depth of arrays and objects in a value.
  ///
  /// - Source: design decision; values are visited by recursion, and a thread has a stack of 512 KiB.
  static let depthLimit = 48

  /// Creates the value that is written in JSON; nil when it is nested too deeply.
  package init?(checked json: JSONValue) {
    guard Self.isShallow(json, Self.depthLimit) else { return nil }
    self.init(json)
  }

  private static func isShallow(_ json: JSONValue, _ depth: Int) -> Bool {
    switch json {
    case .array(let elements): depth > 0 && elements.allSatisfy { isShallow($0, depth - 1) }
    case .object(let object): depth > 0 && object.members.allSatisfy { isShallow($0.value, depth - 1) }
    default: true
    }
  }

  /// The type.
  package var type: StyleType {
    switch self {
    case .null: return .null
    case .boolean: return .boolean
    case .number: return .number
    case .string: return .string
    case .color: return .color
    case .object: return .object
    case .formatted: return .formatted
    case .image: return .resolvedImage
    case .collator: return .collator
    case .padding: return .padding
    case .numbers: return .numberArray
    case .colors: return .colorArray
    case .anchorOffsets: return .variableAnchorOffsetCollection
    case .projection: return .projectionDefinition
    case .array(let elements):
      guard let first = elements.first else { return .array(.value, count: 0) }
      // Two arrays may differ in their elements.
      if case .array = first {
        return .array(elements.count == 1 ? first.type : .value, count: elements.count)
      }
      let item = first.type
      let isUniform = elements.dropFirst().allSatisfy { element in
        if case .array = element { return false }
        return element.type == item
      }
      return .array(isUniform ? item : .value, count: elements.count)
    }
  }

  /// Whether a condition takes the value as true.
  package var isTrue: Bool {
    switch self {
    case .null: false
    case .boolean(let value): value
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    default: true
    }
  }

  /// The number; nil for another type.
  package var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// The text; nil for another type.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The Boolean; nil for another type.
  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The colour; nil for another type.
  package var color: StyleColor? { if case .color(let color) = self { color } else { nil } }
  /// The elements; nil for another type.
  var array: [StyleValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// Whether there is no value.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether two values are the same null, Boolean, number or text.
  static func areSame(_ first: StyleValue, _ second: StyleValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): StyleText.areSame(a, b)
    default: false
    }
  }
}

/// Named values in the order written.
package struct StyleObject: Hashable, Sendable {
  /// The names in order.
  package private(set) var names: [String] = []
  /// The values by name.
  private var values: [String: StyleValue] = [:]

  /// Creates an object without members.
  package init() {}

  /// Creates an object from members; of two with the same name, the last is kept.
  package init(_ members: some Sequence<(String, StyleValue)>) {
    for (name, value) in members {
      if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
  }

  /// Creates the object that is written in JSON.
  package init(_ object: JSONObject) {
    self.init(object.members.lazy.map { ($0.name, StyleValue($0.value)) })
  }

  /// The value with a name; nil for none.
  package subscript(name: String) -> StyleValue? { values[name] }
  /// Whether there are no members.
  package var isEmpty: Bool { names.isEmpty }
}

/// An image by name, for a sprite.
package struct StyleImage: Hashable, Sendable {
  /// The name.
  package var name: String
  /// Whether the sprite has it.
  package var isAvailable: Bool

  /// Creates an image.
  package init(name: String, isAvailable: Bool = false) {
    (self.name, self.isAvailable) = (name, isAvailable)
  }
}

/// A part of a label: text or an image, with its own look.
package struct FormattedSection: Hashable, Sendable {
  /// The text; empty for an image.
  package var text: String
  /// The image; nil for text.
  package var image: StyleImage?
  /// The size relative to the label's; nil for the same.
  package var scale: Double?
  /// The fonts, separated by commas; nil for the label's.
  package var fonts: String?
  /// The colour; nil for the label's.
  package var color: StyleColor?
  /// `bottom`, `center` or `top`; nil for none.
  package var verticalAlign: String?

  /// Creates a section of text.
  package init(_ text: String) { self.text = text }
}

/// An anchor of a label with the offset of the text from it.
package struct AnchorOffset: Hashable, Sendable {
  /// The anchor, such as `top-left`.
  package var anchor: String
  /// The offset to the right.
  package var x: Double
  /// The offset down.
  package var y: Double
}

/// A projection, or the transition from one to another.
package struct StyleProjection: Hashable, Sendable {
  /// The first projection.
  package var from: String
  /// The second projection.
  package var to: String
  /// The share of the second, from 0 to 1.
  package var transition: Double
}
