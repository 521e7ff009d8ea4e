/// A JSON value, with members in the order written and numbers as written.
///
/// Two values are equal when they are written alike: the order of members matters, and `1` is not `1.0`.
public enum JSONValue: Hashable, Sendable {
  /// No value; readers of web maps treat it as an absent member.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number, as written.
  case number(JSONNumber)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values in order.
  case object(JSONObject)

  /// Returns a whole number as a JSON value.
  public static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// Returns a number with its shortest text; null when it is not finite, which JSON cannot represent.
  public static func number(_ value: Double) -> JSONValue {
    JSONNumber(value).map { .number($0) } ?? .null
  }

  /// The kind of the value.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// The six kinds of JSON value.
public enum JSONKind: String, Hashable, Sendable {
  /// A kind that RFC 8259 defines; `boolean` is `true` or `false`.
  case null, boolean, number, string, array, object

  /// The kind as used in a sentence: "a number".
  public var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The text of a string; nil for every other kind.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number as a double; nil for every other kind.
  public var double: Double? { if case .number(let number) = self { number.double } else { nil } }
  /// The number when it is whole and fits; nil for other numbers and kinds.
  public var integer: Int? {
    if case .number(let number) = self { number.integer.flatMap { Int(exactly: $0) } } else { nil }
  }
  /// The boolean; nil for every other kind.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The elements of an array; nil for every other kind.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members of an object; nil for every other kind.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }

  /// The member with a name; nil when it is absent or null, or when the value is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let object) = self, let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// The element at an index of an array; nil past its end, or when the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a number; null when it is not finite.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; of members with the same name, the last one is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
