import MapFeatures
import MapFilter
import MapServices
import Testing

/// Statistics of the service compared with our own.
@Suite struct ArcGISStatisticsTests {
  private static func definitions(_ field: String, _ types: [StatisticDefinition.StatisticType])
    -> [StatisticDefinition]
  {
    types.map { StatisticDefinition(fieldName: field, statisticType: $0) }
  }

  private static let numbers: [StatisticDefinition.StatisticType] = [
    .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
  ]

  private static let questions: [(layer: Int, clause: String, StatisticsQuery)] = [
    (0, "", StatisticsQuery(definitions: definitions("POP", numbers))),
    (
      0, "POP_RANK > 2",
      StatisticsQuery(definitions: definitions("pop", numbers), groupByFieldNames: ["CNTRY_NAME"])
    ),
    (
      0, "CNTRY_NAME LIKE 'A%'",
      StatisticsQuery(
        definitions: definitions("POP", numbers) + definitions("CITY_NAME", [.count]),
        groupByFieldNames: ["STATUS", "POP_RANK"],
        orderByFields: [OrderBy(fieldName: "POP_RANK", sortOrder: .descending)])
    ),
    (0, "1 = 0", StatisticsQuery(definitions: definitions("POP", numbers))),
    (0, "1 = 0", StatisticsQuery(definitions: definitions("POP", numbers), groupByFieldNames: ["STATUS"])),
    (0, "POP IS NULL", StatisticsQuery(definitions: definitions("POP", numbers))),
    (
      1, "",
      StatisticsQuery(
        definitions: definitions("unemployment_rate", numbers), groupByFieldNames: ["STATE_NAME"])
    ),
    (
      2, "status = 'Open'",
      StatisticsQuery(
        definitions: definitions("req_date", [.minimum, .maximum, .count]),
        groupByFieldNames: ["neighborhood"])
    ),
  ]

  @Test("Pushed statistics agree with local statistics", arguments: ["", "page/70"])
  func theServiceFindsTheSameFigures(variant: String) async throws {
    var records = 0
    for (number, clause, statistics) in Self.questions {
      let layer = try await ArcGISServer.layer(number, variant)
      let query = try FeatureQuery(where: clause)
      let there = try #require(try await layer.statistics(statistics, of: query))
      let table = try await ArcGISServer.table(number)
      let here = try StatisticsTable(statistics, of: table, rows: try InMemorySource(table).rows(query))
      #expect(there.aliases == here.aliases)
      #expect(there.groupFieldNames == here.groupFieldNames)
      #expect(there.records.map(\.group) == here.records.map(\.group), "\(clause)")
      for (a, b) in zip(there.records, here.records) {
        #expect(zip(a.statistics, b.statistics).allSatisfy(Self.agree), "\(a) \(b)")
      }
      records += here.records.count
    }
    #expect(records > 300)
  }

  /// Whether two values are equal; decimals may differ by a database's rounding, 1e-12 relative.
  private static func agree(_ a: AttributeValue, _ b: AttributeValue) -> Bool {
    guard case .real(let first) = a, case .real(let second) = b else { return a == b }
    return abs(first - second) <= 1e-12 * max(abs(first), abs(second))
  }

  @Test("Statistics that databases compute differently are not pushed")
  func figuresThatDatabasesSeeDifferentlyAreLeftToThisSide() async throws {
    func answer(
      _ layer: Int, _ field: String, _ type: StatisticDefinition.StatisticType, _ variant: String = ""
    )
      async throws -> StatisticsTable?
    {
      try await ArcGISServer.layer(layer, variant).statistics(
        StatisticsQuery(definitions: Self.definitions(field, [type])), of: try FeatureQuery(where: ""))
    }
    #expect(try await answer(ArcGISServer.cities, "CITY_NAME", .maximum) == nil)
    #expect(try await answer(ArcGISServer.states, "SHARE", .sum) == nil)
    #expect(try await answer(ArcGISServer.states, "SHARE", .count)?.records[0].statistics == [.integer(40)])
    #expect(try await answer(ArcGISServer.cities, "POP", .sum, "plain") == nil)
  }

  @Test("An invalid statistics query is refused before it is sent")
  func wrongQuestionsAreOurErrors() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.cities)
    await #expect(throws: StatisticsError.self) {
      try await layer.statistics(
        StatisticsQuery(definitions: Self.definitions("CITY_NAME", [.sum])), of: try FeatureQuery(where: ""))
    }
  }

  @Test("Groups beyond an answer without paging are computed locally")
  func groupsBeyondAnAnswerWithoutPagesAreLeftToThisSide() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.cities, "ids/page/5")
    let statistics = StatisticsQuery(
      definitions: Self.definitions("POP", [.sum]), groupByFieldNames: ["CNTRY_NAME"])
    #expect(try await layer.statistics(statistics, of: try FeatureQuery(where: "")) == nil)
  }

  @Test("Statistics that do not cover the counted features are an error")
  func groupsThatHoldAnotherNumberAreAnError() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.cities, "fault/wrong-count")
    let statistics = StatisticsQuery(definitions: Self.definitions("POP", [.sum]))
    await #expect(throws: ServiceError.self) {
      try await layer.statistics(statistics, of: try FeatureQuery(where: ""))
    }
  }
}
