import CGeospatial
import MapFeatures
import MapGeometry

/// One reading of a layer, feature after feature, into columns.
///
/// What the table cannot keep is counted by name and told in its warnings.
struct VectorLayerReader {
  private let dataset: VectorDataset
  private let layer: OGRLayerH
  private var calls: cgeospatial_gdal { dataset.library.calls }
  private var columns: [VectorColumn] = []
  /// The ids of the features, where the file keeps them as a field.
  private var ids: (name: String, values: [Int64])?
  private let hasGeometry: Bool
  private let allowsStream: Bool
  /// True when the columns came in bulk.
  private(set) var isStreamed = false
  private var geometry = CoordinateBuilder()
  private var rowCount = 0
  private var bytes: [UInt8] = []
  private var warnings: [String] = []
  private var losses = GeometryLosses()

  /// A reading of a layer by its place; `allowsStream` false asks for the way that is right for every file.
  init(_ dataset: VectorDataset, layer index: Int, allowsStream: Bool) throws(LibraryError) {
    self.dataset = dataset
    self.allowsStream = allowsStream
    let calls = dataset.library.calls
    guard let layer = dataset.layer(index), let definition = calls.OGR_L_GetLayerDefn(layer) else {
      throw LibraryError(dataset.messages.takeError() ?? "the layer cannot be opened")
    }
    self.layer = layer
    hasGeometry = calls.OGR_FD_GetGeomFieldCount(definition) > 0
    if calls.OGR_FD_GetGeomFieldCount(definition) > 1 {
      warnings.append("geometry: of \(calls.OGR_FD_GetGeomFieldCount(definition)) columns the first was read")
    }
    if let name = calls.OGR_L_GetFIDColumn(layer).map({ String(cString: $0) }), !name.isEmpty {
      ids = (name, [])
    }
    for index in 0..<calls.OGR_FD_GetFieldCount(definition) {
      guard let field = calls.OGR_FD_GetFieldDefn(definition, index) else { continue }
      switch VectorColumn.make(field, index: index, calls) {
      case .column(let column): columns.append(column)
      case .dropped(let warning): warnings.append(warning)
      }
    }
  }

  /// Reads all features.
  ///
  /// - Throws: ``LibraryError`` when GDAL fails half-way, or a geometry cannot be kept.
  mutating func table() throws(LibraryError) -> FeatureColumns {
    // An own error type passes `rethrows` only through a result.
    let messages = dataset.messages
    let outcome: Result<Void, LibraryError> = dataset.library.listening(messages) {
      do throws(LibraryError) { return .success(try readAll()) } catch { return .failure(error) }
    }
    try outcome.get()
    return try result()
  }

  private mutating func readAll() throws(LibraryError) {
    isStreamed = allowsStream ? try readStream() : false
    if !isStreamed { try readFeatures() }
  }

  /// Reads columns in bulk, where those are known to be right; false where nothing was read.
  private mutating func readStream() throws(LibraryError) -> Bool {
    let calls = calls
    guard let definition = calls.OGR_L_GetLayerDefn(layer),
      ColumnStream.suits(definition, calls, driver: dataset.driver)
    else { return false }
    _ = dataset.messages.takeError()
    var reader = self
    // So that what grows has one owner.
    (columns, geometry) = ([], CoordinateBuilder())
    var formats: [String] = []
    let hasIDs = ids != nil
    let isRead = try ColumnStream.read(
      layer, calls,
      schema: { children in
        // The id first, then the fields in the layer's order, then the geometry.
        let fields = Array(children.dropFirst().dropLast())
        guard fields.count == reader.columns.count, children.first?.format == "l",
          children.last?.format == "z",
          zip(fields, reader.columns).allSatisfy({ $0.name == $1.field.name && $1.accepts($0.format) })
        else { return nil }
        formats = fields.map(\.format)
        return Array(children.indices)
      },
      batch: { arrays throws(LibraryError) in
        if hasIDs { arrays[0].forEach(Int64.self) { id, _ in reader.ids?.values.append(id) } }
        for index in reader.columns.indices {
          reader.columns[index].append(arrays[index + 1], format: formats[index])
        }
        try arrays[arrays.count - 1].forEachBytes { (bytes) throws(LibraryError) in
          try reader.addGeometry(bytes)
        }
        reader.rowCount += Int(arrays[0].length)
      })
    self = reader
    guard isRead else { return false }
    // A stream that breaks off may end without a word; the file knows how many it holds.
    let declared = calls.OGR_L_GetFeatureCount(layer, 0)
    if let error = dataset.messages.takeError() { throw LibraryError("after \(rowCount) features: \(error)") }
    guard declared < 0 || declared == Int64(rowCount) else {
      throw LibraryError("after \(rowCount) features: the file ends, but says that it holds \(declared)")
    }
    return true
  }

  /// Adds a geometry of the stream.
  private mutating func addGeometry(_ bytes: UnsafeRawBufferPointer?) throws(LibraryError) {
    guard let bytes, bytes.count > 0 else { return geometry.appendEmptyRow() }
    do {
      losses.note(
        try WellKnownBinary.appendRow(bytes.assumingMemoryBound(to: UInt8.self).span, to: &geometry))
    } catch {
      throw LibraryError("feature \(geometry.rowCount + 1): \(error)")
    }
  }

