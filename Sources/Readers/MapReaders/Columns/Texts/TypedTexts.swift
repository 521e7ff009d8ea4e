import MapFeatures
import MapFilter
import MapJSON

/// Distinct texts that all parse as values of one type.
enum TypedTexts {
  case integers([Int64])
  case reals([Double])
  case booleans([Bool])
  case dates([Int32])
  case instants([Int64])

  /// Determines the type of all texts; nil if they are only text, or if there are none.
  ///
  /// Dates and date-times are always tried; numbers and booleans only with `numbers`, and numbers with a decimal point
  /// only with `points`. A mixture of dates and date-times is read as date-times, a date as its start in UTC.
  init?(_ texts: TextTable, numbers: Bool, points: Bool = true) {
    guard texts.count > 0 else { return nil }
    if numbers {
      if let values = Self.all(texts, Self.integer) {
        self = .integers(values)
        return
      }
      if points, let values = Self.all(texts, Self.real) {
        self = .reals(values)
        return
      }
      if let values = Self.all(texts, Self.boolean) {
        self = .booleans(values)
        return
      }
    }
    if let values = Self.all(texts, { CalendarDate(iso8601: $0.span.extracting($1))?.days }) {
      self = .dates(values)
    } else if let values = Self.all(texts, { Self.moment($0, $1)?.microseconds }) {
      self = .instants(values)
    } else {
      return nil
    }
  }

  /// Returns the value of every text; nil as soon as one does not parse.
  private static func all<Value>(_ texts: TextTable, _ read: ([UInt8], Range<Int>) -> Value?) -> [Value]? {
    let bytes = texts.bytes
    var values: [Value] = []
    for code in 0..<texts.count {
      guard let value = read(bytes, texts.range(of: code)) else { return nil }
      values.append(value)
    }
    return values
  }

  /// Parses an integer as programs write it; `007` and `+7` are codes, not numbers.
  static func integer(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
    if let word = ByteWord(bytes, of: range), let value = word.number(digits: range.count),
      bytes[range.lowerBound] != 0x30 || range.count == 1
    {
      return Int64(value)
    }
    if let value = shortInteger(bytes.span.extracting(range)) { return value }
    guard let literal = DecimalLiteral(json: bytes, at: range.lowerBound), literal.end == range.upperBound
    else { return nil }
    return literal.integer
  }

  /// Parses up to 18 digits without a sign, the usual form of an integer; nil for other texts.
  @inline(__always)
  private static func shortInteger(_ text: Span<UInt8>) -> Int64? {
    guard 1...18 ~= text.count, text[0] != 0x30 || text.count == 1 else { return nil }
    var value: Int64 = 0
    for place in text.indices {
      let digit = text[place] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return value
  }

  /// Parses up to 7 digits, a decimal point and up to 8 digits, after an optional minus sign; nil for other texts, and for
  /// texts near the end of the bytes.
  ///
  /// The result is that of ``DecimalLiteral/plain(_:)``, eight bytes at a time.
  @inline(__always)
  private static func shortReal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    guard range.lowerBound + 1 + 2 * ByteWord.size <= bytes.count else { return nil }
    let isNegative = bytes[range.lowerBound] == 0x2D
    let start = range.lowerBound + (isNegative ? 1 : 0)
    let word = ByteWord(bytes, at: start)
    let point = ByteWord.first(word.marks(equalTo: 0x2E))
    let decimals = range.upperBound - start - point - 1
    guard 1...7 ~= point, 1...8 ~= decimals, let whole = word.number(digits: point),
      let part = ByteWord(bytes, at: start + point + 1).number(digits: decimals)
    else { return nil }
    // At most 15 digits: both operands of the division are exact, so only the division rounds. Signed integers become
    // doubles in one instruction.
    let power = powersOfTen[decimals]
    let digits = Double(Int64(truncatingIfNeeded: whole)) * power + Double(Int64(truncatingIfNeeded: part))
    return (isNegative ? -digits : digits) / power
  }

  private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

  /// Parses a number as programs write it; an integer must fit in 64 bits, because a longer one is a code.
  static func real(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
    let text = bytes.span.extracting(range)
    if let value = shortReal(bytes.span, range) ?? DecimalLiteral.plain(text) {
      let digit = text[0] == 0x2D ? 1 : 0
      return text[digit] == 0x30 && text[digit + 1] != 0x2E ? nil : value
    }
    guard let first = range.first, bytes[first] != 0x2B,
      let literal = DecimalLiteral(loose: bytes, at: first), literal.end == range.upperBound
    else { return nil }
    // `00.5` is a code, `.5` a number. A sign is always followed by a digit here.
    let digit = bytes[first] == 0x2D ? first + 1 : first
    if bytes[digit] == 0x30, digit + 1 < range.upperBound, 0x30...0x39 ~= bytes[digit + 1] { return nil }
    let value = literal.double(in: bytes)
    if literal.isWrittenAsInteger, literal.integer == nil, value != 0 { return nil }
    return value.isFinite ? value : nil
  }

