import MapFeatures
import MapFilter
import MapGeometry
import MapReaders

extension FeatureBuffer {
  /// Returns the resolution of stored coordinates, in units of the spatial reference.
  ///
  /// - Source: ArcGIS, default resolution of XY: 0.0001 m, and 1e-9 degrees.
  private static func resolution(_ reference: SpatialReference) -> Double {
    reference == .wgs84 ? 1e-9 : 1e-4
  }

  /// Whether every coordinate arrives as it is stored.
  ///
  /// False if the service rounds more coarsely, or uses a form that this reader does not support.
  func isExact(for schema: FeatureSchema) -> Bool {
    guard !hasSharedValues else { return false }
    guard let reference = schema.spatialReference, !features.isEmpty else { return true }
    guard let transform else { return false }
    let limit = Self.resolution(reference) * (1 + 1e-6)
    return [transform.scale.x, transform.scale.y].allSatisfy { $0 > 0 && $0 <= limit }
  }

  /// Returns the features as a table.
  ///
  /// - Throws: ``ProtobufError``, also for a missing field and for coordinates in another spatial reference.
  func columns(of schema: FeatureSchema) throws(ProtobufError) -> FeatureColumns {
    if schema.geometryKind != nil, let reference, let wanted = schema.spatialReference, reference != wanted {
      throw ProtobufError("coordinates in \(reference.wkid), but \(wanted.wkid) was requested")
    }
    // For each value of a feature, the column that stores it.
    var targets = [Int?](repeating: nil, count: fieldNames.count)
    for (place, field) in schema.fields.enumerated() where !features.isEmpty {
      let name = field.name.lowercased()
      guard
        let source = fieldNames.firstIndex(of: field.name)
          ?? fieldNames.firstIndex(where: { $0.lowercased() == name })
      else { throw ProtobufError("no field \(field.name)") }
      guard targets[source] == nil else { throw ProtobufError("two fields \(field.name)") }
      targets[source] = place
    }
    var columns = schema.fields.map { BufferColumn($0) }
    var geometry = try schema.geometryKind.map { kind throws(ProtobufError) in
      try BufferGeometry(kind, self)
    }
    for (row, feature) in features.enumerated() {
      var reader = ProtobufReader(bytes, feature)
      var (attribute, hasGeometry) = (0, false)
      while let (field, content) = try reader.next() {
        switch (field, content) {
        case (1, .bytes(let range)):
          guard attribute < targets.count else { throw ProtobufError("more values than fields") }
          if let target = targets[attribute] {
            try columns[target].append(ProtobufReader(bytes, range))
          }
          attribute += 1
        case (2, .bytes(let range)) where !hasGeometry:
          try geometry?.append(bytes, range)
          hasGeometry = true
        case (3, _), (7, _): throw ProtobufError("a geometry in a form that is not read, such as a curve")
        default: continue
        }
      }
      guard attribute == targets.count else {
        throw ProtobufError("feature \(row + 1) has \(attribute) values for \(targets.count) fields")
      }
      if !hasGeometry { geometry?.appendEmptyRow() }
    }
    let buffer = geometry?.buffer(rows: features.count)
    return FeatureColumns(
      schema: schema, columns: columns.map(\.column), geometry: buffer, rowCount: features.count,
      warnings: geometry?.warnings ?? [])
  }
}
