/// A decimal number in a byte array, scanned once: its digits, its exponent and its byte range.
package struct DecimalLiteral: Hashable, Sendable {
  /// The offset of the first byte.
  package let start: Int
  /// The offset after the last byte.
  package private(set) var end: Int
  /// Whether the number is written without a decimal point and without an exponent.
  package private(set) var isWrittenAsInteger = true

  private var isNegative = false
  /// The first 19 significant digits; leading zeros are not counted.
  private var significand: UInt64 = 0
  private var digits = 0
  /// The power of ten of the significand's last digit; a written exponent stops growing at ``exponentLimit``.
  private var exponent = 0
  /// Whether nonzero digits did not fit into the significand.
  private var isCut = false

  private static let exponentLimit = 100_000

  /// Scans a number in the grammar of JSON; nil when there is none at `place`.
  ///
  /// - Source: RFC 8259, section 6.
  package init?(json bytes: [UInt8], at place: Int) {
    self.init(start: place)
    skipSign(bytes, plus: false)
    if scanShort(bytes.span, json: true) {
      guard scanExponent(bytes) else { return nil }
      return
    }
    guard end < bytes.count else { return nil }
    if bytes[end] == 0x30 {
      end += 1
      if end < bytes.count, Self.isDigit(bytes[end]) { return nil }
    } else {
      guard scanDigits(bytes) > 0 else { return nil }
    }
    if end < bytes.count, bytes[end] == 0x2E {
      guard scanFraction(bytes) > 0 else { return nil }
    }
    guard scanExponent(bytes) else { return nil }
  }

  /// Scans a number as tables and well-known text write it; nil when there is none at `place`.
  ///
  /// Accepts more than JSON: a plus sign, leading zeros, and a missing digit on one side of the decimal point.
  package init?(loose bytes: [UInt8], at place: Int) {
    self.init(start: place)
    skipSign(bytes, plus: true)
    if scanShort(bytes.span, json: false) {
      guard scanExponent(bytes) else { return nil }
      return
    }
    var found = scanDigits(bytes)
    if end < bytes.count, bytes[end] == 0x2E { found += scanFraction(bytes) }
    guard found > 0, scanExponent(bytes) else { return nil }
  }

  private init(start: Int) { (self.start, end) = (start, start) }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private mutating func skipSign(_ bytes: [UInt8], plus: Bool) {
    guard end < bytes.count else { return }
    if bytes[end] == 0x2D {
      isNegative = true
      end += 1
    } else if plus, bytes[end] == 0x2B {
      end += 1
    }
  }

  /// Scans up to 19 digits with at most one decimal point among them, which covers nearly all numbers.
  ///
  /// Returns false and scans nothing when there are more digits, or none on one side of the point.
  @inline(__always)
  private mutating func scanShort(_ bytes: Span<UInt8>, json: Bool) -> Bool {
    var place = end
    var value: UInt64 = 0
    while place < bytes.count {
      let digit = bytes[place] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      place += 1
    }
    let whole = place - end
    guard whole > 0, whole == 1 || !json || bytes[end] != 0x30 else { return false }
    guard place < bytes.count, bytes[place] == 0x2E else {
      guard whole <= 19 else { return false }
      (significand, digits, end) = (value, whole, place)
      return true
    }
    place += 1
    let point = place
    while place < bytes.count {
      let digit = bytes[place] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      place += 1
    }
    let decimals = place - point
    guard decimals > 0, whole + decimals <= 19 else { return false }
    (significand, digits, exponent) = (value, whole + decimals, -decimals)
    (isWrittenAsInteger, end) = (false, place)
    return true
  }

  /// Scans digits into the significand and returns their number.
  private mutating func scanDigits(_ bytes: [UInt8]) -> Int {
    let first = end
    while end < bytes.count {
      let digit = bytes[end] &- 0x30
      guard digit < 10 else { break }
      if digits < 19 {
        significand = significand &* 10 &+ UInt64(digit)
        if significand != 0 { digits += 1 }
      } else {
        if digit != 0 { isCut = true }
        exponent += 1
      }
      end += 1
    }
    return end - first
  }

  /// Scans the decimal point and the digits after it, and returns the number of digits.
  private mutating func scanFraction(_ bytes: [UInt8]) -> Int {
    isWrittenAsInteger = false
    end += 1
    let found = scanDigits(bytes)
    exponent -= found
    return found
  }

  /// Scans an exponent if there is one; returns false when it has no digit.
  private mutating func scanExponent(_ bytes: [UInt8]) -> Bool {
    guard end < bytes.count, bytes[end] | 0x20 == 0x65 else { return true }
    isWrittenAsInteger = false
    end += 1
    var isBelow = false
    if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D {
      isBelow = bytes[end] == 0x2D
      end += 1
    }
    let first = end
    var power = 0
    while end < bytes.count, Self.isDigit(bytes[end]) {
      if power < Self.exponentLimit { power = power * 10 + Int(bytes[end] &- 0x30) }
      end += 1
    }
    exponent += isBelow ? -power : power
    return end > first
  }

  /// The number when it is written as an integer and fits 64 bits; nil for `-0`, which only a double can represent.
  package var integer: Int64? {
    guard isWrittenAsInteger, exponent == 0, !isCut else { return nil }
    if isNegative {
      guard significand != 0, significand <= UInt64(Int64.max) + 1 else { return nil }
      return Int64(truncatingIfNeeded: 0 &- significand)
    }
    return Int64(exactly: significand)
  }

  /// Returns the nearest double, ties to even; infinity beyond the greatest double.
  ///
  /// `bytes` must be the scanned bytes. Numbers of up to 19 digits with a power of ten within ±19 are multiplied or
  /// divided as 128-bit integers. All others use the standard library.
  ///
  /// - Error: none; both ways round once.
  package func double(in bytes: [UInt8]) -> Double {
    guard !isCut, let magnitude = Self.magnitude(significand, exponent) else {
      return Double(String(decoding: bytes[start..<end], as: UTF8.self)) ?? .nan
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the value of a text that consists of digits with a decimal point between them, after an optional minus
  /// sign.
  ///
  /// Returns nil for any other text, and for more than 15 digits: a double may not represent those exactly. The
  /// result equals that of ``init(loose:at:)`` and ``double(in:)``, in one pass.
  package static func plain(_ text: Span<UInt8>) -> Double? {
    let isNegative = text.count > 0 && text[0] == 0x2D
    let first = isNegative ? 1 : 0
    guard first + 3...first + 16 ~= text.count else { return nil }
    var (value, point): (UInt64, Int) = (0, 0)
    for place in first..<text.count {
      let digit = text[place] &- 0x30
      if digit < 10 {
        value = value &* 10 &+ UInt64(digit)
      } else {
        guard text[place] == 0x2E, point == 0 else { return nil }
        point = place
      }
    }
    guard point > first, point < text.count - 1 else { return nil }
    // At most 15 digits: both operands are exact, so one operation rounds once (Clinger 1990).
    let magnitude = Double(value) / Double(powersOfTen[text.count - 1 - point])
    return isNegative ? -magnitude : magnitude
  }

  /// Returns `significand` × 10^`exponent`, correctly rounded; nil when the exponent is beyond ±19.
  static func magnitude(_ significand: UInt64, _ exponent: Int) -> Double? {
    if significand == 0 { return 0 }
    if exponent == 0 { return Double(significand) }
    guard -19...19 ~= exponent else { return nil }
    let power = powersOfTen[abs(exponent)]
    // Both operands are below 2^53 and exact as doubles: one operation rounds once (Clinger 1990).
    if significand < 1 << 53, power < 1 << 53 {
      return exponent < 0 ? Double(significand) / Double(power) : Double(significand) * Double(power)
    }
    if exponent > 0 {
      let product = significand.multipliedFullWidth(by: power)
      guard product.high != 0 else { return Double(product.low) }
      // The lowest bit represents all bits that are cut off, so that the conversion rounds the true product.
      let shift = product.high.leadingZeroBitCount
      let high = shift == 0 ? product.high : product.high << shift | product.low >> (64 - shift)
      let sticky: UInt64 = product.low << shift == 0 ? 0 : 1
      return scale(high | sticky, by: 64 - shift)
    }
    let (upShift, downShift) = (significand.leadingZeroBitCount, power.leadingZeroBitCount)
    let (upper, lower) = (significand << upShift, power << downShift)
    // Both have their top bit set, so the quotient of half the first has 63 or 64 bits: more than enough to round.
    let (quotient, remainder) = lower.dividingFullWidth((upper >> 1, upper << 63))
    return scale(quotient | (remainder == 0 ? 0 : 1), by: downShift - upShift - 63)
  }

  /// Returns `value` × 2^`power`; the result is far from the ends of the range, so the scaling is exact.
  private static func scale(_ value: UInt64, by power: Int) -> Double {
    Double(value) * Double(bitPattern: UInt64(truncatingIfNeeded: 1023 + power) << 52)
  }

  /// The powers of ten up to 10^19, written out so that the compiler stores the table as constant data.
  static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10000, 100000, 1_000000, 10_000000, 100_000000, 1000_000000, 10000_000000,
    100000_000000, 1_000000_000000, 10_000000_000000, 100_000000_000000, 1000_000000_000000,
    10000_000000_000000, 100000_000000_000000, 1_000000_000000_000000, 10_000000_000000_000000,
  ]
}
