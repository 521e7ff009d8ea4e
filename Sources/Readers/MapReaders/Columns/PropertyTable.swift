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
    case .boolean(let value): column.append(value)
    case .number(let literal): column.append(literal, in: bytes)
    case .text(let token):
      guard token.hasEscapes else { return column.append(text: token.start..<token.end, in: bytes) }
      var text: [UInt8] = []
      token.appendText(in: bytes, to: &text)
      column.append(text: text)
    case .json(let range): column.append(text: Self.compact(bytes[range]))
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
  /// The fields that hold text from the start.
  var texts: TextFields
  private var names = TextTable()
  private var columns: [ColumnBuilder] = []
  /// Whether the values of each column are kept.
  private(set) var isWanted: [Bool] = []
  private var rowCount = 0
  /// The number of rows to reserve in a new column.
  private var room = 0
  /// The columns whose parts have several types.
  private var mixed: Set<Int> = []
  /// The current feature's values by column; a repeated name has its last value.
  private var pending: [PropertyToken] = []
  /// The columns of the current feature.
  private var present: [Int] = []
  /// The columns in which arrays or objects are stored as text.
  private var nested: Set<Int> = []

  init(fields: FieldSelection, texts: TextFields) { (self.fields, self.texts) = (fields, texts) }

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
      addColumn()
    }
    return Int(code)
  }

  /// Adds the column of the last name.
  private mutating func addColumn() {
    let name = names.text(columns.count)
    isWanted.append(fields.contains(name))
    columns.append(texts.begin(name) ? ColumnBuilder.ofText : ColumnBuilder())
    columns[columns.count - 1].reserve(rows: room)
    pending.append(.absent)
  }

  /// Reserves memory for rows in the columns that are added later.
  mutating func reserve(rows: Int) { room = rows }

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
    let typed = concurrentMap(kept.count) { place in
      var column = columns[kept[place]]
      column.appendNulls(upTo: rowCount)
      let name = names.text(kept[place])
      return column.typed(name: name, keepsText: texts.kept.contains(name))
    }
    return typed.map { $0.completed() }
  }

  /// The names of the columns whose values have several types, which must be read again as text.
  var namesOfMixed: [String] {
    columns.indices.filter { columns[$0].isGivenUp || mixed.contains($0) }.map(names.text)
  }

  /// Adds the rows of a later part of the source; returns false for too many fields.
  ///
  /// The rows of a column of several types are left out, since they must be read again.
  mutating func append(_ part: PropertyTable) -> Bool {
    for column in part.columns.indices {
      let code = Int(names.code(of: part.names.bytes, part.names.range(of: column)))
      if code == columns.count {
        guard columns.count < FeatureSchema.fieldLimit else { return false }
        addColumn()
      }
      if part.nested.contains(column) { nested.insert(code) }
      guard isWanted[code], !mixed.contains(code) else { continue }
      columns[code].appendNulls(upTo: rowCount)
      if !columns[code].append(part.columns[column]) { mixed.insert(code) }
    }
    rowCount += part.rowCount
    return true
  }

  /// Removes all rows; the names and types of the columns stay.
  mutating func forgetRows() {
    for index in columns.indices { columns[index].forgetRows() }
    rowCount = 0
  }

  /// Whether the type of a column depends on the values of all rows.
  var hasOpenColumns: Bool {
    columns.indices.contains { columns[$0].isOpen && !texts.kept.contains(names.text($0)) }
  }
  /// The names of the columns that hold text.
  var namesOfTexts: [String] { columns.indices.filter { columns[$0].kind == .text }.map(names.text) }
}

/// The fields whose columns hold text from the start.
struct TextFields: Sendable {
  /// The fields to read as text, whatever their values.
  var kept: Set<String> = []
  /// The fields whose values have several types.
  var mixed: Set<String> = []
  /// Whether the ids of features have several types.
  var hasMixedIDs = false

  /// Whether the column of a field holds text from the start.
  func begin(_ name: String) -> Bool { kept.contains(name) || mixed.contains(name) }
}
