/// A JSON value with its path in the document, for decoders whose errors name the path.
package struct JSONNode: Hashable, Sendable {
  /// The value.
  package let value: JSONValue
  /// The path of the value.
  package let path: JSONPath

  /// Creates a node from a value and its path; the path is the root by default.
  package init(_ value: JSONValue, at path: JSONPath = .root) { (self.value, self.path) = (value, path) }

  // MARK: Steps down

  /// The member with a name; nil when it is absent or null, or when the value is not an object.
  package subscript(name: String) -> JSONNode? { value[name].map { JSONNode($0, at: path[name]) } }

  /// Returns a member that must be present.
  ///
  /// - Throws: ``JSONDecodingError`` when the value is not an object, or when the member is absent or null.
  package func required(_ name: String) throws(JSONDecodingError) -> JSONNode {
    _ = try object()
    guard let member = self[name] else { throw JSONDecodingError(.missing, at: path[name]) }
    return member
  }

  /// Returns the elements of an array, each with its path.
  package func elements() throws(JSONDecodingError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch(.array) }
    return elements.enumerated().map { JSONNode($1, at: path[$0]) }
  }

  /// Returns the members of an object.
  package func object() throws(JSONDecodingError) -> JSONObject {
    guard case .object(let object) = value else { throw mismatch(.object) }
    return object
  }

  // MARK: Single values

  /// Returns the text of a string.
  package func string() throws(JSONDecodingError) -> String {
    guard case .string(let text) = value else { throw mismatch(.string) }
    return text
  }

  /// Returns a number.
  ///
  /// - Throws: ``JSONDecodingError`` when the value is not a number, or is beyond the greatest double.
  package func double() throws(JSONDecodingError) -> Double {
    guard case .number(let number) = value else { throw mismatch(.number) }
    guard number.double.isFinite else { throw invalid("\(number.text) is too large for a double") }
    return number.double
  }

  /// Returns a whole number, also when it is written as `2.0`.
  package func integer() throws(JSONDecodingError) -> Int {
    guard case .number(let number) = value else { throw mismatch(.number) }
    guard let integer = value.integer else { throw invalid("\(number.text) is not a 64-bit whole number") }
    return integer
  }

  /// Returns true or false.
  package func boolean() throws(JSONDecodingError) -> Bool {
    guard case .boolean(let value) = value else { throw mismatch(.boolean) }
    return value
  }

  // MARK: Members that may be absent

  /// Returns the text of a member; nil when the member is absent or null.
  package func string(_ name: String) throws(JSONDecodingError) -> String? { try self[name]?.string() }

  /// Returns the number of a member; nil when the member is absent or null.
  package func double(_ name: String) throws(JSONDecodingError) -> Double? { try self[name]?.double() }

  /// Returns the whole number of a member; nil when the member is absent or null.
  package func integer(_ name: String) throws(JSONDecodingError) -> Int? { try self[name]?.integer() }

  /// Returns the boolean of a member; nil when the member is absent or null.
  package func boolean(_ name: String) throws(JSONDecodingError) -> Bool? { try self[name]?.boolean() }

  /// Returns the elements of a member; an empty array when the member is absent or null.
  package func elements(_ name: String) throws(JSONDecodingError) -> [JSONNode] {
    try self[name]?.elements() ?? []
  }

  // MARK: Errors

  /// Returns an error at this path: the value is not of the expected kind.
  package func mismatch(_ expected: JSONKind) -> JSONDecodingError {
    JSONDecodingError(.wrongKind(expected: expected, found: value.kind), at: path)
  }

  /// Returns an error at this path with a reason in words: lower case, no full stop.
  package func invalid(_ reason: String) -> JSONDecodingError {
    JSONDecodingError(.invalid(reason), at: path)
  }
}

/// A value that a decoder does not accept, with its path.
package struct JSONDecodingError: Error, Hashable, CustomStringConvertible {
  /// The kinds of error.
  package enum Reason: Hashable, Sendable {
    /// A required member is absent or null.
    case missing
    /// The value is of another kind than the decoder expects.
    case wrongKind(expected: JSONKind, found: JSONKind)
    /// The value is of the right kind, but the decoder does not accept it.
    case invalid(String)
  }

  /// The kind of error.
  package let reason: Reason
  /// The path of the value.
  package let path: JSONPath
  /// The valid name that is nearest to a wrong one; nil when there is none.
  package let suggestion: String?

  /// Creates an error at a path.
  package init(_ reason: Reason, at path: JSONPath, suggestion: String? = nil) {
    (self.reason, self.path, self.suggestion) = (reason, path, suggestion)
  }

  /// Path and reason in one line: `$.operationalLayers[2].opacity: expected a number, found a string`.
  package var description: String {
    switch reason {
    case .missing: "\(path): missing"
    case .wrongKind(let expected, let found): "\(path): expected \(expected.phrase), found \(found.phrase)"
    case .invalid(let reason): "\(path): \(reason)"
    }
  }
}
