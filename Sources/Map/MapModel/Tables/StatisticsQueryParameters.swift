public import MapFeatures
import MapFilter
public import MapGeometry

/// The statistics to compute from a table, and the features and groups to compute them for.
///
/// A reference type that is safe to change from any thread; a query uses the values at its call.
public final class StatisticsQueryParameters: Sendable {
  private let state: ModelState<(request: FeatureRequest, statistics: StatisticsQuery)>

  /// Creates parameters for statistics of all features.
  public init(statisticDefinitions: [StatisticDefinition]) {
    state = ModelState((FeatureRequest(), StatisticsQuery(definitions: statisticDefinitions)))
  }

  /// The statistics.
  public var statisticDefinitions: [StatisticDefinition] { state.read { $0.statistics.definitions } }
  /// The SQL condition, or CQL2 for the table of an OGC collection; blank for none.
  public var whereClause: String {
    get { state.read { $0.request.question.whereClause } }
    set {
      let filter = ParsedFilter(newValue)
      state.update { $0.request.question.$whereClause = filter }
    }
  }
  /// The geometry that features must have a relationship with, in any spatial reference; nil for none.
  public var geometry: (any Geometry)? {
    get { state.read { $0.request.geometry?.geometry } }
    set { state.update { $0.request.geometry = newValue?.form } }
  }
  /// The spatial relationship, read as *geometry – relationship – feature*.
  public var spatialRelationship: SpatialRelationship {
    get { state.read { $0.request.relationship } }
    set { state.update { $0.request.relationship = newValue } }
  }
  /// The time span that features must be in; nil for any time.
  public var timeExtent: TimeExtent? {
    get { state.read { $0.request.question.time } }
    set { state.update { $0.request.question.time = newValue } }
  }
  /// The names of the fields whose values form groups; empty for one record of all features.
  public var groupByFieldNames: [String] { state.read { $0.statistics.groupByFieldNames } }
  /// Adds a field to the grouping.
  public func addGroupByFieldName(_ name: String) { addGroupByFieldNames([name]) }
  /// Adds fields to the grouping.
  public func addGroupByFieldNames(_ names: [String]) {
    state.update { $0.statistics.groupByFieldNames += names }
  }
  /// Removes a field from the grouping; the query fails if the records are still ordered by it.
  public func removeGroupByFieldName(_ name: String) { removeGroupByFieldNames([name]) }
  /// Removes fields from the grouping; the query fails if the records are still ordered by one of them.
  public func removeGroupByFieldNames(_ names: [String]) {
    state.update { $0.statistics.groupByFieldNames.removeAll { names.contains($0) } }
  }
  /// The condition in SQL that records must satisfy, over group fields and aliases; blank for none.
  public var havingClause: String {
    get { state.read { $0.statistics.havingClause } }
    set {
      let filter = ParsedFilter(newValue)
      state.update { $0.statistics.$havingClause = filter }
    }
  }
  /// The maximum number of records, the first in order; 0 for all.
  public var maxRecords: Int {
    get { state.read { $0.statistics.maxRecords } }
    set { state.update { $0.statistics.maxRecords = newValue } }
  }
  /// The group fields and aliases that order the records.
  public var orderByFields: [OrderBy] { state.read { $0.statistics.orderByFields } }
  /// Adds a field to the order.
  public func addOrderByField(_ field: OrderBy) { addOrderByFields([field]) }
  /// Adds fields to the order.
  public func addOrderByFields(_ fields: [OrderBy]) { state.update { $0.statistics.orderByFields += fields } }

  /// The conditions and statistics as values.
  package var asked: (request: FeatureRequest, statistics: StatisticsQuery) { state.snapshot }
}

/// The records that a statistics query returns.
public final class StatisticsQueryResult: Sendable {
  private let records: [StatisticRecord]

  init(_ table: StatisticsTable, _ schema: FeatureSchema) {
    let types = table.groupFieldNames.map { name in
      schema.index(ofField: name).map { schema.fields[$0].fieldType } ?? .text
    }
    records = table.records.map { record in
      var (group, statistics): ([String: any Sendable], [String: any Sendable]) = ([:], [:])
      for (place, name) in table.groupFieldNames.enumerated() {
        group[name] = record.group[place].attribute(of: types[place])
      }
      for (alias, value) in zip(table.aliases, record.statistics) { statistics[alias] = value.statistic }
      return StatisticRecord(group: group, statistics: statistics)
    }
  }

  /// Returns the records, in order; the same objects at every call.
  public func statisticRecords() -> [StatisticRecord] { records }
}

/// The statistics of one group.
public final class StatisticRecord: Sendable {
  /// The values that form the group, by requested field name, without nulls.
  public let group: [String: any Sendable]
  /// The statistics by alias, without nulls.
  ///
  /// Counts and integers are `Int`, other numbers `Double`, texts `String` and dates `Date`.
  public let statistics: [String: any Sendable]

  init(group: [String: any Sendable], statistics: [String: any Sendable]) {
    (self.group, self.statistics) = (group, statistics)
  }
}

extension AttributeValue {
  /// The value as the Swift type of a statistic.
  fileprivate var statistic: (any Sendable)? {
    if case .integer(let value) = self { Int(value) } else { attribute(of: .float64) }
  }
}
