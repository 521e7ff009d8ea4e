public import MapGeometry

extension FeatureTable {
  /// True for a table whose features can be added, changed and taken out: a ``FeatureCollectionTable``, and a
  /// `ServiceFeatureTable` that is loaded in the mode `manualCache`.
  ///
  /// Of a service's table what was fetched is changed, and nothing is sent; what is fetched again is as the service has
  /// it. Tables of files and fixed rows are read and not written.
  public var isEditable: Bool { (self as? any EditableTable)?.takesEdits ?? false }

  /// A feature for the table, which ``add(_:)`` puts into it.
  public func makeFeature(
    attributes: [String: any Sendable] = [:], geometry: (any Geometry)? = nil
  ) -> Feature {
    Feature(table: self, objectID: nil, attributes: attributes, geometry: geometry)
  }

  /// Adds a feature.
  ///
  /// - Throws: ``FeatureEditError``; the table stays as it was.
  public func add(_ feature: Feature) async throws { try await add([feature]) }

  /// Adds features.
  ///
  /// - Throws: ``FeatureEditError``; the table stays as it was.
  public func add(_ features: [Feature]) async throws {
    let table = try await editable()
    var ids: [Int64] = []
    try table.edit { rows throws(FeatureEditError) in
      ids = try rows.insert(features.map { ($0.attributes, $0.geometry) })
    }
    for (feature, id) in zip(features, ids) { feature.setObjectID(id) }
  }

  /// Writes a feature's attributes and geometry into the table.
  ///
  /// - Throws: ``FeatureEditError``; the table stays as it was.
  public func update(_ feature: Feature) async throws { try await update([feature]) }

  /// Writes the attributes and geometries of features into the table.
  ///
  /// - Throws: ``FeatureEditError``; the table stays as it was.
  public func update(_ features: [Feature]) async throws {
    try await editable().edit { rows throws(FeatureEditError) in try rows.replace(features) }
  }

  /// Takes a feature out of the table.
  ///
  /// - Throws: ``FeatureEditError`` when it is not in it.
  public func delete(_ feature: Feature) async throws { try await delete([feature]) }

  /// Takes features out of the table.
  ///
  /// - Throws: ``FeatureEditError`` when one is not in it; the table stays as it was.
  public func delete(_ features: [Feature]) async throws {
    try await editable().edit { rows throws(FeatureEditError) in try rows.remove(features) }
  }

  /// The table as one that can be written, once it is loaded.
  private func editable() async throws -> any EditableTable {
    try await load()
    guard let table = self as? any EditableTable, table.takesEdits else {
      throw FeatureEditError.notEditable(tableName)
    }
    return table
  }
}
