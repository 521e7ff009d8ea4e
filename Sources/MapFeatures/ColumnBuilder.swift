import MapFilter
import MapJSON

/// The values of one field while a file is read: starts without a type and widens as values come.
///
/// Whole numbers stay integers until a decimal comes, then the column is real. Values of types that do not go
/// together make it text, each as it was written. At the end, text that is all dates becomes dates.
struct ColumnBuilder {
  private enum Kind { case unknown, integer, real, boolean, text }

  private var kind = Kind.unknown
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var booleans: [Bool] = []
  private var codes: [Int32] = []
  /// Where each number stands in the source, to write it as text later.
  private var starts: [Int] = []
  private var texts = TextTable()
  private var validity: [UInt64] = []
  private var nullCount = 0

  /// Number of rows.
  private(set) var count = 0
  /// True when values of several types became text.
  private(set) var isMixed = false
  /// True when an integer beyond 2^53 became a real.
  private(set) var isRounded = false
  /// Numbers beyond the greatest double, which became null.
  private(set) var overflowCount = 0

  // MARK: Values

  /// Adds a row without a value.
  mutating func appendNull() {
    nullCount += 1
    switch kind {
    case .unknown: break
    case .integer:
      integers.append(0)
      starts.append(0)
    case .real:
      reals.append(0)
      starts.append(0)
    case .boolean: booleans.append(false)
    case .text: codes.append(-1)
    }
    advance(valid: false)
  }

  /// Adds rows without a value until there are so many rows.
  mutating func appendNulls(upTo rows: Int) { while count < rows { appendNull() } }

  /// Adds a number that stands in `source`.
  mutating func append(_ literal: DecimalLiteral, in source: [UInt8]) {
    if let integer = literal.integer {
      switch kind {
      case .integer:
        integers.append(integer)
        starts.append(literal.start)
        return advance(valid: true)
      case .unknown:
        kind = .integer
        integers = Array(repeating: 0, count: count)
        starts = integers.map { _ in 0 }
        return append(literal, in: source)
      default: break
      }
    }
    switch kind {
    case .unknown:
      kind = .real
      reals = Array(repeating: 0, count: count)
      starts = reals.map { _ in 0 }
      append(literal, in: source)
    case .integer:
      widenToReals()
      append(literal, in: source)
    case .real:
      let value = literal.double(in: source)
      guard value.isFinite else {
        overflowCount += 1
        return appendNull()
      }
      if literal.isWrittenAsInteger, abs(value) >= 0x1p53 { isRounded = true }
      reals.append(value)
      starts.append(literal.start)
      advance(valid: true)
    case .boolean:
      turnIntoText(source)
      append(literal, in: source)
    case .text:
      isMixed = true
      append(text: literal.start..<literal.end, in: source)
    }
  }

  /// Adds true or false.
  mutating func append(_ value: Bool, in source: [UInt8]) {
    switch kind {
    case .boolean:
      booleans.append(value)
      advance(valid: true)
    case .unknown:
      kind = .boolean
      booleans = Array(repeating: false, count: count)
      append(value, in: source)
    case .integer, .real:
      turnIntoText(source)
      append(value, in: source)
    case .text:
      isMixed = true
      appendCode(Array((value ? "true" : "false").utf8))
    }
  }

  /// Adds text that stands in `source` as it is.
  mutating func append(text range: Range<Int>, in source: [UInt8]) {
    if kind != .text {
      if kind == .unknown {
        kind = .text
        codes = Array(repeating: -1, count: count)
      } else {
        turnIntoText(source)
      }
    }
    codes.append(texts.code(of: source, range))
    advance(valid: true)
  }

  /// Adds text of its own bytes, where `source` is what earlier numbers stand in.
  mutating func append(text: [UInt8], in source: [UInt8]) {
    if kind != .text, kind != .unknown { turnIntoText(source) }
    append(text: 0..<text.count, in: text)
  }

  private mutating func appendCode(_ text: [UInt8]) {
    codes.append(texts.code(of: text, 0..<text.count))
    advance(valid: true)
  }

  private mutating func advance(valid: Bool) {
    if count & 63 == 0 { validity.append(0) }
    if valid { validity[count >> 6] |= 1 << UInt64(count & 63) }
    count += 1
  }

  private func isValid(_ row: Int) -> Bool { validity[row >> 6] & (1 << UInt64(row & 63)) != 0 }

  // MARK: Widening

  private mutating func widenToReals() {
    reals = integers.map { Double($0) }
    if integers.contains(where: { $0.magnitude >= 1 << 53 }) { isRounded = true }
    integers = []
    kind = .real
  }

  /// Writes all values so far as text, numbers as they stand in the source.
  private mutating func turnIntoText(_ source: [UInt8]) {
    var texts = TextTable()
    codes = (0..<count).map { row in
      guard isValid(row) else { return -1 }
      if kind == .boolean {
        let text = Array((booleans[row] ? "true" : "false").utf8)
        return texts.code(of: text, 0..<text.count)
      }
      let start = starts[row]
      let end = DecimalLiteral(json: source, at: start)?.end ?? start
      return texts.code(of: source, start..<end)
    }
    self.texts = texts
    (integers, reals, booleans, starts) = ([], [], [], [])
    (kind, isMixed) = (.text, true)
    // What was rounded is text again.
    isRounded = false
  }

  // MARK: Result

  /// The field, its values, and what reading lost.
  ///
  /// With `untyped` true the texts say what they are, as in delimited text: numbers, true and false, dates.
  func finished(name: String, untyped: Bool = false) -> FinishedColumn {
    let rows = nullCount == 0 ? nil : RowSet(rowCount: count, words: validity)
    var warnings: [String] = []
    if isMixed { warnings.append("field \(name): values of several types were read as text") }
    if isRounded { warnings.append("field \(name): whole numbers beyond 2^53 were rounded to decimals") }
    if overflowCount > 0 {
      warnings.append("field \(name): \(overflowCount) numbers beyond the greatest double were read as null")
    }
    func finish(_ type: FieldType, _ storage: Column.Storage) -> FinishedColumn {
      FinishedColumn(
        field: Field(name: name, type: type), column: Column(storage, validity: rows), warnings: warnings)
    }
    switch kind {
    case .unknown: return finish(.text, .text(codes: Array(repeating: -1, count: count), dictionary: []))
    case .integer: return finish(.int64, .integers(integers))
    case .real: return finish(.float64, .reals(reals))
    // The map SDK has no boolean field; its tables keep one as a short integer.
    case .boolean: return finish(.int16, .booleans(booleans))
    case .text:
      guard !isMixed, let typed = TypedTexts(texts, numbers: untyped) else {
        return finish(.text, .text(codes: codes, dictionary: (0..<texts.count).map { texts.text($0) }))
      }
      if typed.holdsRoundedIntegers {
        warnings.append("field \(name): whole numbers beyond 2^53 were rounded to decimals")
      }
      return finish(typed.fieldType, typed.storage(codes))
    }
  }
}

/// A column that has its type.
struct FinishedColumn {
  let field: Field
  let column: Column
  let warnings: [String]
}
