extension JSONValue {
  /// Reads one JSON document.
  ///
  /// - Throws: ``JSONSyntaxError`` at the first place that is not JSON; a name that occurs twice in one object is an
  ///   error too, for readers differ in which of the two they take (RFC 8259, section 4).
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
    var scanner = JSONScanner(bytes)
    self = try scanner.readValue(limits: limits)
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
  }

  /// Reads one JSON document from text.
  public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// The largest numbers of elements of arrays, by the names of the members that hold them.
///
/// A document with more is refused where the first one too many begins, before anything is built of the others.
public struct JSONLimits: Hashable, Sendable {
  /// Limits of each array alone.
  public var each: [String: Int]
  /// Limits of all arrays of one name together.
  public var all: [String: Int]

  /// No limits by default.
  public init(each: [String: Int] = [:], all: [String: Int] = [:]) { (self.each, self.all) = (each, all) }

  var isEmpty: Bool { each.isEmpty && all.isEmpty }
}

extension JSONScanner {
  /// An array or object under construction.
  private struct Container {
    var elements: [JSONValue] = []
    /// The members when it is an object.
    var object: JSONObject?
    /// The member to which the next value belongs; of an array, the member that holds it.
    var name = ""
    /// The most elements of this array alone.
    var limit: Int?
    /// True where its elements count among those of all arrays of its name.
    var isCounted = false

    mutating func add(_ value: JSONValue) {
      if object == nil { elements.append(value) } else { object?[name] = value }
    }

    var value: JSONValue { object.map { .object($0) } ?? .array(elements) }
  }

  /// Reads the next value with all that is in it.
  ///
  /// Keeps its own stack, so that deep documents need none of the thread's.
  public mutating func readValue(limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) -> JSONValue {
    var stack: [Container] = []
    var room = limits.all
    while true {
      var value: JSONValue
      switch try peekKind() {
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
      // Close all that ends here; leave the loop when one of them goes on.
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
