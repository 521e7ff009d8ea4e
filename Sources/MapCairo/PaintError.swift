public import MapImages

/// Why a picture could not be painted.
public struct PaintError: Error, Hashable, CustomStringConvertible {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// A side is out of range, or there is no memory for the picture.
    case bitmap(BitmapError)
    /// Cairo's status code, kept raw, and its words.
    case cairo(code: UInt32, message: String)
    /// The arrays of a batch differ in length, or an item names a style that is not there.
    case inconsistentBatch
    /// The layer's index does not fit an id picture.
    case layerIndex(Int)
  }

  /// What went wrong.
  public let reason: Reason
  /// The name of the layer that was being painted, if any.
  public let layer: String?

  init(_ reason: Reason, layer: String? = nil) { (self.reason, self.layer) = (reason, layer) }

  init(_ error: CairoError, layer: String? = nil) {
    self.init(.cairo(code: error.code, message: error.description), layer: layer)
  }

  /// One line without full stop.
  public var description: String {
    let text =
      switch reason {
      case .bitmap(let error): error.description
      case .cairo(let code, let message): "Cairo failed: \(message) (status \(code))"
      case .inconsistentBatch: "a batch of the display list does not fit together"
      case .layerIndex(let index): "layer index \(index) is outside 0 to \(Int16.max)"
      }
    return layer.map { "layer \($0): \(text)" } ?? text
  }
}
