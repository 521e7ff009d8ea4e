import Foundation
import MapJSON
import MapTestSupport
import Testing

@Suite struct JSONScannerTests {
  /// Source: Python's json module, restricted as the script states.
  @Test("The scanner accepts and refuses the same documents as Python")
  func acceptsWhatPythonAccepts() throws {
    var counts = ["y": 0, "n": 0]
    for row in try CaseFile.rows(of: "documents") {
      let bytes = CaseFile.bytes(row[1])
      let text = String(decoding: bytes, as: UTF8.self)
      counts[String(row[0]), default: 0] += 1
      var scanner = JSONScanner(bytes)
      if row[0] == "y" {
        let value = try? JSONValue(parsing: bytes)
        #expect(value?.bytes() == CaseFile.bytes(row[2]), "\(text)")
        try scanner.skipValue()
        let isAtEnd = scanner.isAtEnd()
        #expect(isAtEnd)
        #expect(scanner.depth == 0)
      } else {
        #expect(throws: JSONSyntaxError.self, "\(text)") { try JSONValue(parsing: bytes) }
      }
    }
    #expect(counts["y", default: 0] > 150)
    #expect(counts["n", default: 0] > 600)
  }

  /// Source: Python's float, which rounds correctly.
  @Test("Decimal numbers are rounded as Python rounds them")
  func roundsDecimalsAsPython() throws {
    let rows = try CaseFile.rows(of: "decimals")
    var plain = 0
    for row in rows {
      let bytes = Array(row[0].utf8)
      let expected = try #require(Double(row[1]))
      let literal = try #require(DecimalLiteral(json: bytes, at: 0))
      #expect(literal.end == bytes.count)
      let value = literal.double(in: bytes)
      #expect(value == expected, "\(row[0])")
      #expect(value.sign == expected.sign, "\(row[0])")
      #expect(literal.integer == (row[0] == "-0" ? nil : Int64(row[0])), "\(row[0])")
      #expect(DecimalLiteral(loose: bytes, at: 0)?.double(in: bytes) == expected)
      if let value = DecimalLiteral.plain(bytes.span) {
        #expect(value.bitPattern == expected.bitPattern, "\(row[0])")
        plain += 1
      }
    }
    #expect(rows.count > 1400)
    #expect(plain > 50, "\(plain)")
  }

  /// Source: Python's float, which rounds correctly.
  @Test("Pairs of plain numbers have the values of single numbers")
  func readsPairs() throws {
    var plain = 0
    let rows = try CaseFile.rows(of: "decimals")
    for row in rows {
      let expected = try #require(Double(row[1]))
      let spaces = String(repeating: " ", count: 80)
      let bytes = Array("[[\(row[0]),\(row[0])] , [ 1 ,\n\(row[0])\t]]\(spaces)".utf8)
      let (values, scanner) = try pairs(bytes)
      #expect(values.map(\.bitPattern) == [expected, expected, 1, expected].map(\.bitPattern), "\(row[0])")
      if scanner.isPlain { plain += 1 }
      #expect(scanner.end == bytes.count - 80)
    }
    #expect(plain > 200 && plain < rows.count, "\(plain)")
  }

  @Test(
    "Reading pairs stops before other forms, for which the scanner reports the same errors",
    arguments: [
      "[[1,2],]", "[[1,2],[01,2]]", "[[1,2] [3,4]]", "[[1,2],[3,4,5]]", "[[1,2],[3]]", "[[1,2],[-,4]]",
      "[,[1,2]]", "[[1,2],[3.,4]]", "[[1,2],[1e5,4]]", "[[1,2],null]", "[[1,2],[12345678901234567890,4]]",
      "[]", "[[1,2",
      "[[1,2],[.5,4]]", "[[1,2],[1,0.00000000000000000001]]", "[[1,2],[1,\u{1}2]]", "[[1,2],[3,4]}",
    ])
  func stopsBeforeOtherForms(_ text: String) {
    let bytes = Array((text + String(repeating: " ", count: 80)).utf8)
    func result(_ readsPairs: Bool) -> String {
      do { return "\(try pairs(bytes, readsPairs: readsPairs).values)" } catch { return "\(error)" }
    }
    #expect(result(true) == result(false))
  }

