import MapJSON
import MapTestSupport
import Testing

@Suite struct JSONValueTests {
  @Test("A parsed value keeps the order of members and numbers as written")
  func keepsOrderAndNumbersAsWritten() throws {
    let text = #"{"b":1.50,"a":[1e3,-0,12345678901234567890,1.0],"\u0041":"é\n/"}"#
    let value = try JSONValue(parsing: text)
    #expect(value.text() == #"{"b":1.50,"a":[1e3,-0,12345678901234567890,1.0],"A":"é\n/"}"#)
    #expect(value.object?.members.map(\.name) == ["b", "a", "A"])
    #expect(value["a"]?[0]?.integer == 1000)
    #expect(value["a"]?[3]?.integer == 1)
    #expect(value["a"]?[2]?.integer == nil)
    #expect(value["a"]?[4] == nil)
  }

  @Test("A null member counts as absent")
  func nullIsAbsent() throws {
    let value = try JSONValue(parsing: #"{"a":null}"#)
    #expect(value["a"] == nil)
    #expect(value.object?["a"] == .null)
    #expect(JSONNode(value)["a"] == nil)
    #expect(throws: JSONDecodingError(.missing, at: .root["a"])) { try JSONNode(value).required("a") }
  }

  @Test("Pretty-printed JSON is indented and reads back the same")
  func prettyText() throws {
    let value: JSONValue = ["a": [1, 2.5], "b": [:], "c": [], "d": ["e": .null]]
    let text = """
      {
        "a": [
          1,
          2.5
        ],
        "b": {},
        "c": [],
        "d": {
          "e": null
        }
      }
      """
    #expect(value.text(style: .pretty) == text)
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test("A decoding error names the path of the value")
  func errorsNamePath() throws {
    let map = try JSONNode(JSONValue(parsing: #"{"layers":[{},{"opacity":"x","on":1,"n":1e999,"i":1.5}]}"#))
    let layer = try map.elements("layers")[1]
    func message(_ body: () throws -> Void) -> String? {
      do { try body() } catch { return "\(error)" }
      return nil
    }
    #expect(
      message { _ = try layer.double("opacity") }
        == "$.layers[1].opacity: expected a number, found a string")
    #expect(
      message { _ = try layer.boolean("on") } == "$.layers[1].on: expected true or false, found a number")
    #expect(message { _ = try layer.double("n") } == "$.layers[1].n: 1e999 is too large for a double")
    #expect(message { _ = try layer.integer("i") } == "$.layers[1].i: 1.5 is not a 64-bit whole number")
    #expect(message { _ = try layer.required("title") } == "$.layers[1].title: missing")
    #expect(message { _ = try layer.elements() } == "$.layers[1]: expected an array, found an object")
    #expect(try layer.string("absent") == nil)
    #expect("\(JSONPath.root["a b"][0]["it's"]["größe"])" == #"$['a b'][0]['it\'s'].größe"#)
  }

  @Test("An object keeps its order while members are removed and added")
  func objectKeepsItsOrderAsItChanges() {
    var object = JSONObject()
    for number in 0..<20 { object["m\(number)"] = .number(number) }
    object["m3"] = nil
    object["m5"] = "five"
    object["m3"] = "last"
    #expect(object.count == 20)
    #expect(object.members.last?.name == "m3")
    for number in 6..<20 { #expect(object["m\(number)"]?.integer == number) }
    #expect(object["m5"] == "five")
    #expect(object.index(of: "m19") == 18)
  }

  /// A random value, at most `depth` levels deep.
  static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch UInt64.random(in: 0..<(depth == 0 ? 5 : 7), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .number(Int(truncatingIfNeeded: random.next()))
    case 3: return .number(Double(bitPattern: random.next()))
    case 4: return .string(text(using: &random))
    case 5:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth - 1, using: &random) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        object[text(using: &random)] = value(depth: depth - 1, using: &random)
      }
      return .object(object)
    }
  }

  static func text(using random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\u{1}", "/", "é", "\u{1F600}", "\u{FFFF}", "\u{7F}", "z",
    ]
    return String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in
          scalars.randomElement(using: &random)
        }))
  }

  @Test("Random values survive a round trip through their text")
  func parseUndoesWrite() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let value = Self.value(depth: 4, using: &random)
      #expect(try JSONValue(parsing: value.bytes()) == value)
      #expect(try JSONValue(parsing: value.bytes(style: .pretty)) == value)
    }
  }

  @Test("Characters that control a terminal or the direction of text are escaped, and others are not")
  func hiddenCharacters() throws {
    let value = JSONValue.string("é\u{7F}\u{9B}31m\u{202E}\u{2066}\u{FEFF}\u{E0041}\u{200D}\u{1F600}\"")
    let text = value.text()
    #expect(
      text
        == #""é\u007f\u009b31m\u202e\u2066\ufeff\udb40\udc41"# + "\u{200D}\u{1F600}" + #"\"""#)
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test("Values that need more memory than the limit are refused where the limit is reached")
  func memoryLimit() throws {
    for text in ["{}", "[1,2]", #""a text of more than fifteen bytes""#, "null"] {
      let many = "[" + Array(repeating: text, count: 1000).joined(separator: ",") + "]"
      #expect(throws: Never.self) { try JSONValue(parsing: many, limits: JSONLimits(memory: 1 << 20)) }
      let error = #expect(throws: JSONSyntaxError.self) {
        try JSONValue(parsing: many, limits: JSONLimits(memory: 10_000))
      }
      #expect(error?.reason == .tooMuchMemory(limit: 10_000))
      #expect((error?.offset ?? 0) < many.utf8.count / 2, "\(text)")
    }
    // The default refuses two million objects without members in 7 MB.
    let objects = Array(("[" + String(repeating: "{},", count: 2_200_000)).utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: objects) }
    #expect(error?.reason == .tooMuchMemory(limit: (256 << 20) + 24 * objects.count))
  }

  @Test("Element limits apply to each array and to all arrays of a name together")
  func limits() throws {
    let limits = JSONLimits(each: ["a": 2], all: ["b": 3])
    for text in [
      #"{"a":[1,2],"c":{"a":[3,[4,5,6]]}}"#, #"{"b":[1,{"b":[2]}]}"#, "[1,2,3,4]", #"{"a":[],"b":[]}"#,
    ] {
      #expect(try JSONValue(parsing: text, limits: limits) == JSONValue(parsing: text))
    }
    let refused = [(#"{"a":[1,2,3]}"#, "a", 2, 10), (#"{"b":[1,2],"c":[{"b":[3,4]}]}"#, "b", 3, 24)]
    for (text, name, limit, offset) in refused {
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text, limits: limits) }
      #expect(error?.reason == .tooManyElements(name, limit: limit))
      #expect(error?.offset == offset)
    }
  }
}
