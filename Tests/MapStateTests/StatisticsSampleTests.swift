import Foundation
import MapState
import Testing

/// The rules of Esri's samples "Query table statistics" and "… group and sort", row by row of their tables of
/// edge cases.
@Suite struct StatisticsSampleTests {
  private typealias Kind = StatisticDefinition.StatisticType

  private static let kinds: [Kind] = [
    .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
  ]

  private func cities() throws -> ServiceFeatureTable {
    ServiceFeatureTable(url: try #require(TableFixtures.citiesURL), standIns: TableFixtures.standIns)
  }

  private func counties() throws -> ServiceFeatureTable {
    ServiceFeatureTable(url: try #require(TableFixtures.countiesURL), standIns: TableFixtures.standIns)
  }

  private func parameters(_ kinds: [Kind] = kinds, of field: String = "POP") -> StatisticsQueryParameters {
    StatisticsQueryParameters(
      statisticDefinitions: kinds.map { StatisticDefinition(fieldName: field, statisticType: $0) })
  }

  private func one(
    _ table: any FeatureTable, _ parameters: StatisticsQueryParameters
  ) async throws -> [String: any Sendable] {
    let records = try await table.queryStatistics(using: parameters).statisticRecords()
    #expect(records.count == 1)
    #expect(records.first?.group.isEmpty == true)
    return records.first?.statistics ?? [:]
  }

  private func box(_ from: Double, _ to: Double) -> Envelope {
    Envelope(xMin: from, yMin: -1, xMax: to, yMax: 1, spatialReference: .webMercator)
  }

  // MARK: S1

  @Test("Statistics have the default keys and keep the field's type for extremes")
  func keysAndTypes() async throws {
    let figures = try await one(cities(), parameters())
    #expect(
      figures.keys.sorted() == [
        "AVG_POP", "COUNT_POP", "MAX_POP", "MIN_POP", "STDDEV_POP", "SUM_POP", "VAR_POP",
      ])
    // Nulls are ignored; extremes keep the field's type, and the others are decimals.
    #expect(figures["COUNT_POP"] as? Int == 5)
    #expect(figures["MAX_POP"] as? Int == 1000)
    #expect(figures["MIN_POP"] as? Int == 50)
    #expect(figures["SUM_POP"] as? Double == 1750)
    #expect(figures["AVG_POP"] as? Double == 350)
    let (deviation, variance) = (figures["STDDEV_POP"] as? Double ?? 0, figures["VAR_POP"] as? Double ?? 0)
    #expect(abs(deviation * deviation - variance) < 1e-9 * variance)
    // Sample variance: n - 1.
    #expect(variance == 600_000.0 / 4)
  }

  @Test("Statistics are limited by an extent and a where clause")
  func extentAndWhere() async throws {
    let table = try cities()
    let asked = parameters()
    asked.whereClause = "POP_RANK = 1"
    #expect(try await one(table, asked)["COUNT_POP"] as? Int == 2)
    asked.geometry = box(0, 5000)
    #expect(try await one(table, asked)["COUNT_POP"] as? Int == 1)
    asked.geometry = box(0, 30_000)
    let some = try await one(table, asked)["COUNT_POP"] as? Int
    asked.whereClause = ""
    let all = try await one(table, asked)["COUNT_POP"] as? Int
    #expect(some == 2)
    #expect(all == 3)
  }

  @Test("Statistics of no feature have only a count, and of one feature no variance")
  func noCityAndOne() async throws {
    let (table, asked) = (try cities(), parameters())
    asked.geometry = box(1, 2)
    let none = try await one(table, asked)
    #expect(none.count == 1)
    #expect(none["COUNT_POP"] as? Int == 0)
    asked.geometry = box(40_000, 40_001)
    let single = try await one(table, asked)
    #expect(single.keys.sorted() == ["AVG_POP", "COUNT_POP", "MAX_POP", "MIN_POP", "SUM_POP"])
    #expect(single["AVG_POP"] as? Double == 1000)
    #expect(single["MIN_POP"] as? Int == 1000)
  }

  @Test("An invalid statistics query is an error that names the reason")
  func errors() async throws {
    let table = try cities()
    func error(_ asked: StatisticsQueryParameters) async -> String {
      do {
        _ = try await table.queryStatistics(using: asked)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let unknown = parameters()
    unknown.whereClause = "PAP = 1"
    #expect(await error(unknown).contains("'PAP'"))
    let broken = parameters()
    broken.whereClause = "POP = = 1"
    #expect(await cause { try await table.queryStatistics(using: broken) } is QueryConditionError)
    do { _ = try await table.queryStatistics(using: broken) } catch {
      guard case .syntax(let syntax)? = (error.cause as? QueryConditionError)?.cause else { throw error }
      #expect(syntax.offset == 6)
    }
    #expect(await error(parameters([.average], of: "NAME")).contains("needs numbers"))
    #expect(try await one(table, parameters([.maximum], of: "NAME"))["MAX_NAME"] as? String == "é")
    #expect(await error(parameters([.sum, .sum])).contains("two statistics"))
    #expect(await error(parameters([])).contains("no statistic"))
    let named = StatisticsQueryParameters(statisticDefinitions: [
      StatisticDefinition(fieldName: "POP", statisticType: .sum),
      StatisticDefinition(fieldName: "POP", statisticType: .sum, outputAlias: "people"),
    ])
    #expect(try await one(table, named).keys.sorted() == ["SUM_POP", "people"])
  }

  @Test("A query geometry in degrees gives the same statistics as in metres")
  func geometryInDegrees() async throws {
    let (table, asked) = (try cities(), parameters())
    asked.geometry = box(5000, 35_000)
    let metres = try await one(table, asked)
    asked.geometry = box(5000, 35_000).projected(to: .wgs84)
    let degrees = try await one(table, asked)
    #expect(metres["COUNT_POP"] as? Int == 2)
    #expect(degrees["SUM_POP"] as? Double == metres["SUM_POP"] as? Double)
  }

  @Test("The initial viewpoint fits its geometry, and rotation loses no feature in the statistics")
  func viewpoint() async throws {
    let map = Map(basemapStyle: .arcGISStreets)
    let envelope = Envelope(
      xRange: -14_803_800...5_233_700, yRange: -15_950_300...17_262_800, spatialReference: .webMercator)
    map.initialViewpoint = Viewpoint(boundingGeometry: envelope)
    let table = try cities()
    map.addOperationalLayer(FeatureLayer(featureTable: table))
    let view = try MapView(map: map, width: 390, height: 700)
    #expect(abs(view.viewpoint.scale / 194_184_954 - 1) < 1e-5)
    #expect(view.viewpoint.center.x == -4_785_050)
    #expect(view.viewpoint.center.y == 656_250)
    let bounding = try #require(view.currentViewpoint(kind: .boundingGeometry))
    let target = bounding.targetGeometry.extent
    #expect(target.contains(envelope))
    #expect(target.width - envelope.width < 1e-6)
    #expect(bounding.targetScale.isNaN)
    // The 100.x sample uses the visible area's box instead: it is the same without rotation.
    #expect(view.visibleArea?.extent == target)
    let asked = parameters()
    asked.geometry = target
    let before = try await one(table, asked)["COUNT_POP"] as? Int
    await view.setViewpointRotation(30)
    asked.geometry = view.currentViewpoint(kind: .boundingGeometry)?.targetGeometry
    let turned = try await one(table, asked)["COUNT_POP"] as? Int
    #expect(before == 5)
    #expect(turned == 5)
    // Without a viewpoint there is no extent, so all cities are counted.
    asked.geometry = Optional<Viewpoint>.none?.targetGeometry
    #expect(try await one(table, asked)["COUNT_POP"] as? Int == 5)
  }

  @Test("A layer's definition expression limits statistics, and its visibility and display filter do not")
  func layersInfluence() async throws {
    let table = try cities()
    let layer = FeatureLayer(featureTable: table)
    #expect(table.featureLayer === layer)
    layer.isVisible = false
    let filter = DisplayFilter(name: "few", whereClause: "POP_RANK = 3")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: filter, availableFilters: [filter])
    #expect(try await one(table, parameters())["COUNT_POP"] as? Int == 5)
    layer.definitionExpression = "POP_RANK < 3"
    #expect(try await one(table, parameters())["COUNT_POP"] as? Int == 4)
    let asked = parameters()
    asked.whereClause = "POP_RANK > 1"
    #expect(try await one(table, asked)["COUNT_POP"] as? Int == 2)
  }

  @Test("Concurrent queries each use the parameters at their call")
  func together() async throws {
    let (table, asked) = (try cities(), parameters())
    asked.whereClause = "POP_RANK = 1"
    async let first = one(table, asked)
    let firstCount = try await first["COUNT_POP"] as? Int
    asked.whereClause = ""
    async let second = one(table, asked)
    async let third = one(table, parameters([.count]))
    #expect(try await (firstCount, second["COUNT_POP"] as? Int, third["COUNT_POP"] as? Int) == (2, 5, 5))
  }

  // MARK: S3

  @Test("A loaded table has its name and fields")
  func fieldsOfALoadedTable() async throws {
    let table = try counties()
    #expect(table.loadStatus == .notLoaded)
    #expect(table.fields.isEmpty)
    try await table.load()
    #expect(table.loadStatus == .loaded)
    #expect(table.tableName == "Counties")
    #expect(
      table.fields.map(\.name) == ["FID", "State", "County", "Diabetes_Percent", "Shape__Area", "GID"])
    #expect(table.fields.filter { $0.type != .oid && $0.type != .globalID }.count == 4)
    let numeric: Set<FieldType> = [.int16, .int32, .int64, .float32, .float64]
    let names = table.fields.compactMap { field in
      if let type = field.type, numeric.contains(type) { field.name } else { nil }
    }
    #expect(names == ["Diabetes_Percent", "Shape__Area"])
    #expect(!table.hasGeometry)
    #expect(table.featureRequestMode == .manualCache)
  }

  private func grouped(
    _ groups: [String], _ order: [OrderBy] = [], where clause: String = "",
    of field: String = "Diabetes_Percent"
  ) async throws -> [StatisticRecord] {
    let table = LocalFeatureTable(source: TableFixtures.counties)
    let asked = parameters([.average, .count, .standardDeviation], of: field)
    asked.addGroupByFieldNames(groups)
    asked.addOrderByFields(order)
    asked.whereClause = clause
    let result = try await table.queryStatistics(using: asked)
    let records = Array(result.statisticRecords())
    #expect(zip(records, result.statisticRecords()).allSatisfy { $0 === $1 })
    return records
  }

  @Test("Records are grouped and ordered, with null as the last group")
  func groupsAndOrder() async throws {
    let byState = try await grouped(["State"])
    // Text is grouped by Unicode scalars with its case; null is the last group, without a key.
    #expect(byState.map { $0.group["State"] as? String } == ["Iowa", "Ohio", "Utah", "ohio", nil])
    #expect(byState[4].group.isEmpty)
    #expect(byState[0].group.count == 1)
    #expect(byState[0].statistics["AVG_Diabetes_Percent"] as? Double == 7.625)
    #expect(byState[1].statistics["COUNT_Diabetes_Percent"] as? Int == 1)
    #expect(byState[1].statistics["STDDEV_Diabetes_Percent"] == nil)
    // All values are null: the record has only a count of 0.
    #expect(byState[2].statistics.count == 1)
    #expect(byState[2].statistics["COUNT_Diabetes_Percent"] as? Int == 0)
    let falling = try await grouped(["State"], [OrderBy(fieldName: "State", sortOrder: .descending)])
    #expect(falling.map { $0.group["State"] as? String } == [nil, "ohio", "Utah", "Ohio", "Iowa"])
    let two = try await grouped(
      ["State", "County"], [OrderBy(fieldName: "County"), OrderBy(fieldName: "State")])
    #expect(
      two.map { "\($0.group["County"] as? String ?? "-")/\($0.group["State"] as? String ?? "-")" } == [
        "Adams/Iowa", "Adams/Ohio", "Brown/Ohio", "Clay/Iowa", "Kane/Utah", "Lost/-", "Small/ohio",
      ])
    // Ties in the order are resolved by the remaining groups.
    let ties = try await grouped(["State", "County"], [OrderBy(fieldName: "County")])
    #expect(ties.prefix(2).map { $0.group["State"] as? String } == ["Iowa", "Ohio"])
    // The first mention of a field decides.
    let twice = try await grouped(
      ["State"], [OrderBy(fieldName: "State", sortOrder: .descending), OrderBy(fieldName: "State")])
    #expect(twice.first?.group.isEmpty == true)
  }

