import MapGeometry
import MapSystem

/// A target type of CAST, with its SQL names.
package enum CastType: Hashable, Sendable, CustomStringConvertible {
  /// `INT`, `INTEGER`, `SMALLINT` or `BIGINT`, all of 64 bits.
  case integer
  /// `FLOAT`, `REAL`, `DOUBLE` or `DOUBLE PRECISION`, all doubles.
  case real
  /// `VARCHAR`; `VARCHAR(n)` cuts the text after n characters.
  case text(length: Int?)
  /// `DATE`.
  case date
  /// `TIMESTAMP`.
  case instant

  /// Creates the type from a name as in ``description``; nil for other text.
  package init?(_ text: String) {
    if text.hasPrefix("VARCHAR("), text.hasSuffix(")"), let length = Int(text.dropFirst(8).dropLast()) {
      self.init(name: "VARCHAR", length: length)
    } else {
      self.init(name: text, length: nil)
    }
  }

  /// Creates the type from a name in any case; nil for an unknown name or an invalid length.
  ///
  /// A length is invalid when it is below 1, or when the type is not VARCHAR.
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

  /// The name as in where clauses.
  package var description: String {
    switch self {
    case .integer: "INT"
    case .real: "FLOAT"
    case .text(let length): length.map { "VARCHAR(\($0))" } ?? "VARCHAR"
    case .date: "DATE"
    case .instant: "TIMESTAMP"
    }
  }

  /// The type of the values that the cast gives.
  var attributeType: AttributeType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .date: .date
    case .instant: .instant
    }
  }

  /// Returns whether values of a type can be cast at all.
  func accepts(_ type: AttributeType) -> Bool {
    switch self {
    case .integer, .real: type == .integer || type == .real || type == .text || type == .boolean
    case .text: type != .duration
    case .date, .instant: type == .date || type == .instant || type == .text
    }
  }

  /// Returns the value cast to this type; null when it is null, has the wrong form, or is out of range.
  ///
  /// - Source: SQL-92, 6.10, which raises an error where the result is null here. Halves round away from zero, as in
  ///   PostgreSQL's numeric. Booleans become 0 and 1, since where clauses have no other form.
  package func value(of value: AttributeValue) -> AttributeValue {
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

  /// Reads a date, an SQL timestamp or an RFC 3339 date-time.
  private static func moment(_ text: String) -> Instant? {
    CalendarDate(iso8601: text)?.start ?? Instant(rfc3339: text)
  }
}

/// Conversion of values from and to text for CAST.
package enum DecimalText {
  /// Reads a number with optional sign, point and exponent, ignoring blanks around it; nil for other text.
  package static func number(_ text: String) -> AttributeValue? {
    var bytes = Array(text.utf8)[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    // Double would also read nan, inf and hexadecimal digits.
    let isDecimal = bytes.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard isDecimal, bytes.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let digits = String(decoding: bytes, as: UTF8.self)
    if let integer = Int64(digits) { return .integer(integer) }
    guard let real = Double(digits), real.isFinite else { return nil }
    return .real(real)
  }

  /// Returns the value as text; nil for null and durations.
  ///
  /// Whole reals have no decimal point. Dates and instants are written as in where clauses.
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
