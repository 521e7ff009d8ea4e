import MapFeatures
import MapFilter
import MapReaders

extension CopyColumn.Form {
  /// The storage of the values.
  var kind: DeclaredColumn.Kind {
    switch self {
    case .int16, .int32, .int64: .integer
    case .real32, .real64, .numeric: .real
    case .text, .uuid, .geometry: .text
    case .boolean: .boolean
    case .date: .date
    case .timestamp: .instant
    }
  }

  /// The size of each value in bytes; nil if it varies.
  private var size: Int? {
    switch self {
    case .boolean: 1
    case .int16: 2
    case .int32, .real32, .date: 4
    case .int64, .real64, .timestamp: 8
    case .uuid: 16
    case .numeric, .text, .geometry: nil
    }
  }

  /// Whether a value has the size of its type.
  fileprivate func fits(_ range: Range<Int>) -> Bool { size.map { $0 == range.count } ?? true }

  /// Returns a whole number; nil for other values.
  func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard fits(range) else { return nil }
    switch self {
    case .int16: return Int64(bytes.int16(at: range.lowerBound))
    case .int32: return Int64(bytes.int32(at: range.lowerBound))
    case .int64: return bytes.int64(at: range.lowerBound)
    default: return nil
    }
  }
}

extension DeclaredColumn {
  /// Adds a value of a row, and counts a decimal that is rounded; returns false if its bytes are not of the form.
  ///
  /// - Source: the functions `…_send` of PostgreSQL 15's source; numbers are big-endian.
  mutating func append(
    _ form: CopyColumn.Form, _ source: [UInt8], _ range: Range<Int>, _ rounded: inout Int
  ) -> Bool {
    guard form.fits(range) else { return false }
    let (bytes, start) = (source.span, range.lowerBound)
    switch form {
    case .int16: append(integer: Int64(bytes.int16(at: start)))
    case .int32: append(integer: Int64(bytes.int32(at: start)))
    case .int64: append(integer: bytes.int64(at: start))
    case .real32: append(real: Double(Float(bitPattern: UInt32(bitPattern: bytes.int32(at: start)))))
    case .real64: append(real: Double(bitPattern: UInt64(bitPattern: bytes.int64(at: start))))
    case .numeric:
      guard let decimal = CopyDecimal(bytes.extracting(range)) else { return false }
      append(real: decimal.value)
      if decimal.isRounded { rounded += 1 }
    case .text: append(text: range, in: source)
    case .boolean: append(boolean: source[start] != 0)
    case .date: append(date: CalendarDate(daysSince2000: bytes.int32(at: start)))
    case .timestamp(let hasZone):
      append(moment: ZonedMoment(microsecondsSince2000: bytes.int64(at: start), hasZone: hasZone))
    case .uuid:
      let text = Array(Self.identifier(source[range]).utf8)
      append(text: 0..<text.count, in: text)
    case .geometry: return false
    }
    return true
  }

  /// Returns an identifier as PostgreSQL writes it, with 32 digits and four hyphens.
  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.enumerated().map { index, byte in
      let digits = String(byte, radix: 16)
      return ([4, 6, 8, 10].contains(index) ? "-" : "") + (byte < 16 ? "0" : "") + digits
    }.joined()
  }
}

extension CalendarDate {
  /// Creates a date in the years 0001 to 9999; nil for others, and for the infinite dates.
  fileprivate init?(daysSince2000 days: Int32) {
    let (days, isTooLarge) = days.addingReportingOverflow(10_957)
    guard !isTooLarge, (-719_162...2_932_896).contains(days) else { return nil }
    self.init(days: days)
  }
}

extension ZonedMoment {
  /// Creates a timestamp in the years 0001 to 9999; nil for others, and for the infinite timestamps.
  fileprivate init?(microsecondsSince2000: Int64, hasZone: Bool) {
    let (microseconds, isTooLarge) = microsecondsSince2000.addingReportingOverflow(946_684_800_000_000)
    guard !isTooLarge, (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(microseconds) else {
      return nil
    }
    self.init(date: CalendarDate(days: 0), microseconds: microseconds, hasZone: hasZone)
  }
}

/// A decimal as the server sends it: digits of base 10,000, the weight of the first, a sign.
///
/// - Source: `numeric_send` in PostgreSQL 15's source.
package struct CopyDecimal {
  /// The nearest double; infinite or not a number for those values.
  package let value: Double
  /// Whether the decimal has more digits than the double keeps.
  package let isRounded: Bool

  private static let powers = (0...22).reduce(into: [Double]()) { powers, _ in
    powers.append((powers.last ?? 0.1) * 10)
  }

  /// Reads a decimal; nil for other bytes.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    let (count, weight) = (Int(UInt16(bitPattern: bytes.int16(at: 0))), Int(bytes.int16(at: 2)))
    let sign = UInt16(bitPattern: bytes.int16(at: 4))
    guard bytes.count == 8 + 2 * count else { return nil }
    let isNegative = sign == 0x4000
    switch sign {
    case 0, 0x4000: break
    case 0xC000:
      (value, isRounded) = (.nan, false)
      return
    case 0xD000, 0xF000:
      (value, isRounded) = (sign == 0xD000 ? .infinity : -.infinity, false)
      return
    default: return nil
    }
    var digits: [UInt8] = []
    var unscaled: UInt64 = 0
    for index in 0..<count {
      let digit = UInt64(UInt16(bitPattern: bytes.int16(at: 8 + 2 * index)))
      guard digit < 10_000 else { return nil }
      if unscaled < 100_000_000_000_000 { unscaled = unscaled * 10_000 + digit }
      for power in [1000, 100, 10, 1] as [UInt64] { digits.append(UInt8(digit / power % 10)) }
    }
    let exponent = 4 * (weight - count + 1)
    // Both numbers are exact, so that the result is rounded once; 15 digits are always kept.
    if count <= 4, unscaled < 1_000_000_000_000_000, exponent.magnitude <= 20 {
      let (number, power) = (Double(unscaled), Self.powers[Int(exponent.magnitude)])
      let size = exponent < 0 ? number / power : number * power
      (value, isRounded) = (isNegative ? -size : size, false)
      return
    }
    func significant(_ digits: some BidirectionalCollection<UInt8>) -> [UInt8] {
      let start = Array(digits.drop { $0 == 0 })
      return Array(start[..<((start.lastIndex { $0 != 0 } ?? -1) + 1)])
    }
    let written = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    value = Double("\(isNegative ? "-" : "")\(written.isEmpty ? "0" : written)e\(exponent)") ?? .nan
    // The shortest text of a double has the digits that it keeps.
    let kept = "\(value)".utf8.prefix { $0 != UInt8(ascii: "e") }.filter { 0x30...0x39 ~= $0 }.map {
      $0 - 0x30
    }
    isRounded = value.isFinite && significant(digits) != significant(kept)
  }
}

extension Span<UInt8> {
  /// Returns the big-endian number at an offset.
  func int16(at place: Int) -> Int16 {
    Int16(bitPattern: UInt16(self[place]) << 8 | UInt16(self[place + 1]))
  }

  /// Returns the big-endian number at an offset.
  func int32(at place: Int) -> Int32 {
    var word: UInt32 = 0
    for index in place..<place + 4 { word = word << 8 | UInt32(self[index]) }
    return Int32(bitPattern: word)
  }

  /// Returns the big-endian number at an offset.
  func int64(at place: Int) -> Int64 {
    var word: UInt64 = 0
    for index in place..<place + 8 { word = word << 8 | UInt64(self[index]) }
    return Int64(bitPattern: word)
  }
}
