package import MapJSON
package import MapModel

/// The outcome of asking a portal for the items that the layers of a document name.
package struct ItemAnswers: Sendable {
  /// The reasons for layers that are not drawn, by their paths.
  package var faults: [JSONPath: String] = [:]
  /// The warnings about layers that are drawn otherwise than their items state.
  package var warnings: [DocumentWarning] = []

  /// Creates the outcome for a document without items.
  package init() {}
}
