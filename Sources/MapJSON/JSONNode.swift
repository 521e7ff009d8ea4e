/// A value together with its place in the document, for decoders whose errors name the place.
public struct JSONNode: Hashable, Sendable {
  /// The value.
  public let value: JSONValue
  /// Its place.
  public let path: JSONPath

  /// A value at a place; the root by default.
  public init(_ value: JSONValue, at path: JSONPath = .root) { (self.value, self.path) = (value, path) }

  // MARK: Steps down

  /// A member; nil when it is absent or null, or when this is no object.
  public subscript(name: String) -> JSONNode? { value[name].map { JSONNode($0, at: path[name]) } }

  /// A member that has to be there.
  ///
  /// - Throws: ``JSONDecodingError`` when this is no object, or the member is absent or null.
  public func required(_ name: String) throws(JSONDecodingError) -> JSONNode {
    _ = try object()
    guard let member = self[name] else { throw JSONDecodingError(.missing, at: path[name]) }
    return member
  }

  /// The elements of an array, each with its place.
  public func elements() throws(JSONDecodingError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch(.array) }
    return elements.enumerated().map { JSONNode($1, at: path[$0]) }
  }

  /// The members of an object.
  public func object() throws(JSONDecodingError) -> JSONObject {
    guard case .object(let object) = value else { throw mismatch(.object) }
    return object
  }

  // MARK: Single values

  /// The text of a string.
  public func string() throws(JSONDecodingError) -> String {
    guard case .string(let text) = value else { throw mismatch(.string) }
    return text
  }

  /// A number; one beyond the greatest double is an error.
  public func double() throws(JSONDecodingError) -> Double {
    guard case .number(let number) = value else { throw mismatch(.number) }
    guard number.double.isFinite else { throw invalid("\(number.text) is too great a number") }
    return number.double
  }

  /// A whole number, also when it is written as `2.0`.
  public func integer() throws(JSONDecodingError) -> Int {
    guard case .number(let number) = value else { throw mismatch(.number) }
    guard let integer = value.integer else { throw invalid("\(number.text) is no whole number of 64 bits") }
    return integer
  }

  /// True or false.
  public func boolean() throws(JSONDecodingError) -> Bool {
    guard case .boolean(let value) = value else { throw mismatch(.boolean) }
    return value
  }

  // MARK: Members that may be absent

  /// The text of a member; nil when it is absent or null.
  public func string(_ name: String) throws(JSONDecodingError) -> String? { try self[name]?.string() }

  /// The number of a member; nil when it is absent or null.
  public func double(_ name: String) throws(JSONDecodingError) -> Double? { try self[name]?.double() }

  /// The whole number of a member; nil when it is absent or null.
  public func integer(_ name: String) throws(JSONDecodingError) -> Int? { try self[name]?.integer() }

  /// True or false of a member; nil when it is absent or null.
  public func boolean(_ name: String) throws(JSONDecodingError) -> Bool? { try self[name]?.boolean() }

  /// The elements of a member; none when it is absent or null.
  public func elements(_ name: String) throws(JSONDecodingError) -> [JSONNode] {
    try self[name]?.elements() ?? []
  }

  // MARK: Errors

  /// An error at this place, of a kind other than expected.
  public func mismatch(_ expected: JSONKind) -> JSONDecodingError {
    JSONDecodingError(.wrongKind(expected: expected, found: value.kind), at: path)
  }

  /// An error at this place, with a reason in words: lower case, no full stop.
  public func invalid(_ reason: String) -> JSONDecodingError { JSONDecodingError(.invalid(reason), at: path) }
}

/// A value that does not fit what a decoder expects, with its place.
public struct JSONDecodingError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A member that has to be there is absent or null.
    case missing
    /// Another kind of value.
    case wrongKind(expected: JSONKind, found: JSONKind)
    /// A value of the right kind that means nothing here.
    case invalid(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// Where.
  public let path: JSONPath
  /// The valid name nearest to a wrong one; nil where there is none.
  public let suggestion: String?

  /// An error at a path.
  public init(_ reason: Reason, at path: JSONPath, suggestion: String? = nil) {
    (self.reason, self.path, self.suggestion) = (reason, path, suggestion)
  }

  /// Place and reason in one line: `$.operationalLayers[2].opacity: expected a number, found a string`.
  public var description: String {
    switch reason {
    case .missing: "\(path): missing"
    case .wrongKind(let expected, let found): "\(path): expected \(expected.phrase), found \(found.phrase)"
    case .invalid(let reason): "\(path): \(reason)"
    }
  }
}
