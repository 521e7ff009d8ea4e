/// A JSON value, with members in the order written and numbers as written.
///
/// Two values are equal when they were written alike: the order of members counts, and `1` is not `1.0`.
public enum JSONValue: Hashable, Sendable {
  /// No value; to readers of web maps the same as an absent member.
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

  /// A whole number.
  public static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// A number by its shortest text; null when it is not finite, for JSON has no such number.
  public static func number(_ value: Double) -> JSONValue {
    JSONNumber(value).map { .number($0) } ?? .null
  }

  /// What the value is.
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
  case null, boolean, number, string, array, object

  /// The kind in a sentence: "a number".
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
  /// The number when it is whole and fits; nil for every other number and kind.
  public var integer: Int? {
    if case .number(let number) = self { number.integer.flatMap { Int(exactly: $0) } } else { nil }
  }
  /// True or false; nil for every other kind.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The elements of an array; nil for every other kind.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members of an object; nil for every other kind.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  /// True for `null`.
  public var isNull: Bool { self == .null }

  /// A member that is there and not null; nil also when this is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let object) = self, let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// An element of an array; nil past its end or when this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of members with one name the last stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
