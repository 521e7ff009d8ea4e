public import MapFilter
package import MapJSON

/// The permitted values of a field, as its source states them; filters and attributes use the stored values.
public enum FieldDomain: Hashable, Sendable {
  /// A list of codes with their names.
  case codedValues(name: String, [CodedValue])
  /// A range of numbers or dates, both ends included.
  case range(name: String, least: AttributeValue, greatest: AttributeValue)

  /// A code with its meaning.
  public struct CodedValue: Hashable, Sendable {
    /// The display name of the code.
    public let name: String
    /// The stored value.
    public let code: AttributeValue

    /// Creates a code with its name.
    public init(name: String, code: AttributeValue) { (self.name, self.code) = (name, code) }
  }
}

extension FieldDomain {
  /// Reads the domain of a field; nil for an inherited domain or an unknown kind.
  ///
  /// - Source: ArcGIS REST API, domain objects.
  package init?(_ node: JSONNode) throws(JSONDecodingError) {
    let name = try node.string("name") ?? ""
    switch try node.string("type") {
    case "codedValue":
      var values: [CodedValue] = []
      for entry in try node.required("codedValues").elements() {
        values.append(
          CodedValue(
            name: try entry.string("name") ?? "", code: try Self.value(try entry.required("code"))))
      }
      self = .codedValues(name: name, values)
    case "range":
      let ends = try node.required("range").elements()
      guard ends.count == 2 else { throw node.invalid("a range has two ends") }
      self = .range(name: name, least: try Self.value(ends[0]), greatest: try Self.value(ends[1]))
    default: return nil
    }
  }

  private static func value(_ node: JSONNode) throws(JSONDecodingError) -> AttributeValue {
    switch node.value {
    case .string(let text): .text(text)
    case .number(let number):
      if let whole = number.integer { .integer(whole) } else { .real(try node.double()) }
    case .null, .boolean, .array, .object: throw node.mismatch(.number)
    }
  }
}
