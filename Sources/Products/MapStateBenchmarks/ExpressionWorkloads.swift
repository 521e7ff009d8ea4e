import Glibc
import MapExpressions
import MapState
import MapSystem

extension Workload {
  /// Evaluates Arcade expressions for a million rows of a table in memory.
  ///
  /// The fact `processor` is the processor time of the fastest run in milliseconds, on all threads; `values` is that of
  /// the values alone, without classes.
  static let expressions = Workload(name: "A1") { setting in
    var lines: [Timing] = []
    let table = expressionTable(rowCount: 1_000_000)
    for text in expressionTexts {
      var renderer = UniqueValueRenderer(fieldNames: [], uniqueValues: [])
      renderer.valueExpression = try ArcadeExpression(text)
      var processor: [Double] = []
      let bound = BoundArcade(
        try ArcadeExpression(text), table: table, scale: 0, now: Instant(microseconds: 0))
      let rows = Array(0..<table.rowCount)
      let alone = (0..<3).map { _ in
        let start = clock()
        let count = bound.column(of: rows).values.count
        return count == rows.count ? Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000 : .infinity
      }
      let times = try await setting.time {
        let start = clock()
        let classifier = try RowClassifier(.uniqueValue(renderer), table: table)
        processor.append(Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000)
        guard classifier.failure == nil, classifier.classes.count == table.rowCount else {
          throw WrongAnswer(description: "\(text): \(String(describing: classifier.failure))")
        }
      }
      lines.append(
        Timing(
          workload: "A1", what: text, times: times,
          facts: [
            ("processor", .number(processor.min() ?? 0)), ("values", .number(alone.min() ?? 0)),
          ]))
    }
    return lines
  }

  private static let expressionTexts = [
    "$feature.A + $feature.B",
    "IIf($feature.POP > 1000000, \"large\", \"small\")",
    "IIf($feature.A / $feature.B * 100 > 50, \"above\", \"below\")",
    "Round($feature.A / $feature.B * 100, 1)",
    "When($feature.POP > 1000000, \"large\", $feature.POP > 100000, \"middle\", \"small\")",
    "Decode($feature.KIND, \"road\", 1, \"rail\", 2, \"river\", 3, 0)",
    "`${$feature.KIND}: ${$feature.POP}`",
    "$feature.KIND + \": \" + $feature.POP",
    "Text($feature.POP, \"#,##0\")",
    "Text($feature.A, \"#,##0.00\")",
    "var share = $feature.A / $feature.B; if (share > 0.5) { return \"above\" } return \"below\"",
  ]

  /// A table with whole numbers, decimal numbers with one null in ten rows, and texts.
  private static func expressionTable(rowCount: Int) -> FeatureColumns {
    let population = (0..<rowCount).map { Int64($0 * 7919 % 2_000_003) }
    let first = (0..<rowCount).map { Double($0 * 104_729 % 10_007) / 8 }
    let second = (0..<rowCount).map { Double($0 * 15_485_863 % 1009 + 1) / 4 }
    let kinds = ["road", "rail", "river", "a long name of a kind"]
    let columns = [
      Column(.integers(population)),
      Column(
        .reals(first), validity: RowSet(rowCount: rowCount, rows: (0..<rowCount).filter { $0 % 10 != 0 })),
      Column(.reals(second)),
      Column(.text(codes: (0..<rowCount).map { Int32($0 % kinds.count) }, dictionary: kinds)),
    ]
    let fields = [
      Field(name: "POP", type: .int32), Field(name: "A", type: .float64), Field(name: "B", type: .float64),
      Field(name: "KIND", type: .text),
    ]
    return FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: nil, spatialReference: nil), columns: columns,
      geometry: nil, rowCount: rowCount)
  }
}
