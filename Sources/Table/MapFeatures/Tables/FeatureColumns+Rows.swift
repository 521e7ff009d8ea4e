import MapGeometry

extension FeatureColumns {
  /// Returns some rows as a table in the given order, with their ids in this table.
  package func rows(_ rows: [Int]) -> FeatureColumns {
    let ids = ObjectIDs(self)
    func some(_ all: CoordinateBuffer) -> CoordinateBuffer {
      var some = CoordinateBuffer(kind: all.kind)
      for row in rows { some.appendRow(row, of: all) }
      return some
    }
    return FeatureColumns(
      schema: schema, columns: columns.map { $0.rows(rows) },
      geometry: geometry.map(some), otherGeometries: otherGeometries.map(some),
      rowCount: rows.count, warnings: warnings, objectIDs: rows.map { ids.id(ofRow: $0) },
      isComplete: isComplete)
  }

  /// Returns the table with other features added, in the order of the ids; a feature with an existing id replaces the
  /// old one.
  package func replacing(with others: FeatureColumns) -> FeatureColumns {
    let new = ObjectIDs(others)
    let taken = Set((0..<others.rowCount).map { new.id(ofRow: $0) })
    let old = ObjectIDs(self)
    let kept = rows((0..<rowCount).filter { !taken.contains(old.id(ofRow: $0)) })
    let all = FeatureColumns(
      joining: [kept, others.rows(Array(0..<others.rowCount))], schema: schema)
    let ids = ObjectIDs(all)
    return all.rows((0..<all.rowCount).sorted { ids.id(ofRow: $0) < ids.id(ofRow: $1) })
  }

  /// Joins tables of one schema, such as the pages of a service, one after the other.
  ///
  /// Equal warnings are kept once. Ids are kept if every table has them.
  ///
  /// - Cost: one copy of every value; one lookup per text of each table's dictionary.
  package init(joining tables: [FeatureColumns], schema: FeatureSchema) {
    precondition(tables.allSatisfy { $0.schema == schema }, "tables of one schema")
    var geometry = schema.geometryKind.map { CoordinateBuffer(kind: $0) }
    var (warnings, known) = ([String](), Set<String>())
    for table in tables {
      if let more = table.geometry { geometry?.append(more) }
      for warning in table.warnings where known.insert(warning).inserted { warnings.append(warning) }
    }
    let ids = tables.compactMap(\.objectIDs)
    self.init(
      schema: schema,
      columns: schema.fields.indices.map { field in
        Column(joining: tables.map { $0.columns[field] }, of: schema.fields[field].fieldType)
      },
      geometry: geometry, rowCount: tables.reduce(0) { $0 + $1.rowCount }, warnings: warnings,
      objectIDs: ids.count == tables.count ? ids.flatMap { $0 } : nil,
      isComplete: tables.allSatisfy(\.isComplete))
  }
}

extension Column {
  /// Returns some rows in the given order.
  fileprivate func rows(_ rows: [Int]) -> Column {
    let storage: Storage =
      switch self.storage {
      case .integers(let values): .integers(rows.map { values[$0] })
      case .shortIntegers(let values): .shortIntegers(rows.map { values[$0] })
      case .reals(let values): .reals(rows.map { values[$0] })
      case .booleans(let values): .booleans(rows.map { values[$0] })
      case .text(let codes, let dictionary): .text(codes: rows.map { codes[$0] }, dictionary: dictionary)
      case .dates(let values): .dates(rows.map { values[$0] })
      case .instants(let values): .instants(rows.map { values[$0] })
      }
    let valid = validity.map { validity in
      RowSet(rowCount: rows.count, rows: rows.indices.filter { validity.contains(rows[$0]) })
    }
    return Column(storage, validity: valid)
  }

  /// Joins columns of one type; without any, creates an empty column of the storage for the field type.
  fileprivate init(joining columns: [Column], of type: FieldType) {
    var integers: [Int64] = []
    var reals: [Double] = []
    var booleans: [Bool] = []
    var (codes, texts) = ([Int32](), TextTable())
    var dates: [Int32] = []
    for column in columns {
      switch column.storage {
      case .integers(let values), .instants(let values): integers += values
      case .shortIntegers(let values): integers += values.lazy.map { Int64($0) }
      case .reals(let values): reals += values
      case .booleans(let values): booleans += values
      case .dates(let values): dates += values
      case .text(let more, let dictionary):
        let numbers = dictionary.map { text in
          let bytes = Array(text.utf8)
          return texts.code(of: bytes, 0..<bytes.count)
        }
        codes += more.map { $0 < 0 ? -1 : numbers[Int($0)] }
      }
    }
    let storage: Storage =
      switch columns.first?.storage ?? type.emptyStorage {
      case .integers, .shortIntegers: .integers(integers)
      case .instants: .instants(integers)
      case .reals: .reals(reals)
      case .booleans: .booleans(booleans)
      case .dates: .dates(dates)
      case .text: .text(codes: codes, dictionary: (0..<texts.count).map { texts.text($0) })
      }
    let count = columns.reduce(0) { $0 + $1.count }
    guard columns.contains(where: { $0.validity != nil }) else {
      self.init(storage)
      return
    }
    var rows = RowSet(rowCount: count)
    var start = 0
    for column in columns {
      for row in 0..<column.count where column.isValid(row) { rows.insert(start + row) }
      start += column.count
    }
    self.init(storage, validity: rows)
  }
}

extension FieldType {
  /// The empty storage for a column of this type.
  var emptyStorage: Column.Storage {
    switch self {
    case .int16, .int32, .int64, .oid: .integers([])
    case .float32, .float64: .reals([])
    case .date: .instants([])
    case .dateOnly: .dates([])
    case .text, .timeOnly, .timestampOffset, .globalID, .guid, .blob, .geometry, .raster, .xml:
      .text(codes: [], dictionary: [])
    }
  }
}
