package import MapFeatures
import MapGeometry
import MapSystem

/// Parquet files that are one table: a single file, or those of a folder, one after the other.
package struct ParquetTable: Sendable {
  /// A file.
  package struct File: Sendable {
    /// The name in messages; nil for a single file.
    let name: String?
    package let size: Int
    /// The fields that folders give to all rows, as in `year=2024`; a value is nil for null.
    let values: [(name: String, value: String?)]
    let bytes: @Sendable (Range<Int>) throws -> [UInt8]
    /// Learns the ranges that are read next.
    let announce: @Sendable ([Range<Int>]) throws -> Void

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - bytes: Returns a range of the bytes; called on several threads, one at a time.
    ///   - announce: Learns the ranges that `bytes` returns next, in ascending order.
    package init(
      name: String? = nil, size: Int, values: [(name: String, value: String?)] = [],
      bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8],
      announce: @escaping @Sendable ([Range<Int>]) throws -> Void = { _ in }
    ) {
      (self.name, self.size, self.values, self.bytes, self.announce) = (name, size, values, bytes, announce)
    }
  }

  /// The source of a field in a file.
  enum Content: Sendable {
    case node(ParquetNode)
    /// A value of all rows.
    case text(String), number(Int64)
    /// Nulls, as of a field that only other files have.
    case missing

    var node: ParquetNode? { if case .node(let node) = self { node } else { nil } }
  }

  /// A file with its footer.
  struct Part: Sendable {
    let source: File
    let file: ParquetFile
    /// For each field of the table, its source in the file.
    fileprivate(set) var contents: [Content] = []
    /// The geometries, as the metadata of this file describe them.
    fileprivate(set) var geometry: ArrowGeometry?

    /// Returns an error with the name of the file.
    func named(_ error: ArrowError) -> ArrowError {
      source.name.map { ArrowError("\($0): \(error)", definition: error.definition) } ?? error
    }
  }

  /// A row group among those of all files.
  struct Group: Sendable {
    let part: Int
    /// The index among the row groups of the file.
    let number: Int
    /// The number of rows before it.
    let firstRow: Int
    let rowCount: Int
  }

  let parts: [Part]
  let groups: [Group]
  let schema: ArrowSchema
  let plan: ArrowPlan
  /// Learns of each reading: its row groups, pages, columns and bytes.
  package var report: (@Sendable (String) -> Void)?

  /// Reads the footers of files, and joins their fields by their names.
  ///
  /// A field that a file lacks is null in its rows.
  ///
  /// - Parameters:
  ///   - leftOut: the names of files and folders beside them that are not read, for a warning.
  ///   - readsGeometry: whether the geometries are read; they are if the files do not state that they are of one kind.
  /// - Throws: ``ArrowError``, also for fields of different types, and the errors of the files.
  package init(
    _ files: [File], leftOut: [String] = [], fields: FieldSelection, options: ReadingOptions,
    readsGeometry: Bool = true
  ) throws {
    var parts = try concurrentMap(files.count) { index in
      do {
        return Part(source: files[index], file: try ParquetFile(size: files[index].size, files[index].bytes))
      } catch let error as ArrowError {
        guard let name = files[index].name else { throw error }
        throw ArrowError("\(name): \(error)")
      }
    }
    guard let first = parts.first else { throw ArrowError("contains no Parquet file") }
    var joined = JoinedFields(first.file.arrowSchema.fields)
    for part in parts.dropFirst() {
      try joined.add(part)
    }
    let hidden = joined.add(values: files.map(\.values))
    let schema = ArrowSchema(fields: joined.fields, geoMetadata: first.file.footer.geo)
    var plan = try ArrowPlan(schema, wanted: fields, options: options)
    plan.warnings += hidden.map {
      "field \($0): its values are those of the files, not those of the folders' names"
    }
    plan.warnings += first.file.footer.storedAsNumbers.map {
      "field \($0.name): its values of the type \($0.type) are read as the whole numbers that store them"
    }
    if let name = leftOut.first {
      let more = leftOut.count == 1 ? "is" : "and \(leftOut.count - 1) more are"
      plan.warnings.append(
        "\(name) \(more) left out, as names that begin with _ or . are; name them to read them")
    }
    for index in parts.indices {
      parts[index].contents = joined.contents(of: parts[index])
      parts[index].geometry =
        index == 0
        ? plan.geometry
        : try Self.geometry(of: parts[index], like: plan.geometry, schema)
    }
    var (groups, rows) = ([Group](), 0)
    for (index, part) in parts.enumerated() {
      for (number, group) in part.file.footer.rowGroups.enumerated() {
        groups.append(Group(part: index, number: number, firstRow: rows, rowCount: group.rowCount))
        rows += group.rowCount
      }
    }
    let kind = parts[0].geometry?.statedKind
    let isOfOneKind = kind != nil && parts.allSatisfy { $0.geometry?.statedKind == kind }
    (self.parts, self.groups, self.schema) = (parts, groups, schema)
    self.plan = readsGeometry || !isOfOneKind ? plan : plan.withoutGeometry
  }

  /// Returns the geometries of a file, which must be encoded as those of the first.
  private static func geometry(
    of part: Part, like first: ArrowGeometry?, _ joined: ArrowSchema
  ) throws(ArrowError) -> ArrowGeometry? {
    let schema = part.file.arrowSchema
    let geometry: ArrowGeometry?
    do { geometry = try ArrowGeometry.find(in: schema, GeoMetadata(of: schema)) } catch {
      throw part.named(error)
    }
    let names = (first.map { joined.fields[$0.field].name }, geometry.map { schema.fields[$0.field].name })
    guard names.0 == names.1, geometry?.encoding == first?.encoding,
      geometry?.reference == first?.reference,
      geometry?.unknownReference?.name == first?.unknownReference?.name
    else {
      throw part.named(
        ArrowError(
          "its geometries are in another field, encoding or spatial reference than those of the first file"))
    }
    return geometry
  }

  /// The kind, the spatial reference and the name of the geometries, as stated; nil without one.
  package var geometrySchema: FeatureSchema? {
    plan.geometry.map {
      FeatureSchema(
        fields: [], geometryKind: $0.statedKind, spatialReference: $0.reference,
        geometryName: plan.geometryName)
    }
  }

  /// The number of rows.
  package var rowCount: Int { groups.last.map { $0.firstRow + $0.rowCount } ?? 0 }

  /// Returns the row groups of one of `count` shares with about the same number of row groups.
  package func groups(ofShare share: Int, of count: Int) -> Range<Int> {
    groups.count * share / count..<groups.count * (share + 1) / count
  }

  /// The sources of the fields that are read, for each file.
  var readContents: [[Content]] {
    let fields = plan.readFields
    return parts.map { part in fields.map { part.contents[$0] } }
  }

  /// Reads the rows of all row groups, or of some.
  ///
  /// - Throws: ``ArrowError``, and the errors of the files.
  package func read(_ groups: Range<Int>? = nil) throws -> FeatureColumns {
    let chosen = groups ?? self.groups.indices
    let table = try read(plan, readContents, chosen.map { ($0, nil) })
    guard let firstRow = chosen.first.map({ self.groups[$0].firstRow }), firstRow > 0,
      table.objectIDs == nil
    else { return table }
    return table.numbered(after: firstRow)
  }

  /// Reads rows of the first row group, in ascending ranges.
  ///
  /// - Throws: ``ArrowError``, and the errors of the files.
  package func read(rows: [Range<Int>]) throws -> FeatureColumns {
    let known = groups.first.map { rows.intersection([0..<$0.rowCount]) } ?? []
    return try read(plan, readContents, known.isEmpty ? [] : [(0, known)])
  }

  /// Reads rows of row groups.
  func read(
    _ plan: ArrowPlan, _ contents: [[Content]], _ groups: [(group: Int, rows: [Range<Int>]?)]
  ) throws -> FeatureColumns {
    let rowCount = groups.reduce(0) { sum, part in
      sum + (part.rows.map { $0.reduce(0) { $0 + $1.count } } ?? self.groups[part.group].rowCount)
    }
    // A damaged file may state any number of rows: memory is reserved only in proportion to its size.
    let room = parts.reduce(0) { $0 + $1.file.size } / max(1, plan.columns.count)
    return try pass(
      contents, groups, work: { try $0.rows(plan) }, into: ArrowRows(plan, reserving: min(rowCount, room)),
      take: { rows, parts in for part in parts { try rows.append(part) } }
    ).table()
  }

  /// Passes through rows of row groups on all cores, and reports the reading.
  func pass<Output: Sendable, Sink: Sendable>(
    _ contents: [[Content]], _ groups: [(group: Int, rows: [Range<Int>]?)],
    work: @Sendable (ParquetPiece) throws -> Output, into sink: Sink,
    take: @Sendable (inout Sink, Output) throws -> Void
  ) throws -> Sink {
    let tally = ParquetTally(self)
    let result = try concurrentPipeline(
      ParquetFeed(self, contents, groups: groups, tally), next: { try $0.next() }, work: work, into: sink,
      take: take)
    report?(tally.text)
    return result
  }
}

