import MapFeatures
import MapFilter

/// The filters that a service evaluates as MapState does.
///
/// A condition is sent if the service declares its class and the fields are queryable by the same name. The types of
/// the fields must leave no room for interpretation. Excluded are the order of texts, arithmetic, case and accents.
struct OGCFilterClasses: Sendable {
  private let conformance: OGCConformance
  /// The simplest filter: a service that supports any filter must accept it.
  let plainest: String
  private let types: [String: FieldType]
  private let geometryName: String?

  /// The length in bytes above which filters are evaluated locally, because servers refuse long addresses.
  ///
  /// - Source: design decision; RFC 9110, 4.1 asks servers to accept at least 8,000 bytes, and percent-encoding can
  ///   take three bytes per character.
  private static let lengthLimit = 4000

  /// Creates the filters of a service; nil if it supports none.
  ///
  /// - Parameter geometryName: The name of the geometry in filters; nil if filters on geometry are not sent.
  init?(_ collection: OGCCollection, geometryName: String?) {
    guard collection.conformance.hasFilters, let queryables = collection.queryables,
      let first = queryables.properties.first(where: { $0.type != nil }),
      let plainest = try? FilterExpression.isNull(.property(first.name)).text(in: .cql2Text)
    else { return nil }
    (conformance, self.plainest) = (collection.conformance, plainest)
    types = Dictionary(
      queryables.properties.compactMap { property in property.type.map { (property.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    self.geometryName = queryables.geometryName == geometryName ? geometryName : nil
  }

  /// Returns the filter in CQL2 text; nil if it must be evaluated locally.
  func text(_ filter: FilterExpression) -> String? {
    guard isAnswered(filter), let text = try? filter.text(in: .cql2Text), text.utf8.count <= Self.lengthLimit
    else { return nil }
    return text
  }

  private func isAnswered(_ filter: FilterExpression) -> Bool {
    let isAdvanced = conformance.has("advanced-comparison-operators")
    return switch filter {
    case .literal(.boolean): true
    case .and(let terms), .or(let terms): terms.allSatisfy { isAnswered($0) }
    case .not(let term): isAnswered(term)
    case .comparison(let comparison, .property(let name), .literal(let value)):
      suits(value, name, isOrdered: comparison != .equal && comparison != .notEqual)
    case .like(.property(let name), pattern: .literal(.text), _): isAdvanced && types[name] == .text
    case .between(.property(let name), lower: .literal(let lower), upper: .literal(let upper), _):
      isAdvanced && suits(lower, name, isOrdered: true) && suits(upper, name, isOrdered: true)
    case .isIn(.property(let name), let elements):
      isAdvanced
        && elements.allSatisfy { if case .literal(let value) = $0 { suits(value, name) } else { false } }
    case .isNull(.property(let name)): types[name] != nil
    case .spatial(let predicate, .property(let name), .geometry(let literal)),
      .spatial(let predicate, .geometry(let literal), .property(let name)):
      // Servers refuse longitudes beyond ±180 degrees or interpret them as other positions.
      name == geometryName && literal.isWithinWorld && conformance.has(Self.spatialClass(predicate, literal))
    case .temporal(_, .property(let name), let moment), .temporal(_, let moment, .property(let name)):
      conformance.has("temporal-functions") && types[name] == .date && moment.isMoment
    default: false
    }
  }

  /// Whether a value has the declared type of a field.
  private func suits(_ value: AttributeValue, _ name: String, isOrdered: Bool = false) -> Bool {
    switch (types[name], value) {
    case (.int64, .integer), (.int64, .real), (.float64, .integer), (.float64, .real), (.date, .instant),
      (.dateOnly, .date):
      true
    case (.text, .text), (.int16, .boolean): !isOrdered
    default: false
    }
  }

  /// Returns the conformance class of a spatial predicate.
  private static func spatialClass(_ predicate: SpatialPredicate, _ literal: GeometryLiteral) -> String {
    guard predicate == .intersects else { return "spatial-functions" }
    return switch literal {
    case .point, .box: "basic-spatial-functions"
    default: "basic-spatial-functions-plus"
    }
  }
}

extension FilterExpression {
  /// Whether the value is a timestamp or an interval between timestamps.
  fileprivate var isMoment: Bool {
    switch self {
    case .literal(.instant): true
    case .interval(let start, let end):
      [start, end].allSatisfy { end in
        switch end {
        case nil, .literal(.instant)?: true
        default: false
        }
      }
    default: false
    }
  }
}
