import MapFeatures
import MapFilter
import MapGeometry
import MapSystem

/// The filters that a Web Feature Service is asked to apply: those that can only select too many features.
///
/// Whole numbers are compared in all ways, and text only for equality: a service that ignores upper and lower case sends
/// more features. The features received are always selected again.
///
/// - Source: OGC 09-026r2 (Filter Encoding 2.0).
struct WFSFilter: Sendable {
  private let types: [String: FieldType]
  private let comparisons: Set<String>
  /// The length in bytes above which filters are evaluated locally, as for OGC APIs.
  private static let lengthLimit = 4000

  /// Creates the filters of a service; nil if it supports none.
  init?(_ declared: OGCProperties?, _ capabilities: WFSCapabilities) {
    guard let declared, capabilities.version.hasPrefix("2."), !capabilities.comparisons.isEmpty else {
      return nil
    }
    types = Dictionary(
      declared.properties.compactMap { property in property.type.map { (property.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    comparisons = capabilities.comparisons
  }

  /// Returns a filter as an element; nil if it is evaluated locally.
  func text(_ filter: FilterExpression) -> String? {
    guard let text = element(filter), text.utf8.count <= Self.lengthLimit else { return nil }
    return text
  }

  private func element(_ filter: FilterExpression) -> String? {
    switch filter {
    case .and(let terms): return joined(terms, "And")
    case .or(let terms): return joined(terms, "Or")
    case .comparison(let comparison, .property(let name), .literal(let value)):
      return compared(comparison, name, value)
    case .comparison(let comparison, .literal(let value), .property(let name)):
      return compared(comparison.reversed, name, value)
    case .between(.property(let name), lower: .literal(let lower), upper: .literal(let upper), _):
      guard let low = compared(.greaterOrEqual, name, lower), let high = compared(.lessOrEqual, name, upper)
      else { return nil }
      return "<fes:And>\(low)\(high)</fes:And>"
    case .isIn(.property(let name), let elements):
      var parts: [String] = []
      for element in elements {
        guard case .literal(let value) = element, let part = compared(.equal, name, value) else { return nil }
        parts.append(part)
      }
      return parts.count > 1 ? "<fes:Or>\(parts.joined())</fes:Or>" : parts.first
    default: return nil
    }
  }

  private func joined(_ terms: [FilterExpression], _ word: String) -> String? {
    let parts = terms.compactMap { element($0) }
    return parts.count == terms.count ? "<fes:\(word)>\(parts.joined())</fes:\(word)>" : nil
  }

  private func compared(_ comparison: ComparisonOperator, _ name: String, _ value: AttributeValue) -> String?
  {
    let literal: String
    switch (types[name], value) {
    case (.int64, .integer(let number)): literal = "\(number)"
    // Services write null as empty text. Databases ignore blanks at the end, and some at the start.
    case (.text, .text(let text)) where comparison == .equal && !text.isEmpty && !text.contains("\0"):
      guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else { return nil }
      literal = Self.escaped(text)
    default: return nil
    }
    let operation = comparison.filterName
    guard comparisons.contains(operation.lowercased()) else { return nil }
    return "<fes:\(operation)><fes:ValueReference>\(Self.escaped(name))</fes:ValueReference>"
      + "<fes:Literal>\(literal)</fes:Literal></fes:\(operation)>"
  }

  /// Returns the whole filter of a request: filters, and a box.
  static func document(_ filters: [String], _ box: WFSBox?) -> String {
    var parts = filters
    if let box {
      parts.append(
        "<fes:BBOX><gml:Envelope srsName=\"\(escaped(box.reference))\"><gml:lowerCorner>\(box.low)</gml:lowerCorner>"
          + "<gml:upperCorner>\(box.high)</gml:upperCorner></gml:Envelope></fes:BBOX>")
    }
    let content = parts.count == 1 ? parts[0] : "<fes:And>\(parts.joined())</fes:And>"
    return
      "<fes:Filter xmlns:fes=\"http://www.opengis.net/fes/2.0\" xmlns:gml=\"http://www.opengis.net/gml/3.2\">"
      + content + "</fes:Filter>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}

extension ComparisonOperator {
  /// The comparison with its sides exchanged.
  fileprivate var reversed: ComparisonOperator {
    switch self {
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  fileprivate var filterName: String {
    switch self {
    case .equal: "PropertyIsEqualTo"
    case .notEqual: "PropertyIsNotEqualTo"
    case .less: "PropertyIsLessThan"
    case .greater: "PropertyIsGreaterThan"
    case .lessOrEqual: "PropertyIsLessThanOrEqualTo"
    case .greaterOrEqual: "PropertyIsGreaterThanOrEqualTo"
    }
  }
}
