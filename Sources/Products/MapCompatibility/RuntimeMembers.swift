extension StatisticDefinition {
  /// Creates a statistic of a field; nil as alias gives the default alias.
  public convenience init(onFieldName fieldName: String, statisticType: StatisticType, outputAlias: String?) {
    self.init(fieldName: fieldName, statisticType: statisticType, outputAlias: outputAlias ?? "")
  }
}

extension Map {
  /// The layers as a list that can be changed.
  @_disfavoredOverload
  public var operationalLayers: AGSLayerList { AGSLayerList(map: self) }
}

extension MapView {
  /// The map, optional as in version 100 of the SDK; nil shows an empty map.
  public var map: Map? {
    get { shownMap }
    set { shownMap = newValue ?? Map() }
  }
}

/// The layers of a map as a list that can be changed.
public struct AGSLayerList: Sequence, Sendable {
  private let map: Map

  init(map: Map) { self.map = map }

  private var layers: [any Layer] { map.layers }
  /// The number of layers.
  public var count: Int { layers.count }
  /// Returns the layer at an index, from 0 at the bottom.
  public subscript(place: Int) -> any Layer { layers[place] }
  /// Returns an iterator over the layers, starting at the bottom.
  public func makeIterator() -> IndexingIterator<[any Layer]> { layers.makeIterator() }
  /// Adds a layer on top.
  public func add(_ layer: any Layer) { map.addOperationalLayer(layer) }
  /// Removes a layer.
  public func remove(_ layer: any Layer) { map.removeOperationalLayer(layer) }
  /// Removes all layers.
  public func removeAllObjects() { map.removeAllOperationalLayers() }
}

extension FeatureTable {
  /// Computes statistics of the features that match and passes them to a closure.
  ///
  /// The closure runs in a task of its own; one of result and error is nil.
  public func queryStatistics(
    with parameters: StatisticsQueryParameters,
    completion: @escaping @Sendable (StatisticsQueryResult?, (any Error)?) -> Void
  ) {
    answer(completion) { try await $0.queryStatistics(using: parameters) }
  }

  /// Queries the features that match and passes them to a closure.
  ///
  /// The closure runs in a task of its own; one of result and error is nil.
  public func queryFeatures(
    with parameters: QueryParameters,
    completion: @escaping @Sendable (FeatureQueryResult?, (any Error)?) -> Void
  ) {
    answer(completion) { try await $0.queryFeatures(using: parameters) }
  }

  /// Counts the features that match and passes the number to a closure.
  ///
  /// The closure runs in a task of its own; after an error the number is 0.
  public func queryFeatureCount(
    with parameters: QueryParameters, completion: @escaping @Sendable (Int, (any Error)?) -> Void
  ) {
    answer({ completion($0 ?? 0, $1) }) { try await $0.queryFeatureCount(using: parameters) }
  }

  /// Loads the table and then calls a closure in a task of its own.
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
  /// The tables, in the order of the file; empty before it is loaded.
  public var geoPackageFeatureTables: [GeoPackageFeatureTable] { featureTables }
}

extension Geodatabase {
  /// The tables, in the order of the folder; empty before it is loaded.
  public var geodatabaseFeatureTables: [GeodatabaseFeatureTable] { featureTables }

  /// Returns the table with a name; nil for none, and before the geodatabase is loaded.
  public func geodatabaseFeatureTable(withName name: String) -> GeodatabaseFeatureTable? {
    featureTable(named: name)
  }
}

extension GeometryBuilder {
  /// Adds a vertex at the end of the last part.
  @discardableResult
  public func addPointWith(x: Double, y: Double) -> Bool {
    add(Point(x: x, y: y, spatialReference: spatialReference))
  }
}

extension StatisticsQueryResult {
  /// Returns an enumerator over the records.
  public func statisticRecordEnumerator() -> AGSEnumerator<StatisticRecord> {
    AGSEnumerator(statisticRecords())
  }
}

extension FeatureQueryResult {
  /// Returns an enumerator over the features.
  public func featureEnumerator() -> AGSEnumerator<Feature> { AGSEnumerator(features()) }
}

/// An enumerator over elements, for one reader.
public final class AGSEnumerator<Element> {
  private var left: ArraySlice<Element>

  init(_ elements: [Element]) { left = elements[...] }

  /// Returns whether there is another element.
  public func hasNextObject() -> Bool { !left.isEmpty }
  /// Returns the next element; nil at the end.
  public func nextObject() -> Element? { left.popFirst() }
}
