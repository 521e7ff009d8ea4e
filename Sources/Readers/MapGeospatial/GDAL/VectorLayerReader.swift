import CGeospatial
import Glibc
import MapFeatures
import MapGeometry
import MapReaders

/// Reads a layer into columns, once.
///
/// Values that the table cannot store are counted by name and reported in its warnings. It is used within
/// ``GDALLibrary/listening(_:_:)``.
struct VectorLayerReader {
  private let dataset: VectorDataset
  private let contents: LayerContents
  private let layer: OGRLayerH
  private var calls: cgeospatial_gdal { dataset.library.calls }
  private var columns: [VectorColumn] = []
  /// The name and values of the feature ids, when the file stores them as a field.
  private var ids: (name: String, values: [Int64])?
  private let hasGeometry: Bool
  private let allowsStream: Bool
  /// Whether the rows were read without asking GDAL for each feature.
  private(set) var isStreamed = false
  private let options: ReadingOptions
  /// The encoding of texts that GDAL leaves as they are; nil where it converts them.
  private let encoding: AttributeEncoding?
  private var geometry = CoordinateBuilder(allowsSeveralKinds: true)
  private var skipped = (count: 0, first: "")
  private var rowCount = 0
  private var isComplete: Bool
  private var bytes: [UInt8] = []
  private var warnings: [String] = []
  private var losses = GeometryLosses()

  /// Creates a reader for a layer by its index, with the wanted fields.
  ///
  /// - Parameter allowsStream: false reads feature by feature, which is correct for every file.
  init(
    _ dataset: VectorDataset, layer index: Int, _ contents: LayerContents, fields selected: FieldSelection,
    options: ReadingOptions, allowsStream: Bool
  ) throws(LibraryError) {
    (self.dataset, self.contents, isComplete) = (dataset, contents, contents.isComplete)
    self.options = options
    self.allowsStream = allowsStream
    let calls = dataset.library.calls
    guard let layer = dataset.layer(index), let definition = calls.OGR_L_GetLayerDefn(layer) else {
      throw LibraryError(dataset.messages.takeError() ?? "the layer cannot be opened")
    }
    // A driver that cannot read a layer returns one without fields and rows.
    let error = dataset.messages.takeError()
    if let error, !contents.isCounted { throw LibraryError(error) }
    self.layer = layer
    warnings = contents.warnings + (error.map { ["the layer's description: \($0)"] } ?? [])
    // Some drivers read the spatial reference only on request; an error there does not affect the rows.
    _ = calls.OGR_L_GetSpatialRef(layer)
    if let error = dataset.messages.takeError() { warnings.append("spatial reference: \(error)") }
    hasGeometry = calls.OGR_FD_GetGeomFieldCount(definition) > 0
    if calls.OGR_FD_GetGeomFieldCount(definition) > 1 {
      warnings.append(
        "geometry: only the first of \(calls.OGR_FD_GetGeomFieldCount(definition)) columns was read")
    }
    if let name = calls.OGR_L_GetFIDColumn(layer).map({ String(cString: $0) }), !name.isEmpty {
      ids = (name, [])
    }
    encoding = contents.encoding
    let written = try Self.fieldNames(definition, encoding, calls)
    let names = FieldNames.distinct(written.texts)
    warnings += written.warnings + FieldNames.warnings(names, written: written.texts)
    let fields = contents.shapefile?.fields ?? []
    for (index, name) in names.enumerated() {
      let number = Int32(truncatingIfNeeded: index)
      guard let field = calls.OGR_FD_GetFieldDefn(definition, number) else { continue }
      switch VectorColumn.make(field, index: number, name: name, calls) {
      case .column(var column):
        column.attribute = fields.count == names.count ? fields[index] : nil
        columns.append(column)
      case .dropped(let warning): warnings.append(warning)
      }
    }
    let known = columns.map(\.values.field.name)
    let selection = selected.among(
      known + (ids.map { [$0.name] } ?? []),
      geometryName: hasGeometry ? geometryName ?? FeatureSchema.defaultGeometryName : nil)
    columns.removeAll { !selection.contains($0.values.field.name) }
    // GDAL knows the names as bytes of the file, so that only those of ASCII can be passed on, and none that is renamed.
    let kept = Set(zip(names, written.texts).filter { $0 == $1 && $0.allSatisfy(\.isASCII) }.map(\.0))
    ignore(known.filter { !selection.contains($0) && kept.contains($0) })
  }

