import CGeospatial
import Glibc
import MapFeatures
import MapFilter
import MapGeometry

/// Writes features as the layer of a file.
struct VectorLayerWriter {
  private let file: MemoryFile
  private let layer: OGRLayerH
  private let features: FeatureRows
  private let ids: ObjectIDs
  private let hasGeometry: Bool
  /// Whether lines or polygons of one part are written as multipart, because the layer has both.
  private let isMulti: Bool
  private var fields: [WrittenField] = []
  /// The field for the ids, when the format has no other place for them.
  private var idField: Int32?
  /// The losses of the format, as warnings.
  private(set) var warnings: [String] = []

  /// Creates the layer and its fields.
  ///
  /// - Throws: ``LibraryError``.
  init(
    _ features: FeatureRows, in file: MemoryFile, layer name: String, keepsOrder: Bool
  ) throws(LibraryError) {
    (self.features, self.file, ids) = (features, file, ObjectIDs(features.table))
    let (table, calls) = (features.table, file.library.calls)
    let geometries = features.hasGeometry ? table.geometries : []
    hasGeometry = !geometries.isEmpty
    if file.format == .flatGeobuf { try Self.checkGeometries(features) }
    isMulti = geometries.count == 1 && Self.hasMulti(geometries[0], features.rows)
    // A GeoPackage stores the ids apart from the fields.
    let idColumn = table.objectIDs == nil ? features.fields.first { Self.holdsIDs($0, of: table) } : nil
    let keepsIDs = file.format == .geoPackage
    let written = keepsIDs ? features.fields.filter { $0 != idColumn } : features.fields
    // For GDAL, a zero byte would end the name.
    var names = LayerNames(
      written.map { table.schema.fields[$0].name.replacing("\0", with: "_") }, haveCase: !keepsIDs)
    // With an index, FlatGeobuf reorders features; without one, an empty layer is not written.
    var options = keepsIDs || features.rows.isEmpty || !keepsOrder ? [] : ["SPATIAL_INDEX=NO"]
    if keepsIDs {
      options.append("FID=\(names.added(idColumn.map { table.schema.fields[$0].name } ?? "fid"))")
      if hasGeometry { options.append("GEOMETRY_NAME=\(names.added(table.schema.geometryName))") }
    }
    layer = try Self.layer(
      in: file, Self.isReserved(name) ? "features" : name, Self.type(of: geometries, isMulti: isMulti),
      !hasGeometry ? nil : table.schema.spatialReference, options: options)
    let hasIDField = idColumn != nil || table.schema.index(ofField: "OBJECTID").map(written.contains) ?? false
    if !keepsIDs, !hasIDField {
      let definition = calls.OGR_Fld_Create(names.added("OBJECTID"), OFTInteger64)
      defer { calls.OGR_Fld_Destroy(definition) }
      guard calls.OGR_L_CreateField(layer, definition, 1) == OGRERR_NONE else {
        throw LibraryError(file.messages.takeError() ?? "the layer cannot have a field of ids")
      }
      idField = 0
    }
    for (place, field) in written.enumerated() {
      let (given, unique) = (table.schema.fields[field], names.names[place])
      if unique != given.name {
        warnings.append(
          "field \(given.name): written as \(unique), since names there must differ in more than case")
      }
      fields.append(
        try WrittenField(
          given, table.columns[field], name: unique, rows: features.rows, layer: layer,
          index: place + (idField == nil ? 0 : 1), file))
    }
  }

  /// Refuses features without geometry, since GDAL omits them from a FlatGeobuf without an error.
  private static func checkGeometries(_ features: FeatureRows) throws(LibraryError) {
    guard features.hasGeometry else {
      throw LibraryError("a table without geometry cannot be written as FlatGeobuf; write .gpkg or .csv")
    }
    let count = features.rows.count { features.table.buffer(ofRow: $0) == nil }
    guard count == 0 else {
      throw LibraryError(
        "\(count) feature\(count == 1 ? " has" : "s have") no geometry and cannot be written as FlatGeobuf; "
          + "write .gpkg or .csv")
    }
  }

  /// Returns whether GeoPackage reserves a name for its own tables.
  ///
  /// - Source: OGC 12-128r19, requirement 10 and table names; SQLite, "Internal Schema Objects".
  private static func isReserved(_ name: String) -> Bool {
    ["gpkg_", "sqlite_", "rtree_"].contains { name.lowercased().hasPrefix($0) }
  }

  /// Returns whether a field contains the object ids of the rows.
  private static func holdsIDs(_ field: Int, of table: FeatureColumns) -> Bool {
    guard table.schema.fields[field].fieldType == .oid, table.columns[field].type == .integer else {
      return false
    }
    return table.columns[field].validity == nil
  }

  private static func hasMulti(_ geometry: CoordinateBuffer, _ rows: [Int]) -> Bool {
    switch geometry.kind {
    case .point, .multipoint: false
    case .polyline: rows.contains { geometry.parts(ofRow: $0).count > 1 }
    case .polygon:
      rows.contains { geometry.parts(ofRow: $0).count > 1 && geometry.polygons(ofRow: $0).count > 1 }
    }
  }