  /// Reads an array of pairs, as far as possible by ``JSONScanner/readPairs(_:_:)``.
  private func pairs(
    _ bytes: [UInt8], readsPairs: Bool = true
  ) throws -> (values: [Double], scanner: (isPlain: Bool, end: Int)) {
    var scanner = JSONScanner(bytes)
    var (x, y): ([Double], [Double]) = ([], [])
    try scanner.beginArray()
    if readsPairs {
      x.append(addingCapacity: 3) { x in y.append(addingCapacity: 3) { y in scanner.readPairs(&x, &y) } }
    }
    let isPlain = x.count == 2
    while try scanner.nextElement() {
      try scanner.beginArray()
      _ = try scanner.nextElement()
      x.append(try scanner.readNumber().double(in: bytes))
      _ = try scanner.nextElement()
      y.append(try scanner.readNumber().double(in: bytes))
      while try scanner.nextElement() { try scanner.skipValue() }
    }
    #expect(scanner.depth == 0)
    return (zip(x, y).flatMap { [$0, $1] }, (isPlain, scanner.offset))
  }

  @Test(
    "Loose number forms are read, and incomplete ones are refused",
    arguments: [
      ("+1.5", 1.5), ("-.5", -0.5), ("5.", 5), ("007", 7), ("1e2", 100), ("+", nil), (".", nil), ("e1", nil),
      ("1e", nil), ("-", nil), ("", nil),
    ])
  func looseNumbers(text: String, value: Double?) {
    let bytes = Array(text.utf8)
    #expect(DecimalLiteral(loose: bytes, at: 0)?.double(in: bytes) == value)
    // Only plain digits around a point take the fast path.
    #expect(DecimalLiteral.plain(bytes.span) == nil)
  }

  /// Covers every form of up to 18 digits.
  @Test("The fast path for plain decimals gives the same value as the full scanner")
  func plainNumbersAreThoseOfTheScanner() {
    var random = SeededGenerator(seed: 5)
    var read = 0
    for _ in 0..<20_000 {
      let whole = Int.random(in: 0...9, using: &random)
      let decimals = Int.random(in: 0...9, using: &random)
      let signs = ["", "-", "", "+", "1.", "x"]
      let digits = (0..<whole + decimals).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      let text =
        (signs.randomElement(using: &random) ?? "") + digits[..<whole].joined() + "."
        + digits[whole...].joined()
      let bytes = Array(text.utf8)
      guard let value = DecimalLiteral.plain(bytes.span) else { continue }
      let literal = DecimalLiteral(loose: bytes, at: 0)
      #expect(literal?.end == bytes.count, "\(text)")
      #expect(literal?.double(in: bytes).bitPattern == value.bitPattern, "\(text)")
      read += 1
    }
    #expect(read > 5_000, "\(read)")
  }

