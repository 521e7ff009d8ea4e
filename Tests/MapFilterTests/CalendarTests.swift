import MapFilter
import Testing

@Suite struct CalendarTests {
  struct Moment: CustomTestStringConvertible {
    let text: String, microseconds: Int64, utc: String
    var testDescription: String { text }
  }

  /// Source: the examples of RFC 3339, 5.8 (without its leap seconds); seconds by `date -u -d … +%s`.
  @Test(
    "RFC 3339 timestamps are read and written back",
    arguments: [
      Moment(
        text: "1985-04-12T23:20:50.52Z", microseconds: 482_196_050_520_000, utc: "1985-04-12T23:20:50.52Z"),
      Moment(
        text: "1996-12-19T16:39:57-08:00", microseconds: 851_042_397_000_000, utc: "1996-12-20T00:39:57Z"),
      Moment(
        text: "1937-01-01T12:00:27.87+00:20", microseconds: -1_041_337_172_130_000,
        utc: "1937-01-01T11:40:27.87Z"),
      Moment(text: "2022-04-16 10:13:19", microseconds: 1_650_103_999_000_000, utc: "2022-04-16T10:13:19Z"),
      Moment(text: "1970-01-01t00:00:00.0000019z", microseconds: 1, utc: "1970-01-01T00:00:00.000001Z"),
      Moment(text: "1970-01-01T00:00:00.00000049999", microseconds: 0, utc: "1970-01-01T00:00:00Z"),
      Moment(
        text: "1969-12-31T23:59:59.9999999Z", microseconds: -1, utc: "1969-12-31T23:59:59.999999Z"),
      Moment(
        text: "9999-12-31T23:59:59.9999999Z", microseconds: 253_402_300_799_999_999,
        utc: "9999-12-31T23:59:59.999999Z"),
      Moment(
        text: "0001-01-01T00:00:00Z", microseconds: -62_135_596_800_000_000, utc: "0001-01-01T00:00:00Z"),
    ])
  func readsDateTimes(_ moment: Moment) throws {
    let instant = try #require(Instant(rfc3339: moment.text))
    #expect(instant.microseconds == moment.microseconds)
    #expect(instant.description == moment.utc)
    #expect(Instant(rfc3339: instant.description) == instant)
    #expect(Instant(sqlTimestamp: instant.sqlTimestamp) == instant)
  }

  @Test(
    "Invalid RFC 3339 timestamps are refused",
    arguments: [
      "", "2022-04-16", "2022-04-16T10:13", "2022-04-16T24:00:00Z", "2022-04-16T10:60:00Z",
      "2022-04-16T10:13:60Z", "2022-04-16T10:13:19.Z", "2022-04-16T10:13:19+0200",
      "2022-04-16T10:13:19+24:00",
      "2022-04-16T10:13:19Z ", " 2022-04-16T10:13:19Z", "2022-04-16  10:13:19", "2022-02-29T00:00:00Z",
      "9999-12-31T23:59:59-00:01", "0001-01-01T00:00:00+00:01",
      "٢022-04-16T10:13:19Z",
    ])
  func refusesDateTimes(_ text: String) { #expect(Instant(rfc3339: text) == nil) }

  @Test(
    "Date-times of files may lack seconds, and have zones without a colon or minutes",
    arguments: [
      ("2022-04-16T10:13", "2022-04-16T10:13:00Z"), ("2022-04-16 10:13", "2022-04-16T10:13:00Z"),
      ("2022-04-16T10:13Z", "2022-04-16T10:13:00Z"), ("2022-04-16 10:13+02", "2022-04-16T08:13:00Z"),
      ("2022-04-16T10:13:19+0200", "2022-04-16T08:13:19Z"),
      ("2022-04-16T10:13:19-03", "2022-04-16T13:13:19Z"),
      ("2022-04-16T10:13:19.5+0530", "2022-04-16T04:43:19.5Z"),
      ("2022-04-16T10:13:19Z", "2022-04-16T10:13:19Z"),
    ])
  func looseDateTimes(_ text: String, _ utc: String) {
    #expect(Instant(loose: text.utf8.span)?.description == utc)
  }

  @Test(
    "Other date-times of files are refused",
    arguments: [
      "2022-04-16T10", "2022-04-16T10:1", "2022-04-16T24:00", "2022-04-16T10:60", "2022-04-16T10:13 ",
      "2022-04-16T10:13:19+020", "2022-04-16T10:13+2400", "2022-04-1T10:13", "2022-04-16T10:13:", "10:13",
    ])
  func refusesLooseDateTimes(_ text: String) { #expect(Instant(loose: text.utf8.span) == nil) }

  @Test("SQL timestamps are read without a time zone only")
  func timestampsOfWhereClauses() {
    #expect(Instant(sqlTimestamp: "2022-04-16 10:13:19")?.microseconds == 1_650_103_999_000_000)
    #expect(Instant(sqlTimestamp: "2022-04-16 10:13:19.25")?.microseconds == 1_650_103_999_250_000)
    for text in ["2022-04-16T10:13:19", "2022-04-16 10:13:19Z", "2022-04-16", "2022-04-16 10:13:19+00:00"] {
      #expect(Instant(sqlTimestamp: text) == nil, "\(text)")
    }
  }

  @Test(
    "Invalid dates are refused",
    arguments: [
      "2022-13-45", "2022-02-30", "1900-02-29", "2021-02-29", "0000-01-01", "2022-4-16", "2022-04-16 ",
      "20220416",
      "+2022-04-16", "-001-01-01", "2022-04-31", "2022-00-10", "2022-01-00", "２022-04-16",
    ])
  func refusesDates(_ text: String) { #expect(CalendarDate(iso8601: text) == nil) }

  /// Counts day by day with the leap year rule only.
  @Test("Every day of the years 1 to 9999 converts to its day number and back")
  func everyDayOfFourDigitYears() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var expected: Int32 = -719_162
    var wrong = 0
    for year in 1...9999 {
      let leap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
      for month in 1...12 {
        for day in 1...(lengths[month - 1] + (leap && month == 2 ? 1 : 0)) {
          if CalendarDate(year: year, month: month, day: day)?.days != expected { wrong += 1 }
          if CalendarDate(days: expected).components != (year, month, day) { wrong += 1 }
          expected += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(expected == 2_932_897)
    #expect(CalendarDate(iso8601: "9999-12-31")?.days == expected - 1)
    #expect(CalendarDate(iso8601: "2000-02-29")?.description == "2000-02-29")
  }

  @Test("Extreme dates and timestamps have a description and do not trap")
  func extremesDoNotTrap() {
    for days in [Int32.min, -719_529, .max] { #expect(!CalendarDate(days: days).description.isEmpty) }
    #expect(CalendarDate(days: .max).start.microseconds == .max)
    #expect(CalendarDate(days: -719_529).description == "-0001-12-31")
    for microseconds in [Int64.min, -1, .max] {
      #expect(!Instant(microseconds: microseconds).description.isEmpty)
    }
    #expect(Instant(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
    #expect(Instant(epochMilliseconds: .max) == nil)
    #expect(Instant(epochMilliseconds: 1_650_103_999_000)?.description == "2022-04-16T10:13:19Z")
  }
}
