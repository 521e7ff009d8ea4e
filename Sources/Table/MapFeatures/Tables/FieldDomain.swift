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

extension FieldDomain {
  /// Returns the domain with values as a column of a field's type stores them; values of other kinds stay.
  ///
  /// A document may state codes as numbers for a field that a file holds as text, and the other way round.
  func stored(as type: FieldType) -> FieldDomain {
    func value(_ value: AttributeValue) -> AttributeValue {
      if let stored = value.stored(as: type) { return stored }
      return switch (type.attributeType, value) {
      case (.integer, .real(let number)): Int64(exactly: number).map { .integer($0) } ?? value
      case (.integer, .text(let text)):
        Int64(text).flatMap { String($0) == text ? .integer($0) : nil } ?? value
      case (.real, .text(let text)): Double(text).flatMap { $0.isFinite ? .real($0) : nil } ?? value
      case (.text, .integer(let number)): .text(String(number))
      case (.text, .real(let number)): .text(Int64(exactly: number).map { String($0) } ?? "\(number)")
      default: value
      }
    }
    return switch self {
    case .codedValues(let name, let codes):
      .codedValues(name: name, codes.map { CodedValue(name: $0.name, code: value($0.code)) })
    case .range(let name, let least, let greatest):
      .range(name: name, least: value(least), greatest: value(greatest))
    }
  }
}
