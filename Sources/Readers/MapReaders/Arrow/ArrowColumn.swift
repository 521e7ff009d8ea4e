import MapFeatures
import MapFilter

/// The values of a field of Arrow data, in the types of a table.
struct ArrowColumn: Sendable {
  /// The index of the field in the schema.
  let field: Int
  /// The field, if its values are lists, structures or maps, which become JSON text; nil for others.
  private let nested: ArrowField?
  /// The values; without those that ``codes`` holds.
  private(set) var values: DeclaredColumn
  /// For each row of a part, the index of its text in the part's dictionary, or -1; nil for other columns.
  private(set) var codes: [Int32]?
  /// The dictionary of the codes: in a part its own, in a whole table the one of the last part.
  private var dictionary = ArrowDictionary()
  /// For each text of the dictionary, its code among the values; -1 for null, ``isNew`` before its first row.
  private var known: [Int32] = []
  private static let isNew: Int32 = -2
  /// Whether there are unsigned integers beyond the greatest signed one, which are stored by their bits.
  private var isBeyondSigned = false
  /// The numbers of values that were rounded.
  private var roundedIntegers = 0, roundedDecimals = 0, roundedTimes = 0
  /// Whether values within JSON text were changed.
  private var hasChangedParts = false

  init(field: Int, _ values: DeclaredColumn, nested: ArrowField? = nil) {
    (self.field, self.values, self.nested) = (field, values, nested)
  }

  /// Reserves memory for rows to be added.
  mutating func reserve(rows: Int) { values.reserve(rows: rows) }

  // MARK: Values

  /// Adds the values of an array, which are indices if there is a dictionary.
  mutating func append(_ array: ArrowArray, _ dictionary: ArrowDictionary?) throws {
    guard let dictionary else {
      values.reserve(rows: array.count)
      if let nested, array.type != .null { return try append(nested, array) }
      if case .bytes(.view, _) = array.type { return try appendViews(array) }
      return try append(array, 0..<array.count)
    }
    if values.kind == .text, dictionary.holdsTexts {
      self.dictionary = dictionary
      var codes = array.shortIntegers(0..<array.count) ?? []
      if codes.isEmpty {
        codes.reserveCapacity(array.count)
        for row in 0..<array.count { codes.append(Int32(clamping: array.integer(row))) }
      }
      for row in codes.indices {
        guard array.isValid(row) else {
          codes[row] = -1
          continue
        }
        guard codes[row] >= 0, codes[row] < dictionary.count else {
          throw ArrowDictionary.beyond(array.integer(row), dictionary)
        }
      }
      self.codes = codes
      return
    }
    for row in 0..<array.count {
      guard array.isValid(row) else {
        values.appendNull()
        continue
      }
      let (part, index) = try dictionary.place(of: array.integer(row))
      try append(part, index..<index + 1)
    }
  }

  /// Adds lists, structures or maps as JSON text.
  private mutating func append(_ field: ArrowField, _ array: ArrowArray) throws {
    let text = try ArrowText(field, array, 0..<array.count)
    hasChangedParts = hasChangedParts || text.isChanged
    var limit = ArrowText.Limit(array)
    for row in 0..<array.count {
      guard array.isValid(row) else {
        values.appendNull()
        continue
      }
      var bytes: [UInt8] = []
      try text.append(row, to: &bytes, &limit)
      values.append(text: 0..<bytes.count, in: bytes)
    }
  }

  mutating func append(_ array: ArrowArray, _ rows: Range<Int>) throws {
    switch array.type {
    case .null:
      for _ in rows { values.appendNull() }
    case .boolean:
      let bits = array.buffers[0]
      for row in rows {
        guard array.isValid(row) else {
          values.appendNull()
          continue
        }
        values.append(boolean: bits.bit(row))
      }
    case .integer(bits: 64, isSigned: false):
      for row in rows { appendUnsigned(array, row) }
    case .integer:
      guard array.validity != nil else {
        if let short = array.shortIntegers(rows) { return values.append(shortIntegers: short) }
        return values.append(integers: rows.map { array.integer($0) })
      }
      for row in rows {
        if array.isValid(row) { values.append(integer: array.integer(row)) } else { values.appendNull() }
      }
    case .real:
      if array.validity == nil {
        let reals = array.reals(rows)
        if reals.allSatisfy(\.isFinite) { return values.append(finiteReals: reals) }
      } else if let validity = array.validity, rows.lowerBound == 0, values.count == 0 {
        let reals = array.reals(rows)
        if reals.allSatisfy(\.isFinite) { return values.append(finiteReals: reals, valid: validity) }
      }
      for row in rows {
        if array.isValid(row) { values.append(real: array.real(row)) } else { values.appendNull() }
      }
    case .decimal(_, let scale):
      for row in rows {
        guard array.isValid(row) else {
          values.appendNull()
          continue
        }
        let (value, isRounded) = array.decimal(row, scale: scale)
        values.append(real: value)
        if isRounded { roundedDecimals += 1 }
      }
    case .date(let isInDays):
      for row in rows {
        guard array.isValid(row) else {
          values.appendNull()
          continue
        }
        let days = array.integer(row)
        values.append(date: CalendarDate(arrowDays: isInDays ? days : days.dividedDown(by: 86_400_000)))
      }
    case .time(let unit):
      for row in rows { appendTime(array, row, unit) }
    case .timestamp(let unit, let hasZone):
      if array.validity == nil, let microseconds = array.microseconds(rows, unit) {
        return values.append(microseconds: microseconds, hasZone: hasZone)
      }
      for row in rows { appendTimestamp(array, row, unit, hasZone) }
    case .julianTimestamp:
      for row in rows { appendJulianTimestamp(array, row) }
    default:
      for row in rows {
        guard array.isValid(row) else {
          values.appendNull()
          continue
        }
        let (bytes, range) = try array.place(row)
        values.append(text: range, in: bytes)
      }
    }
  }