  private mutating func readFeatures() throws(LibraryError) {
    let calls = calls
    // What opening said and got over is not this reading's failure.
    _ = dataset.messages.takeError()
    calls.OGR_L_ResetReading(layer)
    while let feature = calls.OGR_L_GetNextFeature(layer) {
      defer { calls.OGR_F_Destroy(feature) }
      ids?.values.append(calls.OGR_F_GetFID(feature))
      if hasGeometry { try addGeometry(feature) }
      for index in columns.indices { columns[index].append(feature, calls) }
      rowCount += 1
    }
    // The end of the rows and a failure look alike, but for the message.
    if let error = dataset.messages.takeError() {
      throw LibraryError("after \(rowCount) features: \(error)")
    }
  }

  private mutating func addGeometry(_ feature: OGRFeatureH) throws(LibraryError) {
    let calls = calls
    guard var shape = calls.OGR_F_GetGeometryRef(feature) else { return geometry.appendEmptyRow() }
    var linear: OGRGeometryH?
    defer { if let linear { calls.OGR_G_DestroyGeometry(linear) } }
    if calls.OGR_G_HasCurveGeometry(shape, 1) != 0 {
      // 0: GDAL's own step, 4 degrees of an arc.
      guard let straight = calls.OGR_G_GetLinearGeometry(shape, 0, nil) else {
        throw LibraryError("feature \(calls.OGR_F_GetFID(feature)): its curves cannot be made straight")
      }
      (linear, shape) = (straight, straight)
      losses.curves += 1
    }
    let size = Int(calls.OGR_G_WkbSize(shape))
    if bytes.count < size { bytes = [UInt8](repeating: 0, count: size * 2) }
    guard size > 0, calls.OGR_G_ExportToIsoWkb(shape, wkbNDR, &bytes) == OGRERR_NONE else {
      throw LibraryError("feature \(calls.OGR_F_GetFID(feature)): its geometry cannot be read")
    }
    // Not passed as self's: both would be accessed at once.
    let shapeBytes = bytes
    do {
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
    for column in columns {
      fields.append(column.field)
      values.append(column.column)
      warnings += column.warnings
    }
    var buffer = hasGeometry ? geometry.result ?? emptyGeometry() : nil
    var reference: SpatialReference?
    if let read = buffer {
      let found = LayerReference(
        calls.OGR_L_GetSpatialRef(layer), calls, extent: EnvelopeColumns(of: read))
      reference = found.reference
      warnings += found.warnings
      if reference == nil {
        let (projected, loss) = try inWGS84(read, found.definition)
        (buffer, reference) = (projected, .wgs84)
        warnings += loss
      }
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: fields, geometryKind: buffer?.kind, spatialReference: buffer == nil ? nil : reference,
        geometryName: geometryName ?? "geometry"),
      columns: values, geometry: buffer, rowCount: rowCount,
      warnings: warnings + losses.warnings + dataset.messages.warnings)
  }

  /// The name of the geometry's column; nil in files that have none.
  private var geometryName: String? {
    calls.OGR_L_GetGeometryColumn(layer).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Geometries of a system that has no code, so that no table could name it.
  private func inWGS84(
    _ buffer: CoordinateBuffer, _ definition: (text: String, name: String)?
  ) throws(LibraryError) -> (CoordinateBuffer, [String]) {
    guard let definition else { throw LibraryError("its spatial reference cannot be read") }
    var (x, y) = (buffer.x, buffer.y)
    try Transformation(from: definition.text, to: "EPSG:4326").project(x: &x, y: &y)
    let (projected, lost) = buffer.moved(x: x, y: y)
    let warning =
      "spatial reference \"\(definition.name)\" has no code: coordinates were projected to WGS 84 (4326)"
    return (projected, lost == 0 ? [warning] : [warning + "; \(lost) geometries have no place there"])
  }

  /// Rows without geometry of the kind that the layer declares; nil where it declares none.
  private func emptyGeometry() -> CoordinateBuffer? {
    // The last three digits tell the kind in every dimension; 25D codes have the top bit besides.
    let code = (calls.OGR_L_GetGeomType(layer).rawValue & 0x7FFF_FFFF) % 1000
    let kinds: [UInt32: GeometryKind] = [
      1: .point, 2: .polyline, 3: .polygon, 4: .multipoint, 5: .polyline, 6: .polygon,
    ]
    guard let kind = kinds[code] else { return nil }
    var buffer = CoordinateBuffer(kind: kind)
    for _ in 0..<rowCount { buffer.appendEmptyRow() }
    return buffer
  }
}

/// What geometries lost on their way into a table, counted.
struct GeometryLosses {
  var curves = 0
  var flattened = 0
  var droppedParts = 0

  mutating func note(_ remarks: WellKnownBinary.Remarks) {
    if remarks.isFlattened { flattened += 1 }
    droppedParts += remarks.droppedParts
  }

  var warnings: [String] {
    var warnings: [String] = []
    if curves > 0 {
      warnings.append("\(counted(curves)): curves became lines, with a vertex every 4 degrees of an arc")
    }
    if flattened > 0 {
      warnings.append("\(counted(flattened)): coordinates beyond the second (Z, M) were dropped")
    }
    if droppedParts > 0 {
      warnings.append("geometry: \(droppedParts) lines of one place or rings without area were left out")
    }
    return warnings
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 geometry" : "\(count) geometries" }
}
