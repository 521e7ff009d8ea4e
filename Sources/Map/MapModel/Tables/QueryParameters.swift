import MapSystem
public import MapFeatures
import MapFilter
public import MapGeometry

/// The conditions that features of a table must match, all together, and the form of the result.
///
/// A reference type that is safe to change from any thread; a query uses the values at its call.
public final class QueryParameters: Sendable {
  private let state = ModelState(FeatureRequest())

  /// Creates parameters that match all features and return them completely.
  public init() {}

  /// The SQL condition, or CQL2 for the table of an OGC collection; blank for none.
  public var whereClause: String {
    get { state.read { $0.question.whereClause } }
    set {
      let filter = ParsedFilter(newValue)
      state.update { $0.question.$whereClause = filter }
    }
  }
  /// The geometry that features must have a relationship with, in any spatial reference; nil for none.
  public var geometry: (any Geometry)? {
    get { state.read { $0.geometry?.geometry } }
    set { state.update { $0.geometry = newValue?.form } }
  }
  /// The spatial relationship, read as *geometry – relationship – feature*; ignored without a geometry.
  public var spatialRelationship: SpatialRelationship {
    get { state.read { $0.relationship } }
    set { state.update { $0.relationship = newValue } }
  }
  /// The pattern for the relationship `relate`: nine characters of `T F * 0 1 2`.
  public var relatePattern: String? {
    get { state.read { $0.pattern } }
    set { state.update { $0.pattern = newValue } }
  }
  /// The time span that features must be in; nil for any time.
  public var timeExtent: TimeExtent? {
    get { state.read { $0.question.time } }
    set { state.update { $0.question.time = newValue } }
  }
  /// The ids that features must have; empty for no condition.
  public var objectIDs: [Int] {
    get { state.read { $0.objectIDs }.map { Int($0) } }
    set { state.update { $0.objectIDs = newValue.map { Int64($0) } } }
  }
  /// Adds an id to the condition.
  public func addObjectID(_ id: Int) { state.update { $0.objectIDs.append(Int64(id)) } }
  /// Adds ids to the condition.
  public func addObjectIDs(_ ids: [Int]) { state.update { $0.objectIDs += ids.map { Int64($0) } } }
  /// The maximum number of features to return; 0 means no limit.
  public var maxFeatures: Int {
    get { state.read { $0.page.maxFeatures } }
    set { state.update { $0.page.maxFeatures = newValue } }
  }
  /// The number of features to skip at the start of the order.
  public var resultOffset: Int {
    get { state.read { $0.page.resultOffset } }
    set { state.update { $0.page.resultOffset = newValue } }
  }
  /// The fields that order the result; null is greater than every value, and ties keep the order of the table.
  public var orderByFields: [OrderBy] {
    get { state.read { $0.page.orderByFields } }
    set { state.update { $0.page.orderByFields = newValue } }
  }
  /// Adds a field to the order.
  public func addOrderByField(_ field: OrderBy) { state.update { $0.page.orderByFields.append(field) } }
  /// Adds fields to the order.
  public func addOrderByFields(_ fields: [OrderBy]) { state.update { $0.page.orderByFields += fields } }
  /// Whether geometries are returned.
  public var returnsGeometry: Bool {
    get { state.read { $0.returnsGeometry } }
    set { state.update { $0.returnsGeometry = newValue } }
  }
  /// The spatial reference of returned geometries; nil for that of the table.
  public var outputSpatialReference: SpatialReference? {
    get { state.read { $0.form.reference } }
    set { state.update { $0.form.reference = newValue } }
  }
  /// The maximum deviation of returned geometries, in units of the output spatial reference; 0 returns them exactly.
  public var maxAllowableOffset: Double {
    get { state.read { $0.form.maxAllowableOffset } }
    set { state.update { $0.form.maxAllowableOffset = newValue } }
  }

  /// The parameters as a value.
  package var request: FeatureRequest { state.snapshot }
}

/// An immutable snapshot of query parameters: a question, and the form of the result.
package struct FeatureRequest: Sendable {
  /// The question without its geometry, which is checked with relationship and pattern when the query is made.
  package var question = FeatureQuestion(area: .everywhere)
  package var geometry: GeometryForm?
  package var relationship = SpatialRelationship.intersects
  package var pattern: String?
  package var page = FeaturePage()
  package var returnsGeometry = true
  package var form = GeometryOutput()

  package init() {}

  /// The ids that features must have; empty for no condition.
  var objectIDs: [Int64] {
    get { question.objectIDs ?? [] }
    set { question.objectIDs = newValue.isEmpty ? nil : newValue }
  }

  /// Returns the query for a table.
  ///
  /// - Throws: ``QueryConditionError``, ``SpatialOperationError``, ``MapStateError``.
  func query(of table: TableState.Content) throws -> FeatureQuery {
    if let refusal = table.refusal { throw refusal }
    guard page.maxFeatures >= 0, page.resultOffset >= 0 else {
      throw MapStateError(
        .usage, "maxFeatures \(page.maxFeatures) and resultOffset \(page.resultOffset) must be 0 or more")
    }
    var conditions = QueryConditions()
    conditions.$definitionExpression = table.layer?.definitionFilter ?? table.definition
    conditions.timeInfo = table.layer?.timeInfo ?? table.timeInfo
    conditions.now = .now
    conditions.question = question
    if table.takesCQL2 {
      conditions.question.cql2 = question.whereClause
      conditions.question.whereClause = ""
    }
    conditions.question.time = question.time?.limits
    conditions.question.geometry = try geometry.map {
      try SpatialCondition($0.geometry, relationship, pattern: relationship == .relate ? pattern : nil)
    }
    return try conditions.query(for: .query)
  }
}

extension TimeExtent {
  /// The time span itself; nil when both ends are open, because that limits nothing.
  package var limits: TimeExtent? { start == nil && end == nil ? nil : self }
}