  /// The number of bytes of the longest name of a field in a `.dbf` file.
  private static let longestName = 10

  /// Returns the names of the fields in UTF-8, with warnings about those that end within a letter.
  private static func fieldNames(
    _ definition: OGRFeatureDefnH, _ encoding: AttributeEncoding?, _ calls: cgeospatial_gdal
  ) throws(LibraryError) -> (texts: [String], warnings: [String]) {
    let names = (0..<calls.OGR_FD_GetFieldCount(definition)).map { index -> [UInt8] in
      let name = calls.OGR_FD_GetFieldDefn(definition, index).flatMap { calls.OGR_Fld_GetNameRef($0) }
      return name.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    }
    guard let encoding else { return (names.map { String(decoding: $0, as: UTF8.self) }, []) }
    guard var converter = AttributeTexts(encoding) else { throw Self.noConversion(encoding) }
    var texts: [String] = []
    for (index, bytes) in names.enumerated() {
      do throws(AttributeTexts.Fault) {
        let bytes = try converter.utf8(bytes[...], width: Self.longestName) ?? bytes
        texts.append(String(decoding: bytes, as: UTF8.self))
      } catch {
        throw LibraryError(encoding.message("the name of field \(index + 1) has bytes that are"))
      }
    }
    let cut = converter.cutTexts
    guard cut > 0 else { return (texts, []) }
    let what = cut == 1 ? "1 field ends" : "\(cut) fields end"
    return (texts, ["the name\(cut == 1 ? "" : "s") of \(what) within a letter, which was left out"])
  }

  private static func noConversion(_ encoding: AttributeEncoding) -> LibraryError {
    LibraryError("this system has no conversion from \(encoding.encoding?.name ?? "UTF-8")")
  }

  /// Converts texts that GDAL leaves as they are to UTF-8.
  ///
  /// - Throws: ``LibraryError`` that names the fields with other texts, and what states the encoding.
  private mutating func convertTexts() throws(LibraryError) {
    guard let encoding else { return }
    guard var converter = AttributeTexts(encoding) else { throw Self.noConversion(encoding) }
    var faulty: [String] = []
    for index in columns.indices {
      let (name, width) = (columns[index].values.field.name, columns[index].values.field.length)
      let before = converter.cutTexts
      do throws(AttributeTexts.Fault) {
        try columns[index].values.convertTexts { (text) throws(AttributeTexts.Fault) in
          try converter.utf8(text, width: width)
        }
      } catch { faulty.append(name) }
      let cut = converter.cutTexts - before
      guard cut > 0 else { continue }
      let what = cut == 1 ? "1 text ends" : "\(cut) distinct texts end"
      warnings.append("field \(name): \(what) within a letter, which was left out: the field is too short")
    }
    if let first = faulty.first {
      let more = faulty.count > 1 ? " and \(faulty.count - 1) more" : ""
      throw LibraryError(encoding.message("field \(first)\(more): texts that are"))
    }
    if encoding.isDoubtful, converter.unicodeTexts > 0, converter.unicodeTexts == converter.foreignTexts {
      warnings.append(encoding.doubt)
    }
  }

  /// Makes GDAL skip fields, where its driver can.
  private func ignore(_ names: [String]) {
    guard !names.isEmpty else { return }
    // A driver that cannot skip a field reads it, and the value is ignored.
    VectorDataset.withList(names) { _ = calls.OGR_L_SetIgnoredFields(layer, $0) }
    _ = dataset.messages.takeError()
  }

  /// Reads all features.
  ///
  /// - Throws: ``LibraryError`` when GDAL fails before the end, or a geometry cannot be stored.
  mutating func table() throws(LibraryError) -> FeatureColumns {
    try readAll()
    try convertTexts()
    return try result()
  }

  private mutating func readAll() throws(LibraryError) {
    isStreamed = allowsStream && readRows()
    if !isStreamed { try readFeatures() }
  }

  /// Reads a GeoPackage table from its pages; returns false when only GDAL can read it.
  private mutating func readRows() -> Bool {
    guard dataset.driver == "GPKG", let ids, let name = calls.OGR_L_GetName(layer) else { return false }
    let layout = GeoPackageLayout(
      table: String(cString: name), idColumn: ids.name, geometryColumn: hasGeometry ? geometryName : nil,
      columns: columns.map(\.values))
    guard hasGeometry == (geometryName != nil),
      let rows = GeoPackageRows.read(dataset.path, layout: { _ in layout })
    else { return false }
    self.ids?.values = rows.ids
    for index in columns.indices { columns[index].values = rows.columns[index] }
    (geometry, losses, rowCount) = (rows.geometry, rows.losses, rows.ids.count)
    return true
  }

