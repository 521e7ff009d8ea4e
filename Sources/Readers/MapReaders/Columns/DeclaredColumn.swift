package import MapFeatures
package import MapFilter

/// The values of a field with a declared type, collected row by row; shared by the readers of binary formats.
package struct DeclaredColumn: Sendable {
  /// The storage of the values.
  package enum Kind: Sendable { case integer, real, boolean, text, date, instant }

  /// The field.
  package let field: Field
  /// The storage of its values.
  package let kind: Kind
  /// The number of rows.
  package private(set) var count = 0

  // Only the array of the column's kind is filled.
  /// Timestamps, and integers if one does not fit 32 bits.
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var booleans: [Bool] = []
  /// Codes of texts, days, and integers that all fit 32 bits.
  private var codes: [Int32] = []
  /// Whether the values are in ``integers``.
  private var isLong: Bool
  private var texts = TextTable()
  /// Empty while no row is null.
  private var validity: [UInt64] = []
  private var nullCount = 0

  private var notNumbers = 0
  private var withoutZone = 0
  private var cutTimes = 0
  private var impossibleTimes = 0

  /// Creates a column without rows.
  package init(_ field: Field, _ kind: Kind) {
    (self.field, self.kind, isLong) = (field, kind, kind == .instant)
  }

  /// Reserves memory for rows to be added.
  package mutating func reserve(rows: Int) {
    switch kind {
    case .instant: integers.reserveCapacity(rows)
    case .real: reals.reserveCapacity(rows)
    case .boolean: booleans.reserveCapacity(rows)
    case .integer, .text, .date: codes.reserveCapacity(rows)
    }
  }

  // MARK: Values

  /// Adds a row without a value.
  package mutating func appendNull() {
    switch kind {
    case .integer, .instant: if isLong { integers.append(0) } else { codes.append(0) }
    case .real: reals.append(0)
    case .boolean: booleans.append(false)
    case .text: codes.append(-1)
    case .date: codes.append(0)
    }
    advance(isValid: false)
  }

  /// Adds rows without a value until the column has `rows` rows.
  @inline(__always)
  mutating func appendNulls(upTo rows: Int) { while count < rows { appendNull() } }

  /// Adds an integer.
  package mutating func append(integer: Int64) {
    if !isLong, let short = Int32(exactly: integer) {
      codes.append(short)
    } else {
      lengthen()
      integers.append(integer)
    }
    advance(isValid: true)
  }

  /// Moves the integers to 64 bits.
  private mutating func lengthen() {
    guard !isLong else { return }
    integers.reserveCapacity(codes.capacity)
    integers += codes.lazy.map { Int64($0) }
    (codes, isLong) = ([], true)
  }

  /// Adds a number; infinity and NaN become null and are counted.
  package mutating func append(real: Double) {
    guard real.isFinite else {
      notNumbers += 1
      return appendNull()
    }
    reals.append(real)
    advance(isValid: true)
  }

  /// Adds integers.
  package mutating func append(integers values: [Int64]) {
    if !isLong, values.allSatisfy({ Int32(exactly: $0) != nil }) {
      codes += [Int32](count: values.count, filling: 0) { Int32(truncatingIfNeeded: values[$0]) }
    } else {
      lengthen()
      integers += values
    }
    advance(by: values.count)
  }

  /// Adds integers of 32 bits.
  mutating func append(shortIntegers values: [Int32]) {
    if isLong { integers += values.lazy.map { Int64($0) } } else { codes += values }
    advance(by: values.count)
  }

  /// Adds finite numbers.
  package mutating func append(finiteReals values: [Double]) {
    reals += values
    advance(by: values.count)
  }

  /// Adds finite numbers to a column without rows; the bit of each row tells whether it has a value.
  mutating func append(finiteReals values: [Double], valid: ArrowBuffer) {
    precondition(count == 0, "a column without rows")
    reals = values
    count = values.count
    validity = Self.allValid(count)
    var present = 0
    for word in validity.indices {
      var bits: UInt64 = 0
      for byte in 0..<min(8, valid.count - 8 * word) {
        bits |= UInt64(valid.byte(at: 8 * word + byte)) << UInt64(8 * byte)
      }
      validity[word] &= bits
      // The numbers of rows without a value have no meaning, and are equal in equal columns.
      var nulls = ~bits
      while nulls != 0 {
        let row = 64 * word + nulls.trailingZeroBitCount
        if row < count { reals[row] = 0 }
        nulls &= nulls - 1
      }
      present += validity[word].nonzeroBitCount
    }
    nullCount = count - present
    if nullCount == 0 { validity = [] }
  }

  /// Adds a boolean.
  package mutating func append(boolean: Bool) {
    booleans.append(boolean)
    advance(isValid: true)
  }

  /// Adds the text `source[range]`.
  package mutating func append(text range: Range<Int>, in source: [UInt8]) {
    codes.append(texts.code(of: source, range))
    advance(isValid: true)
  }

  /// Returns the code of the text `source[range]`, which is added to the texts if it is new.
  package mutating func code(of source: [UInt8], _ range: Range<Int>) -> Int32 {
    texts.code(of: source, range)
  }

  /// Adds a text by its code.
  mutating func append(code: Int32) {
    codes.append(code)
    advance(isValid: true)
  }

  /// Adds texts by their codes; -1 is a row without a value.
  package mutating func append(codes values: [Int32]) {
    if nullCount == 0, values.allSatisfy({ $0 >= 0 }) {
      codes += values
      return advance(by: values.count)
    }
    for code in values { if code < 0 { appendNull() } else { append(code: code) } }
  }

  /// Adds timestamps in the years 0001 to 9999.
  mutating func append(microseconds values: [Int64], hasZone: Bool) {
    integers += values
    if !hasZone { withoutZone += values.count }
    advance(by: values.count)
  }

  /// Adds a date; nil, an impossible date, becomes null and is counted.
  package mutating func append(date: CalendarDate?) {
    guard let date else {
      impossibleTimes += 1
      return appendNull()
    }
    codes.append(date.days)
    advance(isValid: true)
  }

  /// Adds a timestamp; nil, an impossible one, becomes null.
  ///
  /// Impossible timestamps and those without a time zone are counted.
  package mutating func append(moment: ZonedMoment?) {
    guard let moment else {
      impossibleTimes += 1
      return appendNull()
    }
    if !moment.hasZone { withoutZone += 1 }
    if moment.isCut { cutTimes += 1 }
    integers.append(moment.microseconds)
    advance(isValid: true)
  }

  @inline(__always)
  private mutating func advance(isValid: Bool) {
    if isValid, nullCount == 0 { return count += 1 }
    advanceWritingValidity(isValid)
  }

  private mutating func advanceWritingValidity(_ isValid: Bool) {
    if nullCount == 0 { validity = Self.allValid(count) }
    if count & 63 == 0 { validity.append(0) }
    if isValid { validity[count >> 6] |= 1 << UInt64(count & 63) } else { nullCount += 1 }
    count += 1
  }

  private mutating func advance(by rows: Int) {
    if nullCount > 0 { validity.append(bits: Self.allValid(rows), count: rows, after: count) }
    count += rows
  }

  /// Returns the validity of rows that all have a value.
  private static func allValid(_ rows: Int) -> [UInt64] {
    var words = [UInt64](repeating: .max, count: (rows + 63) / 64)
    // Bits after the last row stay 0 for the rows to come.
    if rows & 63 != 0 { words[words.count - 1] = (1 << UInt64(rows & 63)) - 1 }
    return words
  }

  // MARK: Parts of a file

  /// Adds the rows of the same field from a later part of the file, as if they had been read here.
  ///
  /// - Cost: a copy of the values; for text a lookup per distinct value.
  package mutating func append(_ part: DeclaredColumn) {
    if part.isLong { lengthen() }
    integers += part.integers
    reals += part.reals
    booleans += part.booleans
    if kind == .text {
      let own = texts.codes(of: part.texts)
      codes.append(contentsOf: part.codes.lazy.map { $0 < 0 ? -1 : own[Int($0)] })
    } else if isLong {
      integers += part.codes.lazy.map { Int64($0) }
    } else {
      codes += part.codes
    }
    if nullCount + part.nullCount > 0 {
      if nullCount == 0 { validity = Self.allValid(count) }
      let others = part.nullCount == 0 ? Self.allValid(part.count) : part.validity
      validity.append(bits: others, count: part.count, after: count)
    }
    count += part.count
    nullCount += part.nullCount
    notNumbers += part.notNumbers
    withoutZone += part.withoutZone
    cutTimes += part.cutTimes
    impossibleTimes += part.impossibleTimes
  }

  /// Replaces each distinct text, which is bytes in the encoding of a file.
  ///
  /// - Parameter convert: returns the text in UTF-8; nil for one that stays.
  package mutating func convertTexts<Failure: Error>(
    _ convert: (ArraySlice<UInt8>) throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    guard kind == .text else { return }
    var converted: TextTable?
    var newCodes: [Int32] = []
    for code in 0..<texts.count {
      let source = texts.bytes[texts.range(of: code)]
      let text = try convert(source)
      if text != nil, converted == nil {
        // The texts before the first one that changes keep their codes.
        var first = TextTable()
        newCodes = (0..<code).map { first.code(of: texts.bytes, texts.range(of: $0)) }
        converted = first
      }
      guard converted != nil else { continue }
      if let text {
        newCodes.append(converted?.code(of: text, 0..<text.count) ?? -1)
      } else {
        newCodes.append(converted?.code(of: texts.bytes, source.indices) ?? -1)
      }
    }
    guard let converted else { return }
    texts = converted
    for row in codes.indices where codes[row] >= 0 { codes[row] = newCodes[Int(codes[row])] }
  }

  // MARK: Result

  /// Whether texts are so many that all cores are of use for this column alone.
  package var holdsManyTexts: Bool { texts.isLarge }

  /// Returns a column of decimals for integers that hold the bits of unsigned ones, and the number of rounded ones.
  func unsignedAsReals() -> (column: DeclaredColumn, rounded: Int) {
    var column = DeclaredColumn(
      Field(name: field.name, type: .float64, isNullable: field.isNullable), .real)
    let integers = isLong ? integers : codes.map { Int64($0) }
    column.reals = integers.map { Double(UInt64(bitPattern: $0)) }
    (column.count, column.validity, column.nullCount) = (count, validity, nullCount)
    let rounded = zip(integers, column.reals).count { UInt64(exactly: $1) != UInt64(bitPattern: $0) }
    return (column, rounded)
  }

  /// Returns the texts as values of the type that they would have in delimited text, and warnings.
  package func finishedAsDelimited() -> (field: Field, column: Column, warnings: [String]) {
    var column = ColumnBuilder.ofText(untyped: true)
    let source = texts.bytes
    for row in codes.indices {
      if codes[row] < 0 {
        column.appendNull()
      } else {
        column.append(text: texts.range(of: Int(codes[row])), in: source)
      }
    }
    let finished = column.finished(name: field.name)
    return (finished.field, finished.column, finished.warnings)
  }

  /// Returns the values, and warnings about losses and assumptions.
  package func finished() -> (column: Column, warnings: [String]) {
    let rows = nullCount == 0 ? nil : RowSet(rowCount: count, words: validity)
    var repairedTexts = 0
    let storage: Column.Storage
    switch kind {
    case .integer: storage = isLong ? .integers(integers) : .shortIntegers(codes)
    case .real: storage = .reals(reals)
    case .boolean: storage = .booleans(booleans)
    case .text:
      let (dictionary, repaired) = texts.strings()
      repairedTexts = repaired
      storage = .text(codes: codes, dictionary: dictionary)
    case .date: storage = .dates(codes)
    case .instant: storage = .instants(integers)
    }
    return (Column(storage, validity: rows), warnings(repairedTexts))
  }

  /// Returns the warning about timestamps without a time zone, the same for every format; empty if all have one.
  static func zoneWarnings(field: String, _ count: Int) -> [String] {
    guard count > 0 else { return [] }
    let what = count == 1 ? "timestamp without a time zone was" : "timestamps without a time zone were"
    return ["field \(field): \(count) \(what) read as UTC"]
  }

  /// Returns the warning about times with digits below a microsecond, the same for every format; empty if none has any.
  static func cutWarnings(field: String, _ count: Int) -> [String] {
    guard count > 0 else { return [] }
    let what = count == 1 ? "timestamp was" : "timestamps were"
    return ["field \(field): \(count) \(what) rounded down to microseconds"]
  }

  /// Returns the warning about integers that became decimals; empty if none did.
  package static func roundedWarnings(field: String, _ count: Int) -> [String] {
    guard count > 0 else { return [] }
    let what = count == 1 ? "whole number beyond 2^53 was" : "whole numbers beyond 2^53 were"
    return ["field \(field): \(count) \(what) rounded to \(count == 1 ? "a decimal" : "decimals")"]
  }

  private func warnings(_ repairedTexts: Int) -> [String] {
    var warnings: [String] = []
    if notNumbers > 0 {
      warnings.append(
        "field \(field.name): \(notNumbers) values that are not finite numbers were read as null")
    }
    if impossibleTimes > 0 {
      warnings.append("field \(field.name): \(impossibleTimes) impossible dates were read as null")
    }
    warnings += Self.zoneWarnings(field: field.name, withoutZone)
    warnings += Self.cutWarnings(field: field.name, cutTimes)
    if repairedTexts > 0 {
      warnings.append(
        "field \(field.name): \(repairedTexts) texts that are not in the file's encoding were repaired")
    }
    return warnings
  }
}

/// A timestamp as stored in a file.
package struct ZonedMoment: Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package let microseconds: Int64
  /// Whether the file states a time zone; without one, UTC is assumed.
  let hasZone: Bool
  /// Whether the file has digits below a microsecond, which are cut.
  package let isCut: Bool

  /// Creates a timestamp from a date and the microseconds since its midnight in UTC; nil for an impossible date.
  package init?(date: CalendarDate?, microseconds: Int64, hasZone: Bool, isCut: Bool = false) {
    guard let date else { return nil }
    self.microseconds = date.start.microseconds + microseconds
    (self.hasZone, self.isCut) = (hasZone, isCut)
  }
}

extension [UInt64] {
  /// Appends `count` bits of other words after the first `end` bits of these.
  mutating func append(bits words: [UInt64], count: Int, after end: Int) {
    let shift = UInt64(end & 63)
    guard shift != 0 else { return self += words }
    for word in words {
      self[self.count - 1] |= word << shift
      append(word >> (64 - shift))
    }
    removeLast(self.count - (end + count + 63) / 64)
  }
}
