extension StatisticDefinition {
  /// A figure of a field; without an alias it gets the default one.
  public convenience init(onFieldName fieldName: String, statisticType: StatisticType, outputAlias: String?) {
    self.init(fieldName: fieldName, statisticType: statisticType, outputAlias: outputAlias ?? "")
  }
}

extension Map {
  /// The layers as a list that can be changed.
  @_disfavoredOverload
  public var operationalLayers: AGSLayerList { AGSLayerList(map: self) }
}

/// The layers of a map as a list that can be changed.
public struct AGSLayerList: Sequence, Sendable {
  private let map: Map

  init(map: Map) { self.map = map }

  private var layers: [any Layer] { map.layers }
  /// Number of layers.
  public var count: Int { layers.count }
  /// A layer by its place, from 0 at the bottom.
  public subscript(place: Int) -> any Layer { layers[place] }
  /// The layers, first at the bottom.
  public func makeIterator() -> IndexingIterator<[any Layer]> { layers.makeIterator() }
  /// Puts a layer on top.
  public func add(_ layer: any Layer) { map.addOperationalLayer(layer) }
  /// Takes a layer out.
  public func remove(_ layer: any Layer) { map.removeOperationalLayer(layer) }
  /// Takes all layers out.
  public func removeAllObjects() { map.removeAllOperationalLayers() }
}

extension FeatureTable {
  /// Figures over the features that answer, given to a closure on a task of its own; of result and error one is nil.
  public func queryStatistics(
    with parameters: StatisticsQueryParameters,
    completion: @escaping @Sendable (StatisticsQueryResult?, (any Error)?) -> Void
  ) {
    answer(completion) { try await $0.queryStatistics(using: parameters) }
  }

  /// The features that answer, given to a closure on a task of its own; of result and error one is nil.
  public func queryFeatures(
    with parameters: QueryParameters,
    completion: @escaping @Sendable (FeatureQueryResult?, (any Error)?) -> Void
  ) {
    answer(completion) { try await $0.queryFeatures(using: parameters) }
  }

  /// How many features answer, given to a closure on a task of its own; on an error 0.
  public func queryFeatureCount(
    with parameters: QueryParameters, completion: @escaping @Sendable (Int, (any Error)?) -> Void
  ) {
    answer({ completion($0 ?? 0, $1) }) { try await $0.queryFeatureCount(using: parameters) }
  }

  /// Gets the table ready and then calls a closure on a task of its own.
  public func load(completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer({ (_: Bool?, error) in completion(error) }) { table in
      try await table.load()
      return true
    }
  }

  private func answer<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ question: @escaping @Sendable (Self) async throws -> Value
  ) {
    Task {
      do { completion(try await question(self), nil) } catch { completion(nil, error) }
    }
  }
}

extension GeoPackage {
  /// The tables, in the order of the file; none before it is loaded.
  public var geoPackageFeatureTables: [GeoPackageFeatureTable] { featureTables }
}

extension Geodatabase {
  /// The tables, in the order of the folder; none before it is loaded.
  public var geodatabaseFeatureTables: [GeodatabaseFeatureTable] { featureTables }

  /// The table of a name; nil where there is none, and before the geodatabase is loaded.
  public func geodatabaseFeatureTable(withName name: String) -> GeodatabaseFeatureTable? {
    featureTable(named: name)
  }
}

extension GeometryBuilder {
  /// Puts a vertex at the end of the last part.
  @discardableResult
  public func addPointWith(x: Double, y: Double) -> Bool {
    add(Point(x: x, y: y, spatialReference: spatialReference))
  }
}

extension StatisticsQueryResult {
  /// The records one by one.
  public func statisticRecordEnumerator() -> AGSEnumerator<StatisticRecord> {
    AGSEnumerator(statisticRecords())
  }
}

extension FeatureQueryResult {
  /// The features one by one.
  public func featureEnumerator() -> AGSEnumerator<Feature> { AGSEnumerator(features()) }
}

/// Things one by one, for one reader.
public final class AGSEnumerator<Element> {
  private var left: ArraySlice<Element>

  init(_ elements: [Element]) { left = elements[...] }

  /// True when there is one more.
  public func hasNextObject() -> Bool { !left.isEmpty }
  /// The next one; nil at the end.
  public func nextObject() -> Element? { left.popFirst() }
}
