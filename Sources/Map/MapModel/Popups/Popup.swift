import MapFeatures
import MapFilter

/// The popup of a feature or graphic.
public struct Popup: Sendable {
  /// The feature or graphic.
  public let geoElement: any GeoElement
  /// The definition of the contents.
  public let definition: PopupDefinition

  /// Creates a popup for a feature or graphic.
  public init(geoElement: any GeoElement, definition: PopupDefinition) {
    (self.geoElement, self.definition) = (geoElement, definition)
  }

  /// The definition's title, with the current values of the element in place of the field names.
  ///
  /// Values are written as in labels, coded values by their names, and null as empty text. Braces without an
  /// attribute or field name stay unchanged. This includes expressions, which are not evaluated.
  ///
  /// - Source: Esri web map specification, `popupInfo`. The form of values is a design decision, because formats are
  ///   not read.
  public var title: String { filled(definition.title) }

  private func filled(_ text: String) -> String {
    let attributes = geoElement.attributes
    let table = (geoElement as? Feature)?.featureTable
    var (result, rest) = ("", text[...])
    // A name contains no brace, so the last opening brace before it is the matching one.
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

  /// Returns the text for a name; nil for an unknown name.
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
    let subtypes = SubtypeDomains(table?.table.source.metadata.layerResource)
    let subtype = subtypes.flatMap { subtypes in
      attributes[table?.field(named: subtypes.field)?.name ?? subtypes.field].flatMap {
        AttributeValue(attribute: $0)
      }.flatMap { subtypes[$0] }
    }
    let domain = subtype?.domains[field.name.lowercased()] ?? field.domain ?? subtypes?.names(of: field.name)
    if case .codedValues(_, let codes)? = domain, let code = codes.first(where: { $0.code == value }) {
      return code.name
    }
    return (value.stored(as: field.fieldType) ?? value).labelText
  }
}
