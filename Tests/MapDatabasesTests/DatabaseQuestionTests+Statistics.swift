import MapDatabases
import MapFeatures
import MapGeometry
import MapState
import MapTestSupport
import Testing

/// Statistics that the database answers.
extension DatabaseQuestionTests {
  @Test("500 statistics have the same digits", .timeLimit(.minutes(10)))
  func statistics() async throws {
    var (asked, records, pushed, summed, inOrder) = (0, 0, 0, 0, 0)
    for (index, name) in Self.tables.enumerated() {
      let pair = try await pair(name)
      var generator = QuestionGenerator(pair.whole.columns(), seed: UInt64(index) + 120)
      for number in 0..<84 {
        var question = FeatureQuestion(area: .everywhere)
        if number % 2 == 0 { question.whereClause = generator.filter(depth: 1) }
        if number % 5 == 0, let box = generator.place()?.envelope { question.area = .envelope(box) }
        let statistics = generator.statistics()
        var conditions = QueryConditions()
        conditions.question = question
        guard let query = try? conditions.query(for: .query) else { continue }
        let expected: StatisticsTable
        do { expected = try await pair.whole.statistics(statistics, of: query) } catch {
          await #expect(throws: (any Error).self) { try await pair.asked.statistics(statistics, of: query) }
          continue
        }
        _ = pair.statements.taken()
        #expect(try await pair.asked.statistics(statistics, of: query) == expected, "\(name): \(question)")
        let statements = pair.statements.taken()
        pushed += statements.contains { $0.contains("\"geom\"") } ? 0 : 1
        summed += statements.allSatisfy { $0.contains("row_number() OVER ()") } ? 1 : 0
        let names = statistics.definitions.map(\.statisticType.rawValue)
        inOrder += names.contains { ["distinct", "median"].contains($0) } ? 1 : 0
        asked += 1
        records += expected.records.count
      }
    }
    print(
      "statistics that the database computed: \(summed) of \(asked), without geometries: \(pushed), with values in "
        + "order: \(inOrder); \(records) records")
    #expect(asked >= 450 && records > 1000, "\(asked) \(records)")
    #expect(summed > 100)
  }

  @Test("All exact statistics of each column by each group have the same digits")
  func statisticsOfColumns() async throws {
    var (asked, summed) = (0, 0)
    for name in ["every_type", "special_values", "samples"] {
      let pair = try await pair(name)
      let fields = pair.whole.schema.fields
      let groups = [nil] + fields.map(\.name)
      for (index, field) in fields.enumerated() {
        let isNumber = [.integer, .real].contains(pair.whole.columns().columns[index].type)
        let types: [StatisticDefinition.StatisticType] =
          isNumber
          ? [.sum, .average, .variance, .standardDeviation, .minimum, .maximum, .count]
          : [.minimum, .maximum, .count]
        for group in groups {
          let statistics = StatisticsQuery(
            definitions: types.map {
              StatisticDefinition(fieldName: field.name, statisticType: $0, outputAlias: "s_\($0.rawValue)")
            }
              + [StatisticDefinition(fieldName: "*", statisticType: .count, outputAlias: "rows")],
            groupByFieldNames: [group].compactMap { $0 })
          let query = try QueryConditions().query(for: .query)
          let expected: StatisticsTable
          do { expected = try await pair.whole.statistics(statistics, of: query) } catch {
            // A sum beyond the greatest double, of whichever group is computed first.
            await #expect(throws: StatisticsError.self) {
              try await pair.asked.statistics(statistics, of: query)
            }
            #expect("\(error)".hasSuffix(" is beyond the range of doubles"))
            continue
          }
          _ = pair.statements.taken()
          let found = try await pair.asked.statistics(statistics, of: query)
          #expect(found == expected, "\(name): \(field.name) by \(group ?? "nothing")")
          // Equal doubles may differ in the sign of 0.
          #expect("\(found)" == "\(expected)", "\(name): \(field.name) by \(group ?? "nothing")")
          summed += pair.statements.taken().allSatisfy { $0.contains("row_number() OVER ()") } ? 1 : 0
          asked += 1
        }
      }
    }
    print("statistics of single columns that the database computed: \(summed) of \(asked)")
    #expect(asked > 300 && summed * 3 > asked)
  }

  @Test("Squares of whole numbers and decimals at the ends of their ranges are exact")
  func extremeSquares() async throws {
    // The ends of the ranges that the database adds, and values beyond, whose rows are sent.
    try await compareExtremes("z_extremes", small: "1.8e-46", large: "-5.7e45", statementCount: 2)
    try await compareExtremes("z_subnormal", small: "5e-324", large: "-1.5e-310", statementCount: 3)
    try await compareExtremes("z_huge", small: "0", large: "5.71e45", statementCount: 3)
  }

  private func compareExtremes(
    _ name: String, small: String, large: String, statementCount: Int
  ) async throws {
    try database.rows(
      """
      CREATE TABLE \(name) AS SELECT g::int4 AS id, (ARRAY['a', 'b'])[1 + g % 2] AS part,
        CASE g % 4 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 4294967297 * g
          ELSE -(2147483648::int8 * g) END AS whole,
        CASE g % 5 WHEN 0 THEN \(small) WHEN 1 THEN \(large) WHEN 2 THEN 1e16 WHEN 3 THEN -1e16 + 2 ELSE 0.1 END::float8
          * CASE g % 3 WHEN 0 THEN 1 ELSE -1 END AS decimal FROM generate_series(1, 3001) g
      """)
    try database.rows("ALTER TABLE \(name) ADD PRIMARY KEY (id)")
    let pair = try await pair(name)
    let query = try QueryConditions().query(for: .query)
    for groups in [[], ["part"], ["id"]] {
      let statistics = StatisticsQuery(
        definitions: ["whole", "decimal"].flatMap { field in
          [
            StatisticDefinition.StatisticType.sum, .average, .variance, .standardDeviation, .minimum,
            .maximum,
          ].map {
            StatisticDefinition(fieldName: field, statisticType: $0)
          }
        }, groupByFieldNames: groups)
      let expected = try await pair.whole.statistics(statistics, of: query)
      _ = pair.statements.taken()
      #expect("\(try await pair.asked.statistics(statistics, of: query))" == "\(expected)")
      let statements = pair.statements.taken()
      #expect(statements.count == statementCount, "\(name): \(statements.count)")
      #expect(statements.prefix(2).allSatisfy { $0.contains("row_number() OVER ()") })
    }
  }
}
