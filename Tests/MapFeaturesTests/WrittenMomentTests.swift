import MapFilter
import MapReaders
import Testing

@Suite struct WrittenMomentTests {
  /// A date-time in a file, its value in UTC, and whether digits are cut; nil for a text that is left to GDAL.
  private static let texts: [(text: String, value: String?, isCut: Bool)] = [
    ("2024-12-31T23:59:59.9999999Z", "2024-12-31T23:59:59.999999Z", true),
    ("2024-12-31T23:59:59.999999Z", "2024-12-31T23:59:59.999999Z", false),
    ("2024-12-31T23:59:59.5Z", "2024-12-31T23:59:59.5Z", false),
    ("2024-12-31T23:59:59.123000000+01:00", "2024-12-31T22:59:59.123Z", false),
    ("2024-12-31T23:59:59", "2024-12-31T23:59:59Z", false), ("2024-12-31T23:59:59.Z", nil, false),
    ("2024-12-31T23:59:60Z", nil, false), ("2024-12-31 23:59:59Z", nil, false),
  ]

  @Test("Times in FlatGeobuf and GeoPackage are cut to the microsecond, and not rounded up")
  func cut() throws {
    for (text, value, isCut) in Self.texts {
      guard case .moment(let moment?)? = WrittenMoment(text.utf8.span) else {
        #expect(value == nil, "\(text)")
        continue
      }
      #expect(Instant(microseconds: moment.microseconds).description == value, "\(text)")
      #expect(moment.isCut == isCut, "\(text)")
    }
    #expect(Self.texts.count == 8)
  }
}
