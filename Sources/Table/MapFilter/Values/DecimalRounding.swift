import Glibc

/// Decimal rounding of a number as it is written, not of the nearest binary fraction.
///
/// 2.345 is slightly smaller in binary but still rounds to 2.35.
///
/// - Source: PostgreSQL's `round(numeric, digits)`; using a double's shortest decimal form is a design decision.
enum DecimalRounding {
  /// Returns the number rounded to a number of decimals; negative numbers of decimals round before the point.
  ///
  /// An integer stays an integer unless the result needs more than 64 bits.
  static func rounded(
    _ value: AttributeValue, _ digits: AttributeValue, _ rule: FloatingPointRoundingRule
  ) -> AttributeValue {
    guard let digits = digits.integer else { return .null }
    // No double has digits beyond these decimals.
    let places = Int(max(-400, min(400, digits)))
    return switch value {
    case .integer(let value): rounded(value, places, rule)
    case .real(let value): .real(rounded(value, places, rule))
    default: .null
    }
  }

  private static func rounded(
    _ value: Int64, _ places: Int, _ rule: FloatingPointRoundingRule
  ) -> AttributeValue {
    guard places < 0 else { return .integer(value) }
    // 10^20 is more than twice the greatest integer.
    guard places >= -19 else { return .integer(0) }
    let unit = (0..<(-places)).reduce(UInt64(1)) { product, _ in product * 10 }
    let (quotient, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    let isUp = rule == .toNearestOrAwayFromZero && rest >= unit - rest
    let (product, overflow) = (quotient + (isUp ? 1 : 0)).multipliedReportingOverflow(by: unit)
    if !overflow, let size = Int64(exactly: product) { return .integer(value < 0 ? -size : size) }
    let size = Double(quotient + (isUp ? 1 : 0)) * Double(unit)
    return .real(value < 0 ? -size : size)
  }

  private static func rounded(_ value: Double, _ places: Int, _ rule: FloatingPointRoundingRule) -> Double {
    guard value.isFinite, value != 0 else { return value }
    if places == 0 { return value.rounded(rule) }
    // Powers of ten up to 10^22 are exact, so the final quotient is the double nearest to the decimal. The product's
    // error is far below 0.001. Closer than 0.001 to a rounding border the digits themselves decide.
    if (1...15).contains(places) {
      let unit = pow(10, Double(places))
      let scaled = value * unit
      let fraction = abs(scaled) - abs(scaled).rounded(.down)
      let border = rule == .towardZero ? min(fraction, 1 - fraction) : abs(fraction - 0.5)
      if abs(scaled) < 0x1p40, border > 0.001 { return scaled.rounded(rule) / unit }
    }
    return roundedByDigits(value, places, rule)
  }

  private static func roundedByDigits(
    _ value: Double, _ places: Int, _ rule: FloatingPointRoundingRule
  ) -> Double {
    // The shortest decimal form, `1.25` or `1.25e-05`, is split into its digits and its exponent.
    let parts = value.magnitude.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let point = parts[0].firstIndex(of: ".") ?? parts[0].endIndex
    let whole = parts[0].distance(from: parts[0].startIndex, to: point)
    let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
    let kept = whole + exponent + places
    guard kept < digits.count else { return value }
    guard kept >= 0 else { return value.sign == .minus ? -0.0 : 0 }
    let isUp = rule == .toNearestOrAwayFromZero && digits[kept] >= UInt8(ascii: "5")
    // There are at most 17 digits, so they fit with one more.
    let number = digits.prefix(kept).reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - 0x30) } &+ (isUp ? 1 : 0)
    let result = Double("\(number)e\(-places)") ?? value
    return value.sign == .minus ? -result : result
  }
}
