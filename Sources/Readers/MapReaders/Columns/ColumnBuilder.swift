import MapFeatures
import MapFilter
import MapJSON

/// The values of one field while a file is read: without a type at first, then as wide as the values need.
///
/// Integers stay integers until a decimal arrives; the column is then real. A column of text holds timestamps as long
/// as all values are dates and date-times. In delimited text, every value is parsed by the type of the values before it.
/// Values of incompatible types make the column text, each as it was written: since the values before are not kept as
/// text, the column is given up, and its rows are read again into a column that holds text from the start.
struct ColumnBuilder: Sendable {
  enum Kind { case unknown, integer, real, boolean, moment, text }

  /// Whether the source is delimited text, where mixed types cause no warning.
  let isUntyped: Bool
  /// Whether delimited text with a decimal point is a number at once; otherwise the whole column decides.
  private let readsPoints: Bool
  private(set) var kind = Kind.unknown
  var integers: [Int64] = []
  var reals: [Double] = []
  private(set) var booleans: [Bool] = []
  /// Microseconds since 1970; for a date, those of its start.
  var moments: [Int64] = []
  var holdsTimes = false
  /// The number of date-times without a time zone.
  var withoutZone = 0
  /// The number of times with digits below a microsecond.
  var cutTimes = 0
  var codes: [Int32] = []
  var texts = TextTable()
  /// Empty while no row is null.
  var validity: [UInt64] = []
  var nullCount = 0

  /// The number of rows.
  var count = 0
  /// Whether values of several types became text.
  private(set) var isMixed = false
  /// Whether the values turned out to have several types: the rows must be read again into a text column.
  private(set) var isGivenUp = false
  /// The number of integers that became real numbers with other values.
  var roundedCount = 0
  /// The number of values beyond the greatest double, which became null.
  private(set) var overflowCount = 0
  /// The number of rows to reserve once the kind is known.
  private var room = 0
  /// Whether ``joined(_:untyped:)`` joins the column with those of other pieces.
  var isPart = false
  /// Facts about rows that were forgotten.
  private var forgotten = ForgottenValues()

  init(untyped: Bool = false, readsPoints: Bool = true) {
    (isUntyped, self.readsPoints) = (untyped, readsPoints)
  }

  /// Reserves memory for rows to be added to a column without rows, once its kind is known.
  mutating func reserve(rows: Int) { room = rows }

  /// A column that holds text from the start.
  static var ofText: ColumnBuilder { ofText(untyped: false) }

  /// Creates a column that holds text from the start, for delimited text or other sources.
  static func ofText(untyped: Bool, readsPoints: Bool = true) -> ColumnBuilder {
    var column = ColumnBuilder(untyped: untyped, readsPoints: readsPoints)
    column.kind = .text
    return column
  }

  // MARK: Values

  /// Adds a row without a value.
  mutating func appendNull() { appendNulls(1) }

  /// Adds rows without a value until the column has `rows` rows.
  mutating func appendNulls(upTo rows: Int) { if count < rows { appendNulls(rows - count) } }

  private mutating func appendNulls(_ rows: Int) {
    guard rows > 0 else { return }
    writeValidity()
    nullCount += rows
    extendValues(by: rows)
    for _ in 0..<rows { advance(valid: false) }
  }

  /// Adds placeholder values for null rows to the values of the current kind.
  private mutating func extendValues(by rows: Int) {
    switch kind {
    case .unknown: return
    case .integer: integers.append(contentsOf: repeatElement(0, count: rows))
    case .real: reals.append(contentsOf: repeatElement(0, count: rows))
    case .boolean: booleans.append(contentsOf: repeatElement(false, count: rows))
    case .moment: moments.append(contentsOf: repeatElement(0, count: rows))
    case .text: codes.append(contentsOf: repeatElement(-1, count: rows))
    }
  }

  private mutating func reserve() {
    switch kind {
    case .unknown: return
    case .integer: integers.reserveCapacity(room)
    case .real: reals.reserveCapacity(room)
    case .boolean: booleans.reserveCapacity(room)
    case .moment: moments.reserveCapacity(room)
    case .text: codes.reserveCapacity(room)
    }
  }

  /// Sets the kind of the rows so far, which are all null.
  private mutating func begin(_ kind: Kind) {
    self.kind = kind
    if room > 0 { reserve() }
    extendValues(by: count)
  }

  /// Adds a number from `source`.
  mutating func append(_ literal: DecimalLiteral, in source: [UInt8]) {
    if let integer = literal.integer {
      if kind == .unknown { begin(.integer) }
      if kind == .integer { return append(integer) }
    }
    if kind == .unknown { begin(.real) }
    if kind == .integer { widenToReals() }
    guard kind == .real else {
      if kind != .text { giveUp() }
      isMixed = true
      return append(knownText: literal.start..<literal.end, in: source)
    }
    let value = literal.double(in: source)
    guard value.isFinite else {
      overflowCount += 1
      return appendNull()
    }
    if literal.isWrittenAsInteger, literal.integer.map(TypedTexts.isRounded) ?? (abs(value) >= 0x1p53) {
      roundedCount += 1
    }
    append(value)
  }

