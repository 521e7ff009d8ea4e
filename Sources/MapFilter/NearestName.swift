/// The name that a misspelt one may have meant.
package enum NearestName {
  /// The name with the fewest letters to change, add or drop, when those are few, else the first that has it as a part
  /// between underscores; case does not count.
  ///
  /// - Cost: the product of the lengths for each name, which are cut off at what no name is.
  package static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= 128 else { return nil }
    let allowed = min(3, max(1, (wanted.count + 1) / 3))
    var nearest: (name: String, distance: Int)?
    for name in names where name.utf8.count <= 512 {
      let distance = editDistance(wanted, Array(name.lowercased().unicodeScalars))
      if distance <= allowed, distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    // `CITY_NAME` for `name`.
    return nearest?.name
      ?? names.first { $0.utf8.count <= 512 && "_\($0.lowercased())_".contains("_\(name.lowercased())_") }
  }

  /// Scalars to change, add or drop to make one word of the other.
  ///
  /// - Source: Wagner, Fischer, "The string-to-string correction problem", JACM 1974; one row at a time.
  static func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (i, scalar) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let changed = diagonal + (scalar == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
