internal import MapFilter

/// An order of texts that may ignore case and accents.
///
/// Letters are compared first, then accents, then case; small letters come first. Languages do not change the order.
package struct StyleCollator: Hashable, Sendable {
  /// Whether case matters.
  package var isCaseSensitive: Bool
  /// Whether accents matter.
  package var isAccentSensitive: Bool
  /// The language; empty for none.
  package var locale: String

  /// The language as `resolved-locale` gives it.
  var resolvedLocale: String { locale.isEmpty ? "en" : locale }

  /// Returns a negative number when a text comes first, and 0 when both are alike.
  func compare(_ first: String, _ second: String) -> Int {
    let (folded, otherFolded) = (UnicodeFolding.withoutCase(first), UnicodeFolding.withoutCase(second))
    let letters = Self.order(
      UnicodeFolding.withoutAccents(folded), UnicodeFolding.withoutAccents(otherFolded))
    if letters != 0 { return letters }
    if isAccentSensitive {
      let accents = Self.order(folded, otherFolded)
      if accents != 0 { return accents }
    }
    // Small letters have greater code points.
    return isCaseSensitive
      ? -Self.order(UnicodeFolding.withoutAccents(first), UnicodeFolding.withoutAccents(second)) : 0
  }

  /// Compares by the classes of characters, then by code points: spaces and marks, digits, letters.
  private static func order(_ first: String, _ second: String) -> Int {
    var (a, b) = (first.unicodeScalars.makeIterator(), second.unicodeScalars.makeIterator())
    while true {
      switch (a.next(), b.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?) where x != y:
        return (rank(x), x.value) < (rank(y), y.value) ? -1 : 1
      default: break
      }
    }
  }

  private static func rank(_ scalar: Unicode.Scalar) -> Int {
    if scalar.properties.isAlphabetic { return 2 }
    return scalar.properties.numericType == nil ? 0 : 1
  }
}
