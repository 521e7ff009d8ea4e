import MapExpressions
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
      case .arcade(let expression): expression.text
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
    "An Arcade expression of one field is that field",
    arguments: [
      ("$feature.NAME", "[NAME]"), ("$feature[\"two words\"]", "[two words]"), ("$FEATURE['A']", "[A]"),
      ("return $feature.A;", "[A]"), ("// the name\n$feature.A /* and */", "[A]"), ("($feature.Ü)", "[Ü]"),
    ])
  func field(_ text: String, _ expected: String) throws {
    #expect(try Self.parsed(.arcade(text)) == expected)
  }

  @Test(
    "Other Arcade expressions know their fields",
    arguments: [
      ("$feature.A + ' (' + $feature.B + ')'", ["A", "B"]),
      ("Concatenate($feature.A, ', ', $feature.B)", ["A", "B"]),
      ("var x = $feature.b; x + $feature.B", ["b"]), ("''", []),
    ])
  func arcade(_ text: String, _ fields: [String]) throws {
    let template = try LabelExpressionForm.arcade(text).parsed()
    guard case .arcade(let expression)? = template.parts.first else {
      Issue.record("\(template)")
      return
    }
    #expect(expression.text == text && template.fieldNames == fields && template.parts.count == 1)
  }

  @Test(
    "Text that is not Arcade is refused with its offset",
    arguments: [
      ("$feature.A + ", 13), ("$map.A", 0), ("'abc", 0), ("Concatenate($feature.A", 22),
      ("TextFormatting.Bold", 15), ("$feature.A $feature.B", 11), ("/* open", 0), ("Uper($feature.A)", 0),
    ])
  func badArcade(_ text: String, _ offset: Int) {
    let error = #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(text).parsed() }
    #expect(error?.offset == offset, "\(text): \(String(describing: error))")
  }

  @Test("Thousands of nested parentheses are an error and do not overflow the stack")
  func depth() throws {
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(deep).parsed() }
    let calls = String(repeating: "Concatenate(", count: 10_000)
    #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(calls).parsed() }
    let fine = String(repeating: "(", count: 40) + "'a'" + String(repeating: ")", count: 40)
    #expect(throws: Never.self) { try LabelExpressionForm.arcade(fine).parsed() }
    let long = Array(repeating: "'a'", count: 30_000).joined(separator: "+")
    #expect(throws: LabelExpressionError.self) { try LabelExpressionForm.arcade(long).parsed() }
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
