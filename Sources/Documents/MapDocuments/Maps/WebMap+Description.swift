import MapModel

extension WebMap: CustomStringConvertible {
  /// The titles of the layers, the lowest first, such as `WebMap("Land", "Cities")`.
  package var description: String {
    "WebMap(\(layers.map { "\"\($0.title)\"" }.joined(separator: ", ")))"
  }
}

extension WebMapLayer: CustomStringConvertible {
  /// The title, such as `WebMapLayer("Cities")`.
  package var description: String { "WebMapLayer(\"\(definition.title)\")" }
}
