import MapFeatures
import MapFilter
import MapGeometry

extension FeatureBuffer {
  /// What a service stores, finer than which it keeps no coordinates.
  ///
  /// - Source: ArcGIS, default resolution of XY: 0.0001 m, and 1e-9 degrees.
  private static func resolution(_ reference: SpatialReference) -> Double {
    reference == .wgs84 ? 1e-9 : 1e-4
  }

  /// Whether every coordinate comes as it is stored; false where the service rounded more, or says things in forms that
  /// are not read.
  func isExact(for schema: FeatureSchema) -> Bool {
    guard !hasSharedValues else { return false }
    guard let reference = schema.spatialReference, !features.isEmpty else { return true }
    guard let transform else { return false }
    let limit = Self.resolution(reference) * (1 + 1e-6)
    return [transform.scale.x, transform.scale.y].allSatisfy { $0 > 0 && $0 <= limit }
  }

  /// The features as a table.
  ///
  /// - Throws: ``ProtobufError`` also for a field that is missing and for coordinates in another reference.
  func columns(of schema: FeatureSchema) throws(ProtobufError) -> FeatureColumns {
    if schema.geometryKind != nil, let reference, let wanted = schema.spatialReference, reference != wanted {
      throw ProtobufError("coordinates in \(reference.wkid) where \(wanted.wkid) was asked for")
    }
    // For every value of a feature the column that takes it.
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
