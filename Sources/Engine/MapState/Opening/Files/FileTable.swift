import MapFeatures
import MapGeometry
import MapReaders
import MapSystem

/// A table in a file.
struct FileTable {
  /// The name of the layer in the file; the file's name without ending, if its layers have no names.
  let name: String
  /// The rows; nil for a table that was not requested, and for one that is read by its index.
  var columns: FeatureColumns?
  /// The styles of the rows; nil if the file has none.
  var styles: KMLStyles?
  /// The place in a KML file, and what the file shows; nil for other files.
  var folder: KMLFolder?
  /// The source that reads rows by their index; nil for rows in memory.
  var indexed: PartlyReadSource?
  /// The attribution that the data require, and the notes of their reading.
  var metadata = SourceMetadata()
}

extension FileTable {
  /// Returns the table with points from the fields that hold coordinates, if such are named.
  func placed(_ reading: ReadingOptions, _ path: String) throws(MapStateError) -> FileTable {
    guard reading.xField != nil, let columns else { return self }
    do throws(PlacementFault) {
      return with(try columns.withPoints(reading))
    } catch {
      throw MapStateError(.input, "\(path): \(error)", suggestion: error.suggestion, cause: error)
    }
  }

  /// Returns the table with warnings about options that are not applied.
  func noting(_ reading: ReadingOptions) -> FileTable {
    guard let columns else { return self }
    var warnings: [String] = []
    if reading.sourceReference != nil, columns.schema.geometryKind == nil {
      warnings.append("--source-reference is not applied: the table has no geometry")
    }
    if reading.tileZoom != nil { warnings.append("--tile-zoom is not applied: the file has no tiles") }
    warnings.removeAll(where: columns.warnings.contains)
    return warnings.isEmpty ? self : with(columns.adding(warnings))
  }

  private func with(_ columns: FeatureColumns) -> FileTable {
    var table = self
    table.columns = columns
    return table
  }

  /// Returns the table with the geometries of one kind, and with the rows that have them.
  func of(_ kind: GeometryKind?, _ path: String) throws(MapStateError) -> FileTable {
    guard let kind, let columns else { return self }
    let tables = columns.tablesByKind()
    guard let found = tables.first(where: { $0.schema.geometryKind == kind }) else {
      let list = tables.compactMap { $0.schema.geometryKind?.rawValue }.joined(separator: ", ")
      throw MapStateError(.input, "\(path): has no geometry of kind \(kind.rawValue); available: \(list)")
    }
    // The warnings are those of the whole table.
    return with(found.with(warnings: columns.warnings))
  }
}

extension FileTable {
  /// Returns some of the rows as a source that can be counted and drawn.
  ///
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected to Web Mercator.
  func source(of rows: FeatureColumns, path: String) throws(MapStateError) -> InMemorySource {
    var source = try InMemorySource(rows, path: path)
    source.metadata = metadata
    return source
  }

  /// Returns the source of the only table of a file, with geometries of one kind.
  ///
  /// - Throws: ``MapStateError`` for several kinds, and without a table.
  static func onlySource(of tables: [FileTable], path: String) throws(MapStateError) -> any FeatureSource {
    if let source = tables.first?.indexed { return source }
    guard let table = tables.first, let columns = table.columns else {
      throw MapStateError(.input, "\(path): contains no feature layer")
    }
    guard columns.otherGeometries.isEmpty else {
      let kinds = columns.geometries.map(\.kind.rawValue)
      throw MapStateError(
        .input,
        "\(path): has geometries of several kinds (\(kinds.joined(separator: ", "))); a layer shows one: name it "
          + "after the path, as in \(FilePath.name(of: path))#\(kinds[0])")
    }
    return try table.source(of: columns, path: path)
  }
}

extension InMemorySource {
  /// Creates a source that can be counted and drawn.
  ///
  /// - Parameter path: The file of the rows, for messages.
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected to Web Mercator.
  init(_ rows: FeatureColumns, path: String) throws(MapStateError) {
    do { try self.init(rows, operations: .installed) } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }
}

extension FeatureColumns {
  /// Returns the table with further warnings.
  func adding(_ more: [String]) -> FeatureColumns {
    more.isEmpty ? self : with(warnings: more + warnings)
  }

  /// Returns the table with other warnings.
  func with(warnings: [String]) -> FeatureColumns { replaced(schema.spatialReference, warnings) }

  /// Returns the table with a requested spatial reference.
  func read(_ reading: ReadingOptions) -> FeatureColumns {
    guard reading.sourceReference != nil, geometry != nil else { return self }
    let isGuessed = warnings.contains { $0.hasPrefix("no spatial reference is given") }
    let (reference, contradictions) = reading.reference(stated: isGuessed ? nil : schema.spatialReference)
    return replaced(
      reference, contradictions + warnings.filter { !$0.hasPrefix("no spatial reference is given") })
  }

  /// Returns the table with a warning about an encoding that its format states already.
  func noting(_ reading: ReadingOptions) -> FeatureColumns {
    reading.encoding == nil
      ? self : adding(["--encoding is not applied: files of this format state their encoding"])
  }

  private func replaced(_ reference: SpatialReference?, _ warnings: [String]) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: reference,
        geometryName: schema.geometryName),
      columns: columns, geometry: geometry, otherGeometries: otherGeometries, rowCount: rowCount,
      warnings: warnings, objectIDs: objectIDs, isComplete: isComplete)
  }
}
