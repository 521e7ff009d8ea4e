import MapSystem

/// Numbers as the text of legends and scale bars.
public enum LegendNumber {
  /// Returns a number with groups of thousands, rounded to four significant digits or to a whole number.
  ///
  /// Numbers of 1e15 and more, and those below 0.0001, are written in their shortest form.
  public static func text(_ number: Double) -> String {
    guard number.isFinite, number == 0 || (0.0001..<1e15).contains(abs(number)) else { return "\(number)" }
    var decimals = 0
    var power = 1.0
    while decimals < 7, abs(number) * power < 1000, (number * power).rounded() != number * power {
      decimals += 1
      power *= 10
    }
    let scaled = Int64(clamping: (abs(number) * power).rounded())
    var digits = "\(scaled)"
    if decimals > 0 {
      digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
      var fraction = digits.suffix(decimals)
      digits = String(digits.dropLast(decimals))
      while fraction.last == "0" { fraction = fraction.dropLast() }
      return sign(number, scaled) + grouped(digits) + (fraction.isEmpty ? "" : "." + fraction)
    }
    return sign(number, scaled) + grouped(digits)
  }

  /// Returns numbers with the same decimals; large ones in millions or billions if all are tenths of that.
  public static func texts(_ numbers: [Double]) -> [String] {
    let units = [(1e9, "billion"), (1e6, "million")]
    if let (unit, name) = units.first(where: { unit, _ in
      !numbers.isEmpty
        && numbers.contains { $0 >= unit }
        && numbers.allSatisfy {
          $0 >= unit / 10 && $0 < 1000 * unit && ($0 / unit * 10).rounded() / 10 == $0 / unit
        }
    }) {
      return texts(numbers.map { $0 / unit }).map { "\($0) \(name)" }
    }
    let texts = numbers.map(text)
    func decimals(_ text: String) -> Int {
      text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    }
    // Numbers in their shortest form have no common decimals.
    guard let most = texts.map(decimals).max(), most > 0, !texts.contains(where: { $0.contains("e") }) else {
      return texts
    }
    return texts.map { text in
      let missing = most - decimals(text)
      guard missing > 0 else { return text }
      return text + (missing == most ? "." : "") + String(repeating: "0", count: missing)
    }
  }

  /// Returns the bounds of classes with the same decimals: the fewest that state each bound of up to six decimals, and
  /// change no other by more than a thousandth of the narrowest class.
  ///
  /// A reader then assigns no value to the wrong class, unless it is that close to a bound.
  static func bounds(_ numbers: [Double]) -> [String] {
    guard !numbers.isEmpty, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e9 }) else {
      return texts(numbers)
    }
    let ascending = Set(numbers).sorted()
    let narrowest = zip(ascending, ascending.dropFirst()).map { $1 - $0 }.min() ?? 1
    let decimals = numbers.map { number -> Int in
      var (decimals, power) = (0, 1.0)
      while decimals < 6, (number * power).rounded() / power != number {
        (decimals, power) = (decimals + 1, power * 10)
      }
      guard decimals == 6, (number * power).rounded() / power != number else { return decimals }
      (decimals, power) = (0, 1)
      while decimals < 9, 500 > narrowest * power { (decimals, power) = (decimals + 1, power * 10) }
      return decimals
    }
    let most = decimals.max() ?? 0
    guard !areYears(numbers) else { return numbers.map { fixed($0, 0, groups: false) } }
    return numbers.map { fixed($0, most) }
  }

  /// Whether all numbers look like years, which have no separators.
  static func areYears(_ numbers: [Double]) -> Bool {
    numbers.count > 1 && numbers.allSatisfy { (1000..<3000).contains($0) && $0 == $0.rounded() }
  }

  /// Returns the numbers of a ramp: those of ``texts(_:)``, but years without separators.
  static func values(_ numbers: [Double]) -> [String] {
    areYears(numbers) ? numbers.map { fixed($0, 0, groups: false) } : texts(numbers)
  }

  /// Returns a number with some decimals.
  private static func fixed(_ number: Double, _ decimals: Int, groups: Bool = true) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = Int64(clamping: (abs(number) * power).rounded())
    let digits = "\(scaled)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = String(padded.dropLast(decimals))
    return sign(number, scaled) + (groups ? grouped(whole) : whole)
      + (decimals == 0 ? "" : ".\(padded.suffix(decimals))")
  }

  private static func sign(_ number: Double, _ scaled: Int64) -> String {
    // The minus sign of typography, which is as wide as a digit.
    number < 0 && scaled != 0 ? "\u{2212}" : ""
  }

  /// Returns digits with a comma after every third from the right.
  static func grouped(_ digits: String) -> String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns the largest number with one digit, or 1.5 or 2.5, times a power of ten that is not above a limit.
  ///
  /// Numbers between are as close to the limit as a reader needs.
  static func roundest(below limit: Double) -> Double? {
    guard let round = round(below: limit), round > 0 else { return nil }
    // 1, 2 and 5 times a power of ten, whose first digit is exact.
    let first = [8.0, 6, 4, 3, 2.5, 1.5].map { digit -> Double in
      var power = 1e-6
      while power * 10 <= round * (1 + 1e-9) { power *= 10 }
      return power < 1 ? digit / (1 / power).rounded() : digit * power.rounded()
    }
    return first.filter { $0 > round && $0 <= limit }.max() ?? round
  }

  /// Returns the largest number of the form 1, 2 or 5 times a power of ten that is not above a limit.
  static func round(below limit: Double) -> Double? {
    guard limit.isFinite, limit >= 1e-6, limit < 1e15 else { return nil }
    var power = 1e-6
    while power * 10 <= limit { power *= 10 }
    // A power of ten below 1 is not exact, so it is computed by division.
    let exact = power < 1 ? 1 / (1 / power).rounded() : power
    return [5, 2, 1].map { $0 * exact }.first { $0 <= limit }
  }
}
