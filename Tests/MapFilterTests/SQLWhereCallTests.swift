import MapFilter
import Testing

/// Function calls, CASE and intervals: the parsed tree or the error.
@Suite struct SQLWhereCallTests {
  struct Reading: CustomTestStringConvertible {
    let text: String, tree: FilterExpression
    init(_ text: String, _ tree: FilterExpression) { (self.text, self.tree) = (text, tree) }
    var testDescription: String { text }
  }

  static let a = FilterExpression.property("a")
  static func text(_ text: String) -> FilterExpression { .literal(.text(text)) }
  static func integer(_ value: Int64) -> FilterExpression { .literal(.integer(value)) }
  static func duration(_ months: Int32, _ seconds: Int64, _ microseconds: Int64 = 0) -> FilterExpression {
    .literal(.duration(CalendarInterval(months: months, microseconds: seconds * 1_000_000 + microseconds)))
  }

  /// Each value is read from `VALUE IS NULL`.
  @Test(
    "Function calls and CASE expressions are parsed",
    arguments: [
      Reading("UPPER(a)", .call("UPPER", [a])), Reading("upper ( a )", .call("UPPER", [a])),
      Reading("upper", .property("upper")), Reading("\"upper\"", .property("upper")),
      Reading("COALESCE(a, NULL, 'x')", .call("COALESCE", [a, .literal(.null), text("x")])),
      Reading("ABS(-3) - 1", .arithmetic(.subtract, .call("ABS", [integer(-3)]), integer(1))),
      Reading("EXTRACT(year FROM a)", .call("EXTRACT", [text("YEAR"), a])),
      Reading(
        "EXTRACT(HOUR FROM CURRENT_TIME)", .call("EXTRACT", [text("HOUR"), .call("CURRENT_TIMESTAMP", [])])),
      Reading("extract", .property("extract")),
      Reading("TRIM(a)", .call("TRIM", [a])), Reading("TRIM(FROM a)", .call("TRIM", [a])),
      Reading("TRIM(BOTH FROM a)", .call("TRIM", [text("BOTH"), text(" "), a])),
      Reading("TRIM('x' FROM a)", .call("TRIM", [text("BOTH"), text("x"), a])),
      Reading("TRIM(leading 'x' FROM a)", .call("TRIM", [text("LEADING"), text("x"), a])),
      Reading("TRIM(TRAILING a FROM a)", .call("TRIM", [text("TRAILING"), a, a])),
      // A field may be named like a TRIM side.
      Reading("TRIM(leading)", .call("TRIM", [.property("leading")])),
      Reading("POSITION('x' IN a)", .call("POSITION", [text("x"), a])),
      Reading("SUBSTRING(a FROM 2 FOR 3)", .call("SUBSTRING", [a, integer(2), integer(3)])),
      Reading("SUBSTRING(a FROM 2)", .call("SUBSTRING", [a, integer(2)])),
      Reading("SUBSTRING(a, 2, 3)", .call("SUBSTRING", [a, integer(2), integer(3)])),
      Reading("CAST(a AS int)", .call("CAST", [a, text("INT")])),
      Reading("CAST(a AS BIGINT)", .call("CAST", [a, text("INT")])),
      Reading("CAST(a AS DOUBLE PRECISION)", .call("CAST", [a, text("FLOAT")])),
      Reading("CAST(a AS VARCHAR(20))", .call("CAST", [a, text("VARCHAR(20)")])),
      Reading("CAST(a AS DATE)", .call("CAST", [a, text("DATE")])),
      Reading("CAST(a AS timestamp)", .call("CAST", [a, text("TIMESTAMP")])),
      Reading("CURRENT_DATE", .call("CURRENT_DATE", [])),
      Reading("current_date()", .call("CURRENT_DATE", [])),
      Reading(
        "CURRENT_TIMESTAMP - INTERVAL '7' DAY",
        .arithmetic(.subtract, .call("CURRENT_TIMESTAMP", []), duration(0, 604_800))),
      Reading("INTERVAL '-1.5' second", duration(0, -1, -500_000)),
      Reading("INTERVAL - '2' HOUR", duration(0, -7200)), Reading("INTERVAL -'-2' HOUR", duration(0, 7200)),
      Reading("INTERVAL '1 02:03:04' DAY TO SECOND", duration(0, 93_784)),
      Reading("INTERVAL '90:59' MINUTE TO SECOND", duration(0, 5459)),
      Reading("INTERVAL '100' DAY(3)", duration(0, 8_640_000)),
      Reading("INTERVAL '2-3' YEAR TO MONTH", duration(27, 0)), Reading("INTERVAL '2' YEAR", duration(24, 0)),
      Reading(
        "CASE WHEN a > 1 THEN 'x' ELSE NULL END",
        .choice(
          of: nil, [ChoiceBranch(when: .comparison(.greater, a, integer(1)), then: text("x"))],
          otherwise: .literal(.null))),
      Reading(
        "CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' END",
        .choice(
          of: a,
          [ChoiceBranch(when: integer(1), then: text("x")), ChoiceBranch(when: integer(2), then: text("y"))],
          otherwise: nil)),
    ])
  func reads(_ reading: Reading) throws {
    #expect(try SQLWhereParser.parse("\(reading.text) IS NULL") == .isNull(reading.tree))
  }

