import MapFeatures
import MapGeometry
import MapJSON
import MapSystem

/// The value of a feature's property in the document.
enum PropertyToken: Sendable {
  /// A property that the feature does not have.
  case absent
  case null
  case boolean(Bool)
  case number(DecimalLiteral)
  case text(JSONStringToken)
  /// An array or object, by its byte range.
  case json(Range<Int>)

  /// Reads the next value.
  init(reading scanner: inout JSONScanner) throws {
    switch try scanner.peekKind() {
    case .null:
      try scanner.readNull()
      self = .null
    case .boolean: self = .boolean(try scanner.readBoolean())
    case .number: self = .number(try scanner.readNumber())
    case .string: self = .text(try scanner.readString())
    case .array, .object:
      let start = scanner.offset
      try scanner.skipValue()
      self = .json(start..<scanner.offset)
    }
  }

  /// Adds the value to a column.
  func append(to column: inout ColumnBuilder, in bytes: [UInt8]) {
    switch self {
    case .absent, .null: column.appendNull()
    case .boolean(let value): column.append(value, in: bytes)
    case .number(let literal): column.append(literal, in: bytes)
    case .text(let token):
      guard token.hasEscapes else { return column.append(text: token.start..<token.end, in: bytes) }
      var text: [UInt8] = []
      token.appendText(in: bytes, to: &text)
      column.append(text: text, in: bytes)
    case .json(let range): column.append(text: Self.compact(bytes[range]), in: bytes)
    }
  }

  /// Returns JSON without the white space outside its strings.
  private static func compact(_ json: ArraySlice<UInt8>) -> [UInt8] {
    var (result, isString, isEscaped): ([UInt8], Bool, Bool) = ([], false, false)
    for byte in json {
      if isString {
        isString = isEscaped || byte != 0x22
        isEscaped = !isEscaped && byte == 0x5C
      } else {
        if byte <= 0x20 { continue }
        isString = byte == 0x22
      }
      result.append(byte)
    }
    return result
  }
}

/// The columns of a file whose features name their own properties.
struct PropertyTable: Sendable {
  /// The fields whose values are kept.
  let fields: FieldSelection
  /// The fields to read as text, whatever their values.
  let textFields: Set<String>
  private var names = TextTable()
  private var columns: [ColumnBuilder] = []
  /// Whether the values of each column are kept.
  private(set) var isWanted: [Bool] = []
  private var rowCount = 0
  /// The current feature's values by column; a repeated name has its last value.
  private var pending: [PropertyToken] = []
  /// The columns of the current feature.
  private var present: [Int] = []
  /// The columns in which arrays or objects are stored as text.
  private var nested: Set<Int> = []

  init(fields: FieldSelection, textFields: Set<String>) {
    (self.fields, self.textFields) = (fields, textFields)
  }

  /// The names of all properties, including those whose values are not kept.
  var allNames: [String] { (0..<names.count).map(names.text) }

  /// Returns the column of a name, created if the name is new; tries `guess` first.
  ///
  /// - Throws: `ReadFault` for a name beyond ``FeatureSchema/fieldLimit``.
  mutating func column(
    named name: JSONStringToken, in bytes: [UInt8], guess: Int
  ) throws(ReadFault) -> Int {
    let range = name.start..<name.end
    if !name.hasEscapes, guess < columns.count, names.isEqual(guess, bytes, range) { return guess }
    let code: Int32
    if name.hasEscapes {
      var text: [UInt8] = []
      name.appendText(in: bytes, to: &text)
      code = names.code(of: text, 0..<text.count)
    } else {
      code = names.code(of: bytes, range)
    }
    if Int(code) == columns.count {
      guard columns.count < FeatureSchema.fieldLimit else {
        throw ReadFault(
          "property name number \(columns.count + 1): a table has at most \(FeatureSchema.fieldLimit) fields",
          at: name.start - 1)
      }
      let name = names.text(columns.count)
      isWanted.append(fields.contains(name))
      columns.append(textFields.contains(name) ? ColumnBuilder.ofText : ColumnBuilder())
      pending.append(.absent)
    }
    return Int(code)
  }

  /// Sets a property of the current feature.
  mutating func set(_ column: Int, _ value: PropertyToken) {
    if case .absent = pending[column] { present.append(column) }
    pending[column] = value
  }

  /// Moves the current feature's values into the columns.
  ///
  /// - Cost: proportional to the feature's properties; columns that it lacks are filled later.
  mutating func endRow(in bytes: [UInt8]) {
    for index in present {
      if case .json = pending[index] { nested.insert(index) }
      columns[index].appendNulls(upTo: rowCount)
      pending[index].append(to: &columns[index], in: bytes)
      pending[index] = .absent
    }
    present.removeAll(keepingCapacity: true)
    rowCount += 1
  }

  /// The number of columns with arrays or objects.
  var nestedCount: Int { nested.count }
  /// The names of those columns, for messages.
  var nestedNames: String { nested.sorted().map { names.text($0) }.joined(separator: ", ") }

  /// Returns the kept columns with their types.
  func finished() -> [FinishedColumn] {
    let kept = columns.indices.filter { isWanted[$0] }
    return concurrentMap(kept.count) { place in
      var column = columns[kept[place]]
      column.appendNulls(upTo: rowCount)
      let name = names.text(kept[place])
      return column.finished(name: name, keepsText: textFields.contains(name))
    }
  }

  /// Joins the tables of consecutive parts of a source as if read at once; nil if the result is uncertain.
  static func joined(_ parts: [PropertyTable], starts: [Int], in bytes: [UInt8]) -> PropertyTable? {
    var whole = PropertyTable(fields: parts.first?.fields ?? .all, textFields: parts.first?.textFields ?? [])
    // For each part, its columns by the index of their names in the joined table.
    var places: [[Int: Int]] = []
    for part in parts {
      let codes = part.columns.indices.map {
        Int(whole.names.code(of: part.names.bytes, part.names.range(of: $0)))
      }
      places.append(Dictionary(uniqueKeysWithValues: zip(codes, part.columns.indices)))
      whole.nested.formUnion(part.nested.map { codes[$0] })
      whole.rowCount += part.rowCount
    }
    guard whole.names.count <= FeatureSchema.fieldLimit else { return nil }
    whole.isWanted = whole.allNames.map(whole.fields.contains)
    let columns = concurrentMap(whole.names.count) {
      [places, isWanted = whole.isWanted] name -> ColumnBuilder? in
      guard isWanted[name] else { return ColumnBuilder() }
      let columns = parts.indices.map { part in
        (places[part][name].map { parts[part].columns[$0] }, parts[part].rowCount, starts[part])
      }
      return ColumnBuilder.joined(columns, untyped: false, in: bytes)
    }
    whole.columns = columns.compactMap { $0 }
    whole.pending = whole.columns.map { _ in .absent }
    return whole.columns.count == whole.names.count ? whole : nil
  }
}