  static func boolean(_ bytes: [UInt8], _ range: Range<Int>) -> Bool? {
    guard range.count == 4 || range.count == 5 else { return nil }
    switch String(decoding: bytes[range], as: UTF8.self) {
    case "true", "TRUE", "True": return true
    case "false", "FALSE", "False": return false
    default: return nil
    }
  }

  /// A date, or a date and a time.
  struct Moment {
    let microseconds: Int64
    let hasTime: Bool
    /// Whether the value is a time without a time zone, which is read as UTC.
    let lacksZone: Bool
    /// Whether the text has digits below a microsecond, which are cut.
    var isCut = false
  }

  /// Parses a date-time, or a date as its start in UTC.
  static func moment(_ bytes: [UInt8], _ range: Range<Int>) -> Moment? {
    let text = bytes.span.extracting(range)
    // A date of ten characters has no time after it.
    if text.count > 10, let instant = Instant(loose: text) {
      return Moment(
        microseconds: instant.microseconds, hasTime: true, lacksZone: !hasZone(text), isCut: isCut(text))
    }
    return CalendarDate(iso8601: text).map {
      Moment(microseconds: $0.start.microseconds, hasTime: false, lacksZone: false)
    }
  }

  /// Whether a date-time ends in `Z`, `±hh:mm`, `±hhmm` or `±hh`.
  @inline(__always)
  private static func hasZone(_ text: Span<UInt8>) -> Bool {
    func isSign(_ back: Int) -> Bool {
      let byte = text[text.count - back]
      return byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
    return text[text.count - 1] | 0x20 == UInt8(ascii: "z") || isSign(6) || isSign(5) || isSign(3)
  }

  /// Whether a date-time has digits other than 0 below a microsecond.
  @inline(__always)
  private static func isCut(_ text: Span<UInt8>) -> Bool {
    // The seventh decimal follows `yyyy-mm-ddThh:mm:ss.` and six digits.
    guard text.count > 26, text[19] == UInt8(ascii: ".") else { return false }
    for place in 20..<text.count {
      guard 0x30...0x39 ~= text[place] else { return false }
      if place > 25, text[place] != 0x30 { return true }
    }
    return false
  }

  /// Whether the text is an integer that has another value as a real number.
  static func isRounded(_ bytes: [UInt8], _ range: Range<Int>, to value: Double) -> Bool {
    guard abs(value) >= 0x1p53, let written = integer(bytes, range) else { return false }
    return isRounded(written)
  }

  /// Whether an integer has another value as a real number.
  static func isRounded(_ value: Int64) -> Bool {
    value.magnitude >= 1 << 53 && Int64(exactly: Double(value)) != value
  }

  /// Returns the number of rows whose integer was rounded, because the texts are read as real numbers.
  func roundedIntegers(_ texts: TextTable, _ codes: [Int32]) -> Int {
    guard case .reals(let values) = self else { return 0 }
    let bytes = texts.bytes
    let isRounded = values.indices.map { Self.isRounded(bytes, texts.range(of: $0), to: values[$0]) }
    return isRounded.contains(true) ? codes.count { $0 >= 0 && isRounded[Int($0)] } : 0
  }

  /// Returns the number of rows whose text is a date-time without a time zone, and of those with digits below a
  /// microsecond.
  static func lossesOfTimes(_ texts: TextTable, _ codes: [Int32]) -> (withoutZone: Int, cut: Int) {
    let bytes = texts.bytes
    let moments = (0..<texts.count).map { moment(bytes, texts.range(of: $0)) }
    func count(_ property: KeyPath<Moment, Bool>) -> Int {
      let has = moments.map { $0?[keyPath: property] ?? false }
      return has.contains(true) ? codes.count { $0 >= 0 && has[Int($0)] } : 0
    }
    return (count(\.lacksZone), count(\.isCut))
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

  /// Returns the values of the rows with these codes; code -1 is a row without a value.
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

extension ByteWord {
  /// Reads eight bytes from the start of a text of one to eight; nil for other texts, and near the end of the bytes.
  @inline(__always)
  fileprivate init?(_ bytes: [UInt8], of range: Range<Int>) {
    guard 1...Self.size ~= range.count, range.lowerBound + Self.size <= bytes.count else { return nil }
    self.init(bytes.span, at: range.lowerBound)
  }

  /// Returns the number that the first 1 to 8 bytes are; nil if one is not a digit.
  ///
  /// - Source: Mula and Lemire, "Quickly parsing eight digits", 2018.
  @inline(__always)
  fileprivate func number(digits: Int) -> UInt64? {
    // The digits move to the end of the word, after zeros.
    let values = (bits ^ 0x3030_3030_3030_3030) &<< UInt64(64 &- 8 &* digits)
    guard (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = values &* 10 &+ values >> 8
    return
      ((pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
      &+ (pairs >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001) >> 32
  }
}
