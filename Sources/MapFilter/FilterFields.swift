/// The fields that a filter may name, with their types.
public struct FilterFields: Sendable {
  /// The fields, in the order of the columns; the type is nil where filters cannot use the field.
  public let fields: [(name: String, type: AttributeType?)]
  private let exactNames: [String: Int]
  private let caselessNames: [String: Int]

  /// Fields by name and type.
  public init(_ fields: [(name: String, type: AttributeType?)]) {
    self.fields = fields
    let names = fields.enumerated()
    exactNames = Dictionary(names.map { ($1.name, $0) }) { first, _ in first }
    caselessNames = Dictionary(names.map { ($1.name.lowercased(), $0) }) { first, _ in first }
  }

  /// The place of a field: its exact name first, else the first that has it without regard to case.
  ///
  /// - Throws: ``FilterError`` that names the nearest field when there is none of that name.
  public func index(of name: String) throws(FilterError) -> Int {
    if let index = exactNames[name] ?? caselessNames[name.lowercased()] { return index }
    throw FilterError(.unknownField(Token.shortened(name), nearest: nearestName(to: name)))
  }

  /// The name with the fewest letters to change, add or drop, when those are few.
  private func nearestName(to name: String) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    // The distance costs the product of the lengths, and no field has such a name.
    guard wanted.count <= 128 else { return nil }
    let allowed = min(3, max(1, (wanted.count + 1) / 3))
    var nearest: (name: String, distance: Int)?
    for field in fields where field.name.utf8.count <= 512 {
      let distance = Self.editDistance(wanted, Array(field.name.lowercased().unicodeScalars))
      if distance <= allowed, distance < nearest?.distance ?? .max { nearest = (field.name, distance) }
    }
    return nearest?.name
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
