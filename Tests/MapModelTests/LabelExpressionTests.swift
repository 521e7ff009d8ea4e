import MapModel
import Testing

/// Label expressions: the parsed text, and the offset of the fault in invalid ones.
@Suite struct LabelExpressionTests {
  /// Fields as `[NAME]`, line feeds as they are.
  private static func parsed(_ form: LabelExpressionForm) throws -> String {
    try form.parsed().parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name): "[\(name)]"
      }
    }.joined()
  }

  @Test(
    "Simple label expressions are read",
    arguments: [
      ("[NAME]", "[NAME]"), ("  [NAME]\n", "[NAME]"), ("[A] CONCAT [B]", "[A][B]"),
      ("[A] concat \" (\" Concat [B] CONCAT ')'", "[A] ([B])"), ("[A] CONCAT NEWLINE CONCAT [B]", "[A]\n[B]"),
      ("\"say \"\"hi\"\"\"", "say \"hi\""), ("'a\"b'", "a\"b"), ("[two words]", "[two words]"),
      ("[Größe]", "[Größe]"), ("", ""), ("\"\"", ""), ("[A]CONCAT[B]", "[A][B]"),
    ])
  func simple(_ text: String, _ expected: String) throws {
    #expect(try Self.parsed(.simple(text)) == expected)
  }

  @Test(
    "An invalid simple expression is refused with its offset",
    arguments: [
      ("[A", 0), ("[]", 0), ("[A] [B]", 4), ("[A] CONCAT", 10), ("NAME", 0), ("[A] CONCAT \"x", 11),
      ("[A] & [B]", 4),
      ("CONCAT [A]", 0), ("[A] + [B]", 4), ("]", 0),
    ])
  func badSimple(_ text: String, _ offset: Int) {
    let error = #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.simple(text).parsed() }
    #expect(error?.offset == offset, "\(text): \(String(describing: error))")
  }

  @Test(
    "Arcade expressions of fields, text and concatenation are read",
    arguments: [
      ("$feature.NAME", "[NAME]"), ("$feature[\"two words\"]", "[two words]"), ("$FEATURE['A']", "[A]"),
      ("$feature.A + ' (' + $feature.B + ')'", "[A] ([B])"), ("return $feature.A;", "[A]"),
      ("// the name\n$feature.A /* and */ + TextFormatting.NewLine + $feature.B", "[A]\n[B]"),
      ("Concatenate($feature.A, ', ', $feature.B)", "[A], [B]"),
      ("concatenate([$feature.A, $feature.B], ' - ')", "[A] - [B]"), ("Concatenate([$feature.A])", "[A]"),
      ("('x' + ($feature.A))", "x[A]"), ("'a\\nb\\'c\\\\'", "a\nb'c\\"), ("\"Ä\" + $feature.Ü", "Ä[Ü]"),
      ("$feature.A + $feature.B + ''", "error"), ("$feature.A + ('' + $feature.B)", "[A][B]"), ("''", ""),
    ])
  func arcade(_ text: String, _ expected: String) throws {
    guard expected != "error" else {
      #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(text).parsed() }
      return
    }
    #expect(try Self.parsed(.arcade(text)) == expected)
  }

  @Test(
    "Other Arcade expressions are refused with their offset",
    arguments: [
      ("", 0), ("var x = 1; x", 0), ("$feature.A * 2", 11), ("Upper($feature.A)", 0), ("$feature.A + ", 13),
      ("$feature.A + $feature.B", 11), ("$map.A", 0), ("$feature", 8), ("$feature[0]", 9), ("'abc", 0),
      ("Concatenate($feature.A", 22), ("TextFormatting.Bold", 15), ("if (true) { return 'a' }", 0),
      ("$feature.A $feature.B", 11),
      ("Concatenate()", 12), ("1 + 'a'", 0), ("/* open", 7), ("$feature.A;x", 11),
    ])
  func badArcade(_ text: String, _ offset: Int) {
    let error = #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(text).parsed() }
    #expect(error?.offset == offset, "\(text): \(String(describing: error))")
  }

  @Test("Thousands of nested parentheses are an error and do not overflow the stack")
  func depth() throws {
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(deep).parsed() }
    let calls = String(repeating: "Concatenate(", count: 100_000)
    #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(calls).parsed() }
    let fine = String(repeating: "(", count: 40) + "'a'" + String(repeating: ")", count: 40)
    #expect(try Self.parsed(.arcade(fine)) == "a")
    let long = Array(repeating: "'a'", count: 100_000).joined(separator: "+")
    #expect(try Self.parsed(.arcade(long)).count == 100_000)
  }

  @Test(
    "Braces in a label template are fields",
    arguments: [("{A}", "[A]"), ("{A} ({B})", "[A] ([B])"), ("a { b", "a { b"), ("}{A}{", "}[A]{"), ("", "")])
  func template(_ text: String, _ expected: String) throws {
    #expect(try Self.parsed(.template(text)) == expected)
  }

  @Test("The fields of a label expression are listed once each")
  func fieldNames() throws {
    #expect(
      try LabelExpressionForm.arcade("$feature.B + ' ' + $feature.A + $feature.B").parsed().fieldNames == [
        "B", "A",
      ])
  }
}
