import MapFeatures
import MapFilter

/// What is said over one feature or graphic.
public struct Popup: Sendable {
  /// The feature or graphic.
  public let geoElement: any GeoElement
  /// What is said.
  public let definition: PopupDefinition

  /// A popup over a feature or graphic.
  public init(geoElement: any GeoElement, definition: PopupDefinition) {
    (self.geoElement, self.definition) = (geoElement, definition)
  }

  /// The definition's title with the values of the element as they are now in the places of their fields.
  ///
  /// Values are written as labels write them, coded ones by their names, null as nothing. Braces around what is no
  /// attribute of the element and no field of its table stay as they are, such as those around expressions, which are
  /// not worked out.
  /// - Source: Esri web map specification, `popupInfo`; ours: how values are written, since formats are not read.
  public var title: String { filled(definition.title) }

  private func filled(_ text: String) -> String {
    let attributes = geoElement.attributes
    let table = (geoElement as? Feature)?.featureTable
    var (result, rest) = ("", text[...])
    // A name holds no brace, so that the last one before it opens it.
    while let end = rest.firstIndex(of: "}") {
      let before = rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard let start = before.lastIndex(of: "{"),
        let value = Self.value(String(before[before.index(after: start)...]), attributes, table)
      else {
        result += before + "}"
        continue
      }
      result += before[..<start] + value
    }
    return result + rest
  }

  /// What stands for a name; nil for a name that nobody knows.
  private static func value(
    _ name: String, _ attributes: [String: any Sendable], _ table: (any FeatureTable)?
  ) -> String? {
    let field = table?.field(named: name)
    let key =
      [name, field?.name].compactMap { $0 }.first { attributes[$0] != nil }
      ?? attributes.keys.sorted().first { $0.lowercased() == name.lowercased() }
    guard let key, let attribute = attributes[key] else { return field == nil ? nil : "" }
    guard let value = AttributeValue(attribute: attribute) else { return "\(attribute)" }
    guard let field else { return value.labelText }
    if case .codedValues(_, let codes)? = field.domain, let code = codes.first(where: { $0.code == value }) {
      return code.name
    }
    return (value.stored(as: field.fieldType) ?? value).labelText
  }
}