  @Test(
    "A JSON syntax error has its offset, line, column and reason",
    arguments: [
      ("", 0, 1, 1, JSONSyntaxError.Reason.unexpectedEnd), ("{\n  \"a\": 01\n}", 9, 2, 8, .invalidNumber),
      ("[\"é\n\"]", 4, 1, 4, .controlCharacter(10)), ("[1] 2", 4, 1, 5, .trailingContent),
      ("\u{FEFF}[x", 4, 1, 2, .unexpected(found: "\"x\"", expected: "a value")),
      ("{\"a\":1,\n\"a\":2}", 8, 2, 1, .duplicateMember("a")),
      ("[1,]", 3, 1, 4, .unexpected(found: "\"]\"", expected: "a value after \",\"")),
      ("{\"a\" 1}", 5, 1, 6, .unexpected(found: "\"1\"", expected: "\":\"")),
      ("[1 2]", 3, 1, 4, .unexpected(found: "\"2\"", expected: "\",\" or \"]\"")),
      ("\"\\ud800\"", 1, 1, 2, .loneSurrogate), ("\"\\x\"", 1, 1, 2, .invalidEscape),
      ("\"abc", 4, 1, 5, .unexpectedEnd),
    ])
  func places(text: String, offset: Int, line: Int, column: Int, reason: JSONSyntaxError.Reason) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.column == column, "\(error?.description ?? "")")
    #expect(error?.reason == reason)
  }

  /// Secondary threads have a stack of 512 KB.
  @Test("The deepest allowed document fits a small stack, and a deeper one is refused")
  func depthNeedsNoStack() async {
    let outcome: [Bool] = await withCheckedContinuation { continuation in
      let thread = Thread {
        let limit = JSONScanner.depthLimit
        func nested(_ depth: Int) -> [UInt8] {
          Array((String(repeating: "[{\"a\":", count: depth / 2) + "1").utf8)
        }
        let closed = nested(limit) + Array(String(repeating: "}]", count: limit / 2).utf8)
        var outcome: [Bool] = []
        if let value = try? JSONValue(parsing: closed) {
          outcome = [value.bytes() == closed, value == value, value.hashValue == value.hashValue]
        }
        for depth in [limit + 2, 1_000_000] {
          do { _ = try JSONValue(parsing: nested(depth)) } catch {
            outcome.append((error as? JSONSyntaxError)?.reason == .nestingTooDeep(limit: limit))
          }
        }
        continuation.resume(returning: outcome)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(outcome == [true, true, true, true, true])
  }

  @Test("The scanner steps through, skips and returns to values")
  func stepsAndSkips() throws {
    var scanner = JSONScanner(Array(#"{"a":[1,{"b":[]},"x"],"c":true}"#.utf8))
    try scanner.beginObject()
    let name = try #require(try scanner.nextMember())
    #expect(name.text(in: scanner.bytes) == "a")
    #expect(name.equals(Array("a".utf8), in: scanner.bytes))
    let mark = scanner.mark
    try scanner.skipValue()
    #expect(try scanner.nextMember()?.text(in: scanner.bytes) == "c")
    scanner.move(to: mark)
    try scanner.beginArray()
    var count = 0
    while try scanner.nextElement() {
      try scanner.skipValue()
      count += 1
    }
    #expect(count == 3)
    #expect(try scanner.nextMember() != nil)
    let value = try scanner.readBoolean()
    #expect(value)
    #expect(try scanner.nextMember() == nil)
    let isAtEnd = scanner.isAtEnd()
    #expect(isAtEnd)
    #expect(scanner.depth == 0)
  }

  @Test("Escaped names compare by their decoded text")
  func escapedNamesCompareByText() throws {
    var scanner = JSONScanner(Array(#""\u0061b""#.utf8))
    let token = try scanner.readString()
    #expect(token.hasEscapes)
    #expect(token.equals(Array("ab".utf8), in: scanner.bytes))
    #expect(!token.equals(Array("abc".utf8), in: scanner.bytes))
  }

  @Test("A double is written in shortest form and reads back exactly")
  func doublesAreShortestAndReadBack() throws {
    #expect(JSONWriter.text(of: 1) == "1")
    #expect(JSONWriter.text(of: -0.0) == "-0")
    #expect(JSONWriter.text(of: 0.1) == "0.1")
    #expect(JSONValue.number(Double.infinity) == .null)
    var random = SeededGenerator(seed: 3)
    var count = 0
    while count < 20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      count += 1
      let bytes = Array(JSONWriter.text(of: value).utf8)
      let literal = try #require(DecimalLiteral(json: bytes, at: 0))
      #expect(literal.end == bytes.count)
      #expect(literal.double(in: bytes) == value)
    }
  }
}
