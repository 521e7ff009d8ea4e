internal import Glibc

/// A function of one number.
enum StyleArithmetic: String, Hashable, Sendable, CaseIterable {
  case sqrt, log10, ln, log2, sin, cos, tan, asin, acos, atan, abs, round, floor, ceil

  /// Returns the value for a number.
  func value(_ number: Double) -> Double {
    switch self {
    case .sqrt: number.squareRoot()
    case .log10: Glibc.log10(number)
    case .ln: log(number)
    case .log2: Glibc.log2(number)
    case .sin: Glibc.sin(number)
    case .cos: Glibc.cos(number)
    case .tan: Glibc.tan(number)
    case .asin: Glibc.asin(number)
    case .acos: Glibc.acos(number)
    case .atan: Glibc.atan(number)
    case .abs: number.magnitude
    case .round: number.rounded(.toNearestOrAwayFromZero)
    case .floor: number.rounded(.down)
    case .ceil: number.rounded(.up)
    }
  }

  /// Returns a power as ECMAScript has it: NaN for 1 to the power of infinity.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    exponent.isNaN || base.magnitude == 1 && exponent.isInfinite ? .nan : pow(base, exponent)
  }
}
