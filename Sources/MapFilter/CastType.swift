import MapGeometry

/// A type that CAST turns values into, in the names of SQL.
public enum CastType: Hashable, Sendable, CustomStringConvertible {
  /// `INT`, and `INTEGER`, `SMALLINT`, `BIGINT`: all of 64 bits.
  case integer
  /// `FLOAT`, and `REAL`, `DOUBLE`, `DOUBLE PRECISION`: all doubles.
  case real
  /// `VARCHAR`, and with a number cut after so many characters.
  case text(length: Int?)
  /// `DATE`.
  case date
  /// `TIMESTAMP`.
  case instant

  /// The type of a name as ``description`` writes it; nil for all else.
  public init?(_ text: String) {
    if text.hasPrefix("VARCHAR("), text.hasSuffix(")"), let length = Int(text.dropFirst(8).dropLast()) {
      self.init(name: "VARCHAR", length: length)
    } else {
      self.init(name: text, length: nil)
    }
  }

  /// The type of a name in any case; nil for an unknown one, and for a length where none may stand or below 1.
  init?(name: String, length: Int?) {
    let type = Self.names[name.uppercased()]
    guard let type else { return nil }
    if let length {
      guard type == .text(length: nil), length > 0 else { return nil }
      self = .text(length: length)
    } else {
      self = type
    }
  }

  static let names: [String: CastType] = [
    "INT": .integer, "INTEGER": .integer, "SMALLINT": .integer, "BIGINT": .integer, "FLOAT": .real,
    "REAL": .real, "DOUBLE": .real, "DOUBLE PRECISION": .real, "VARCHAR": .text(length: nil),
    "DATE": .date, "TIMESTAMP": .instant,
  ]

  /// The name that where clauses write.
  public var description: String {
    switch self {
    case .integer: "INT"
    case .real: "FLOAT"
    case .text(let length): length.map { "VARCHAR(\($0))" } ?? "VARCHAR"
    case .date: "DATE"
    case .instant: "TIMESTAMP"
    }
  }

  /// The type that filters see.
  var attributeType: AttributeType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .date: .date
    case .instant: .instant
    }
  }

  /// True when values of a type can be cast at all.
  func accepts(_ type: AttributeType) -> Bool {
    switch self {
    case .integer, .real: type == .integer || type == .real || type == .text || type == .boolean
    case .text: type != .duration
    case .date, .instant: type == .date || type == .instant || type == .text
    }
  }

  /// The value as this type; null where it is null, not of the form that the type has, or past its range.
  ///
  /// - Source: SQL-92, 6.10, which makes an error of what is null here. Halves round away from zero, as in PostgreSQL's
  ///   numeric; booleans are 0 and 1, since where clauses have no other.
  public func value(of value: AttributeValue) -> AttributeValue {
    switch self {
    case .integer:
      switch value {
      case .integer: return value
      case .boolean(let flag): return .integer(flag ? 1 : 0)
      case .real(let number): return Self.integer(number)
      case .text(let text):
        guard let number = DecimalText.number(text) else { return .null }
        return self.value(of: number)
      default: return .null
      }
    case .real:
      switch value {
      case .text(let text): return DecimalText.number(text)?.realNumber.map(AttributeValue.real) ?? .null
      case .boolean(let flag): return .real(flag ? 1 : 0)
      default: return value.realNumber.map(AttributeValue.real) ?? .null
      }
    case .text(let length):
      guard let text = DecimalText.text(of: value) else { return .null }
      guard let length, text.utf8.count > length else { return .text(text) }
      return .text(String(text.unicodeScalars.prefix(length)))
    case .date:
      if case .date = value { return value }
      return (value.moment ?? value.text.flatMap(Self.moment)).map { .date($0.date) } ?? .null
    case .instant:
      return (value.moment ?? value.text.flatMap(Self.moment)).map(AttributeValue.instant) ?? .null
    }
  }

  private static func integer(_ number: Double) -> AttributeValue {
    Int64(exactly: number.rounded(.toNearestOrAwayFromZero)).map(AttributeValue.integer) ?? .null
  }

  /// The moment that a date, a time stamp of SQL or an RFC 3339 date-time names.
  private static func moment(_ text: String) -> Instant? {
    CalendarDate(iso8601: text)?.start ?? Instant(rfc3339: text)
  }
}

/// Values as CAST reads them from text and writes them.
enum DecimalText {
  /// The number that a text is, blanks around it aside: digits with a sign, a point and an exponent, nothing else.
  static func number(_ text: String) -> AttributeValue? {
    var bytes = Array(text.utf8)[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    // What Double reads beyond that: nan, inf and hexadecimal digits.
    let isDecimal = bytes.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard isDecimal, bytes.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let digits = String(decoding: bytes, as: UTF8.self)
    if let integer = Int64(digits) { return .integer(integer) }
    guard let real = Double(digits), real.isFinite else { return nil }
    return .real(real)
  }

  /// The value as text; nil for null and durations.
  ///
  /// Whole reals have no point; dates and moments are as where clauses write them.
  static func text(of value: AttributeValue) -> String? {
    switch value {
    case .null, .duration: nil
    case .integer(let value): String(value)
    case .real(let value):
      abs(value) < 0x1p53 && value == value.rounded() ? String(Int64(clamping: value)) : String(value)
    case .text(let value): value
    case .boolean(let value): value ? "1" : "0"
    case .date(let value): value.description
    case .instant(let value): value.sqlTimestamp
    }
  }
}
