package import MapGeometry

/// The geometries of a table as a map in any spatial reference shows them.
extension InMemorySource {
  /// The envelope of all rows in WGS 84 or Web Mercator.
  package var shownExtent: Envelope {
    guard let shown else { return extent }
    return others.reduce(shown.extent) { $0.union($1.shownExtent) }
      .with(spatialReference: .webMercator)
  }

  /// Returns the table with its geometries in the spatial reference in which a map shows them.
  ///
  /// - Cost: for a map in another spatial reference a projection of all vertices, once; the result is kept.
  package func shownColumns(on map: SpatialReference) throws(SpatialOperationError) -> FeatureColumns {
    guard let own = schema.spatialReference, self.own != nil, own.shown(on: map) != own else {
      return columns()
    }
    let target = own.shown(on: map)
    var others: [CoordinateBuffer] = []
    for other in self.others {
      if let more = try other.shownColumns(on: map).geometry { others.append(more) }
    }
    if target == .webMercator, let shown { return table(with: shown, others, in: target, warnings) }
    guard let placed = try placed(in: target) else { return columns() }
    let name = "EPSG:\(target.wkid)"
    return table(
      with: placed.shown, others, in: target,
      table.warnings + Self.lost(placed.lostRows, in: name) + Self.cut(placed.cutRows, in: name))
  }

  /// Returns the envelope of all rows in the spatial reference in which a map shows them.
  ///
  /// - Cost: as for ``shownColumns(on:)``.
  package func shownExtent(on map: SpatialReference) throws(SpatialOperationError) -> Envelope {
    guard let target = schema.spatialReference?.shown(on: map), target != schema.spatialReference else {
      return extent
    }
    if target == .webMercator, shown != nil { return shownExtent }
    var extent = try placed(in: target)?.shown.extent ?? .empty
    for other in others { extent = extent.union(try other.shownExtent(on: map)) }
    return extent.with(spatialReference: target)
  }

  /// Whether ``shownExtent(on:)`` needs no projection.
  package func knowsShownExtent(on map: SpatialReference) -> Bool {
    guard let target = schema.spatialReference?.shown(on: map), target != schema.spatialReference else {
      return true
    }
    return own == nil || target == .webMercator && shown != nil || placed.contains(target)
  }

  private func table(
    with shown: IndexedGeometries, _ others: [CoordinateBuffer], in reference: SpatialReference,
    _ warnings: [String]
  ) -> FeatureColumns {
    searching(
      FeatureColumns(
        schema: FeatureSchema(
          fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: reference,
          geometryName: schema.geometryName),
        columns: table.columns, geometry: shown.geometry, otherGeometries: others, rowCount: rowCount,
        warnings: warnings,
        objectIDs: table.objectIDs, isComplete: table.isComplete))
  }

  /// Returns the geometries in the spatial reference of a map; nil for a table without geometry.
  private func placed(
    in map: SpatialReference
  ) throws(SpatialOperationError) -> PlacedGeometries.Placed? {
    guard let own, let reference = schema.spatialReference else { return nil }
    return try placed.placed(in: map) { () throws(SpatialOperationError) in
      let placed = try operations.placed(own.geometry, from: reference, to: map)
      return PlacedGeometries.Placed(
        reference: map, shown: IndexedGeometries(placed.buffer), lostRows: placed.lostRows,
        cutRows: placed.cutRows)
    }
  }

  static func lost(_ rows: Int, in reference: String) -> [String] {
    rows == 0
      ? []
      : ["\(rows) geometries cannot be projected to \(reference): views in it neither show nor count them"]
  }

  private static func cut(_ rows: Int, in reference: String) -> [String] {
    switch rows {
    case 0: []
    case 1: ["1 geometry crosses the rim of \(reference) and is not drawn whole"]
    default: ["\(rows) geometries cross the rim of \(reference) and are not drawn whole"]
    }
  }

  /// Returns the geometries to compare with an envelope, and the envelope in their spatial reference, once per world
  /// copy.
  ///
  /// Nil for a table without geometry, or if the envelope is not an envelope in that spatial reference.
  func places(
    _ envelope: Envelope
  ) throws(SpatialOperationError) -> (IndexedGeometries, [Envelope])? {
    guard let own else { return nil }
    guard let reference = schema.spatialReference, let asked = envelope.spatialReference, asked != reference
    else { return (own, repeated(envelope, in: schema.spatialReference)) }
    let target = reference.shown(on: asked)
    guard let box = envelope.projected(to: target) else { return nil }
    return try geometries(in: target).map { ($0, repeated(box, in: target)) }
  }

  /// Returns the geometries in the spatial reference in which a map shows them; nil for a table without geometry.
  func geometries(in target: SpatialReference) throws(SpatialOperationError) -> IndexedGeometries? {
    if target == schema.spatialReference { return own }
    if target == .webMercator, let shown { return shown }
    return try placed(in: target)?.shown
  }

  private func repeated(_ envelope: Envelope, in reference: SpatialReference?) -> [Envelope] {
    guard let reference, reference.isBuiltIn else { return [envelope] }
    // A row in world copy 1 is shown in world copy 0 too: move the envelope to the row.
    guard reach.spatialReference == reference else {
      return worldsReached.map { envelope.moved(worlds: $0, of: reference) }
    }
    return envelope.copies(in: worldsReached, touching: reach)
  }
}