  private static func type(of geometries: [CoordinateBuffer], isMulti: Bool) -> OGRwkbGeometryType {
    guard geometries.count < 2 else { return wkbUnknown }
    return switch geometries.first?.kind {
    case .point: wkbPoint
    case .multipoint: wkbMultiPoint
    case .polyline: isMulti ? wkbMultiLineString : wkbLineString
    case .polygon: isMulti ? wkbMultiPolygon : wkbPolygon
    case nil: wkbNone
    }
  }

  private static func layer(
    in file: MemoryFile, _ name: String, _ type: OGRwkbGeometryType, _ reference: SpatialReference?,
    options: [String]
  ) throws(LibraryError) -> OGRLayerH {
    let calls = file.library.calls
    let made: OGRLayerH? = file.library.listening(file.messages) {
      var system: OGRSpatialReferenceH?
      defer { if let system { calls.OSRRelease(system) } }
      if let reference {
        system = calls.OSRNewSpatialReference(nil)
        // EPSG codes come first; Esri codes are registered under "ESRI".
        guard
          calls.OSRImportFromEPSG(system, Int32(clamping: reference.wkid)) == OGRERR_NONE
            || calls.OSRSetFromUserInput(system, "ESRI:\(reference.wkid)") == OGRERR_NONE
        else { return nil }
        // Axes are longitude or easting first, as in tables.
        calls.OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER)
        calls.CPLErrorReset()
      }
      var list = options.map { strdup($0) } + [nil]
      defer { for option in list { free(option) } }
      return list.withUnsafeMutableBufferPointer { list in
        calls.GDALDatasetCreateLayer(file.handle, name, system, type, list.baseAddress)
      }
    }
    guard let made else {
      throw LibraryError(file.messages.takeError() ?? "the layer \"\(name)\" cannot be created")
    }
    _ = file.messages.takeError()
    return made
  }

  // MARK: Features

  /// Writes all features.
  ///
  /// - Throws: ``LibraryError`` that names the feature.
  mutating func write() throws(LibraryError) {
    let outcome: Result<Void, LibraryError> = file.library.listening(file.messages) {
      do throws(LibraryError) { return .success(try writeAll()) } catch { return .failure(error) }
    }
    try outcome.get()
    for field in fields {
      if field.roundedTimestamps > 0 {
        warnings.append(
          "field \(field.name): \(field.roundedTimestamps) timestamps were rounded to milliseconds")
      }
      if field.lostDates > 0 {
        warnings.append(
          "field \(field.name): \(field.lostDates) dates outside the years 0 to 9999 were written as null")
      }
    }
    warnings += file.messages.warnings
  }

  private mutating func writeAll() throws(LibraryError) {
    let calls = file.library.calls
    let hasTransactions = file.format == .geoPackage
    if hasTransactions { _ = calls.GDALDatasetStartTransaction(file.handle, 0) }
    guard let definition = calls.OGR_L_GetLayerDefn(layer) else {
      throw LibraryError(file.messages.takeError() ?? "the layer cannot be opened")
    }
    for row in features.rows {
      guard let feature = calls.OGR_F_Create(definition) else { throw LibraryError("out of memory") }
      defer { calls.OGR_F_Destroy(feature) }
      let id = ids.id(ofRow: row)
      if let idField {
        calls.OGR_F_SetFieldInteger64(feature, idField, id)
      } else if file.format == .geoPackage {
        guard id != -1 else { throw LibraryError("feature -1: a GeoPackage has no such feature id") }
        _ = calls.OGR_F_SetFID(feature, id)
      }
      if hasGeometry, let geometry = features.table.buffer(ofRow: row) {
        let isMulti = isMulti || !features.table.otherGeometries.isEmpty && Self.hasMulti(geometry, [row])
        var bytes = WellKnownBinary.bytes(of: geometry, row: row, isMulti: isMulti)
        var shape: OGRGeometryH?
        guard calls.OGR_G_CreateFromWkb(&bytes, nil, &shape, Int32(bytes.count)) == OGRERR_NONE else {
          throw LibraryError("feature \(id): its geometry cannot be written")
        }
        // From here on the feature owns the geometry.
        _ = calls.OGR_F_SetGeometryDirectly(feature, shape)
      }
      for index in fields.indices { fields[index].set(row, of: feature, calls) }
      guard calls.OGR_L_CreateFeature(layer, feature) == OGRERR_NONE else {
        throw LibraryError("feature \(id): \(file.messages.takeError() ?? "it cannot be written")")
      }
    }
    if hasTransactions, calls.GDALDatasetCommitTransaction(file.handle) != OGRERR_NONE {
      throw LibraryError(file.messages.takeError() ?? "the features cannot be written")
    }
  }
}

/// The unique names in a layer.
private struct LayerNames {
  /// The names of the fields, in order.
  private(set) var names: [String] = []
  private var used: Set<String> = []
  private let haveCase: Bool

  /// Creates unique names of fields; when case is ignored, a name that differs only in case gets a number.
  init(_ wanted: [String], haveCase: Bool) {
    self.haveCase = haveCase
    for name in wanted { names.append(added(name)) }
  }

  /// Adds a name, with a number appended if it is already used, and returns it.
  mutating func added(_ name: String) -> String {
    func key(_ name: String) -> String { haveCase ? name : name.lowercased() }
    var (free, number) = (name, 2)
    while !used.insert(key(free)).inserted {
      free = "\(name)_\(number)"
      number += 1
    }
    return free
  }
}
