import MapJSON
import MapState

/// A value of a style that may be for one layer: `VALUE`, or `NAME: VALUE`.
package struct LayerValue<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The name of the layer; nil for a value without one.
  let layer: String?
  /// The value.
  let value: Value

  /// Reads a text whose value is read by a function.
  ///
  /// - Throws: the errors of the function, and `MapStateError` of kind usage for a name or a value without characters.
  package init(_ text: String, _ read: (String) throws -> Value) throws {
    guard let colon = Self.colon(in: text) else {
      (layer, value) = (nil, try read(text))
      return
    }
    let name = String(text[..<colon.lowerBound])
    guard !name.isEmpty, colon.upperBound < text.endIndex else {
      throw MapStateError(.usage, "\"\(text)\": expected a value, or \"NAME: VALUE\" for the layer NAME")
    }
    (layer, value) = (name, try read(String(text[colon.upperBound...])))
  }

  private init(value: Value) { (layer, self.value) = (nil, value) }

  /// Returns the place of the colon and the blank between the name of a layer and a value; nil for a value alone.
  ///
  /// The last one divides, because only names have colons; in JSON, the first one before an object.
  private static func colon(in text: String) -> Range<String.Index>? {
    if text.drop(while: \.isWhitespace).first == "{" { return nil }
    if let object = text.firstRange(of: ": {") {
      return object.lowerBound..<text.index(object.lowerBound, offsetBy: 2)
    }
    return text.ranges(of: ": ").last
  }

  /// Reads a text, several texts in an array, or another form of a value without a layer.
  ///
  /// - Parameters:
  ///   - text: reads the text of a value.
  ///   - other: reads another form, which may be an array without names of layers; nil for none.
  static func all(
    _ node: JSONNode, _ text: (String) throws -> Value, other: ((JSONNode) throws -> Value)? = nil
  ) throws -> [LayerValue] {
    guard let elements = node.value.array else {
      guard let other, node.value.string == nil else { return [try LayerValue(node.string(), text)] }
      return [LayerValue(value: try other(node))]
    }
    let isList = elements.contains { element in
      element.string.map { Self.colon(in: $0) != nil } ?? (element.object != nil)
    }
    if let other, !isList { return [LayerValue(value: try other(node))] }
    guard !elements.isEmpty else { throw node.invalid("expected a text, or several") }
    return try node.elements().map { element in
      guard let other, element.value.string == nil else { return try LayerValue(element.string(), text) }
      return LayerValue(value: try other(element))
    }
  }
}
