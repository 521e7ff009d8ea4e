import MapFeatures

/// How a selection joins what is selected already.
public enum SelectionMode: String, Hashable, CaseIterable, Sendable {
  /// In its place.
  case new
  /// Beside it.
  case add
  /// Out of it.
  case subtract
}

extension FeatureLayer {
  /// Selects a feature of the layer's table beside what is selected.
  public func selectFeature(_ feature: Feature) { selectFeatures([feature]) }

  /// Selects features of the layer's table beside what is selected.
  ///
  /// The selection is drawn on top in the view's colour, changes no count, and outlives a new fill of the table.
  public func selectFeatures(_ features: [Feature]) {
    changeSelection { $0.formUnion(features.compactMap(\.objectID).map { Int64($0) }) }
  }

  /// Selects a feature no longer.
  public func unselectFeature(_ feature: Feature) { unselectFeatures([feature]) }

  /// Selects features no longer.
  public func unselectFeatures(_ features: [Feature]) {
    changeSelection { $0.subtract(features.compactMap(\.objectID).map { Int64($0) }) }
  }

  /// Selects no feature any more.
  public func clearSelection() { changeSelection { $0 = [] } }

  /// Selects the features that answer a query.
  ///
  /// - Throws: as a query of the table; the selection stays as it was.
  @discardableResult
  public func selectFeatures(
    withQuery parameters: QueryParameters, mode: SelectionMode
  ) async throws -> FeatureQueryResult {
    try await load()
    guard let featureTable else { throw MappingError.alreadyOwned(name) }
    let result = try await featureTable.queryFeatures(using: parameters)
    select(Set(result.features().compactMap(\.objectID).map { Int64($0) }), mode: mode)
    return result
  }

  /// Selects features by their ids.
  package func select(_ ids: Set<Int64>, mode: SelectionMode) {
    changeSelection { selected in
      switch mode {
      case .new: selected = ids
      case .add: selected.formUnion(ids)
      case .subtract: selected.subtract(ids)
      }
    }
  }

  /// The selected features that the table has and the definition expression leaves, in the order of the table.
  ///
  /// - Throws: as a query of the table.
  public func selectedFeatures() async throws -> FeatureQueryResult {
    try await load()
    guard let featureTable else { throw MappingError.alreadyOwned(name) }
    let parameters = QueryParameters()
    // An empty list of ids would ask for all.
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