  @Test("Invalid groups and orders are refused, and field names match without regard to case")
  func groupEdges() async throws {
    let none = try await grouped([])
    try #require(none.count == 1)
    #expect(none[0].group.isEmpty)
    #expect(
      await cause {
        try await grouped([], [OrderBy(fieldName: "State")])
      }.map { "\($0)" }?.contains("cannot order by \'State\'") == true)
    #expect(
      await cause {
        try await grouped(["State"], [OrderBy(fieldName: "County")])
      }.map { "\($0)" }?.contains("cannot order by \'County\'") == true)
    let byAverage = try await grouped(["State"], [OrderBy(fieldName: "AVG_Diabetes_Percent")])
    #expect(byAverage.compactMap { $0.statistics["AVG_Diabetes_Percent"] as? Double } == [1, 3, 7.625, 9.5])
    #expect(await cause { try await grouped(["Stat"]) } is StatisticsError)
    // Another case is accepted, and the key is spelled as requested.
    #expect(try await grouped(["state"])[0].group["state"] as? String == "Iowa")
    let numbers = try await grouped(["Diabetes_Percent"])
    #expect(numbers.map { $0.group["Diabetes_Percent"] as? Float } == [1, 3, 7, 8.25, 9.5, nil])
    #expect(try await grouped(["State"], where: "Shape__Area > 100").isEmpty)
    #expect(
      try await grouped([], of: "Shape__Area")[0].statistics["AVG_Shape__Area"] as? Double == 3.5)
  }

  @Test("An order by a removed group field is an error")
  func removingAGroupLeavesItsOrder() async throws {
    let table = LocalFeatureTable(source: TableFixtures.counties)
    let asked = parameters([.count], of: "County")
    asked.addGroupByFieldNames(["State", "County"])
    asked.addOrderByField(OrderBy(fieldName: "County"))
    #expect(try await table.queryStatistics(using: asked).statisticRecords().count == 7)
    asked.removeGroupByFieldName("County")
    #expect(
      await cause {
        try await table.queryStatistics(using: asked)
      }.map { "\($0)" }?.contains("cannot order by \'County\'") == true)
  }

  @Test("Three thousand groups are all returned")
  func manyGroups() async throws {
    let table = FeatureCollectionTable(fields: [Field(name: "n", type: .int32)], geometryType: nil)
    try await table.add((0..<3000).map { table.makeFeature(attributes: ["n": Int32($0)]) })
    let asked = parameters([.count], of: "n")
    asked.addGroupByFieldName("n")
    #expect(try await table.queryStatistics(using: asked).statisticRecords().count == 3000)
  }

  @Test("Equal statistic definitions are distinct objects")
  func objectsHaveIdentity() {
    let (a, b) = (
      StatisticDefinition(fieldName: "POP", statisticType: .sum),
      StatisticDefinition(fieldName: "POP", statisticType: .sum)
    )
    #expect(a == b)
    #expect(ObjectIdentifier(a) != ObjectIdentifier(b))
  }
}
