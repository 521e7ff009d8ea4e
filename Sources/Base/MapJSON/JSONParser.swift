extension JSONValue {
  /// Parses one JSON document.
  ///
  /// A name that occurs twice in one object is an error, because readers differ in which of the two they use (RFC
  /// 8259, section 4).
  ///
  /// - Throws: ``JSONSyntaxError`` at the first position that is not JSON.
  package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
    var scanner = JSONScanner(bytes)
    var limits = limits
    limits.memory = limits.memory ?? JSONLimits.memory(ofDocument: bytes.count)
    self = try scanner.readValue(limits: limits)
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
  }

  /// Parses one JSON document from text.
  package init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// Limits on the memory of a value, and on the number of array elements by the name of the member that holds the array.
///
/// Parsing stops with an error at the first element beyond a limit.
package struct JSONLimits: Hashable, Sendable {
  /// The limits of each single array.
  package var each: [String: Int]
  /// The limits of all arrays with the same name together.
  package var all: [String: Int]
  /// The limit of the memory of all values in bytes, as estimated while they are read; nil for the default.
  ///
  /// The default for a document is 24 bytes per byte of text, and 256 MiB in any case. There is no other default.
  package var memory: Int?

  /// Creates limits; there are none by default.
  package init(each: [String: Int] = [:], all: [String: Int] = [:], memory: Int? = nil) {
    (self.each, self.all, self.memory) = (each, all, memory)
  }

  var isEmpty: Bool { each.isEmpty && all.isEmpty }

  /// Returns the limit for a document that a user names.
  ///
  /// - Source: design decision. Web maps with features take up to 17 bytes per byte, and `{},{}` takes 66.
  static func memory(ofDocument size: Int) -> Int { (256 << 20) + 24 * size }
}

extension JSONScanner {
  /// An array or object under construction.
  private struct Container {
    var elements: [JSONValue] = []
    /// The members when the container is an object.
    var object: JSONObject?
    /// The name of the member to which the next value belongs; for an array, of the member that holds it.
    var name = ""
    /// The maximum number of elements of this array.
    var limit: Int?
    /// Whether the elements count towards the limit of all arrays with the same name.
    var isCounted = false

    mutating func add(_ value: JSONValue) {
      if object == nil { elements.append(value) } else { object?[name] = value }
    }

    var value: JSONValue { object.map { .object($0) } ?? .array(elements) }
  }

  /// Reads the next value with everything inside it.
  ///
  /// Uses a stack of its own, so that deeply nested documents do not use the thread's stack.
  package mutating func readValue(limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) -> JSONValue {
    var stack: [Container] = []
    var room = limits.all
    var memory = limits.memory ?? .max
    while true {
      var value: JSONValue
      let kind = try peekKind()
      let start = offset
      switch kind {
      case .array:
        try beginArray()
        var array = Container()
        if !limits.isEmpty, let holder = stack.last, holder.object != nil {
          (array.name, array.limit) = (holder.name, limits.each[holder.name])
          array.isCounted = room[holder.name] != nil
        }
        stack.append(array)
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
      memory -= Self.memory(of: kind, length: offset - start)
      guard memory >= 0 else { throw error(.tooMuchMemory(limit: limits.memory ?? 0)) }
      // Close every container that ends here; leave the loop at the first that continues.
      while try !advance(&stack[stack.count - 1]) {
        value = stack.removeLast().value
        if stack.isEmpty { return value }
        stack[stack.count - 1].add(value)
      }
      if let limit = stack[stack.count - 1].limit, stack[stack.count - 1].elements.count >= limit {
        throw error(.tooManyElements(stack[stack.count - 1].name, limit: limit))
      }
      if stack[stack.count - 1].isCounted {
        let name = stack[stack.count - 1].name
        let left = room[name] ?? 0
        guard left > 0 else { throw error(.tooManyElements(name, limit: limits.all[name] ?? 0)) }
        room[name] = left - 1
      }
    }
  }

  /// Returns an estimate of the memory that a value takes, with its member's name and its place in a container.
  ///
  /// - Source: measured with readers that keep the path of each value.
  private static func memory(of kind: JSONKind, length: Int) -> Int {
    switch kind {
    case .object: 200
    case .array: 100
    case .null, .boolean: 60
    // Texts of up to 15 bytes need no memory of their own; readers copy longer ones.
    case .number, .string: length > 15 ? 80 + 2 * length : 60
    }
  }

  /// Steps to the container's next value; returns false when the container ends.
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

  /// Moves past the next value with everything inside it; checks all but duplicate names.
  package mutating func skipValue() throws(JSONSyntaxError) {
    let outerDepth = depth
    // For every open container, whether it is an object.
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
