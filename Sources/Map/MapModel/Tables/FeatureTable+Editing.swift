public import MapSystem
public import MapGeometry

extension FeatureTable {
  /// Whether features of the table can be added, changed and removed.
  ///
  /// This applies to a ``FeatureCollectionTable``, and to a loaded `ServiceFeatureTable` in the mode `manualCache`.
  /// Edits to a service's table change the fetched features only and are not sent; features that are fetched again
  /// are as in the service. Tables of files and fixed rows are read-only.
  public var isEditable: Bool { (self as? any EditableTable)?.takesEdits ?? false }

  /// Creates a feature for the table; ``add(_:)-(Feature)`` adds it.
  public func makeFeature(
    attributes: [String: any Sendable] = [:], geometry: (any Geometry)? = nil
  ) -> Feature {
    Feature(table: self, objectID: nil, attributes: attributes, geometry: geometry)
  }

  /// Adds a feature.
  ///
  /// - Throws: ``MapStateError``; the table then stays unchanged.
  public func add(_ feature: Feature) async throws(MapStateError) { try await add([feature]) }

  /// Adds features.
  ///
  /// - Throws: ``MapStateError``; the table then stays unchanged.
  public func add(_ features: [Feature]) async throws(MapStateError) {
    let table = try await editable()
    var ids: [Int64] = []
    try table.apply { rows throws(FeatureEditError) in
      ids = try rows.insert(features.map { ($0.attributes, $0.geometry) })
    }
    for (feature, id) in zip(features, ids) { feature.setObjectID(id) }
  }

  /// Writes the attributes and geometry of a feature to the table.
  ///
  /// - Throws: ``MapStateError``; the table then stays unchanged.
  public func update(_ feature: Feature) async throws(MapStateError) { try await update([feature]) }

  /// Writes the attributes and geometries of features to the table.
  ///
  /// - Throws: ``MapStateError``; the table then stays unchanged.
  public func update(_ features: [Feature]) async throws(MapStateError) {
    try await editable().apply { rows throws(FeatureEditError) in try rows.replace(features) }
  }

  /// Removes a feature from the table.
  ///
  /// - Throws: ``MapStateError`` when the feature is not in the table.
  public func delete(_ feature: Feature) async throws(MapStateError) { try await delete([feature]) }

  /// Removes features from the table.
  ///
  /// - Throws: ``MapStateError`` when a feature is not in the table; the table then stays unchanged.
  public func delete(_ features: [Feature]) async throws(MapStateError) {
    try await editable().apply { rows throws(FeatureEditError) in try rows.remove(features) }
  }

  /// Loads the table and returns it as an editable one.
  private func editable() async throws(MapStateError) -> any EditableTable {
    try await load()
    guard let table = self as? any EditableTable, table.takesEdits else {
      throw MapStateError(FeatureEditError.notEditable(tableName))
    }
    return table
  }
}

extension EditableTable {
  /// Changes the rows; applies all changes or none.
  fileprivate func apply(
    _ change: (inout EditedRows) throws(FeatureEditError) -> Void
  ) throws(MapStateError) {
    do { try edit(change) } catch { throw MapStateError(error) }
  }
}
