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
  /// The source that reads rows by their index; nil for rows in memory.
  var indexed: PartlyReadSource?
  /// The attribution that the data require; empty for none.
  var attribution = ""
  /// The decisions of reading that a user may want to know.
  var notes: [String] = []
}

/// The use of the spatial indexes of files.
package enum IndexUse: Sendable {
  /// All rows are read, and none by an index.
  case none
  /// Questions about small extents are answered by the index of a large file, without reading all rows.
  ///
  /// It is for programs that ask once. An index that leaves out features gives answers without them.
  case answering
  /// All rows are read and compared with the index.
  case checking
}

/// The questions about the reading of a file's tables.
struct FileRequest {
  /// The layer, and with or without it the kind of its geometries, such as `roads/polyline`; nil for all.
  var fragment: String?
  var fields = FieldSelection.all
  var reading = ReadingOptions()
  /// The use of the file's spatial index.
  var indexUse = IndexUse.none
  /// The tables to read, if several are allowed; nil if the file must have one.
  var choice: LayerChoice?
  /// Whether the file is one of several, to which an option for CSV need not apply.
  var isOfDocument = false

  /// The fields to read: the requested ones and those of coordinates.
  var wanted: FieldSelection {
    fields.union(FieldSelection([reading.xField, reading.yField].compactMap { $0 }))
  }
}

extension FileRequest {
  /// Refuses options for CSV where the only source is none.
  func refuseDialect(_ path: String) throws(MapStateError) {
    guard !isOfDocument, let option = reading.dialectOptions.first else { return }
    throw MapStateError(.usage, "\(path): \(option) has no use: it is for CSV, which this source is not")
  }
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
    FileTable(name: name, columns: columns, styles: styles, attribution: attribution, notes: notes)
  }

  /// Returns the table with the geometries of one kind, and with the rows that have them.
  func of(_ kind: GeometryKind?, _ path: String) throws(MapStateError) -> FileTable {
    guard let kind, let columns else { return self }
    let tables = columns.tablesByKind()
    guard let found = tables.first(where: { $0.schema.geometryKind == kind }) else {
      let list = tables.compactMap { $0.schema.geometryKind?.rawValue }.joined(separator: ", ")
      throw MapStateError(.input, "\(path): has no geometry of kind \(kind.rawValue); available: \(list)")
    }
    return with(found)
  }
}

extension ReadingOptions {
  /// The names of the options of the tool that are given.
  var optionNames: [String] {
    [
      ("--source-reference", sourceReference != nil), ("--x", xField != nil), ("--y", yField != nil),
      ("--encoding", encoding != nil), ("--skip-bad-rows", skipsBadRows), ("--tile-zoom", tileZoom != nil),
    ].filter(\.1).map(\.0) + dialectOptions
  }

  /// The names of the given options that are for CSV only.
  var dialectOptions: [String] {
    [("--delimiter", delimiter != nil), ("--decimal", decimalSign != nil)].filter(\.1).map(\.0)
  }
}

extension FeatureColumns {
  /// Returns the table with further warnings.
  func adding(_ more: [String]) -> FeatureColumns {
    more.isEmpty ? self : replaced(schema.spatialReference, more + warnings)
  }

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