extension FeatureColumns {
  /// Returns the table with empty geometries of the kind of a schema, for questions that do not look at them.
  package func withEmptyGeometries(of other: FeatureSchema?) -> FeatureColumns {
    guard let other, let kind = other.geometryKind, geometry == nil else { return self }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: kind, spatialReference: other.spatialReference,
        geometryName: other.geometryName),
      columns: columns, geometry: CoordinateBuffer(kind: kind, emptyRows: rowCount), rowCount: rowCount,
      warnings: warnings)
  }

  /// Returns the table with the ids of rows that follow others.
  fileprivate func numbered(after rows: Int) -> FeatureColumns {
    FeatureColumns(
      schema: schema, columns: columns, geometry: geometry, otherGeometries: otherGeometries,
      rowCount: rowCount, warnings: warnings, objectIDs: (0..<rowCount).map { Int64(rows + $0) + 1 },
      isComplete: isComplete)
  }
}

/// The fields of files that are one table, joined by their names.
private struct JoinedFields {
  private(set) var fields: [ArrowField]
  private var indices: [String: Int] = [:]
  /// The number of fields that files have; those after them are of folders.
  private var fileFields = 0

  init(_ fields: [ArrowField]) {
    self.fields = fields
    for (index, name) in FieldNames.distinct(fields.map(\.name)).enumerated() { indices[name] = index }
    fileFields = fields.count
  }

