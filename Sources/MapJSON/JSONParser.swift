extension JSONValue {
  /// Reads one JSON document.
  ///
  /// - Throws: ``JSONSyntaxError`` at the first place that is not JSON; a name that occurs twice in one object is an
  ///   error too, for readers differ in which of the two they take (RFC 8259, section 4).
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    var scanner = JSONScanner(bytes)
    self = try scanner.readValue()
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
  }

  /// Reads one JSON document from text.
  public init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }
}

extension JSONScanner {
  /// An array or object under construction.
  private struct Container {
    var elements: [JSONValue] = []
    /// The members when it is an object.
    var object: JSONObject?
    var name = ""

    mutating func add(_ value: JSONValue) {
      if object == nil { elements.append(value) } else { object?[name] = value }
    }

    var value: JSONValue { object.map { .object($0) } ?? .array(elements) }
  }

  /// Reads the next value with all that is in it.
  ///
  /// Keeps its own stack, so that deep documents need none of the thread's.
  public mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
    var stack: [Container] = []
    while true {
      var value: JSONValue
      switch try peekKind() {
      case .array:
        try beginArray()
        stack.append(Container())
        value = .null
      case .object:
        try beginObject()
        stack.append(Container(object: JSONObject()))
        value = .null
      default:
        value = try readScalar()
        if stack.isEmpty { return value }
        stack[stack.count - 1].add(value)
      }
      // Close all that ends here; leave the loop when one of them goes on.
      while try !advance(&stack[stack.count - 1]) {
        value = stack.removeLast().value
        if stack.isEmpty { return value }
        stack[stack.count - 1].add(value)
      }
    }
  }

  /// Steps to the container's next value; false when it ended.
  private mutating func advance(_ container: inout Container) throws(JSONSyntaxError) -> Bool {
    guard container.object != nil else { return try nextElement() }
    guard let token = try nextMember() else { return false }
    let name = token.text(in: bytes)
    guard container.object?.index(of: name) == nil else {
      throw error(.duplicateMember(name), at: token.start - 1)
    }
    container.name = name
    return true
  }

  private mutating func readScalar() throws(JSONSyntaxError) -> JSONValue {
    switch try peekKind() {
    case .null:
      try readNull()
      return .null
    case .boolean: return .boolean(try readBoolean())
    case .number:
      let literal = try readNumber()
      let text = String(decoding: bytes[literal.start..<literal.end], as: UTF8.self)
      return .number(JSONNumber(checkedText: text))
    case .string: return .string(try readString().text(in: bytes))
    case .array, .object: throw error(.unexpected(found: "a bracket", expected: "a single value"))
    }
  }

  /// Moves past the next value with all that is in it, checked but for names that occur twice.
  public mutating func skipValue() throws(JSONSyntaxError) {
    let outerDepth = depth
    // For every open container whether it is an object.
    var stack: [Bool] = []
    repeat {
      switch try peekKind() {
      case .array:
        try beginArray()
        stack.append(false)
      case .object:
        try beginObject()
        stack.append(true)
      case .null: try readNull()
      case .boolean: _ = try readBoolean()
      case .number: _ = try readNumber()
      case .string: _ = try readString()
      }
      while let isObject = stack.last {
        let goesOn = isObject ? try nextMember() != nil : try nextElement()
        if goesOn { break }
        stack.removeLast()
      }
    } while depth > outerDepth
  }
}
