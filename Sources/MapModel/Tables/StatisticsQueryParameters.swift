public import MapFeatures
import MapFilter
public import MapGeometry

/// Which figures of a table are asked for, over which features and groups.
///
/// An object that may change from any thread; a query works with what it says when it is called.
public final class StatisticsQueryParameters: Sendable {
  private let state: ModelState<(criteria: QueryCriteria, statistics: StatisticsQuery)>

  /// Figures over all features.
  public init(statisticDefinitions: [StatisticDefinition]) {
    state = ModelState((QueryCriteria(), StatisticsQuery(definitions: statisticDefinitions)))
  }

  /// The figures.
  public var statisticDefinitions: [StatisticDefinition] { state.snapshot.statistics.definitions }
  /// SQL that must hold, CQL2 on the table of an OGC collection; blank is none.
  public var whereClause: String {
    get { state.snapshot.criteria.whereClause }
    set { state.update { $0.criteria.whereClause = newValue } }
  }
  /// A geometry that features must lie to; in any reference.
  public var geometry: (any Geometry)? {
    get { state.snapshot.criteria.geometry?.geometry }
    set { state.update { $0.criteria.geometry = newValue?.form } }
  }
  /// How they must lie to it, read *geometry – relation – feature*.
  public var spatialRelationship: SpatialRelationship {
    get { state.snapshot.criteria.relationship }
    set { state.update { $0.criteria.relationship = newValue } }
  }
  /// A span of time that features must be in; nil is any.
  public var timeExtent: TimeExtent? {
    get { state.snapshot.criteria.timeExtent }
    set { state.update { $0.criteria.timeExtent = newValue } }
  }
  /// The fields whose values make the groups; none makes one record of all.
  public var groupByFieldNames: [String] { state.snapshot.statistics.groupByFieldNames }
  /// Groups by one more field.
  public func addGroupByFieldName(_ name: String) { addGroupByFieldNames([name]) }
  /// Groups by more fields.
  public func addGroupByFieldNames(_ names: [String]) {
    state.update { $0.statistics.groupByFieldNames += names }
  }
  /// Groups no longer by a field; an order by it stays, and then the query fails.
  public func removeGroupByFieldName(_ name: String) { removeGroupByFieldNames([name]) }
  /// Groups no longer by some fields; an order by them stays, and then the query fails.
  public func removeGroupByFieldNames(_ names: [String]) {
    state.update { $0.statistics.groupByFieldNames.removeAll { names.contains($0) } }
  }
  /// The order of the records, by group fields.
  public var orderByFields: [OrderBy] { state.snapshot.statistics.orderByFields }
  /// Orders by one more field.
  public func addOrderByField(_ field: OrderBy) { addOrderByFields([field]) }
  /// Orders by more fields.
  public func addOrderByFields(_ fields: [OrderBy]) { state.update { $0.statistics.orderByFields += fields } }

  /// What is asked, as a value.
  package var asked: (criteria: QueryCriteria, statistics: StatisticsQuery) { state.snapshot }
}

/// The records that answer a statistics query.
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

  /// The records, in order; the same objects at every call.
  public func statisticRecords() -> [StatisticRecord] { records }
}

/// The figures of one group.
public final class StatisticRecord: Sendable {
  /// The values that make the group, by field name as it was asked for; null ones are left out.
  public let group: [String: any Sendable]
  /// The figures by alias: counts and whole numbers `Int`, others `Double`, text `String`, dates `Date`; null ones are
  /// left out.
  public let statistics: [String: any Sendable]

  init(group: [String: any Sendable], statistics: [String: any Sendable]) {
    (self.group, self.statistics) = (group, statistics)
  }
}

extension AttributeValue {
  /// The value as a figure.
  fileprivate var statistic: (any Sendable)? {
    if case .integer(let value) = self { Int(value) } else { attribute(of: .float64) }
  }
}
