public import MapFilter
import MapJSON

/// Which values a field may have, as its source states them; filters and attributes hold the values as they are stored.
public enum FieldDomain: Hashable, Sendable {
  /// A list of codes with their names.
  case codedValues(name: String, [CodedValue])
  /// Numbers or dates between two, both included.
  case range(name: String, least: AttributeValue, greatest: AttributeValue)

  /// A code and what it means.
  public struct CodedValue: Hashable, Sendable {
    /// What it means, for people.
    public let name: String
    /// The value that attributes have.
    public let code: AttributeValue

    /// A code with its name.
    public init(name: String, code: AttributeValue) { (self.name, self.code) = (name, code) }
  }
}

extension FieldDomain {
  /// Reads the domain of a field; nil for one that is inherited, or of a kind that is not known.
  ///
  /// - Source: ArcGIS REST API, domain objects.
  init?(_ node: JSONNode) throws(JSONDecodingError) {
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
