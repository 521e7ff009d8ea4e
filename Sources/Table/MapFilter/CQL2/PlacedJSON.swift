import MapJSON

/// A JSON value with the text offsets of all its parts, so that errors can show their position.
struct PlacedJSON {
  indirect enum Content {
    case null
    case boolean(Bool)
    /// The number as written.
    case number(String)
    case string(String)
    case array([PlacedJSON])
    /// The members in the order written.
    case object([(name: String, value: PlacedJSON)])
  }

  let content: Content
  /// The UTF-8 offset of the value's first byte.
  let offset: Int

  /// Reads a text as a single JSON value.
  ///
  /// - Throws: ``FilterSyntaxError`` for text that is not JSON, and for more than 512 nested arrays and objects.
  init(_ text: String) throws(FilterSyntaxError) {
    var scanner = JSONScanner(Array(text.utf8))
    do throws(JSONSyntaxError) {
      self = try PlacedJSON(&scanner)
      guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
    } catch {
      throw FilterSyntaxError(.invalidJSON("\(error.reason)"), at: error.offset)
    }
  }

  private init(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let kind = try scanner.peekKind()
    offset = scanner.offset
    switch kind {
    case .null:
      try scanner.readNull()
      content = .null
    case .boolean: content = .boolean(try scanner.readBoolean())
    case .number:
      let number = try scanner.readNumber()
      content = .number(String(decoding: scanner.bytes[number.start..<number.end], as: UTF8.self))
    case .string: content = .string(try scanner.readString().text(in: scanner.bytes))
    case .array:
      try scanner.beginArray()
      var elements: [PlacedJSON] = []
      while try scanner.nextElement() { elements.append(try PlacedJSON(&scanner)) }
      content = .array(elements)
    case .object:
      try scanner.beginObject()
      var members: [(name: String, value: PlacedJSON)] = []
      while let name = try scanner.nextMember() {
        members.append((name.text(in: scanner.bytes), try PlacedJSON(&scanner)))
      }
      content = .object(members)
    }
  }

  /// Writes a value as compact text, with the offsets of its parts in this text.
  ///
  /// - Throws: ``FilterSyntaxError`` for more than 512 nested arrays and objects.
  init(_ value: JSONValue, to writer: inout JSONWriter, depth: Int = 0) throws(FilterSyntaxError) {
    guard depth <= JSONScanner.depthLimit else {
      throw FilterSyntaxError(
        .invalidJSON("\(JSONSyntaxError.Reason.nestingTooDeep(limit: JSONScanner.depthLimit))"),
        at: writer.bytes.count)
    }
    offset = writer.bytes.count
    switch value {
    case .null: content = .null
    case .boolean(let value): content = .boolean(value)
    case .number(let number): content = .number(number.text)
    case .string(let text): content = .string(text)
    case .array(let list):
      var elements: [PlacedJSON] = []
      for (index, element) in list.enumerated() {
        writer.append(raw: index == 0 ? "[" : ",")
        elements.append(try PlacedJSON(element, to: &writer, depth: depth + 1))
      }
      writer.append(raw: list.isEmpty ? "[]" : "]")
      content = .array(elements)
      return
    case .object(let object):
      var members: [(name: String, value: PlacedJSON)] = []
      for (index, member) in object.members.enumerated() {
        writer.append(raw: index == 0 ? "{" : ",")
        writer.append(string: member.name)
        writer.append(raw: ":")
        members.append((member.name, try PlacedJSON(member.value, to: &writer, depth: depth + 1)))
      }
      writer.append(raw: object.isEmpty ? "{}" : "}")
      content = .object(members)
      return
    }
    writer.append(value)
  }

  /// Returns a member of an object; nil when it is absent, and for values that are not objects.
  subscript(name: String) -> PlacedJSON? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? { if case .string(let text) = content { text } else { nil } }
  var elements: [PlacedJSON]? { if case .array(let elements) = content { elements } else { nil } }

  /// A short description of the value for messages.
  var description: String {
    switch content {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let text): Token.shortened(text)
    case .string(let text): "\"\(Token.shortened(text))\""
    case .array: "an array"
    case .object:
      if let name = self["op"]?.string {
        "\"\(Token.shortened(name))\""
      } else if let name = self["property"]?.string {
        "the property \"\(Token.shortened(name))\""
      } else {
        "an object"
      }
    }
  }
}