  /// Adds an unsigned integer of 64 bits.
  private mutating func appendUnsigned(_ array: ArrowArray, _ row: Int) {
    guard array.isValid(row) else { return values.appendNull() }
    let value = array.integer(row)
    if value < 0 { isBeyondSigned = true }
    values.append(integer: value)
  }

  /// Adds a time of day as text, with a fraction of 3, 6 or 9 digits if it is not 0.
  private mutating func appendTime(_ array: ArrowArray, _ row: Int, _ unit: ArrowUnit) {
    guard array.isValid(row) else { return values.appendNull() }
    let value = array.integer(row)
    guard value >= 0, value < 86_400 * unit.perSecond else { return values.append(date: nil) }
    let (seconds, rest) = value.quotientAndRemainder(dividingBy: unit.perSecond)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    var text = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
    if rest > 0 {
      var (fraction, digits) = (rest, 3 * unit.rawValue)
      while fraction % 1000 == 0 { (fraction, digits) = (fraction / 1000, digits - 3) }
      text += "." + padded(fraction, digits)
    }
    let bytes = Array(text.utf8)
    values.append(text: 0..<bytes.count, in: bytes)
  }

  /// Adds a timestamp.
  private mutating func appendTimestamp(
    _ array: ArrowArray, _ row: Int, _ unit: ArrowUnit, _ hasZone: Bool
  ) {
    guard array.isValid(row) else { return values.appendNull() }
    let value = array.integer(row)
    guard unit != .nanoseconds else { return append(seconds: 0, nanoseconds: value, hasZone) }
    let (product, overflow) = value.multipliedReportingOverflow(by: 1_000_000 / unit.perSecond)
    append(microseconds: overflow ? .max : product, hasZone)
  }

  /// Adds a timestamp of a day and its nanoseconds.
  private mutating func appendJulianTimestamp(_ array: ArrowArray, _ row: Int) {
    guard array.isValid(row) else { return values.appendNull() }
    // 2,440,588 is the Julian day of 1970-01-01.
    let days = Int64(array.buffers[0].int32(at: 12 * row + 8)) - 2_440_588
    append(seconds: 86_400 * days, nanoseconds: Int64(array.buffers[0].int64(at: 12 * row)), false)
  }

  /// Adds a timestamp, rounded down to microseconds; those that are rounded are counted.
  private mutating func append(seconds: Int64, nanoseconds: Int64, _ hasZone: Bool) {
    if nanoseconds % 1000 != 0 { roundedTimes += 1 }
    let (start, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow) = start.addingReportingOverflow(nanoseconds.dividedDown(by: 1000))
    append(microseconds: isFar || overflow ? .max : sum, hasZone)
  }

  /// Adds a timestamp in microseconds; those outside the years 0001 to 9999 become null and are counted.
  private mutating func append(microseconds: Int64, _ hasZone: Bool) {
    guard Instant(epochMilliseconds: microseconds.dividedDown(by: 1000)) != nil else {
      return values.append(moment: nil)
    }
    values.append(
      moment: ZonedMoment(date: CalendarDate(days: 0), microseconds: microseconds, hasZone: hasZone))
  }

  /// Adds texts by views, each text of a buffer once.
  private mutating func appendViews(_ array: ArrowArray) throws {
    // Views may share bytes, but different texts of all views together must fit into the bytes, up to a factor.
    var left = 4 * array.buffers.reduce(4096) { $0 + $1.count }
    var seen: [Int: (length: Int, code: Int32)] = [:]
    for row in 0..<array.count {
      guard array.isValid(row) else {
        values.appendNull()
        continue
      }
      let (bytes, range) = try array.place(row)
      guard range.count > 12 else {
        values.append(text: range, in: bytes)
        continue
      }
      let key = array.buffers[0].int64(at: 16 * row + 8)
      if let (length, code) = seen[key], length == range.count {
        values.append(code: code)
        continue
      }
      left -= range.count
      guard left >= 0 else { throw ArrowError("its views share bytes, and are longer than those by far") }
      let code = values.code(of: bytes, range)
      seen[key] = (range.count, code)
      values.append(code: code)
    }
  }

