public import MapSystem
import MapFeatures

/// The way a new selection combines with the current one.
public enum SelectionMode: String, Hashable, CaseIterable, Sendable {
  /// A selection that replaces the current one.
  case new
  /// A selection that is added to the current one.
  case add
  /// A selection that is removed from the current one.
  case subtract
}

extension FeatureLayer {
  /// Adds a feature of the layer's table to the selection.
  public func selectFeature(_ feature: Feature) { selectFeatures([feature]) }

  /// Adds features of the layer's table to the selection.
  ///
  /// The selection is drawn on top in the view's selection colour. It changes no count, and it remains when the table
  /// is filled again.
  public func selectFeatures(_ features: [Feature]) {
    changeSelection { $0.formUnion(features.compactMap(\.objectID).map { Int64($0) }) }
  }

  /// Removes a feature from the selection.
  public func unselectFeature(_ feature: Feature) { unselectFeatures([feature]) }

  /// Removes features from the selection.
  public func unselectFeatures(_ features: [Feature]) {
    changeSelection { $0.subtract(features.compactMap(\.objectID).map { Int64($0) }) }
  }

  /// Clears the selection.
  public func clearSelection() { changeSelection { $0 = [] } }

  /// Selects the features that match a query.
  ///
  /// - Throws: ``MapStateError``; the selection then stays unchanged.
  @discardableResult
  public func selectFeatures(
    withQuery parameters: QueryParameters, mode: SelectionMode
  ) async throws(MapStateError) -> FeatureQueryResult {
    try await load()
    guard let featureTable else { throw MapStateError(MappingError.alreadyOwned(name)) }
    let result = try await featureTable.queryFeatures(using: parameters)
    select(Set(result.features().compactMap(\.objectID).map { Int64($0) }), mode: mode)
    return result
  }

  /// Selects features by object id.
  package func select(_ ids: Set<Int64>, mode: SelectionMode) {
    changeSelection { selected in
      switch mode {
      case .new: selected = ids
      case .add: selected.formUnion(ids)
      case .subtract: selected.subtract(ids)
      }
    }
  }

  /// Returns the selected features that are in the table and match the definition expression, in table order.
  ///
  /// - Throws: ``MapStateError``.
  public func selectedFeatures() async throws(MapStateError) -> FeatureQueryResult {
    try await load()
    guard let featureTable else { throw MapStateError(MappingError.alreadyOwned(name)) }
    let parameters = QueryParameters()
    // An empty list of ids would match all features.
    parameters.objectIDs = selectedIDs.isEmpty ? [.min] : selectedIDs.map { Int($0) }
    return try await featureTable.queryFeatures(using: parameters)
  }

  private func changeSelection(_ change: (inout Set<Int64>) -> Void) {
    ModelGate.withLock {
      var selected = selectedIDs
      change(&selected)
      selectedIDs = selected
    }
  }
}
