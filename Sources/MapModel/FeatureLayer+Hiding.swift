extension FeatureLayer {
  /// Shows or hides a feature of the layer's table.
  public func setVisible(_ isVisible: Bool, for feature: Feature) { setVisible(isVisible, for: [feature]) }

  /// Shows or hides features of the layer's table.
  ///
  /// What is hidden is not drawn, labelled or identified; queries, statistics and counts of the table know nothing of it.
  /// It goes by object ids, so that it outlives a new fill of the table; a feature that is in no table changes nothing.
  public func setVisible(_ isVisible: Bool, for features: [Feature]) {
    ModelGate.withLock {
      let ids = features.compactMap(\.objectID).map { Int64($0) }
      hiddenIDs = isVisible ? hiddenIDs.subtracting(ids) : hiddenIDs.union(ids)
    }
  }

  /// Hides no feature any more.
  public func resetFeaturesVisible() { hiddenIDs = [] }
}
