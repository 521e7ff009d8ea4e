import MapFeatures
import MapGeometry
import MapSystem

/// The rows of a record batch, or of all of them, in columns.
struct ArrowRows: Sendable {
  private let plan: ArrowPlan
  private var columns: [ArrowColumn]
  private var geometry = CoordinateBuilder(allowsSeveralKinds: true)
  private var losses = GeometryLosses()
  private var rowCount = 0
  /// The number of bytes that geometries may take together.
  private var sharedBytes = 0
  /// The rows that are left out because their geometries cannot be read; nil if such a row is an error.
  private var bad: [ArrowShapes.BadRow]?

  /// Creates columns without rows.
  ///
  /// - Parameter rows: the number of rows to be added, for which memory is reserved.
  init(_ plan: ArrowPlan, reserving rows: Int = 0) {
    (self.plan, columns) = (plan, plan.columns)
    bad = plan.options.skipsBadRows ? [] : nil
    for index in columns.indices { columns[index].reserve(rows: rows) }
  }

  /// Reads the rows of a record batch.
  init(_ plan: ArrowPlan, _ piece: ArrowPiece) throws {
    self.init(plan)
    var arrays = ArrowArrays(piece.batch, piece.body)
    for (index, field) in plan.schema.fields.enumerated() {
      let isWanted = plan.reads(field: index)
      let array = try arrays.next(field, isWanted: isWanted)
      guard isWanted else { continue }
      guard let array, array.count == piece.batch.rowCount else {
        throw ArrowError("field \(field.name): has another number of values than the batch has rows")
      }
      let dictionary = field.encoding.map { piece.dictionaries[$0.id] ?? ArrowDictionary() }
      try append(array, dictionary, field: index, firstRow: piece.firstRow, sharedBytes: piece.sharedBytes)
    }
    (rowCount, sharedBytes) = (piece.batch.rowCount, piece.sharedBytes)
  }

  /// Creates columns from the arrays of the fields that a plan reads, in the order of the fields.
  init(
    _ plan: ArrowPlan, _ arrays: [(ArrowArray, ArrowDictionary?)], rowCount: Int, firstRow: Int,
    sharedBytes: Int
  ) throws {
    self.init(plan)
    let fields = plan.schema.fields.indices.filter { plan.reads(field: $0) }
    for (index, (array, dictionary)) in zip(fields, arrays) {
      try append(array, dictionary, field: index, firstRow: firstRow, sharedBytes: sharedBytes)
    }
    (self.rowCount, self.sharedBytes) = (rowCount, sharedBytes)
  }

  /// Adds the values of a field, in the order of the fields.
  private mutating func append(
    _ array: ArrowArray, _ dictionary: ArrowDictionary?, field: Int, firstRow: Int, sharedBytes: Int
  ) throws {
    do {
      if let column = columns.firstIndex(where: { $0.field == field }) {
        try columns[column].append(array, dictionary)
      } else if let encoding = plan.geometry?.encoding {
        losses = try ArrowShapes.append(
          array, dictionary, encoding, firstRow: firstRow, shared: sharedBytes, bad: &bad, to: &geometry)
      }
    } catch { throw ArrowError("field \(plan.schema.fields[field].name): \(error)") }
  }

  /// Adds the rows of a later batch.
  mutating func append(_ part: ArrowRows) throws {
    for index in columns.indices { try columns[index].append(part.columns[index]) }
    if plan.geometry != nil { try geometry.appendRows(of: part.geometry) }
    losses.append(part.losses)
    bad?.append(contentsOf: (part.bad ?? []).map { .init(row: rowCount + $0.row, reason: $0.reason) })
    rowCount += part.rowCount
    sharedBytes += part.sharedBytes
  }

