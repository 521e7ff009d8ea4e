import MapFilter
import MapJSON

/// The value of a date-time in a file, in ISO 8601 as GDAL writes it.
package enum WrittenMoment {
  /// A timestamp; nil for an impossible date.
  case moment(ZonedMoment?)
  /// No value: a month or day out of range, which GDAL reads as null.
  case none

  /// Parses a text, cut to the microsecond; nil for any other text, which GDAL may be able to read.
  package init?(_ text: Span<UInt8>) {
    guard text.count >= 19, text[10] == UInt8(ascii: "T"),
      let (year, month) = ByteWord(text, at: 0).yearAndMonth, let day = text.digitPair(at: 8),
      let (hour, minute, second) = ByteWord(text, at: 11).clock, hour < 24, minute < 60, second < 60
    else { return nil }
    var (place, microseconds, isCut) = (19, second * 1_000_000, false)
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place += 1
      var unit = 1_000_000
      while place < text.count, case let digit = text[place] &- 0x30, digit < 10 {
        unit /= 10
        microseconds += Int(digit) * unit
        isCut = isCut || unit == 0 && digit != 0
        place += 1
      }
      guard place > 20 else { return nil }
    }
    guard let zone = Self.zone(text, at: place) else { return nil }
    guard 1...12 ~= month, 1...31 ~= day else {
      self = .none
      return
    }
    let minutes = hour * 60 + minute - zone.minutes
    self = .moment(
      ZonedMoment(
        date: CalendarDate(year: year, month: month, day: day),
        microseconds: Int64(minutes) * 60_000_000 + Int64(microseconds), hasZone: zone.isGiven, isCut: isCut))
  }

  /// Returns the minutes east of UTC; nil if the text is not a time zone.
  private static func zone(_ text: Span<UInt8>, at place: Int) -> (minutes: Int, isGiven: Bool)? {
    if place == text.count { return (0, false) }
    if text[place] == UInt8(ascii: "Z"), place + 1 == text.count { return (0, true) }
    guard text.count == place + 6, text[place + 3] == UInt8(ascii: ":"),
      text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-"),
      let hours = text.digitPair(at: place + 1), let minutes = text.digitPair(at: place + 4)
    else { return nil }
    // GDAL's time zones are multiples of 15 minutes.
    guard hours < 15, minutes % 15 == 0, minutes < 60 else { return nil }
    return ((hours * 60 + minutes) * (text[place] == UInt8(ascii: "-") ? -1 : 1), true)
  }
}

extension Span<UInt8> {
  /// Returns the number of two digits inside the bytes.
  @inline(__always)
  fileprivate func digitPair(at place: Int) -> Int? {
    let (tens, ones) = (self[place] &- 0x30, self[place + 1] &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}
