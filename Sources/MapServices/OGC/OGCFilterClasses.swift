import MapFeatures
import MapFilter

/// Which filters a service answers as they are answered here.
///
/// A part is left to the service where its class is declared, its fields are queryable under the same name, and their
/// types leave it nothing to decide: so not the order of texts, arithmetic, case and accents.
struct OGCFilterClasses: Sendable {
  private let conformance: OGCConformance
  /// A filter that the service must take if it takes any.
  let plainest: String
  private let types: [String: FieldType]
  private let geometryName: String?

  /// Longer filters stay here, for servers refuse long addresses.
  ///
  /// - Source: ours; 8,000 bytes is what RFC 9110, 4.1 asks servers to take at least, and letters may be three bytes each.
  private static let lengthLimit = 4000

  /// The filters of a service; nil where it has none.
  ///
  /// - Parameter geometryName: what filters call the geometry, nil where it is not asked for.
  init?(_ collection: OGCCollection, geometryName: String?) {
    guard collection.conformance.hasFilters, let queryables = collection.queryables,
      let first = queryables.properties.first(where: { $0.type != nil }),
      let plainest = try? Expression.isNull(.property(first.name)).text(in: .cql2Text)
    else { return nil }
    (conformance, self.plainest) = (collection.conformance, plainest)
    types = Dictionary(
      queryables.properties.compactMap { property in property.type.map { (property.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    self.geometryName = queryables.geometryName == geometryName ? geometryName : nil
  }

  /// The filter as the service takes it; nil where it has to be answered here.
  func text(_ filter: Expression) -> String? {
    guard isAnswered(filter), let text = try? filter.text(in: .cql2Text), text.utf8.count <= Self.lengthLimit
    else { return nil }
    return text
  }

  private func isAnswered(_ filter: Expression) -> Bool {
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
      // Servers refuse longitudes past ±180 degrees or take them for other places.
      name == geometryName && literal.isWithinWorld && conformance.has(Self.spatialClass(predicate, literal))
    case .temporal(_, .property(let name), let moment), .temporal(_, let moment, .property(let name)):
      conformance.has("temporal-functions") && types[name] == .date && moment.isMoment
    default: false
    }
  }

  /// True where a value is of the type that a field is declared to have.
  private func suits(_ value: AttributeValue, _ name: String, isOrdered: Bool = false) -> Bool {
    switch (types[name], value) {
    case (.int64, .integer), (.int64, .real), (.float64, .integer), (.float64, .real), (.date, .instant),
      (.dateOnly, .date):
      true
    case (.text, .text), (.int16, .boolean): !isOrdered
    default: false
    }
  }

  /// The class that a spatial predicate belongs to.
  private static func spatialClass(_ predicate: SpatialPredicate, _ literal: GeometryLiteral) -> String {
    guard predicate == .intersects else { return "spatial-functions" }
    return switch literal {
    case .point, .box: "basic-spatial-functions"
    default: "basic-spatial-functions-plus"
    }
  }
}

extension Expression {
  /// True for a moment or a span between moments.
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
