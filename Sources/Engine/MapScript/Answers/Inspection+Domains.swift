import MapFeatures
import MapFilter
import MapJSON

extension FieldDomain {
  /// The domain in one line, with at most five codes.
  var summary: String {
    switch self {
    case .codedValues(_, let values):
      let shown = values.prefix(5).map { "\($0.code.inspected.text()) \($0.name)" }.joined(separator: ", ")
      return "one of " + shown + (values.count > 5 ? ", … (\(values.count) in all)" : "")
    case .range(_, let least, let greatest):
      return "from \(least.inspected.text()) to \(greatest.inspected.text())"
    }
  }

  /// The complete domain as JSON.
  var json: JSONValue {
    switch self {
    case .codedValues(let name, let values):
      let codes = values.map { JSONValue.object(["code": $0.code.inspected, "name": .string($0.name)]) }
      return ["name": .string(name), "codedValues": .array(codes)]
    case .range(let name, let least, let greatest):
      return ["name": .string(name), "range": [least.inspected, greatest.inspected]]
    }
  }
}

extension AttributeValue {
  fileprivate var inspected: JSONValue {
    switch self {
    case .integer(let value): .number(Int(value))
    case .real(let value): .number(value)
    case .text(let text): .string(text)
    default: .null
    }
  }
}
