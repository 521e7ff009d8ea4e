import MapSystem

/// Numbers in messages.
enum LintText {
  /// Returns a number in its shortest form, without a fraction if it is whole.
  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(clamping: value))" : "\(value)"
  }

  /// Returns a number with one digit after the point.
  static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

  /// Returns the values above one bound and up to another.
  static func range(above low: Double, upTo high: Double) -> String {
    let isOpen = (low: !low.isFinite || low <= -1e300, high: !high.isFinite || high >= 1e300)
    switch isOpen {
    case (true, true): return "all numbers"
    case (true, false): return "the values up to \(number(high))"
    case (false, true): return "the values above \(number(low))"
    case (false, false): return "the values above \(number(low)) and up to \(number(high))"
    }
  }

  /// Returns a range of scales.
  static func scales(minScale: Double, maxScale: Double) -> String {
    switch (minScale > 0, maxScale > 0) {
    case (true, true): "1:\(number(minScale)) to 1:\(number(maxScale))"
    case (true, false): "1:\(number(minScale)) and larger"
    case (false, true): "1:\(number(maxScale)) and smaller"
    case (false, false): "all scales"
    }
  }
}