  /// Adds a boolean.
  mutating func append(_ value: Bool) {
    if kind == .unknown { begin(.boolean) }
    if kind == .boolean {
      booleans.append(value)
      return advance(valid: true)
    }
    if kind != .text { giveUp() }
    isMixed = true
    append(text: Array((value ? "true" : "false").utf8))
  }

  /// Adds unescaped text from `source`.
  mutating func append(text range: Range<Int>, in source: [UInt8]) {
    if isUntyped { return append(untyped: range, in: source) }
    if kind == .unknown, TypedTexts.moment(source, range) != nil { begin(.moment) }
    if kind == .moment, let moment = TypedTexts.moment(source, range) { return append(moment) }
    append(plainText: range, in: source)
  }

  /// Adds text from its own bytes.
  mutating func append(text: [UInt8]) { append(plainText: 0..<text.count, in: text) }

  /// Adds delimited text with the type of the values before it; as text if it does not match.
  private mutating func append(untyped range: Range<Int>, in source: [UInt8]) {
    switch kind {
    case .text: return append(knownText: range, in: source)
    case .unknown:
      // The same order in which the types of a whole column are tried.
      if TypedTexts.integer(source, range) != nil {
        begin(.integer)
      } else if readsPoints, TypedTexts.real(source, range) != nil {
        begin(.real)
      } else if TypedTexts.boolean(source, range) != nil {
        begin(.boolean)
      } else if TypedTexts.moment(source, range) != nil {
        begin(.moment)
      } else {
        begin(.text)
      }
      return append(untyped: range, in: source)
    case .integer:
      if let value = TypedTexts.integer(source, range) { return append(value) }
      if readsPoints, let value = TypedTexts.real(source, range) {
        widenToReals()
        return append(value)
      }
    case .real:
      if let value = TypedTexts.real(source, range) {
        if TypedTexts.isRounded(source, range, to: value) { roundedCount += 1 }
        return append(value)
      }
    case .boolean: if let value = TypedTexts.boolean(source, range) { return append(value) }
    case .moment: if let value = TypedTexts.moment(source, range) { return append(value) }
    }
    append(plainText: range, in: source)
  }

  private mutating func append(_ value: Int64) {
    integers.append(value)
    advance(valid: true)
  }

  private mutating func append(_ value: Double) {
    reals.append(value)
    advance(valid: true)
  }

  private mutating func append(_ moment: TypedTexts.Moment) {
    moments.append(moment.microseconds)
    if moment.hasTime { holdsTimes = true }
    if moment.lacksZone { withoutZone += 1 }
    if moment.isCut { cutTimes += 1 }
    advance(valid: true)
  }

  private mutating func append(plainText range: Range<Int>, in source: [UInt8]) {
    if kind == .unknown { begin(.text) }
    if kind != .text { giveUp() }
    append(knownText: range, in: source)
  }

  private mutating func append(knownText range: Range<Int>, in source: [UInt8]) {
    codes.append(texts.code(of: source, range))
    advance(valid: true)
  }

  @inline(__always)
  private mutating func advance(valid: Bool) {
    if nullCount == 0 { return count += 1 }
    if count & 63 == 0 { validity.append(0) }
    if valid { validity[count >> 6] |= 1 << UInt64(count & 63) }
    count += 1
  }

  private func isValid(_ row: Int) -> Bool {
    nullCount == 0 || validity[row >> 6] & (1 << UInt64(row & 63)) != 0
  }

  /// Stores explicitly that all rows so far have a value; until the first null this is implicit.
  mutating func writeValidity() {
    guard nullCount == 0 else { return }
    validity = Array(repeating: .max, count: count >> 6)
    if count & 63 != 0 { validity.append(1 << UInt64(count & 63) - 1) }
  }

  /// Whether the last rows all have numbers.
  func endsWithNumbers(_ rows: Int) -> Bool {
    guard kind == .real || kind == .integer else { return false }
    return nullCount == 0 || (count - rows..<count).allSatisfy(isValid)
  }

  /// The numbers of all rows; nil unless the column has decimals and no nulls.
  var decimals: [Double]? { kind == .real && nullCount == 0 ? reals : nil }

  /// Returns the number in a row; nil without one.
  func number(inRow row: Int) -> Double? {
    guard isValid(row) else { return nil }
    return switch kind {
    case .real: reals[row]
    case .integer: Double(integers[row])
    default: nil
    }
  }

  // MARK: Widening

  private mutating func widenToReals() {
    reals = integers.map { Double($0) }
    roundedCount += roundableCount
    forgotten.roundableCount = 0
    integers = []
    kind = .real
  }

