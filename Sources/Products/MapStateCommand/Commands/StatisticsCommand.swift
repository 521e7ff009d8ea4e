import ArgumentParser
import MapReaders
import MapScript
import MapState

struct StatisticsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Compute statistics of fields, by default in the visible extent.",
    usage: "mapstate statistics <source> --statistic <type:field[:alias]> [<options>]",
    discussion: """
      Nulls are ignored. Variance and standard deviation are those of a sample (divisor n - 1). Applies the definition \
      expression; ignores the display filter. A plain data file has no viewpoint: all its features are used unless an \
      option sets an extent.

      Statistic types: average (avg), count, distinct, maximum (max), median, minimum (min), percentile:P, \
      standardDeviation (std), sum and variance (var). "count" without a field counts features. "all:FIELD" computes \
      average, count, maximum, minimum, standardDeviation, sum and variance. A percentile interpolates linearly between \
      neighbouring values, as PERCENTILE_CONT in SQL; P is from 0 to 100. Percentiles and distinct values are exact.

      The field $area is the area of a feature in square metres, and $length the length of a line or a border in metres, \
      on the ellipsoid. --bins groups points by cells: JSON, NDJSON and CSV have the polygon of each. --by-time groups by \
      steps of the layer's time. These groups are the fields $bin and $time.

      A statistic is named TYPE_FIELD, such as AVG_POP, MEDIAN_POP, P90_POP and COUNT, or by its alias. --having and \
      --order-by take these names and the group fields.

      \(RelationHelp.text)

      EXAMPLES:
        mapstate statistics Styles/data/world-cities.csv --statistic sum:POP
        mapstate statistics Styles/data/us-counties.geojson \\
          --statistic average:unemployment_rate:mean --group-by STATE --format csv
        mapstate statistics Styles/data/us-counties.geojson --statistic count \\
          --statistic median:unemployment_rate:rate --group-by STATE \\
          --having "count > 50" --order-by rate:desc --top 5
        mapstate statistics Styles/data/world-cities.csv --statistic sum:POP \\
          --bins hexagon:500000 --format csv
      """)

  @OptionGroup(title: HelpGroup.statistics) var selection: StatisticsOptions
  @OptionGroup(title: HelpGroup.question) var question: QuestionOptions
  @OptionGroup(title: HelpGroup.output) var output: TableOutput
  @OptionGroup var map: MapOptions

  func validate() throws {
    guard !selection.statistics.isEmpty else {
      throw ValidationError("--statistic is missing; give one, such as --statistic average:POP.")
    }
    do { _ = try request } catch { throw ValidationError("\(error)") }
  }

  private var request: StatisticsRequest {
    get throws(MapStateError) {
      var request = StatisticsRequest(
        try StatisticsQuery(
          statistics: selection.statistics, groupBy: selection.groupBy?.names ?? [],
          orderBy: (selection.orderBy?.texts ?? []).map(OrderBy.init(text:)),
          having: selection.having ?? .none, top: selection.top))
      (request.bins, request.timeStep) = (selection.bins, selection.byTime)
      try request.check()
      return request
    }
  }

  func run() async throws {
    let request = try request
    let asked = try await question.ask(
      // A layer's time field is found from all fields alone.
      map, request.timeStep == nil ? FieldSelection(map, question, names: request.fieldNames) : .all, .single,
      countsValues: !request.needsGeometry)
    let answer = try await asked.view.statistics(of: asked.layer, request, asked.question)
    await map.warnOfAnswers(in: asked.document, asked.view)
    asked.noteTexts(count: answer.table.isOfNoRows ? 0 : 1, statistics: request.query.definitions)
    guard output.format != .json else {
      return try StandardOutput.write(answer.json.answering(asked).text() + "\n")
    }
    try StandardOutput.write(StatisticsText.text(of: answer, request.query, format: output.format))
  }
}

