import ArgumentParser
import MapState

struct StatisticsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Statistics of a field over the features in the visible extent, by group.",
    discussion: """
      Nulls are ignored. Variance and standard deviation are those of a sample (divisor n - 1). Applies the \
      definition expression; ignores the display filter. A plain data file has no view: without an option that says \
      where to look, all its rows are used.
      """)

  @OptionGroup var map: MapOptions
  @Option(
    name: .customLong("statistic"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "average, count, maximum, minimum, standardDeviation, sum, variance, or all; repeatable.",
      valueName: "type:field[:alias]"))
  var statistics: [String] = []
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Fields whose values make the groups.", valueName: "f[,f…]"))
  var groupBy: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Order of the records, by group fields; nulls are last, with :desc first, unless given.",
      valueName: "f[:asc|desc][:nulls-first|nulls-last][,…]"))
  var orderBy: FieldList?
  @OptionGroup var question: QuestionOptions
  @Option(help: "Form of the answer: text, json or csv.")
  var format: OutputFormat = .text

  func validate() throws {
    guard !statistics.isEmpty else {
      throw ValidationError("--statistic is needed, such as --statistic average:POP.")
    }
    do { _ = try query } catch { throw ValidationError("\(error)") }
  }

  private var query: StatisticsQuery {
    get throws(MapError) {
      try StatisticsQuery(
        statistics: statistics, groupBy: groupBy?.names ?? [], orderBy: orderBy?.names ?? [])
    }
  }

  func run() async throws {
    let query = try query
    let names = query.definitions.map(\.fieldName) + query.groupByFieldNames
    let asked = try await question.ask(
      map, FieldSelection(map, question, names: names + query.orderByFields.map(\.fieldName)), .single)
    let table = try await asked.view.statistics(of: asked.layer, query, asked.question)
    await map.warnOfAnswers(in: asked.document, asked.view)
    guard format != .json else {
      return try StandardOutput.write(table.json.answering(asked).text() + "\n")
    }
    try StandardOutput.write(text(of: table))
  }

  private func text(of table: StatisticsTable) -> String {
    let head = table.groupFieldNames + table.aliases
    switch format {
    case .json: return table.json.text() + "\n"
    case .csv:
      let rows = table.records.map { record in
        (record.group + record.statistics).map(DelimitedWriter.cell)
      }
      return ([head.map(DelimitedWriter.quoted)] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    case .text:
      let rows = table.records.map { $0.group + $0.statistics }
      return AlignedTable.text(values: rows, head: head)
    }
  }
}

extension AlignedTable {
  /// Values under their names, null as `-`; a column of numbers alone to the right.
  static func text(values rows: [[AttributeValue]], head: [String]) -> String {
    let isNumber = head.indices.map { column in
      rows.allSatisfy { [nil, .integer, .real].contains($0[column].type) }
    }
    return text(
      head: head, rows: rows.map { $0.map { $0 == .null ? "-" : $0.plainText } }, isNumber: isNumber)
  }
}
