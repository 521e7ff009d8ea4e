import MapJSON

/// A JSON value whose parts know where they stand in the text, for errors that show the place.
struct PlacedJSON {
  indirect enum Content {
    case null
    case boolean(Bool)
    /// As written.
    case number(String)
    case string(String)
    case array([PlacedJSON])
    /// In the order written.
    case object([(name: String, value: PlacedJSON)])
  }

  let content: Content
  /// UTF-8 offset of its first byte.
  let offset: Int

  /// The one value of a text.
  ///
  /// - Throws: ``FilterSyntaxError`` for text that is not JSON, and for more than 512 arrays and objects inside one
  ///   another.
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

  /// A member of an object; nil when it is absent, or when this is no object.
  subscript(name: String) -> PlacedJSON? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? { if case .string(let text) = content { text } else { nil } }
  var elements: [PlacedJSON]? { if case .array(let elements) = content { elements } else { nil } }

  /// What it is, for messages.
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
