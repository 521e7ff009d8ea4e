import MapJSON

/// The feature reduction, such as clusters or bins, that a document requests for features that lie close together.
///
/// Clusters of points and their bins by geohash are drawn. Any other kind is stored and written back: while it is enabled, features are drawn
/// one by one and the layer's view state is a warning.
///
/// A reference type that is safe to change from any thread.
public final class FeatureReduction: Sendable {
  /// The members in the document.
  let json: JSONValue
  let enabled: ModelState<Bool>

  init(_ json: JSONValue, isEnabled: Bool) { (self.json, enabled) = (json, ModelState(isEnabled)) }

  /// The requested type: `cluster`, `binning` or another word of the document.
  public var kind: String { json["type"]?.string ?? "feature reduction" }
  /// Whether the reduction is requested; false draws the features one by one.
  public var isEnabled: Bool {
    get { enabled.snapshot }
    set { enabled.update { $0 = newValue } }
  }

  func clone() -> FeatureReduction { FeatureReduction(json, isEnabled: isEnabled) }
}
