extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String { text() }
}

extension JSONObject: CustomStringConvertible {
  /// The object as compact JSON text.
  public var description: String { JSONValue.object(self).text() }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as the document writes it.
  public var description: String { text }
}
