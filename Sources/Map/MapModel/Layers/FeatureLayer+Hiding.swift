extension FeatureLayer {
  /// Shows or hides a feature of the layer's table.
  public func setVisible(_ isVisible: Bool, for feature: Feature) { setVisible(isVisible, for: [feature]) }

  /// Shows or hides features of the layer's table.
  ///
  /// Hidden features are not drawn, labelled or identified. Queries, statistics and counts of the table include them.
  ///
  /// Features are hidden by object id, so they stay hidden when the table is filled again. A feature without an
  /// object id is ignored.
  public func setVisible(_ isVisible: Bool, for features: [Feature]) {
    ModelGate.withLock {
      let ids = features.compactMap(\.objectID).map { Int64($0) }
      hiddenIDs = isVisible ? hiddenIDs.subtracting(ids) : hiddenIDs.union(ids)
    }
  }

  /// Shows all hidden features again.
  public func resetFeaturesVisible() { hiddenIDs = [] }
}
