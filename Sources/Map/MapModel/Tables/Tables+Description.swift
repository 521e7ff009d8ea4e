import FoundationEssentials
import MapFeatures
import MapGeometry

extension FeatureTable {
  /// Type, name and number of features, such as `LocalFeatureTable("cities", 3 features)`; the name alone before the
  /// table is loaded.
  public var description: String {
    let count = loadStatus == .loaded ? ", \(numberOfFeatures.counted("feature"))" : ""
    return "\(Self.self)(\"\(tableName)\"\(count))"
  }
}

extension LocalFeatureTable: CustomStringConvertible {}
extension FeatureCollectionTable: CustomStringConvertible {}

extension FeatureCollection: CustomStringConvertible {
  /// The number of tables, such as `FeatureCollection(2 tables)`.
  public var description: String { "FeatureCollection(\(tables.count.counted("table")))" }
}

extension Feature: CustomStringConvertible {
  /// Object ID, attributes by name and geometry, such as `Feature(12, NAME: Berlin, Point(13.4, 52.5, WKID 4326))`.
  public var description: String {
    let id = objectID.map { ["\($0)"] } ?? []
    return "Feature(\((id + attributes.texts + geometry.texts).joined(separator: ", ")))"
  }
}

extension Graphic: CustomStringConvertible {
  /// Attributes by name and geometry, such as `Graphic(NAME: Berlin, Point(13.4, 52.5, WKID 4326))`.
  public var description: String {
    "Graphic(\((attributes.texts + geometry.texts).joined(separator: ", ")))"
  }
}

extension FeatureQueryResult: CustomStringConvertible {
  /// The number of features, such as `FeatureQueryResult(3 features)`.
  public var description: String { "FeatureQueryResult(\(features().count.counted("feature")))" }
}

extension StatisticRecord: CustomStringConvertible {
  /// Group values and statistics by name, such as `StatisticRecord(STATE: Maine, AVG_POP: 1.5)`.
  public var description: String {
    "StatisticRecord(\((group.texts + statistics.texts).joined(separator: ", ")))"
  }
}

extension StatisticsQueryResult: CustomStringConvertible {
  /// A record per line.
  public var description: String {
    statisticRecords().map(\.description).joined(separator: "\n")
  }
}

extension QueryParameters: CustomStringConvertible {
  /// The conditions that are set, such as `QueryParameters(POP > 1000)`.
  public var description: String {
    "QueryParameters(\(Self.conditions(whereClause, geometry, spatialRelationship, timeExtent)))"
  }

  /// Conditions between commas; `all features` for none.
  fileprivate static func conditions(
    _ whereClause: String, _ geometry: (any Geometry)?, _ relationship: SpatialRelationship,
    _ time: TimeExtent?
  ) -> String {
    let words =
      (whereClause.isEmpty ? [] : [whereClause]) + (geometry.map { ["\(relationship) \($0)"] } ?? [])
      + (time.map { ["\($0)"] } ?? [])
    return words.isEmpty ? "all features" : words.joined(separator: ", ")
  }
}

extension StatisticsQueryParameters: CustomStringConvertible {
  /// Statistics and conditions, such as `StatisticsQueryParameters(average:POP:AVG_POP, all features)`.
  public var description: String {
    let conditions = QueryParameters.conditions(whereClause, geometry, spatialRelationship, timeExtent)
    let words = statisticDefinitions.map(\.description) + [conditions]
    return "StatisticsQueryParameters(\(words.joined(separator: ", ")))"
  }
}

extension [String: any Sendable] {
  /// Names and values in the order of the names.
  fileprivate var texts: [String] { sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }
}

extension (any Geometry)? {
  fileprivate var texts: [String] { map { ["\($0)"] } ?? [] }
}
