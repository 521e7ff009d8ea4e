/// A failure to count or draw a layer of a view.
public struct LayerError: Error, CustomStringConvertible {
  /// The layer's title, or its id without a title.
  public let layer: String
  /// The fault.
  public let cause: any Error

  package init(layer: String, cause: any Error) { (self.layer, self.cause) = (layer, cause) }

  /// The error in one line.
  public var description: String {
    layer.isEmpty ? "layer without title: \(cause)" : "layer \"\(layer)\": \(cause)"
  }
}