  @Test(
    "Unknown functions and invalid calls are refused with an offset and a suggestion",
    arguments: [
      WhereFault("a = 1 AND UPER(b) = 'x'", 10, "unknown function 'UPER'; did you mean 'UPPER'?"),
      WhereFault("Length (a) = 1", 0, "unknown function 'Length'; did you mean 'CHAR_LENGTH'?"),
      WhereFault("SUBSTR(a, 1) = 'x'", 0, "unknown function 'SUBSTR'; did you mean 'SUBSTRING'?"),
      WhereFault("now() > b", 0, "unknown function 'now'; did you mean 'CURRENT_TIMESTAMP'?"),
      WhereFault("soundex(a) = 'x'", 0, "unknown function 'soundex'"),
      WhereFault("MAX(a) > 5", 0, "the aggregate function MAX is not supported"),
      WhereFault("UPPER(a, 1) = 'X'", 0, "UPPER takes 1 argument, not 2"),
      WhereFault("UPPER() = 'X'", 0, "UPPER takes 1 argument, not 0"),
      WhereFault("1 = SUBSTRING(a, 1, 2, 3)", 4, "SUBSTRING takes 2 to 3 arguments, not 4"),
      WhereFault("COALESCE() = 1", 0, "COALESCE takes 1 or more arguments, not 0"),
      WhereFault("NULLIF(a) = 1", 0, "NULLIF takes 2 arguments, not 1"),
      WhereFault("CURRENT_DATE(1) = a", 13, "found '1', expected ')'"),
      WhereFault(
        "EXTRACT(YER FROM a) = 1", 8,
        "EXTRACT takes YEAR, MONTH, DAY, HOUR, MINUTE or SECOND, not 'YER'; did you mean 'YEAR'?"),
      WhereFault(
        "EXTRACT('YEAR' FROM a) = 1", 8,
        "found text 'YEAR', expected YEAR, MONTH, DAY, HOUR, MINUTE or SECOND"
      ),
      WhereFault("EXTRACT(YEAR, a) = 1", 12, "found ',', expected FROM"),
      WhereFault("POSITION('a' name) > 0", 13, "found 'name', expected IN"),
      WhereFault("POSITION('a', name) > 0", 12, "found ',', expected IN"),
      WhereFault(
        "TRIM(a, 'x') = 'a'", 6,
        "found ',', expected ')', as in TRIM([[BOTH | LEADING | TRAILING] [characters] FROM] text)"),
      WhereFault("CAST(a AS) > 1", 9, "found ')', expected INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP"),
      WhereFault("CAST(a, INT) > 1", 6, "found ',', expected AS"),
      WhereFault(
        "CAST(a AS INTEGR) > 1", 10,
        "CAST takes INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP, not 'INTEGR'; did you mean 'INTEGER'?"),
      WhereFault(
        "CAST(a AS VARCHAR(0)) > 'x'", 10,
        "CAST takes INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP, not 'VARCHAR(0)'"),
      WhereFault("CASE WHEN a > 1 THEN 1 = 1", 23, "found '=', expected WHEN, ELSE or END"),
      WhereFault("CASE WHEN a > 1 THEN 1", 22, "found the end of the text, expected WHEN, ELSE or END"),
      WhereFault(
        "CASE WHEN a THEN 1 END = 1", 12,
        "found 'THEN', expected a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS"),
      WhereFault("CASE a END = 1", 7, "found 'END', expected WHEN"),
      WhereFault(
        "CASE a WHEN NULL THEN 1 END = 1", 12,
        "a comparison with NULL is never true; write IS NULL or IS NOT NULL"),
      WhereFault(
        "a > INTERVAL 7 DAY", 13, "found '7', expected text in single quotes, as in INTERVAL '7' DAY"),
      WhereFault(
        "interval > 7", 0, "'interval' is a reserved word; write \"interval\" for the field of that name"),
      WhereFault(
        "a > INTERVAL '7' DAYS", 17,
        "INTERVAL takes YEAR, MONTH, DAY, HOUR, MINUTE or SECOND, not 'DAYS'; did you mean 'DAY'?"),
      WhereFault(
        "a > INTERVAL '7 days' DAY", 13, "'7 days' is not a valid interval; write INTERVAL '1' DAY"),
      WhereFault(
        "a > INTERVAL '1 25:00' DAY TO MINUTE", 13,
        "'1 25:00' is not a valid interval; write INTERVAL '1 12:30' DAY TO MINUTE"),
      WhereFault("a > INTERVAL '1' DAY TO YEAR", 21, "an interval from DAY to YEAR is not supported"),
      WhereFault(
        "a > INTERVAL '999999999' DAY", 13, "'999999999' is not a valid interval; write INTERVAL '1' DAY"),
      WhereFault("a || b = 'x'", 2, "'||' is not an operator; write OR, or CONCAT(a, b) for text"),
      WhereFault("a = 1,000", 5, "found ',', expected AND, OR or the end of the text"),
      WhereFault(
        "a = TIMESTAMP '2020-01-01T00'", 14,
        "'2020-01-01T00' is not a valid date; write TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"),
      WhereFault(
        "a = TIMESTAMP '2020-01-01 00:00:00 CET'", 14,
        "'2020-01-01 00:00:00 CET' is not a valid date; write TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"),
      WhereFault(
        "a = DATE '2024-04-01 24:00'", 9,
        "'2024-04-01 24:00' is not a valid date; write DATE 'yyyy-mm-dd hh:mm:ss'"),
      WhereFault(
        "a = DATE '2024-04-01T10:00:60'", 9,
        "'2024-04-01T10:00:60' is not a valid date; write DATE 'yyyy-mm-dd hh:mm:ss'"),
      WhereFault(
        "a = DATE '2024-4-1 10'", 9,
        "'2024-4-1 10' is not a valid date; write DATE 'yyyy-mm-dd hh:mm:ss'"),
      WhereFault(
        "a = DATE '2024-04-01 10:00+25:00'", 9,
        "'2024-04-01 10:00+25:00' is not a valid date; write DATE 'yyyy-mm-dd hh:mm:ss±hh:mm'"),
      WhereFault("a = DATE '1/4/2024'", 9, "'1/4/2024' is not a valid date; write DATE 'yyyy-mm-dd'"),
      WhereFault(
        "a ILIKE 'x'", 2,
        "found 'ILIKE', expected a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS"),
      WhereFault("[a] = 1", 0, "'[' is not an operator; write a field bare or in double quotes"),
      WhereFault("a = 1 /* b */", 6, "'/*' is not an operator; comments are not allowed"),
      WhereFault("! a = 1", 0, "'!' is not an operator; write NOT"),
      WhereFault("a = 1 XOR b = 2", 6, "found 'XOR', expected AND, OR or the end of the text"),
      WhereFault("EXISTS (SELECT 1)", 0, "unknown function 'EXISTS'"),
    ])
  func refuses(_ fault: WhereFault) throws { try fault.check() }
}