  private mutating func readFeatures() throws(LibraryError) {
    let calls = calls
    calls.OGR_L_ResetReading(layer)
    while let feature = calls.OGR_L_GetNextFeature(layer) {
      defer { calls.OGR_F_Destroy(feature) }
      do throws(LibraryError) {
        if hasGeometry { try addGeometry(feature) }
      } catch {
        guard options.skipsBadRows else { throw error }
        if skipped.count == 0 { skipped.first = "\(error)" }
        skipped.count += 1
        continue
      }
      ids?.values.append(calls.OGR_F_GetFID(feature))
      for index in columns.indices { columns[index].append(feature, calls) }
      rowCount += 1
    }
    // GDAL returns no feature both at the end and on failure; only the message shows the difference.
    if let error = dataset.messages.takeError() {
      try contents.shapefile?.checkLengthOfShapes()
      throw LibraryError("after \(rowCount) features: \(error)")
    }
    try contents.check(rowCount: rowCount + skipped.count, of: dataset, layer)
    if skipped.count > 0 {
      let rows =
        skipped.count == 1
        ? "1 row that cannot be read was" : "\(skipped.count) rows that cannot be read were"
      warnings.append("\(rows) left out; the first: \(skipped.first)")
    }
    if let warning = try contents.warning(rowCount: rowCount + skipped.count, of: dataset, layer) {
      warnings.append(warning)
      isComplete = false
    }
  }

  private mutating func addGeometry(_ feature: OGRFeatureH) throws(LibraryError) {
    let calls = calls
    guard var shape = calls.OGR_F_GetGeometryRef(feature) else { return geometry.appendEmptyRow() }
    var linear: OGRGeometryH?
    defer { if let linear { calls.OGR_G_DestroyGeometry(linear) } }
    // A shape of a curved type may have only straight parts, which lose nothing.
    if calls.OGR_G_HasCurveGeometry(shape, 0) != 0 {
      if calls.OGR_G_HasCurveGeometry(shape, 1) != 0 { losses.curves += 1 }
      guard let straight = calls.OGR_G_GetLinearGeometry(shape, GeometryLosses.arcStep, nil) else {
        throw LibraryError(
          "feature \(calls.OGR_F_GetFID(feature)): its curves cannot be converted to line segments")
      }
      (linear, shape) = (straight, straight)
    }
    let size = Int(calls.OGR_G_WkbSize(shape))
    if bytes.count < size { bytes = [UInt8](repeating: 0, count: size * 2) }
    guard size > 0, calls.OGR_G_ExportToIsoWkb(shape, wkbNDR, &bytes) == OGRERR_NONE else {
      throw LibraryError("feature \(calls.OGR_F_GetFID(feature)): its geometry cannot be read")
    }
    // A local copy is passed, since access to `bytes` and `geometry` of self would overlap.
    let shapeBytes = bytes
    do {
      if options.skipsBadRows {
        // A geometry that fails leaves its vertices in the builder.
        var trial = CoordinateBuilder(allowsSeveralKinds: true)
        _ = try WellKnownBinary.appendRow(shapeBytes.span.extracting(0..<size), to: &trial)
      }
      losses.note(try WellKnownBinary.appendRow(shapeBytes.span.extracting(0..<size), to: &geometry))
    } catch {
      throw LibraryError("feature \(calls.OGR_F_GetFID(feature)): \(error)")
    }
  }

  // MARK: Result

