import MapJSON

/// What a document asks to be drawn in the place of features that lie close together, such as clusters or bins.
///
/// Held and written back, not drawn: while it is enabled the features are drawn one by one, and the layer's view state is a
/// warning that says so.
///
/// An object with identity that may change from any thread.
public final class FeatureReduction: Sendable {
  /// The document's words.
  let json: JSONValue
  private let enabled: ModelState<Bool>

  init(_ json: JSONValue, isEnabled: Bool) { (self.json, enabled) = (json, ModelState(isEnabled)) }

  /// What is asked for: `cluster`, `binning` or another word of the document.
  public var kind: String { json["type"]?.string ?? "feature reduction" }
  /// False draws the features one by one on purpose.
  public var isEnabled: Bool {
    get { enabled.snapshot }
    set { enabled.update { $0 = newValue } }
  }

  func clone() -> FeatureReduction { FeatureReduction(json, isEnabled: isEnabled) }
  var changes: UInt64 { enabled.changes }
}
