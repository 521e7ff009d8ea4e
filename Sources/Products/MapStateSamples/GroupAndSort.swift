import MapState

/// The sample "Query table statistics group and sort": statistics by state, in an order.
enum GroupAndSort {
  @Sendable static func run() async throws {
    let table = try Services.table(Services.counties)
    try await table.load()
    print("table \(table.tableName)")
    let groupable = table.fields.filter { $0.type != .oid && $0.type != .globalID }.map(\.name)
    let numbers: Set<FieldType> = [.int16, .int32, .int64, .float32, .float64]
    let numeric = table.fields.filter { numbers.contains($0.fieldType) }.map(\.name)
    print("fields to group by: \(groupable.joined(separator: ", "))")
    print("numeric fields: \(numeric.joined(separator: ", "))")
    guard let field = numeric.last else { return }
    let parameters = StatisticsQueryParameters(
      statisticDefinitions: [.average, .count, .standardDeviation].map {
        StatisticDefinition(fieldName: field, statisticType: $0)
      })
    parameters.addGroupByFieldNames(["STATE_NAME"])
    parameters.addOrderByFields([OrderBy(fieldName: "STATE_NAME", sortOrder: .descending)])
    let records = Array(try await table.queryStatistics(using: parameters).statisticRecords())
    print("\(records.count) states")
    for record in records.prefix(5) {
      print(record.group.map { "\($0.value)" }.joined(separator: ", "))
      print(record.statistics.lines)
    }
    // Only the fields that define the groups may order them.
    parameters.addOrderByField(OrderBy(fieldName: "NAME"))
    do { _ = try await table.queryStatistics(using: parameters) } catch { print("error: \(error)") }
  }
}
