internal import Glibc
internal import MapFilter
internal import MapSystem

/// A value during an evaluation.
enum ArcadeValue {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  /// Milliseconds since 1970-01-01T00:00:00Z.
  case date(Double)
  case array(ArcadeArray)
  case dictionary(ArcadeDictionary)
  /// The feature, with all its fields.
  case feature
  /// The geometry of the feature, or a point.
  case geometry(ArcadeGeometry)
  /// A function of the expression.
  case function(Int)
}

/// An array, shared by all its uses.
final class ArcadeArray {
  var items: [ArcadeValue]
  init(_ items: [ArcadeValue]) { self.items = items }
}

/// A dictionary, shared by all its uses; keys keep their order and are found regardless of case, by code point.
final class ArcadeDictionary {
  private(set) var keys: [String] = []
  private var values: [AttributeValue: ArcadeValue] = [:]

  subscript(key: String) -> ArcadeValue? { values[.text(key.lowercased())] }

  func set(_ key: String, _ value: ArcadeValue) {
    if values.updateValue(value, forKey: .text(key.lowercased())) == nil { keys.append(key) }
  }

  func removeAll() { (keys, values) = ([], [:]) }
}

/// A geometry value.
enum ArcadeGeometry {
  /// That of the feature.
  case ofFeature
  case point(x: Double, y: Double)
}

// MARK: Conversions

/// The conversions that operators and functions make.
///
/// - Source: Esri Arcade, guide, "Type casting".
extension ArcadeValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value as a number; NaN when it has none.
  var asNumber: Double {
    switch self {
    case .null: 0
    case .boolean(let value): value ? 1 : 0
    case .number(let value): value
    case .text(let text): Self.number(of: text)
    case .date(let value): value
    default: .nan
    }
  }

  /// Returns the number that a text writes; NaN for another text.
  static func number(of text: String) -> Double {
    let bytes = text.utf8.drop { $0 <= 0x20 }
    guard !bytes.isEmpty else { return text.isEmpty ? .nan : 0 }
    // Swift also reads hexadecimal numbers with exponents and words, which JavaScript does not.
    let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    let isPlain = trimmed.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e")
    }
    if trimmed == "Infinity" || trimmed == "+Infinity" { return .infinity }
    if trimmed == "-Infinity" { return -.infinity }
    return isPlain ? Double(trimmed) ?? .nan : .nan
  }

  /// The value as a Boolean.
  var asBoolean: Bool {
    switch self {
    case .boolean(let value): value
    case .number(let value): value != 0 && !value.isNaN
    case .text(let text): text.lowercased() == "true"
    default: false
    }
  }

  /// The value as a condition of `if`, `&&` and others; nil for values other than Booleans.
  var asCondition: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// Returns a number as JavaScript writes it.
  static func text(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(clamping: value)) }
    let whole = value.description
    // Bytes are searched, because most numbers have no exponent.
    guard whole.utf8.contains(UInt8(ascii: "e")) else {
      return whole.utf8.suffix(2).elementsEqual(".0".utf8) ? String(whole.dropLast(2)) : whole
    }
    let written = "\(abs(value))"
    let sign = value < 0 ? "-" : ""
    guard let mark = written.firstIndex(of: "e"), let exponent = Int(written[written.index(after: mark)...])
    else { return whole }
    var digits = written[..<mark].filter { $0 != "." }
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    if exponent >= 0, exponent < 21 {
      return sign + digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    }
    if exponent < 0, exponent >= -6 {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    let rest = digits.dropFirst()
    return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(exponent < 0 ? "-" : "+")"
      + "\(abs(exponent))"
  }

  /// The name of the type, as `TypeOf` gives it.
  var typeName: String {
    switch self {
    case .null: "Null"
    case .boolean: "Boolean"
    case .number: "Number"
    case .text: "String"
    case .date: "Date"
    case .array: "Array"
    case .dictionary: "Dictionary"
    case .feature: "Feature"
    case .geometry: "Geometry"
    case .function: "Function"
    }
  }

  // MARK: Comparison

  /// Whether two values are equal, texts by code point; values of two types are not, except two empty ones.
  ///
  /// - Source: Esri Arcade, guide, "Type casting". Design decision: `1 == "1"` is false.
  static func areEqual(_ first: ArcadeValue, _ second: ArcadeValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a.isSameText(as: b)
    case (.date(let a), .date(let b)): a == b
    case (.array(let a), .array(let b)): a === b
    case (.dictionary(let a), .dictionary(let b)): a === b
    case (.feature, .feature): true
    case (.function(let a), .function(let b)): a == b
    case (.geometry(.ofFeature), .geometry(.ofFeature)): true
    case (.geometry(.point(let a, let b)), .geometry(.point(let c, let d))): a == c && b == d
    default: false
    }
  }

  /// Returns whether `first < second` and whether they are equal in order; nil when they do not compare.
  ///
  /// Two texts compare by code point, all else as numbers; null is 0.
  static func order(_ first: ArcadeValue, _ second: ArcadeValue) -> (isLess: Bool, isEqual: Bool)? {
    if case .text(let a) = first, case .text(let b) = second {
      let order = ValueOrdering(text: a, b)
      return (order == .less, order == .equal)
    }
    let (a, b) = (first.asNumber, second.asNumber)
    return a.isNaN || b.isNaN ? nil : (a < b, a == b)
  }
}

extension String {
  /// Whether two texts have the same code points; `==` also holds for canonically equivalent texts.
  func isSameText(as other: String) -> Bool { self == other && ValueOrdering(text: self, other) == .equal }
}
