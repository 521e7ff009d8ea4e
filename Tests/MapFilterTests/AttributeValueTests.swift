import MapFilter
import MapTestSupport
import Testing

@Suite struct AttributeValueTests {
  @Test("Integers and decimals compare exactly")
  func integersAndRealsCompareExactly() {
    let power = Int64(1) << 53
    #expect(AttributeValue.integer(power + 1).ordering(to: .real(0x1p53)) == .greater)
    #expect(AttributeValue.integer(power).ordering(to: .real(0x1p53)) == .equal)
    #expect(AttributeValue.integer(.max).ordering(to: .real(0x1p63)) == .less)
    #expect(AttributeValue.integer(.min).ordering(to: .real(-0x1p63)) == .equal)
    #expect(AttributeValue.integer(.min).ordering(to: .real(-.infinity)) == .greater)
    #expect(AttributeValue.integer(-1).ordering(to: .real(-0.5)) == .less)
    #expect(AttributeValue.integer(0).ordering(to: .real(-0.0)) == .equal)
    #expect(AttributeValue.real(1.5).ordering(to: .integer(1)) == .greater)
    #expect(AttributeValue.integer(1).ordering(to: .real(.nan)) == nil)
  }

  /// Source: the "C" collation as in filter languages: `'Z' < 'a' < 'Ø' < 'é'`, and supplementary characters
  /// after the private use area.
  @Test("Text compares by Unicode scalars")
  func textComparesByScalars() {
    let ascending = ["", " ", "Z", "a", "a ", "aa", "e\u{301}", "Ø", "é", "\u{E000}", "\u{FFFD}", "😀"]
    for (i, first) in ascending.enumerated() {
      for (j, second) in ascending.enumerated() {
        let expected: ValueOrdering = i < j ? .less : i == j ? .equal : .greater
        #expect(AttributeValue.text(first).ordering(to: .text(second)) == expected, "\(first) \(second)")
      }
    }
    #expect(AttributeValue.text("e\u{301}") != .text("é"))
    #expect(Set([AttributeValue.text("e\u{301}"), .text("é"), .text("é")]).count == 2)
  }

  @Test("A date compares with a timestamp as midnight of that day")
  func datesCountAsMidnightBesideInstants() throws {
    let day = try #require(CalendarDate(iso8601: "2022-04-16"))
    #expect(AttributeValue.date(day).ordering(to: .instant(day.start)) == .equal)
    #expect(
      AttributeValue.instant(Instant(microseconds: day.start.microseconds + 1)).ordering(to: .date(day))
        == .greater)
  }

  @Test("Values of different types do not compare")
  func otherTypesDoNotCompare() {
    let values: [AttributeValue] = [
      .null, .integer(1), .text("1"), .boolean(true), .date(CalendarDate(days: 1)),
    ]
    for (i, first) in values.enumerated() {
      for (j, second) in values.enumerated() where i != j {
        #expect(first.ordering(to: second) == nil, "\(first) \(second)")
      }
    }
    #expect(AttributeValue.null.ordering(to: .null) == nil)
  }
}