  private func result() throws(LibraryError) -> FeatureColumns {
    var fields: [Field] = []
    var values: [Column] = []
    var warnings = warnings
    if let ids {
      fields.append(Field(name: ids.name, type: .oid))
      values.append(Column(.integers(ids.values)))
    }
    var misfits: [String: Set<Int64>] = [:]
    if !isStreamed, let ids { misfits = try contents.misfits(of: columns.map(\.values), id: ids.name) }
    for column in columns {
      var finished = finished(column)
      if let rows = misfits[column.values.field.name], !rows.isEmpty, let ids {
        finished.column = finished.column.without(
          rows: ids.values.indices.filter { rows.contains(ids.values[$0]) })
        warnings.append(Self.misfitWarning(column.values, rows.count))
      }
      if column.values.kind == .instant, dataset.driver == "OpenFileGDB" {
        let name = column.values.field.name
        // GDAL drops fractions of seconds.
        if let times = contents.times(ofField: name, rows: ids?.values ?? [], readByGDAL: finished.column) {
          finished.column = times
        } else if column.hasUncertainTimes {
          warnings.append(
            "field \(name): is not read, because GDAL reads timestamps before 1970 a second late")
          continue
        } else {
          warnings.append("field \(name): its timestamps were read in whole seconds")
        }
      }
      fields.append(finished.field)
      values.append(finished.column)
      warnings += finished.warnings
      if let field = column.attribute, let shapefile = contents.shapefile,
        case .reals(let numbers) = finished.column.storage, numbers.contains(where: { abs($0) >= 0x1p53 })
      {
        let rounded = try shapefile.roundedIntegers(of: field)
        warnings += DeclaredColumn.roundedWarnings(field: column.values.field.name, rounded)
      }
    }
    var buffers = hasGeometry ? geometry.results : []
    if hasGeometry, buffers.isEmpty, let empty = emptyGeometry() { buffers = [empty] }
    var reference: SpatialReference?
    if !buffers.isEmpty {
      let handle = calls.OGR_L_GetSpatialRef(layer)
      let found =
        contents.references.first
        ?? LayerReference(handle, calls, extents: buffers.map { EnvelopeColumns(of: $0) })
      if let given = options.sourceReference {
        reference = given
        let stated = contents.references.isEmpty && handle != nil ? [found] : contents.references
        warnings += stated.flatMap { options.reference(stated: $0.reference).warnings }
      } else {
        reference = found.reference
        warnings += found.warnings
      }
      if reference == nil {
        let (projected, loss) = try DefinedReference.inWGS84(buffers, found.definition)
        (buffers, reference) = (projected, .wgs84)
        warnings += loss
      }
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: fields, geometryKind: buffers.first?.kind,
        spatialReference: buffers.isEmpty ? nil : reference, geometryName: geometryName ?? "geometry"),
      columns: values, geometry: buffers.first, otherGeometries: Array(buffers.dropFirst()),
      rowCount: rowCount,
      warnings: warnings + losses.warnings(of: geometry)
        + dataset.messages.warnings.filter { !MapInfoCharset.isWarning($0) },
      isComplete: isComplete)
  }

  private func finished(_ column: VectorColumn) -> (field: Field, column: Column, warnings: [String]) {
    // GML without its schema has no types; identifiers are texts.
    if dataset.driver == "GML", column.values.kind == .text,
      !["gml_id", "fid"].contains(column.values.field.name)
    {
      return column.values.finishedAsDelimited()
    }
    let (values, warnings) = column.values.finished()
    return (column.values.field, values, warnings)
  }

  private static func misfitWarning(_ column: DeclaredColumn, _ count: Int) -> String {
    let (type, types) =
      switch (column.kind, column.field.fieldType) {
      case (.integer, .int16): ("whole number of 16 bits", "whole numbers of 16 bits")
      case (.integer, .int32): ("whole number of 32 bits", "whole numbers of 32 bits")
      case (.integer, _): ("whole number", "whole numbers")
      case (.boolean, _): ("boolean", "booleans")
      default: ("number", "numbers")
      }
    let what =
      count == 1 ? "1 value that is not a \(type) was" : "\(count) values that are not \(types) were"
    return "field \(column.field.name): \(what) read as null"
  }

  /// The name of the geometry column; nil in files without one.
  private var geometryName: String? {
    calls.OGR_L_GetGeometryColumn(layer).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns rows without geometry, of the layer's declared kind; nil when it declares none.
  private func emptyGeometry() -> CoordinateBuffer? {
    // The last three digits are the kind in every dimension; 25D codes also have the top bit set.
    let code = (calls.OGR_L_GetGeomType(layer).rawValue & 0x7FFF_FFFF) % 1000
    let kinds: [UInt32: GeometryKind] = [
      1: .point, 2: .polyline, 3: .polygon, 4: .multipoint, 5: .polyline, 6: .polygon,
    ]
    return kinds[code].map { CoordinateBuffer(kind: $0, emptyRows: rowCount) }
  }
}

extension Column {
  /// Returns the column with null in some rows.
  fileprivate func without(rows: [Int]) -> Column {
    var valid = validity ?? RowSet(rowCount: count, all: true)
    for row in rows { valid.remove(row) }
    return Column(storage, validity: valid)
  }
}
