import MapFilter
import Testing

/// The result of each function, from the rules and the standards they name; MapFeaturesTests covers whole
/// clauses.
@Suite struct FunctionCatalogTests {
  @Test("The catalogue lists every function with a form, a summary and an example")
  func catalogueIsWhole() {
    #expect(
      Set(FunctionCatalog.functions.map(\.name)) == [
        "UPPER", "LOWER", "CASEI", "ACCENTI", "CHAR_LENGTH", "CONCAT", "SUBSTRING", "POSITION", "TRIM", "ABS",
        "CEILING", "FLOOR",
        "ROUND", "TRUNCATE", "MOD", "POWER", "LOG", "LOG10", "SIN", "COS", "TAN", "EXTRACT", "CURRENT_DATE",
        "CURRENT_TIMESTAMP", "CURRENT_TIME", "COALESCE", "NULLIF", "CAST", "CASE",
      ])
    for function in FunctionCatalog.functions {
      #expect(function.form.hasPrefix(function.name))
      #expect(function.summary.hasSuffix("."))
      #expect(function.example.contains(function.name), "\(function.name)")
      #expect(
        (FunctionCatalog.function(named: function.name.lowercased()) == nil) == (function.name == "CASE"))
    }
  }

  struct Value: CustomTestStringConvertible {
    let function: String, arguments: [AttributeValue], result: AttributeValue
    init(_ function: String, _ arguments: AttributeValue..., gives result: AttributeValue) {
      (self.function, self.arguments, self.result) = (function, arguments, result)
    }
    var testDescription: String { "\(function) of \(arguments)" }
  }

  static let day = CalendarDate(year: 2020, month: 2, day: 29) ?? CalendarDate(days: 0)
  static let moment = Instant(rfc3339: "2020-02-29T13:45:06.25Z") ?? Instant(microseconds: 0)

  @Test(
    "Functions return the expected values, and null arguments give null",
    arguments: [
      // Text length is in scalars: é in two scalars counts as two.
      Value("CHAR_LENGTH", .text("e\u{301}😀"), gives: .integer(3)),
      Value("CHAR_LENGTH", .text(""), gives: .integer(0)),
      Value("UPPER", .text("straße ǆ"), gives: .text("STRASSE Ǆ")),
      Value("LOWER", .text("ΟΔΟΣ"), gives: .text("οδοσ")),
      Value("CONCAT", .text("a"), .null, gives: .null),
      Value("CONCAT", .text("a"), .text(""), gives: .text("a")),
      Value("SUBSTRING", .text("abcde"), .integer(2), .integer(3), gives: .text("bcd")),
      Value("SUBSTRING", .text("abcde"), .integer(0), .integer(3), gives: .text("ab")),
      Value("SUBSTRING", .text("abcde"), .integer(-5), .integer(3), gives: .text("")),
      Value("SUBSTRING", .text("abcde"), .integer(4), .integer(9), gives: .text("de")),
      Value("SUBSTRING", .text("abcde"), .integer(9), gives: .text("")),
      Value("SUBSTRING", .text("abcde"), .integer(-1), gives: .text("abcde")),
      Value("SUBSTRING", .text("abcde"), .integer(.max), .integer(.max), gives: .text("")),
      Value("SUBSTRING", .text("abcde"), .integer(.min), .integer(.max), gives: .text("")),
      Value("SUBSTRING", .text("abcde"), .integer(2), .integer(.max), gives: .text("bcde")),
      Value("SUBSTRING", .text("abcde"), .integer(2), .integer(-1), gives: .null),
      Value("SUBSTRING", .text("å😀z"), .integer(2), .integer(1), gives: .text("😀")),
      Value("POSITION", .text("z"), .text("å😀z"), gives: .integer(3)),
      Value("POSITION", .text("b"), .text("abcb"), gives: .integer(2)),
      Value("POSITION", .text(""), .text("abc"), gives: .integer(1)),
      Value("POSITION", .text("x"), .text("abc"), gives: .integer(0)),
      Value("POSITION", .text("aab"), .text("aaab"), gives: .integer(2)),
      Value("POSITION", .text("abc"), .text("ab"), gives: .integer(0)),
      Value("TRIM", .text("  a b "), gives: .text("a b")), Value("TRIM", .text("\ta"), gives: .text("\ta")),
      Value("TRIM", .text("BOTH"), .text("xy"), .text("yxaxby"), gives: .text("axb")),
      Value("TRIM", .text("LEADING"), .text("x"), .text("xxaxx"), gives: .text("axx")),
      Value("TRIM", .text("TRAILING"), .text("x"), .text("xxaxx"), gives: .text("xxa")),
      Value("TRIM", .text("BOTH"), .text(""), .text(" a "), gives: .text(" a ")),
      Value("TRIM", .text("BOTH"), .text("x"), .text("xxx"), gives: .text("")),
      // Numbers keep their type where possible.
      Value("ABS", .integer(-3), gives: .integer(3)), Value("ABS", .integer(.min), gives: .real(0x1p63)),
      Value("ABS", .real(-0.5), gives: .real(0.5)),
      Value("FLOOR", .real(-2.5), gives: .real(-3)),
      Value("FLOOR", .integer(.max - 1), gives: .integer(.max - 1)),
      Value("CEILING", .real(-2.5), gives: .real(-2)), Value("CEILING", .real(2.1), gives: .real(3)),
      Value("ROUND", .real(2.5), gives: .real(3)), Value("ROUND", .real(-2.5), gives: .real(-3)),
      Value("ROUND", .real(0.5), gives: .real(1)),
      Value("ROUND", .real(2.345), .integer(2), gives: .real(2.35)),
      Value("ROUND", .real(1.005), .integer(2), gives: .real(1.01)),
      Value("ROUND", .real(-1.45), .integer(1), gives: .real(-1.5)),
      Value("ROUND", .real(1234.5), .integer(-2), gives: .real(1200)),
      Value("ROUND", .real(.leastNonzeroMagnitude), .integer(400), gives: .real(.leastNonzeroMagnitude)),
      Value("ROUND", .real(1e300), .integer(-400), gives: .real(0)),
      Value("ROUND", .real(6e20), .integer(-21), gives: .real(1e21)),
      Value("ROUND", .real(1e-7), .integer(3), gives: .real(0)),
      Value("ROUND", .real(123456789.125), .integer(2), gives: .real(123456789.13)),
      Value("ROUND", .integer(1250), .integer(-2), gives: .integer(1300)),
      Value("ROUND", .integer(-1249), .integer(-2), gives: .integer(-1200)),
      Value("ROUND", .integer(7), .integer(3), gives: .integer(7)),
      Value("ROUND", .integer(.max), .integer(-19), gives: .real(1e19)),
      Value("ROUND", .integer(4), .integer(-1), gives: .integer(0)),
      Value("ROUND", .integer(.max), .integer(-20), gives: .integer(0)),
      Value("ROUND", .real(2.5), .null, gives: .null),
      Value("ROUND", .real(.infinity), .integer(2), gives: .real(.infinity)),
      Value("TRUNCATE", .real(-2.349), .integer(2), gives: .real(-2.34)),
      Value("TRUNCATE", .real(2.3), .integer(1), gives: .real(2.3)),
      Value("TRUNCATE", .real(0.29), .integer(2), gives: .real(0.29)),
      Value("TRUNCATE", .integer(1299), .integer(-2), gives: .integer(1200)),
      Value("MOD", .integer(-7), .integer(2), gives: .integer(-1)),
      Value("MOD", .integer(7), .integer(-2), gives: .integer(1)),
      Value("MOD", .integer(7), .integer(0), gives: .null),
      Value("MOD", .integer(.min), .integer(-1), gives: .integer(0)),
      Value("MOD", .real(-7.5), .integer(2), gives: .real(-1.5)),
      Value("MOD", .real(7.5), .real(0), gives: .null),
      Value("POWER", .integer(2), .integer(-1), gives: .real(0.5)),
      Value("POWER", .integer(0), .integer(-1), gives: .null),
      Value("POWER", .real(-8), .real(0.5), gives: .null),
      Value("POWER", .integer(0), .integer(0), gives: .real(1)),
      Value("LOG", .integer(1), gives: .real(0)), Value("LOG", .integer(0), gives: .null),
      Value("LOG", .real(-1), gives: .null),
      Value("LOG10", .real(0.001), gives: .real(-3)), Value("LOG10", .integer(0), gives: .null),
      Value("SIN", .real(.infinity), gives: .null),
      // Dates and timestamps.
      Value("EXTRACT", .text("YEAR"), .date(day), gives: .integer(2020)),
      Value("EXTRACT", .text("HOUR"), .date(day), gives: .integer(0)),
      Value("EXTRACT", .text("MONTH"), .instant(moment), gives: .integer(2)),
      Value("EXTRACT", .text("DAY"), .instant(moment), gives: .integer(29)),
      Value("EXTRACT", .text("HOUR"), .instant(moment), gives: .integer(13)),
      Value("EXTRACT", .text("MINUTE"), .instant(moment), gives: .integer(45)),
      Value("EXTRACT", .text("SECOND"), .instant(moment), gives: .real(6.25)),
      Value("EXTRACT", .text("HOUR"), .instant(Instant(microseconds: -1)), gives: .integer(23)),
      // Nulls.
      Value("COALESCE", .null, .null, .integer(2), .integer(3), gives: .integer(2)),
      Value("COALESCE", .null, gives: .null),
      Value("NULLIF", .integer(1), .real(1), gives: .null),
      Value("NULLIF", .integer(1), .null, gives: .integer(1)),
      Value("NULLIF", .null, .integer(1), gives: .null),
      Value("NULLIF", .text("a"), .text("A"), gives: .text("a")),
      // Casts.
      Value("CAST", .text(" 42 "), .text("INT"), gives: .integer(42)),
      Value("CAST", .text("4.5"), .text("INT"), gives: .integer(5)),
      Value("CAST", .text("x"), .text("INT"), gives: .null),
      Value("CAST", .text(""), .text("INT"), gives: .null),
      Value("CAST", .text("0x10"), .text("FLOAT"), gives: .null),
      Value("CAST", .text("inf"), .text("FLOAT"), gives: .null),
      Value("CAST", .text("1e3"), .text("FLOAT"), gives: .real(1000)),
      Value("CAST", .text("1e999"), .text("FLOAT"), gives: .null),
      Value("CAST", .real(2.5), .text("INT"), gives: .integer(3)),
      Value("CAST", .real(-2.5), .text("INT"), gives: .integer(-3)),
      Value("CAST", .real(1e30), .text("INT"), gives: .null),
      Value("CAST", .boolean(true), .text("INT"), gives: .integer(1)),
      Value("CAST", .integer(3), .text("FLOAT"), gives: .real(3)),
      Value("CAST", .real(10), .text("VARCHAR"), gives: .text("10")),
      Value("CAST", .real(0.1), .text("VARCHAR"), gives: .text("0.1")),
      Value("CAST", .integer(-12), .text("VARCHAR(2)"), gives: .text("-1")),
      Value("CAST", .text("e\u{301}x"), .text("VARCHAR(2)"), gives: .text("e\u{301}")),
      Value("CAST", .date(day), .text("VARCHAR"), gives: .text("2020-02-29")),
      Value("CAST", .instant(moment), .text("VARCHAR"), gives: .text("2020-02-29 13:45:06.25")),
      Value("CAST", .instant(moment), .text("DATE"), gives: .date(day)),
      Value("CAST", .date(day), .text("TIMESTAMP"), gives: .instant(day.start)),
      Value("CAST", .text("2020-02-29"), .text("DATE"), gives: .date(day)),
      Value("CAST", .text("2020-02-30"), .text("DATE"), gives: .null),
      Value("CAST", .text("2020-02-29 13:45:06.25"), .text("TIMESTAMP"), gives: .instant(moment)),
    ])
  func values(_ value: Value) throws {
    let function = try #require(FunctionCatalog.function(named: value.function))
    #expect(function.value(of: value.arguments) == value.result)
    // A null argument gives null, except for the two functions about nulls.
    if !function.takesNulls {
      for place in value.arguments.indices {
        var arguments = value.arguments
        arguments[place] = .null
        #expect(function.value(of: arguments) == .null)
      }
    }
  }

  /// Invalid arguments give null.
  @Test("Functions and operators never trap, whatever their arguments")
  func nothingTraps() {
    let values: [AttributeValue] = [
      .null, .integer(.min), .integer(.max), .integer(0), .integer(-1), .real(.nan), .real(.infinity),
      .real(-0.0),
      .real(1e308), .real(.leastNonzeroMagnitude), .text(""), .text("\u{301}"), .text("YEAR"), .text("INT"),
      .text("VARCHAR(1)"),
      .boolean(true), .date(CalendarDate(days: .min)), .date(CalendarDate(days: .max)),
      .instant(Instant(microseconds: .min)), .instant(Instant(microseconds: .max)),
      .duration(CalendarInterval(months: .min, microseconds: .min)),
    ]
    var calls = 0
    for function in FunctionCatalog.functions {
      for first in values {
        _ = function.value(of: [])
        _ = function.value(of: [first])
        for second in values {
          _ = function.value(of: [first, second])
          for third in values where function.argumentCount.contains(3) {
            _ = function.value(of: [first, second, third])
          }
          calls += 1
        }
      }
    }
    for first in values {
      for second in values {
        for operation in ArithmeticOperator.allCases {
          _ = operation.result(first, second)
        }
        _ = first.ordering(to: second)
      }
      _ = first.negated
    }
    #expect(calls == 29 * 21 * 21)
  }

  @Test(
    "Adding an interval to a timestamp keeps to the last day of the month",
    arguments: [
      ("2020-01-31T12:00:00Z", 1, 0, "2020-02-29T12:00:00Z"),
      ("2021-03-31T12:00:00Z", -1, 0, "2021-02-28T12:00:00Z"),
      ("2020-02-29T12:00:00Z", 12, 0, "2021-02-28T12:00:00Z"),
      ("2020-05-31T00:00:00Z", 1, 3600, "2020-06-30T01:00:00Z"),
      ("2020-01-15T00:00:00Z", -13, 0, "2018-12-15T00:00:00Z"), ("9999-12-31T23:59:59Z", 0, 1, nil),
      ("0001-01-01T00:00:00Z", -1, 0, nil), ("0001-01-01T00:00:00Z", 0, -1, nil),
      ("2020-01-01T00:00:00Z", 1_000_000, 0, nil),
    ])
  func calendarSteps(_ start: String, _ months: Int32, _ seconds: Int64, _ end: String?) throws {
    let interval = CalendarInterval(months: months, microseconds: seconds * 1_000_000)
    let instant = try #require(Instant(rfc3339: start))
    #expect(instant.adding(interval)?.description == end)
  }
}