  /// The number of integers that become real numbers with other values if the column does.
  private var roundableCount: Int {
    forgotten.roundableCount + integers.indices.count { isValid($0) && TypedTexts.isRounded(integers[$0]) }
  }

  private mutating func giveUp() {
    (integers, reals, booleans, moments) = ([], [], [], [])
    (codes, texts) = (Array(repeating: -1, count: count), TextTable())
    (kind, isGivenUp) = (.text, true)
    (roundedCount, withoutZone, cutTimes) = (0, 0, 0)
  }

  // MARK: Parts of a file

  /// Adds the rows of a later part of the source, as if they had been read here; returns false if they must be read
  /// again as text.
  ///
  /// - Cost: a copy of the values; for text a lookup per distinct value.
  mutating func append(_ part: ColumnBuilder) -> Bool { append(part, codes: nil) }

  /// Adds the rows of a later part of the source.
  ///
  /// - Parameter own: the codes in ``texts`` of the texts of the part; nil if they are still to be found.
  private mutating func append(_ part: ColumnBuilder, codes own: [Int32]?) -> Bool {
    guard !isGivenUp, !part.isGivenUp else { return false }
    var part = part
    switch (kind, part.kind) {
    case (_, .unknown):
      appendNulls(part.count)
      return true
    case (.unknown, _): begin(part.kind)
    case (.integer, .real): widenToReals()
    case (.real, .integer): part.widenToReals()
    case let (own, other) where own != other: return false
    default: break
    }
    integers += part.integers
    reals += part.reals
    booleans += part.booleans
    moments += part.moments
    withoutZone += part.withoutZone
    cutTimes += part.cutTimes
    if kind == .text {
      let own = own ?? texts.codes(of: part.texts)
      codes.append(contentsOf: part.codes.lazy.map { $0 < 0 ? -1 : own[Int($0)] })
    }
    if nullCount + part.nullCount > 0 {
      writeValidity()
      part.writeValidity()
      validity.append(bits: part.validity, count: part.count, after: count)
    }
    count += part.count
    nullCount += part.nullCount
    overflowCount += part.overflowCount
    holdsTimes = holdsTimes || part.holdsTimes
    roundedCount = kind == .text ? 0 : roundedCount + part.roundedCount
    isMixed = isMixed || part.isMixed
    return true
  }

  /// Joins the rows of consecutive parts; a missing column and missing rows are null.
  ///
  /// Nil if ``append(_:)`` returns false.
  static func joined(
    _ parts: [(column: ColumnBuilder?, rowCount: Int)], untyped: Bool
  ) -> ColumnBuilder? {
    let kinds = Set(parts.compactMap { $0.column?.kind }).subtracting([.unknown])
    // Texts do not join with other values, so that there is no need to compare them.
    guard !kinds.contains(.text) || kinds.count == 1 else { return nil }
    var whole = ColumnBuilder(untyped: untyped)
    whole.room = parts.reduce(0) { $0 + $1.rowCount }
    let (texts, codes) = TextTable.joined(parts.map { $0.column?.texts ?? TextTable() })
    whole.texts = texts
    var rowCount = 0
    for (part, codes) in zip(parts, codes) {
      if let column = part.column, !whole.append(column, codes: codes) { return nil }
      rowCount += part.rowCount
      whole.appendNulls(upTo: rowCount)
    }
    return whole
  }

  // MARK: Rows that are not kept

  /// Facts about the rows that a column had.
  private struct ForgottenValues: Sendable {
    /// See ``ColumnBuilder/roundableCount``.
    var roundableCount = 0
    /// Whether there were texts, and whether all texts of some rows were times.
    var (hasTexts, areTimes) = (false, true)
  }

  /// Removes all rows; the type of the column, and what its warnings count, stay.
  ///
  /// A value that is added later becomes one of that type, or is refused as one of another.
  mutating func forgetRows() {
    if kind == .integer { forgotten.roundableCount = roundableCount }
    if kind == .text, texts.count > 0 {
      if forgotten.areTimes { forgotten.areTimes = TypedTexts(texts, numbers: isUntyped) != nil }
      forgotten.hasTexts = true
      texts = TextTable()
    }
    integers.removeAll(keepingCapacity: true)
    reals.removeAll(keepingCapacity: true)
    booleans.removeAll(keepingCapacity: true)
    moments.removeAll(keepingCapacity: true)
    codes.removeAll(keepingCapacity: true)
    (validity, nullCount, count) = ([], 0, 0)
  }

  /// Whether the type depends on the texts of all rows, because those that were forgotten are all times.
  var isOpen: Bool { kind == .text && !isMixed && forgotten.hasTexts && forgotten.areTimes }
  /// Whether texts that were forgotten make the column text.
  var holdsOtherTexts: Bool { forgotten.hasTexts && !forgotten.areTimes }
}