  /// Returns the table of all rows.
  func table() throws -> FeatureColumns {
    var columns = columns
    for index in columns.indices { columns[index].finish() }
    let finished = concurrentMap(columns.count, usesAllCores: { columns[$0].values.holdsManyTexts }) {
      [columns] in
      columns[$0].values.finished()
    }
    var warnings = plan.warnings
    var (geometry, losses, bad) = (geometry, losses, bad)
    var reference = plan.geometry?.reference
    let text = plan.texts.lazy.compactMap { name in
      columns.indices.first {
        columns[$0].values.field.name == name && finished[$0].column.startsWithGeometry
      }
    }.first
    if let text {
      do {
        let (lost, srid) = try ArrowShapes.append(
          texts: finished[text].column, hasReference: plan.options.sourceReference != nil,
          shared: sharedBytes, bad: &bad, to: &geometry)
        (losses, reference) = (lost, srid.map { SpatialReference(wkid: $0) })
      } catch { throw ArrowError("field \(columns[text].values.field.name): \(error)") }
    }
    if let bad, let first = bad.first {
      let what =
        bad.count == 1 ? "1 row that cannot be read was" : "\(bad.count) rows that cannot be read were"
      warnings.append("\(what) left out; the first: \(first.reason)")
    }
    for (column, result) in zip(columns, finished) { warnings += result.warnings + column.warnings }
    if text == nil, let (x, y) = plan.possible,
      zip(columns, finished).count(where: {
        [x, y].contains($0.values.field.name) && $1.column.startsWithNumber
      }) == 2
    {
      warnings.append(CSVCoordinateNames.hint(x, y))
    }
    let hasGeometry = plan.geometry != nil || text != nil
    var buffers = geometry.results
    if hasGeometry, buffers.isEmpty {
      buffers = [CoordinateBuffer(kind: plan.geometry?.kind ?? .point, emptyRows: rowCount)]
    }
    if hasGeometry {
      if text == nil, let srid = losses.srids.min() {
        if let known = reference ?? plan.options.sourceReference {
          warnings += Self.warnings(losses.srids, beside: known)
        } else {
          guard losses.srids.count == 1, losses.withoutSRID == 0 else {
            throw ArrowError("its geometries state different SRIDs")
          }
          reference = SpatialReference(wkid: srid)
        }
      }
      if reference == nil, plan.options.sourceReference == nil {
        let guess = ReferenceGuess(buffers.map { EnvelopeColumns(of: $0) })
        reference = guess.reference
        warnings.append(guess.warning)
      }
      reference = reference ?? plan.options.sourceReference
      warnings += losses.warnings(of: geometry)
    }
    var table = FeatureColumns(
      schema: FeatureSchema(
        fields: columns.map(\.values.field), geometryKind: buffers.first?.kind, spatialReference: reference,
        geometryName: plan.geometryName),
      columns: finished.map(\.column), geometry: buffers.first, otherGeometries: Array(buffers.dropFirst()),
      rowCount: rowCount, warnings: warnings)
    if let bad, !bad.isEmpty {
      let left = Set(bad.map(\.row))
      table = table.rows((0..<rowCount).filter { !left.contains($0) })
    }
    if text == nil, let points = plan.points { table = try table.withPoints(points) }
    return table.keeping(plan.shown.indices.map { plan.shown[$0] && $0 != text })
  }

  /// Returns the warning about SRIDs of geometries that differ from the spatial reference of their table.
  private static func warnings(_ srids: Set<Int>, beside known: SpatialReference) -> [String] {
    guard let other = srids.filter({ SpatialReference(wkid: $0) != known }).min() else { return [] }
    return ["geometry: SRID \(other) of its geometries was not applied: another spatial reference is stated"]
  }
}

extension ArrowGeometry {
  /// The kind of the geometries; nil if each row has its own.
  fileprivate var kind: GeometryKind? { if case .coordinates(let kind, _) = encoding { kind } else { nil } }
}

extension FeatureColumns {
  /// Returns the table with some of its columns.
  fileprivate func keeping(_ isKept: [Bool]) -> FeatureColumns {
    guard isKept.contains(false) else { return self }
    let kept = isKept.indices.filter { isKept[$0] }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: kept.map { schema.fields[$0] }, geometryKind: schema.geometryKind,
        spatialReference: schema.spatialReference, geometryName: schema.geometryName),
      columns: kept.map { columns[$0] }, geometry: geometry, otherGeometries: otherGeometries,
      rowCount: rowCount,
      warnings: warnings, objectIDs: objectIDs, isComplete: isComplete)
  }
}

extension Column {
  /// The bytes of the first text that is not empty; nil for a column of others, or without one.
  private var firstText: [UInt8]? {
    guard case .text(let codes, let dictionary) = storage else { return nil }
    return codes.first { $0 >= 0 && !dictionary[Int($0)].isEmpty }.map { Array(dictionary[Int($0)].utf8) }
  }

  /// Whether the first value is a number, or a text with one.
  fileprivate var startsWithNumber: Bool {
    guard case .text = storage else { return true }
    return firstText.map { !NumberForms(of: $0.span, leadingZeros: true).isEmpty } ?? false
  }

  /// Whether the first text is a geometry in well-known text.
  fileprivate var startsWithGeometry: Bool {
    firstText.map { WellKnownText.looksLikeGeometry($0, $0.indices) } ?? false
  }
}