  /// Adds the fields of a file.
  mutating func add(_ part: ParquetTable.Part) throws(ArrowError) {
    let others = part.file.arrowSchema.fields
    for (name, other) in zip(FieldNames.distinct(others.map(\.name)), others) {
      guard let index = indices[name] else {
        guard fields.count < FeatureSchema.fieldLimit else {
          throw part.named(
            ArrowError("\(fields.count + 1) fields: a table has at most \(FeatureSchema.fieldLimit)"))
        }
        indices[name] = fields.count
        fields.append(other.nullable)
        continue
      }
      guard let joined = fields[index].joined(other) else {
        throw part.named(
          ArrowError(
            "field \(name): is of type \(other.type.name), but of type \(fields[index].type.name) in other files"
          ))
      }
      fields[index] = joined
    }
    let own = Set(FieldNames.distinct(others.map(\.name)))
    for (name, index) in indices where !own.contains(name) { fields[index] = fields[index].nullable }
    fileFields = fields.count
  }

  /// Adds the fields of folders; returns the names of those that files have, which come first.
  mutating func add(values: [[(name: String, value: String?)]]) -> [String] {
    let names = Set(values.joined().map(\.name))
    let hidden = names.filter { indices[$0] != nil }.sorted()
    for (name, _) in values.joined() where indices[name] == nil {
      let all = values.map { $0.first { $0.name == name }?.value }
      let areIntegers = all.allSatisfy { $0.map { Int64($0).map { String($0) } == $0 } ?? true }
      indices[name] = fields.count
      fields.append(
        ArrowField(
          name: name, isNullable: all.contains(nil),
          type: areIntegers && all.contains { $0 != nil }
            ? .integer(bits: 64, isSigned: true) : .bytes(.large, isText: true),
          children: [], encoding: nil, extensionName: nil, extensionMetadata: nil))
    }
    return hidden
  }

  /// Returns the source of each field in a file.
  func contents(of part: ParquetTable.Part) -> [ParquetTable.Content] {
    var contents = fields.enumerated().map { index, field -> ParquetTable.Content in
      guard index >= fileFields,
        let value = part.source.values.first(where: { $0.name == field.name })?.value
      else { return .missing }
      if case .integer = field.type { return Int64(value).map { .number($0) } ?? .missing }
      return .text(value)
    }
    let nodes = part.file.schema.nodes
    for (name, node) in zip(FieldNames.distinct(nodes.map(\.name)), nodes) {
      if let index = indices[name] { contents[index] = .node(node) }
    }
    return contents
  }
}

extension ArrowField {
  fileprivate var nullable: ArrowField { with(type, isNullable: true) }

  private func with(_ type: ArrowType, isNullable: Bool) -> ArrowField {
    ArrowField(
      name: name, isNullable: isNullable, type: type, children: children, encoding: encoding,
      extensionName: extensionName, extensionMetadata: extensionMetadata)
  }

  /// Returns the field for the values of this one and of one with the same name; nil for types that do not fit.
  fileprivate func joined(_ other: ArrowField) -> ArrowField? {
    let isNullable = isNullable || other.isNullable
    if type == .null { return other.with(other.type, isNullable: true) }
    if other.type == .null || hasSameType(as: other) { return with(type, isNullable: isNullable) }
    guard let (field, kind) = type.field, let (otherField, otherKind) = other.type.field, kind == otherKind,
      type.fitsOthers, other.type.fitsOthers
    else { return nil }
    let order: [FieldType] = [.int16, .int32, .int64, .float32, .float64]
    let isWider = (order.firstIndex(of: field) ?? 0) < (order.firstIndex(of: otherField) ?? 0)
    return with(isWider ? other.type : type, isNullable: isNullable)
  }

  private func hasSameType(as other: ArrowField) -> Bool {
    type == other.type && children.count == other.children.count
      && zip(children, other.children).allSatisfy { $0.name == $1.name && $0.hasSameType(as: $1) }
  }
}

extension ArrowType {
  /// Whether values may be in a column with those of other types; unsigned ones of 64 bits are stored by their bits.
  fileprivate var fitsOthers: Bool { self != .integer(bits: 64, isSigned: false) }
}
