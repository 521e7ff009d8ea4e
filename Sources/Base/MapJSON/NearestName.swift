/// A search for the name that a misspelt name probably means.
package enum NearestName {
  /// Returns the name that needs the fewest letters changed, added, dropped or swapped.
  ///
  /// When every name needs too many, returns the first name that contains the misspelt name as a separate word. Case
  /// is ignored.
  ///
  /// - Cost: the product of the lengths for each name of a similar length.
  package static func of(_ name: String, among names: some Sequence<String>) -> String? {
    all(of: name, among: names).first
  }

  /// Returns all names at the smallest edit distance, in their order.
  ///
  /// When that distance is too large, returns the first name that contains the misspelt name as a separate word.
  package static func all(of name: String, among names: some Sequence<String>) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= 128 else { return [] }
    let allowed = min(3, max(1, (wanted.count + 1) / 3))
    var (nearest, least) = ([String](), allowed)
    for candidate in names where candidate.utf8.count <= 512 {
      guard abs(candidate.unicodeScalars.count - wanted.count) <= least else { continue }
      let scalars = Array(candidate.lowercased().unicodeScalars)
      let distance = editDistance(wanted, scalars)
      if distance < least || distance == least && nearest.isEmpty {
        (nearest, least) = ([candidate], distance)
      } else if distance == least {
        nearest.append(candidate)
      }
    }
    if !nearest.isEmpty { return nearest }
    // For example `CITY_NAME` for `name`, `filterMode` for `mode`.
    let word = name.lowercased()
    return names.first { $0.utf8.count <= 512 && $0 != word && words(of: $0).contains("_\(word)_") }.map {
      [$0]
    }
      ?? []
  }

  /// Splits a name into words between underscores: `_city_name_` for `CITY_NAME`, `_filter_mode_` for `filterMode`.
  private static func words(of name: String) -> String {
    var words = "_"
    var wasLower = false
    for character in name {
      if wasLower, character.isUppercase { words += "_" }
      wasLower = character.isLowercase
      words += character.lowercased()
    }
    return words + "_"
  }

  /// Returns the number of scalars to change, add or drop, and of neighbours to swap, to turn one word into the
  /// other.
  ///
  /// - Source: Wagner, Fischer, "The string-to-string correction problem", JACM 1974, with swaps of neighbours
  ///   (optimal string alignment); keeps three rows at a time.
  static func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var (twoBefore, before) = ([Int](), Array(0...second.count))
    for (i, scalar) in first.enumerated() {
      var row = [i + 1]
      row.reserveCapacity(second.count + 1)
      for (j, other) in second.enumerated() {
        var cost = min(before[j] + (scalar == other ? 0 : 1), before[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, scalar == second[j - 1], first[i - 1] == other {
          cost = min(cost, twoBefore[j - 1] + 1)
        }
        row.append(cost)
      }
      (twoBefore, before) = (before, row)
    }
    return before[second.count]
  }
}