/// Statistics in the formats of the tool.
enum StatisticsText {
  /// A table with one record per line; sums that are whole numbers have no decimals.
  ///
  /// CSV has the cells of the map as well-known text in the column `wkt`, and NDJSON as GeoJSON in `geometry`.
  static func text(of answer: StatisticsAnswer, _ query: StatisticsQuery, format: OutputFormat) -> String {
    let table = answer.table
    let head = table.groupFieldNames + table.aliases
    let whole = query.definitions.indices.filter { index in
      query.definitions[index].statisticType == .sum
        && table.records.allSatisfy { [nil, true].contains($0.statistics[index].isExactlyWhole) }
    }
    func statistics(_ record: StatisticsTable.Record) -> [AttributeValue] {
      var values = record.statistics
      for index in whole { values[index] = values[index].wholeNumber }
      return values
    }
    let rows = table.records.map { $0.group + statistics($0) }
    switch format {
    case .json: return answer.json.text() + "\n"
    case .csv:
      guard let texts = answer.texts else { return RecordTable(head: head, rows: rows).csv }
      let cells = zip(rows, texts).map { row, text -> [AttributeValue] in
        row + [text.map { AttributeValue.text($0) } ?? .null]
      }
      return RecordTable(head: head + ["wkt"], rows: cells).csv
    case .ndjson: return RecordTable(head: head, rows: rows).ndjson(geometries: answer.geometries)
    case .markdown: return RecordTable(head: head, rows: rows).markdown
    case .text: return AlignedTable.text(values: rows, head: head)
    }
  }
}

/// The statistics to compute and their groups.
struct StatisticsOptions: ParsableArguments {
  @Option(
    name: .customLong("statistic"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Statistic of a field, such as average:POP, or count; repeatable. Types: see above.",
      valueName: "type:field[:alias]"))
  var statistics: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fields to group by.", valueName: "field[,field…]"))
  var groupBy: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Order by group fields and statistics. Nulls come last, unless :nulls-first follows.",
      valueName: "field[:asc|desc][:nulls-first|nulls-last][,…]"))
  var orderBy: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("SQL condition on the groups, over group fields and statistics.", valueName: "sql"),
    transform: { ParsedFilter($0) })
  var having: ParsedFilter?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of groups, the first in order; 0 is no limit.", valueName: "n"))
  var top = 0

  @Option(
    help: ArgumentHelp(
      "Cells of the map as groups: hexagon:WIDTH or square:WIDTH in map units, or geohash:LENGTH.",
      valueName: "cells"),
    transform: { try StatisticsBins(text: $0) })
  var bins: StatisticsBins?
  @Option(
    help: ArgumentHelp("Steps of time as groups: hour, day, week, month or year.", valueName: "step"),
    transform: { try TimeStep(text: $0) })
  var byTime: TimeStep?

  func validate() throws {
    if top < 0 { throw ValidationError("--top is \(top); it must be 0 or more.") }
    if let having, having.text.allSatisfy(\.isWhitespace) {
      throw ValidationError("--having is empty; give a condition, or leave the option out.")
    }
  }
}

/// The format of a table.
struct TableOutput: ParsableArguments {
  @Option(help: "Format of the answer.")
  var format: OutputFormat = .text
}

extension AttributeValue {
  /// Whether a number is whole and small enough that a real number states it exactly; nil for other values.
  fileprivate var isExactlyWhole: Bool? {
    guard case .real(let number) = self else { return nil }
    return number == number.rounded() && abs(number) <= 0x1p53
  }

  /// A whole real number as an integer; other values as they are.
  fileprivate var wholeNumber: AttributeValue {
    guard case .real(let number) = self, let whole = Int64(exactly: number) else { return self }
    return .integer(whole)
  }
}

extension AlignedTable {
  /// Values under their names, null as `-`; columns of numbers are aligned to the right.
  static func text(values rows: [[AttributeValue]], head: [String]) -> String {
    let isNumber = head.indices.map { column in
      rows.allSatisfy { [nil, .integer, .real].contains($0[column].type) }
    }
    return text(
      head: head, rows: rows.map { $0.map { $0 == .null ? "-" : $0.plainText } }, isNumber: isNumber)
  }
}
