/// An error for an image that cannot be painted.
package struct PaintError: Error, Hashable, CustomStringConvertible {
  /// The kinds of error.
  package enum Reason: Hashable, Sendable {
    /// A side is out of range, or there is not enough memory for the image.
    case bitmap(String)
    /// Cairo failed, with its raw status code and its message.
    case cairo(code: UInt32, message: String)
    /// The arrays of a batch differ in length, or an item refers to a style that does not exist.
    case inconsistentBatch
    /// The layer's index does not fit into an id image.
    case layerIndex(Int)
  }

  /// The kind of error.
  package let reason: Reason
  /// The name of the layer that was being painted; nil outside of layers.
  package let layer: String?

  init(_ reason: Reason, layer: String? = nil) { (self.reason, self.layer) = (reason, layer) }

  init(_ error: CairoError, layer: String? = nil) {
    self.init(.cairo(code: error.code, message: error.description), layer: layer)
  }

  /// The error in one line, without a full stop.
  package var description: String {
    let text =
      switch reason {
      case .bitmap(let message): message
      case .cairo(let code, let message): "Cairo failed: \(message) (status \(code))"
      case .inconsistentBatch: "inconsistent batch in the display list: array lengths or styles do not match"
      case .layerIndex(let index): "layer index \(index) is outside 0 to \(Int16.max)"
      }
    return layer.map { "layer \($0): \(text)" } ?? text
  }
}