  // MARK: Parts

  /// Adds the rows of a later part.
  mutating func append(_ part: ArrowColumn) throws {
    isBeyondSigned = isBeyondSigned || part.isBeyondSigned
    roundedDecimals += part.roundedDecimals
    roundedTimes += part.roundedTimes
    hasChangedParts = hasChangedParts || part.hasChangedParts
    guard let codes = part.codes else { return values.append(part.values) }
    // A delta adds texts to the dictionary; another dictionary replaces it.
    if !part.dictionary.continues(dictionary) { known = [] }
    dictionary = part.dictionary
    known += repeatElement(Self.isNew, count: dictionary.count - known.count)
    // Texts come into the table in the order of their rows, as from any other source.
    var owns = [Int32](repeating: -1, count: codes.count)
    for row in codes.indices where codes[row] >= 0 {
      let code = Int(codes[row])
      if known[code] == Self.isNew {
        let (array, place) = try dictionary.place(of: Int64(code))
        if array.isValid(place) {
          let (bytes, range) = try array.place(place)
          known[code] = values.code(of: bytes, range)
        } else {
          known[code] = -1
        }
      }
      owns[row] = known[code]
    }
    values.append(codes: owns)
  }

  /// Makes decimals of unsigned integers that exceed the signed ones; called when all rows are read.
  mutating func finish() {
    guard isBeyondSigned else { return }
    (values, roundedIntegers) = values.unsignedAsReals()
    isBeyondSigned = false
  }

  /// The warnings about rounded values.
  var warnings: [String] {
    var warnings: [String] = []
    func add(_ count: Int, _ one: String, _ several: String) {
      guard count > 0 else { return }
      warnings.append("field \(values.field.name): \(count == 1 ? "1 \(one)" : "\(count) \(several)")")
    }
    add(
      roundedIntegers, "whole number beyond 2^53 was rounded", "whole numbers beyond 2^53 were rounded")
    add(
      roundedDecimals, "decimal was rounded to double precision",
      "decimals were rounded to double precision")
    add(
      roundedTimes, "timestamp was rounded down to microseconds",
      "timestamps were rounded down to microseconds")
    if hasChangedParts {
      warnings.append(
        "field \(values.field.name): in its JSON text, values were rounded, or read as null or as UTC")
    }
    return warnings
  }
}

/// The values of a dictionary of a stream, in parts: the first and its deltas.
struct ArrowDictionary: Sendable {
  /// A dictionary batch.
  final class Part: Sendable {
    let array: ArrowArray
    /// The index of the first value.
    let start: Int

    init(_ array: ArrowArray, start: Int) { (self.array, self.start) = (array, start) }
  }

  /// The number of parts that are read; each delta copies the list of those before.
  private static let mostParts = 65_536

  private(set) var parts: [Part] = []
  /// The number of values.
  private(set) var count = 0

  /// Adds values.
  mutating func append(_ array: ArrowArray) throws(ArrowError) {
    guard parts.count < Self.mostParts else {
      throw ArrowError("has more than \(Self.mostParts) dictionary deltas")
    }
    parts.append(Part(array, start: count))
    count += array.count
    guard count <= Int(Int32.max) else { throw ArrowError("has a dictionary of more than 2^31 values") }
  }

  /// Whether the dictionary is another one with deltas.
  func continues(_ other: ArrowDictionary) -> Bool {
    guard let first = other.parts.first else { return true }
    return parts.first === first && parts.count >= other.parts.count
  }

  /// Whether the values are texts.
  var holdsTexts: Bool {
    guard let first = parts.first else { return true }
    if case .bytes = first.array.type { return true }
    return false
  }

  /// Returns the array and the index in it of a value.
  func place(of index: Int64) throws(ArrowError) -> (array: ArrowArray, index: Int) {
    guard index >= 0, index < count else { throw Self.beyond(index, self) }
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if parts[middle].start <= index { low = middle } else { high = middle - 1 }
    }
    // Empty parts start where the next one does, and the last of them is found.
    return (parts[low].array, Int(index) - parts[low].start)
  }

  static func beyond(_ index: Int64, _ dictionary: ArrowDictionary) -> ArrowError {
    ArrowError("value \(index) of a dictionary of \(dictionary.count)")
  }
}

extension CalendarDate {
  /// Creates a date in the years 0001 to 9999; nil for others.
  init?(arrowDays days: Int64) {
    guard (-719_162...2_932_896).contains(days), let days = Int32(exactly: days) else { return nil }
    self.init(days: days)
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
