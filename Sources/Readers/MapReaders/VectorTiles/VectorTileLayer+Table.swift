package import MapFeatures
import MapFilter
package import MapGeometry
import MapJSON

extension VectorTileLayer {
  /// Returns the features as a table.
  ///
  /// A field has the type of its values: integers with decimals become decimals, and values of several types become
  /// text, with a warning. Infinite numbers and NaN become null. The ids are those of the features if all are different.
  ///
  /// - Parameters:
  ///   - square: the ground that the tile covers, with its spatial reference; nil leaves the units of the tile.
  ///   - selection: the fields whose values are read.
  /// - Throws: ``VectorTileError`` for more values than the limit.
  package func table(
    in square: Envelope? = nil, fields selection: FieldSelection = .all,
    limits: VectorTileLimits = VectorTileLimits()
  ) throws(VectorTileError) -> FeatureColumns {
    let names = FieldNames.distinct(fields)
    let kept = names.indices.filter { selection.contains(names[$0]) }
    guard kept.count <= FeatureSchema.fieldLimit, kept.count * rowCount <= limits.cells else {
      throw VectorTileError(
        "layer \"\(name)\" has \(kept.count) fields and \(rowCount) features; a table has at most \(FeatureSchema.fieldLimit) fields and \(limits.cells) values"
      )
    }
    var places = [Int32](repeating: -1, count: values.count)
    let finished = zip(kept, codes(ofFields: kept)).map { field, codes in
      column(named: names[field], fieldValues(codes, &places))
    }
    let buffers = square.map { square in geometries.map { moved($0, into: square) } } ?? geometries
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: buffers.first?.kind,
        spatialReference: buffers.isEmpty ? nil : square?.spatialReference),
      columns: finished.map(\.column), geometry: buffers.first,
      otherGeometries: Array(buffers.dropFirst()), rowCount: rowCount,
      warnings: finished.flatMap(\.warnings), objectIDs: objectIDs)
  }

  /// The ids as those of a table; nil unless every feature has an id of its own.
  private var objectIDs: [Int64]? {
    guard rowsWithID == nil else { return nil }
    let numbers = ids.compactMap { Int64(exactly: $0) }
    return numbers.count == ids.count && Set(numbers).count == numbers.count ? numbers : nil
  }

  /// Returns geometries from the units of the tile in those of the ground that it covers.
  private func moved(_ buffer: CoordinateBuffer, into square: Envelope) -> CoordinateBuffer {
    var buffer = buffer
    let (width, height) = (square.width / Double(extent), square.height / Double(extent))
    buffer.moveVertices { x, y in
      for index in x.indices {
        x[index] = square.xMin + x[index] * width
        y[index] = square.yMax - y[index] * height
      }
    }
    return buffer
  }

  // MARK: Columns

  /// The values of a field: the different ones, and the index of each row's value among them, or -1.
  private struct FieldValues {
    var codes: [Int32]
    var distinct: [VectorTileValue] = []
  }

  /// Returns the values of a field from their codes.
  ///
  /// - Parameter places: for each value of the layer, -1; it is so again at the end.
  /// - Cost: proportional to the rows, however many values the layer has.
  private func fieldValues(_ codes: [Int32], _ places: inout [Int32]) -> FieldValues {
    var result = FieldValues(codes: codes)
    for row in codes.indices where codes[row] >= 0 {
      let code = Int(codes[row])
      if places[code] < 0 {
        places[code] = Int32(truncatingIfNeeded: result.distinct.count)
        result.distinct.append(values[code])
      }
      result.codes[row] = places[code]
    }
    for code in codes where code >= 0 { places[Int(code)] = -1 }
    return result
  }

  /// The types of the values in a column.
  private struct Types: OptionSet {
    let rawValue: UInt8
    static let text = Types(rawValue: 1)
    static let integer = Types(rawValue: 2)
    static let real = Types(rawValue: 4)
    static let boolean = Types(rawValue: 8)
    static let notFinite = Types(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ value: AttributeValue) {
      switch value {
      case .text: self = .text
      case .integer: self = .integer
      case .real: self = .real
      case .boolean: self = .boolean
      default: self = .notFinite
      }
    }
  }

  /// Returns the column of a field.
  private func column(named name: String, _ field: FieldValues) -> FinishedColumn {
    let (codes, values) = (field.codes, field.distinct.map(\.attribute))
    var types = values.reduce(into: Types()) { $0.formUnion(Types($1)) }
    var warnings: [String] = []
    let hasNull = types.contains(.notFinite) || codes.contains(-1)
    let rows = codes.indices.filter { codes[$0] >= 0 && values[Int(codes[$0])] != .null }
    let validity = hasNull ? RowSet(rowCount: rowCount, rows: rows) : nil
    if types.contains(.notFinite) {
      warnings.append("field \(name): infinite numbers and NaN were read as null")
      types.remove(.notFinite)
      types.insert(.real)
    }
    func finish(_ type: FieldType, _ storage: Column.Storage) -> FinishedColumn {
      FinishedColumn(
        field: Field(name: name, type: type), column: Column(storage, validity: validity), warnings: warnings)
    }
    func storage<Value>(_ values: [Value], or null: Value) -> [Value] {
      codes.map { $0 < 0 ? null : values[Int($0)] }
    }
    switch types {
    case .integer:
      let numbers = values.map { if case .integer(let number) = $0 { number } else { Int64(0) } }
      return finish(.int64, .integers(storage(numbers, or: 0)))
    case .real, [.real, .integer]:
      if field.distinct.contains(where: \.isRounded) {
        warnings.append("field \(name): whole numbers beyond 2^53 were rounded to decimals")
      }
      return finish(.float64, .reals(storage(field.distinct.map(\.number), or: 0)))
    case .boolean: return finish(.int16, .booleans(storage(values.map { $0 == .boolean(true) }, or: false)))
    default:
      if types != .text, !types.isEmpty {
        warnings.append("field \(name): values of several types were read as text")
      }
      var (dictionary, known): ([String], [ExactText: Int32]) = ([], [:])
      // A tile may list a text twice.
      let own = field.distinct.map { value in
        let text = value.text
        let code = known[ExactText(text)] ?? Int32(truncatingIfNeeded: dictionary.count)
        if Int(code) == dictionary.count {
          dictionary.append(text)
          known[ExactText(text)] = code
        }
        return code
      }
      let texts = zip(own, values).map { $1 == .null ? -1 : $0 }
      return finish(.text, .text(codes: storage(texts, or: -1), dictionary: dictionary))
    }
  }
}

extension VectorTileValue {
  /// The value as a decimal; 0 for a text, a boolean, an infinite number and NaN.
  fileprivate var number: Double {
    switch attribute {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: 0
    }
  }

  /// Whether a decimal cannot hold the integer.
  fileprivate var isRounded: Bool {
    switch self {
    case .integer(let number): TypedTexts.isRounded(number)
    case .unsigned(let number): UInt64(exactly: Double(number)) != number
    case .text, .float, .double, .boolean: false
    }
  }

  /// The value as text; numbers in their shortest form.
  package var text: String {
    switch self {
    case .text(let text): text
    case .float(let number): JSONNumber(Double(number))?.text ?? "\(number)"
    case .double(let number): JSONNumber(number)?.text ?? "\(number)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .boolean(let value): "\(value)"
    }
  }
}
