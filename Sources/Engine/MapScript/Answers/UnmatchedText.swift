import MapFeatures
public import MapFilter
import MapJSON
public import MapModel

/// A text that a filter compares with a field, but that no row has; often a misspelt value.
public struct UnmatchedText: Hashable, Sendable {
  /// The name of the field.
  public let field: String
  /// The text.
  public let text: String
  /// The value of the field that is nearest to the text; nil if none is near.
  public let nearest: String?

  /// The most values of a field that are searched for the nearest.
  ///
  /// - Source: design decision; the search takes a few milliseconds.
  private static let valueLimit = 10_000
  /// The most elements of a list that are searched.
  private static let listLimit = 10

  /// Finds the texts that filters compare with the fields of a layer by `=` or `IN`, outside NOT, and that no row has.
  ///
  /// Layers whose rows are not in memory have none.
  ///
  /// - Cost: one comparison with each distinct value, without reading rows.
  public static func all(in filters: [ParsedFilter], of layer: LayerState) -> [UnmatchedText] {
    let whole = layer.source.inMemory ?? (try? (layer.source as? PartlyReadSource)?.all())
    guard let table = whole?.columns() else { return [] }
    var found: [UnmatchedText] = []
    var open = filters.compactMap { (try? $0.read())?.expression }
    while let expression = open.popLast() {
      switch expression {
      case .comparison(.equal, .property(let name), .literal(.text(let text))),
        .comparison(.equal, .literal(.text(let text)), .property(let name)):
        if let missing = Self(name, text, table) { found.append(missing) }
      case .isIn(.property(let name), let elements) where elements.count <= listLimit:
        for case .literal(.text(let text)) in elements {
          if let missing = Self(name, text, table) { found.append(missing) }
        }
      case .and(let terms), .or(let terms): open += terms.reversed()
      default: break
      }
    }
    return found
  }

  private init?(_ name: String, _ text: String, _ table: FeatureColumns) {
    guard let index = table.schema.index(ofField: name),
      case .text(_, let values) = table.columns[index].storage,
      !values.contains(where: { ValueOrdering(text: $0, text) == .equal })
    else { return nil }
    (field, self.text) = (table.schema.fields[index].name, text)
    // Every short text is near an empty one.
    let isBlank = text.allSatisfy(\.isWhitespace)
    let plain = Self.plain(text)
    // Only blanks and the case differ, which is nearer than any other letter.
    nearest =
      isBlank || values.count > Self.valueLimit
      ? nil : values.first { Self.plain($0) == plain } ?? NearestName.of(text, among: values)
  }
}

extension UnmatchedText {
  /// Returns a text in lower case and without blanks.
  private static func plain(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
}

extension UnmatchedText: CustomStringConvertible {
  /// The advice in one line.
  public var description: String {
    func quoted(_ text: String) -> String { "'\(text.prefix(60).replacing("'", with: "''"))'" }
    return "no row has \(field) = \(quoted(text))"
      + (nearest.map { "; did you mean \(quoted($0))?" } ?? "")
  }
}
