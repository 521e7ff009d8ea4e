/// Dates in HTTP headers.
enum HTTPDate {
  /// Returns the waiting time of a field `Retry-After`, at most one day; nil if it is missing or unreadable.
  ///
  /// - Source: RFC 9110, 10.2.3: seconds, or a date in the preferred form of 5.6.7.
  static func delay(_ field: String?, now: Int) -> Duration? {
    guard let field else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      // More than a day is treated as a day, which exceeds every deadline.
      return .seconds(min(Int(field) ?? 86_400, 86_400))
    }
    return seconds(field).map { .seconds(min(max($0 - now, 0), 86_400)) }
  }

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for other text.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
      let month = months.firstIndex(of: String(words[2])), (1...31).contains(day),
      (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":").map { Int($0) ?? -1 }
    guard clock.count == 3, 0..<24 ~= clock[0], 0..<60 ~= clock[1], 0...60 ~= clock[2] else { return nil }
    // Years start in March, so that a leap day comes last (Howard Hinnant, "chrono-compatible low-level date
    // algorithms").
    let shifted = month < 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
