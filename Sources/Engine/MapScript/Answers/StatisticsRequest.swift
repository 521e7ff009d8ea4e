public import MapFeatures
import MapFilter
import MapGeometry
public import MapJSON
import MapModel
public import MapState
import MapSystem

/// Statistics of fields and of measures of geometries, by fields, by cells of the map and by steps of time.
///
/// Measures are `$area` in square metres and `$length` in metres, on the ellipsoid. Groups by cells and steps of time are
/// the group fields `$bin` and `$time`.
public struct StatisticsRequest: Hashable, Sendable {
  /// The statistics and their group fields.
  public var query: StatisticsQuery
  /// The cells of the map; nil for none.
  package var bins: StatisticsBins?
  /// The step of time; nil for none.
  public var timeStep: TimeStep?

  /// Creates a request for statistics of fields.
  public init(_ query: StatisticsQuery) { self.query = query }

  /// Reads the fields of the step `statistics`.
  ///
  /// - Throws: `MapStateError` with the JSON path.
  init(_ node: JSONNode) throws(MapStateError) {
    query = try StatisticsQuery(node)
    bins = try node["bins"].map { node throws(MapStateError) in
      try node.decoding { try StatisticsBins($0) }
    }
    timeStep = try node["byTime"].map { node throws(MapStateError) in
      try node.decoding { try TimeStep($0) }
    }
    try check()
  }

  /// Refuses a step of several units, whose start would depend on the data.
  ///
  /// - Throws: `MapStateError`.
  package func check() throws(MapStateError) {
    guard let timeStep, timeStep.count > 1 else { return }
    throw MapStateError(
      .usage, "statistics by time have a step of one \(timeStep.unit.rawValue), not of \(timeStep.count)")
  }

  /// The names of the fields that files must have.
  package var fieldNames: [String] {
    query.definitions.map(\.fieldName).filter {
      $0 != StatisticDefinition.allRows && Measure(rawValue: $0) == nil
    }
      + query.groupByFieldNames
  }

  /// Whether the answer depends on geometries.
  package var needsGeometry: Bool { bins != nil || !measures.isEmpty }

  /// The measures that the statistics need.
  var measures: [Measure] {
    Measure.allCases.filter { measure in
      query.definitions.contains { $0.fieldName == measure.rawValue }
    }
  }

  /// A measure of a geometry.
  enum Measure: String, CaseIterable {
    case area = "$area"
    case length = "$length"
  }

  /// The name of the group field of cells.
  static let bin = "$bin"
  /// The name of the group field of steps of time.
  static let time = "$time"
}

/// The answer to a request for statistics.
public struct StatisticsAnswer: Sendable {
  /// The statistics by group.
  public let table: StatisticsTable
  /// The corners of the cell of each record in degrees, clockwise, the first again at the end; nil without cells.
  package let corners: [[(x: Double, y: Double)]?]?

  /// Creates an answer.
  package init(table: StatisticsTable, corners: [[(x: Double, y: Double)]?]?) {
    (self.table, self.corners) = (table, corners)
  }

  /// The cell of each record as a polygon in well-known text, empty for none; nil without cells.
  package var texts: [String?]? {
    corners?.map { corners in
      corners.map { corners in
        let points = corners.reversed().map { "\(JSONWriter.text(of: $0.x)) \(JSONWriter.text(of: $0.y))" }
        return "POLYGON ((\(points.joined(separator: ", "))))"
      }
    }
  }

  /// The cell of each record as GeoJSON; nil without cells.
  package var geometries: [JSONValue]? {
    corners?.map { corners in
      guard let corners else { return .null }
      // Counterclockwise, as RFC 7946 demands.
      let ring: [JSONValue] = corners.reversed().map { [.number($0.x), .number($0.y)] }
      return ["type": "Polygon", "coordinates": [.array(ring)]]
    }
  }

  /// The records as JSON; those with a cell have its polygon as `geometry`.
  public var json: JSONValue {
    guard let geometries, let records = table.json["records"]?.array else { return table.json }
    return [
      "records": .array(
        zip(records, geometries).map { record, geometry in
          var object = record.object ?? JSONObject()
          object["geometry"] = geometry
          return .object(object)
        })
    ]
  }
}

extension ViewState {
  /// Returns statistics of the features of a layer that a question is about.
  ///
  /// - Cost: for cells, steps of time and measures, all these features are fetched.
  /// - Throws: `MapStateError`, also for cells of other geometries than points and for measures that they lack.
  public func statistics(
    of layer: LayerState, _ request: StatisticsRequest, _ question: FeatureQuestion
  ) async throws(MapStateError) -> StatisticsAnswer {
    guard request.bins != nil || request.timeStep != nil || !request.measures.isEmpty else {
      return StatisticsAnswer(table: try await statistics(of: layer, request.query, question), corners: nil)
    }
    let derived: DerivedColumns
    do {
      let query = try conditions(for: layer, asking: question).query(for: .query)
      let fetched = try await layer.source.fetch(query)
      derived = try DerivedColumns(
        request, fetched.columns(), rows: fetched.rows(query), time: layer.timeInfo?.startField,
        reference: spatialReference)
      var statistics = request.query
      statistics.readsTextsAsNumbers = layer.definition.readsTextsAsNumbers
      statistics.groupByFieldNames +=
        (request.bins == nil ? [] : [StatisticsRequest.bin])
        + (request.timeStep == nil ? [] : [StatisticsRequest.time])
      let table = try StatisticsTable(statistics, of: derived.table, rows: derived.rows)
      guard let place = table.groupFieldNames.firstIndex(of: StatisticsRequest.bin) else {
        return StatisticsAnswer(table: table, corners: nil)
      }
      return StatisticsAnswer(
        table: table,
        corners: table.records.map { record in
          if case .text(let name) = record.group[place] { derived.corners[name] } else { nil }
        })
    } catch {
      throw MapStateError(error, ofLayer: layer.name)
    }
  }
}
