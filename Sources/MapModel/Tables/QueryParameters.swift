public import MapFeatures
import MapFilter
public import MapGeometry

/// Which features of a table are asked for, and how they are given out: all conditions hold together.
///
/// An object that may change from any thread; a query works with what it says when it is called.
public final class QueryParameters: Sendable {
  private let state = ModelState(QueryCriteria())

  /// All features, whole.
  public init() {}

  /// SQL that must hold, CQL2 on the table of an OGC collection; blank is none.
  public var whereClause: String {
    get { state.snapshot.whereClause }
    set { state.update { $0.whereClause = newValue } }
  }
  /// A geometry that features must lie to; in any reference.
  public var geometry: (any Geometry)? {
    get { state.snapshot.geometry?.geometry }
    set { state.update { $0.geometry = newValue?.form } }
  }
  /// How they must lie to it, read *geometry – relation – feature*; nothing without a geometry.
  public var spatialRelationship: SpatialRelationship {
    get { state.snapshot.relationship }
    set { state.update { $0.relationship = newValue } }
  }
  /// Nine letters of `T F * 0 1 2` for the relationship `relate`.
  public var relatePattern: String? {
    get { state.snapshot.pattern }
    set { state.update { $0.pattern = newValue } }
  }
  /// A span of time that features must be in; nil is any.
  public var timeExtent: TimeExtent? {
    get { state.snapshot.timeExtent }
    set { state.update { $0.timeExtent = newValue } }
  }
  /// The ids that features must have; none asks nothing.
  public var objectIDs: [Int] {
    get { state.snapshot.objectIDs.map { Int($0) } }
    set { state.update { $0.objectIDs = newValue.map { Int64($0) } } }
  }
  /// Asks for one more id.
  public func addObjectID(_ id: Int) { state.update { $0.objectIDs.append(Int64(id)) } }
  /// Asks for more ids.
  public func addObjectIDs(_ ids: [Int]) { state.update { $0.objectIDs += ids.map { Int64($0) } } }
  /// The most features to give out; 0 is no limit.
  public var maxFeatures: Int {
    get { state.snapshot.page.maxFeatures }
    set { state.update { $0.page.maxFeatures = newValue } }
  }
  /// Features to leave out at the start of the order.
  public var resultOffset: Int {
    get { state.snapshot.page.resultOffset }
    set { state.update { $0.page.resultOffset = newValue } }
  }
  /// The order; what it leaves equal stays in the order of the table, null is greater than every value.
  public var orderByFields: [OrderBy] {
    get { state.snapshot.page.orderByFields }
    set { state.update { $0.page.orderByFields = newValue } }
  }
  /// Orders by one more field.
  public func addOrderByField(_ field: OrderBy) { state.update { $0.page.orderByFields.append(field) } }
  /// Orders by more fields.
  public func addOrderByFields(_ fields: [OrderBy]) { state.update { $0.page.orderByFields += fields } }
  /// True gives out geometries.
  public var returnsGeometry: Bool {
    get { state.snapshot.returnsGeometry }
    set { state.update { $0.returnsGeometry = newValue } }
  }
  /// The reference that geometries are given out in; nil is the table's.
  public var outputSpatialReference: SpatialReference? {
    get { state.snapshot.form.reference }
    set { state.update { $0.form.reference = newValue } }
  }
  /// How far geometries given out may lie from what they are, in units of the output's reference; 0 is not at all.
  public var maxAllowableOffset: Double {
    get { state.snapshot.form.maxAllowableOffset }
    set { state.update { $0.form.maxAllowableOffset = newValue } }
  }

  /// What is asked, as a value.
  package var criteria: QueryCriteria { state.snapshot }
}

/// Query parameters as a value, at one moment.
package struct QueryCriteria: Sendable {
  package var whereClause = ""
  package var geometry: GeometryForm?
  package var relationship = SpatialRelationship.intersects
  package var pattern: String?
  package var timeExtent: TimeExtent?
  package var objectIDs: [Int64] = []
  package var page = FeaturePage()
  package var returnsGeometry = true
  package var form = GeometryOutput()

  package init() {}

  /// The query for a table.
  ///
  /// - Throws: ``QueryConditionError``, ``SpatialOperationError``, ``QueryParameterError``.
  func query(of table: TableState.Content) throws -> FeatureQuery {
    if let refusal = table.refusal { throw refusal }
    guard page.maxFeatures >= 0, page.resultOffset >= 0 else {
      throw QueryParameterError.negative(maxFeatures: page.maxFeatures, resultOffset: page.resultOffset)
    }
    var conditions = QueryConditions()
    conditions.definitionExpression = table.layer?.definitionExpression ?? ""
    conditions.timeInfo = table.layer?.timeInfo ?? table.timeInfo
    conditions.now = .now
    if table.takesCQL2 {
      conditions.parameterCQL2 = whereClause
    } else {
      conditions.parameterWhere = whereClause
    }
    conditions.parameterTime = timeExtent?.limits
    conditions.parameterObjectIDs = objectIDs.isEmpty ? nil : Set(objectIDs)
    if let geometry {
      conditions.parameterGeometry = try SpatialCondition(
        geometry.geometry, relationship, pattern: relationship == .relate ? pattern : nil)
    }
    return try conditions.query(for: .query)
  }
}

extension TimeExtent {
  /// Itself, or nil when both ends are open, which limits nothing.
  package var limits: TimeExtent? { start == nil && end == nil ? nil : self }
}

/// Query parameters that no query can have.
public enum QueryParameterError: Error, Hashable, CustomStringConvertible {
  /// A number of features below 0.
  case negative(maxFeatures: Int, resultOffset: Int)

  /// One line for people.
  public var description: String {
    switch self {
    case .negative(let maximum, let offset):
      "maxFeatures \(maximum) and resultOffset \(offset) must be 0 or more"
    }
  }
}
