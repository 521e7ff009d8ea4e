import MapModel

extension WebMap: CustomStringConvertible {
  /// The titles of the layers, the lowest first, such as `WebMap("Land", "Cities")`.
  public var description: String {
    "WebMap(\(layers.map { "\"\($0.title)\"" }.joined(separator: ", ")))"
  }
}

extension WebMapLayer: CustomStringConvertible {
  /// The title, such as `WebMapLayer("Cities")`.
  public var description: String { "WebMapLayer(\"\(definition.title)\")" }
}
