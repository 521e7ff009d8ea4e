import MapFilter
import MapJSON

/// Distinct texts that all read as values of one type.
enum TypedTexts {
  case integers([Int64])
  case reals([Double])
  case booleans([Bool])
  case dates([Int32])
  case instants([Int64])

  /// The type that all texts have; nil when they are just text, or when there is none.
  ///
  /// Dates and date-times are always looked for; numbers, true and false only with `numbers`. A mix of dates and
  /// date-times reads as date-times, a date at its start in UTC.
  init?(_ texts: [String], numbers: Bool) {
    guard !texts.isEmpty else { return nil }
    if numbers {
      if let values = Self.all(texts, { Self.integer($0) }) {
        self = .integers(values)
        return
      }
      if let values = Self.all(texts, { Self.real($0) }) {
        self = .reals(values)
        return
      }
      if let values = Self.all(texts, { Self.boolean($0) }) {
        self = .booleans(values)
        return
      }
    }
    if let values = Self.all(texts, { CalendarDate(iso8601: $0)?.days }) {
      self = .dates(values)
    } else if let values = Self.all(
      texts, { (Instant(rfc3339: $0) ?? CalendarDate(iso8601: $0)?.start)?.microseconds })
    {
      self = .instants(values)
    } else {
      return nil
    }
  }

  /// What every text reads as; nil as soon as one does not.
  private static func all<Value>(_ texts: [String], _ read: (String) -> Value?) -> [Value]? {
    var values: [Value] = []
    for text in texts {
      guard let value = read(text) else { return nil }
      values.append(value)
    }
    return values
  }

  /// A whole number as programs write it; `007` and `+7` are codes, not numbers.
  private static func integer(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard let literal = DecimalLiteral(json: bytes, at: 0), literal.end == bytes.count else { return nil }
    return literal.integer
  }

  /// A number as programs write it; a whole one must fit in 64 bits, for a longer one is a code.
  private static func real(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let digits = bytes.first == 0x2D ? bytes.dropFirst() : bytes[...]
    // `00.5` is a code, `.5` a number.
    if digits.first == 0x30, let second = digits.dropFirst().first, 0x30...0x39 ~= second { return nil }
    guard bytes.first != 0x2B, let literal = DecimalLiteral(loose: bytes, at: 0), literal.end == bytes.count
    else { return nil }
    if literal.isWrittenAsInteger, literal.integer == nil, text != "-0" { return nil }
    let value = literal.double(in: bytes)
    return value.isFinite ? value : nil
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "true", "TRUE", "True": true
    case "false", "FALSE", "False": false
    default: nil
    }
  }

  /// True when a number beyond 2^53 is among the reals, where whole numbers are rounded.
  var holdsRoundedIntegers: Bool {
    if case .reals(let values) = self { values.contains { abs($0) >= 0x1p53 } } else { false }
  }

  /// The type of the field.
  var fieldType: FieldType {
    switch self {
    case .integers: .int64
    case .reals: .float64
    case .booleans: .int16
    case .dates: .dateOnly
    case .instants: .date
    }
  }

  /// The values of the rows that have these codes; code -1 is a row without a value.
  func storage(_ codes: [Int32]) -> Column.Storage {
    func spread<Value>(_ values: [Value], _ missing: Value) -> [Value] {
      codes.map { $0 < 0 ? missing : values[Int($0)] }
    }
    return switch self {
    case .integers(let values): .integers(spread(values, 0))
    case .reals(let values): .reals(spread(values, 0))
    case .booleans(let values): .booleans(spread(values, false))
    case .dates(let values): .dates(spread(values, 0))
    case .instants(let values): .instants(spread(values, 0))
    }
  }
}
