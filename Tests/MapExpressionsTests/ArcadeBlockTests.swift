import Foundation
import MapExpressions
import MapFeatures
import MapFilter
import MapSystem
import MapTestSupport
import Testing

/// Evaluation of blocks of rows beside evaluation row by row, for generated expressions.
@Suite struct ArcadeBlockTests {
  /// More than one block of rows, with nulls, zeros, and texts that are numbers.
  private static let table: FeatureColumns = {
    let count = 1100
    let fields = [
      Field(name: "A", type: .float64), Field(name: "B", type: .float64), Field(name: "N", type: .int32),
      Field(name: "T", type: .text), Field(name: "F", type: .int16), Field(name: "D", type: .date),
    ]
    let texts = ["road", "Rail", "", "12", "-3.5", "a long name of a river", "é", "true"]
    func values(_ value: (Int) -> AttributeValue) -> [AttributeValue] { (0..<count).map(value) }
    let columns = [
      Column(of: values { $0 % 7 == 3 ? .null : .real(Double($0 * 37 % 101) / 8 - 3) }, type: .float64),
      Column(of: values { .real(Double($0 * 53 % 97) * 0.1) }, type: .float64),
      Column(of: values { .integer(Int64($0 * 29 % 23 - 5)) }, type: .int32),
      Column(of: values { $0 % 11 == 5 ? .null : .text(texts[$0 % texts.count]) }, type: .text),
      Column(.booleans((0..<count).map { $0 % 3 == 0 })),
      Column(
        of: values { .instant(Instant(microseconds: Int64($0) * 86_400_000_000 * 31)) }, type: .date),
    ]
    return FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: nil, spatialReference: nil), columns: columns,
      geometry: nil, rowCount: count)
  }()

  private static func column(_ text: String) throws -> (column: ArcadeColumn, runsInBlocks: Bool) {
    let expression = try ArcadeExpression(text)
    let bound = BoundArcade(expression, table: table, scale: 5000, now: Instant(microseconds: 0))
    return (bound.column(of: Array(0..<table.rowCount)), expression.runsInBlocks)
  }

  /// Compares an expression with itself row by row, and returns whether it has a failure.
  private static func compare(_ text: String) throws -> Bool {
    let blocks = try column(text)
    #expect(blocks.runsInBlocks, "\(text)")
    // An expression with a function of its own is evaluated row by row.
    let rows = try column(text + "\nfunction unused() { return 0 }")
    #expect(!rows.runsInBlocks)
    #expect(blocks.column.failure == rows.column.failure, "\(text)")
    let difference = blocks.column.values.indices.first {
      blocks.column.values[$0] != rows.column.values[$0]
    }
    if let difference {
      let (found, expected) = (blocks.column.values[difference], rows.column.values[difference])
      Issue.record("\(text), row \(difference): \(found), not \(expected)")
    }
    return rows.column.failure != nil
  }

  @Test func `Blocks of rows have the values and failures of single rows`() throws {
    var random = SeededGenerator(seed: 26)
    var (compared, failed) = (0, 0)
    for index in 0..<240 {
      let text =
        index.isMultiple(of: 3)
        ? Self.program(&random) : Self.any(4, &random)
      if try Self.compare(text) { failed += 1 }
      compared += 1
    }
    #expect(compared == 240)
    #expect(failed < 160, "\(failed) expressions have a failure")
  }

  @Test(arguments: [
    "IIf($feature.N > 3, \"large\", \"small\")", "Round($feature.A / $feature.B * 100, 1)",
    "var x = 0; if ($feature.N > 3) { x = 1; return x } else if ($feature.N > 0) x += 2; x",
    "var a = [$feature.A, 2]; Push(a, $feature.N); Sum(a)", "Concatenate([$feature.T, $feature.N], \"/\")",
    "When($feature.A > 5, 1 / $feature.N, $feature.F, \"yes\", $feature.T)",
    "$feature.F && $feature.T", "if ($feature.N == 4) { return $feature.T.x } 1",
    "HasValue($feature, $feature.T)", "Count(Split($feature.T, \"r\"))",
    "`${$feature.T}: ${$feature.N}`", "$feature.T + \": \" + $feature.A", "$feature.A + $feature.T",
    "Text($feature.N, \"#,##0\")",
    "Text($feature.A * 12345, IIf($feature.N > 0, \"#,##0.0\", \"0.00%\"))", "$feature.A / $feature.B",
    "Decode($feature.T, \"road\", 1, \"Rail\", 2, 0)",
    "var x; if ($feature.N > 0) { if ($feature.F) { x = $feature.D } return [x, 1] }",
  ])
  func `Typical expressions have the same values in blocks`(text: String) throws {
    _ = try Self.compare(text)
  }

  @Test func `Rounding has the decimal result of the shortest text`() throws {
    for (text, expected) in [
      ("Round(1.005, 2)", 1.01), ("Round(2.675, 2)", 2.68), ("Round(-1.25, 1)", -1.2),
      ("Round(0.15, 1)", 0.2),
      ("Floor(1.1, 1)", 1.1), ("Floor(0.3, 1)", 0.3), ("Ceil(4.35, 2)", 4.35), ("Round(1e22, 3)", 1e22),
      ("Round(0.1 + 0.2, 15)", 0.3), ("Round(123456789.125, 2)", 123456789.13),
    ] {
      #expect(try ArcadeCasesTests.value(text) == .real(expected), "\(text)")
    }
  }

  @Test func `Formats of numbers have the digits of decimal arithmetic`() throws {
    var random = SeededGenerator(seed: 2611)
    var compared = 0
    for (format, least, most, hasGroups) in [
      ("#,##0", 0, 0, true), ("0.00", 2, 2, false), ("#,##0.0##", 1, 3, true), ("0", 0, 0, false),
    ] {
      for index in 0..<400 {
        let places = Int.random(in: 0...9, using: &random)
        let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
        // Many numbers end with 5, where rounding decides.
        let whole = Double(
          Int.random(in: -20_000_000...20_000_000, using: &random) * (index % 2 == 0 ? 5 : 1))
        let number = whole / power
        let text = try #require(Decimal(string: "\(abs(number))", locale: Locale(identifier: "en_US_POSIX")))
        var (exact, rounded) = (text, Decimal())
        unsafe NSDecimalRound(&rounded, &exact, most, .plain)
        let plain = "\(rounded)"
        let halves = plain.split(separator: ".")
        var digits = String(halves[0])
        var fraction = halves.count > 1 ? String(halves[1]) : ""
        while fraction.count < least { fraction += "0" }
        if hasGroups {
          var groups: [String] = []
          while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits = String(digits.dropLast(3))
          }
          digits = ([digits] + groups).joined(separator: ",")
        }
        let sign = number < 0 && rounded != 0 ? "-" : ""
        let expected = sign + digits + (fraction.isEmpty ? "" : "." + fraction)
        let found = try ArcadeCasesTests.value("Text(\(number), \"\(format)\")")
        #expect(found == .text(expected), "\(number) as \(format)")
        compared += 1
      }
    }
    #expect(compared == 1600)
  }

  // MARK: Generated expressions

  private static func program(_ random: inout SeededGenerator) -> String {
    """
    var x = \(any(2, &random)); var y;
    if (\(condition(2, &random))) { y = \(any(2, &random)); } else if (\(condition(1, &random))) {
      x \(["=", "+="].randomElement(using: &random) ?? "=") \(number(2, &random));
      return \(any(2, &random)) + x;
    }
    \(condition(1, &random)) || IsEmpty(y);
    return When(IsEmpty(x), y, x == y, "same", x)
    """
  }

  private static func any(_ depth: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<3: number(depth, &random)
    case 3..<6: text(depth, &random)
    case 6: condition(depth, &random)
    default:
      ["null", "$feature.D", "$feature.MISSING", "[1, $feature.N]"].randomElement(using: &random) ?? ""
    }
  }

  private static func number(_ depth: Int, _ random: inout SeededGenerator) -> String {
    // One operand in twenty has another type.
    if depth > 0, Int.random(in: 0..<20, using: &random) == 0 { return "(\(any(depth - 1, &random)))" }
    guard depth > 0 else {
      return ["$feature.A", "$feature.B", "$feature.N", "2", "0.5", "-7", "$view.scale"]
        .randomElement(using: &random) ?? "1"
    }
    let parts = [number(depth - 1, &random), number(depth - 1, &random), number(depth - 1, &random)]
    switch Int.random(in: 0..<9, using: &random) {
    case 0..<4:
      let sign = ["+", "-", "*", "/", "%", "&", "<<"].randomElement(using: &random) ?? "+"
      return "(\(parts[0]) \(sign) \(parts[1]))"
    case 4: return "Round(\(parts[0]), \(Int.random(in: 0...3, using: &random)))"
    case 5: return "IIf(\(condition(depth - 1, &random)), \(parts[0]), \(parts[1]))"
    case 6:
      return
        "Decode(\(text(depth - 1, &random)), \"road\", \(parts[0]), $feature.T, \(parts[1]), \(parts[2]))"
    case 7: return "-Max(\(parts[0]), \(parts[1]))"
    default: return "Number(\(text(depth - 1, &random)))"
    }
  }

  private static func text(_ depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else { return ["$feature.T", "\"road\"", "\"12\""].randomElement(using: &random) ?? "" }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "(\(text(depth - 1, &random)) + \(any(depth - 1, &random)))"
    case 1: return "`${\(any(depth - 1, &random))}: ${\(number(depth - 1, &random))}`"
    case 2: return "Upper(\(text(depth - 1, &random)))"
    case 3:
      return "When(\(condition(depth - 1, &random)), \(text(depth - 1, &random)), "
        + "\(condition(depth - 1, &random)), \(text(depth - 1, &random)), \(any(depth - 1, &random)))"
    case 4: return "Text(\(number(depth - 1, &random)), \"#,##0.0\")"
    default: return "DefaultValue(\(text(depth - 1, &random)), \"none\")"
    }
  }

  private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else {
      return ["$feature.F", "$feature.N > 3", "true"].randomElement(using: &random) ?? ""
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<3:
      let sign = ["<", ">", "<=", ">=", "==", "!="].randomElement(using: &random) ?? "<"
      return "(\(any(depth - 1, &random)) \(sign) \(any(depth - 1, &random)))"
    case 3: return "(\(condition(depth - 1, &random)) && \(condition(depth - 1, &random)))"
    case 4: return "(\(condition(depth - 1, &random)) || !\(condition(depth - 1, &random)))"
    default: return "IsEmpty(\(any(depth - 1, &random)))"
    }
  }
}
