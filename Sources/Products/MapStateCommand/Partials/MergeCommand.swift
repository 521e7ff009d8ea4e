import ArgumentParser
import MapScript
import MapState
import MapSystem

struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join the answers of mapstate partial for all partitions.",
    usage: "mapstate merge --expect-partitions <n> <states> ... [<options>]",
    discussion: """
      Reads the states that mapstate partial wrote, one for each of the ordinals 0 to N - 1, in any order. A missing or \
      repeated partition, a state of another question or another version, and a damaged file are errors.

      Counts and statistics are those of the whole table, bit by bit. The image has the same bytes for the same \
      partitions. It can differ from the image of mapstate render, because each partition is painted by itself. \
      Images of counts can have a legend; beside the map, it makes the image larger.

      EXAMPLES:
        echo '{"statistics": {"statistic": "sum:POP"}}' > q.json
        mapstate partial Styles/data/world-cities.csv --question q.json \\
          --ordinal 0 -o 0.state
        mapstate merge --expect-partitions 1 0.state
      """)

  @Argument(help: "States of all partitions.", completion: .file())
  var states: [String]
  @OptionGroup(title: HelpGroup.question) var expected: ExpectedPartitions
  @OptionGroup(title: HelpGroup.output) var output: MergedOutput
  @OptionGroup(title: HelpGroup.layout) var legend: LegendOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    let states = try states.map { path throws(MapStateError) in
      (name: path, state: try PartialState(contentsOf: path))
    }
    let answer = try MergedAnswer(states, expecting: expected.expectPartitions)
    for warning in answer.warnings { Warnings.add(warning) }
    for (index, cells) in answer.cells.enumerated() {
      Warnings.note("\(answer.cells.count == 1 ? "the image" : "layer \(index)") \(cells.note)")
    }
    let answers = [answer.count != nil, answer.counts != nil, answer.statistics != nil].count { $0 }
    if output.format != .text, output.format != .json, answers > 1 {
      throw MapStateError(
        .usage, "--format \(output.format.rawValue) writes one table, but the question has \(answers) answers"
      )
    }
    guard (output.output != nil) == answer.hasImage else {
      throw MapStateError(
        .usage,
        answer.hasImage ? "the question asks an image; give its file with -o" : "the question asks no image")
    }
    for warning in legend.request.warnings { Warnings.add(warning) }
    if legend.legend != nil, output.output == nil {
      Warnings.add("--legend has no effect: the question asks no image")
    }
    if let path = output.output {
      try PictureFile.check(path, others: ["jpg", "jpeg", "webp"])
      let bitmap: Bitmap?
      if legend.legend == nil {
        bitmap = try answer.bitmap(threads: threads.count)
      } else {
        let page = try answer.page(legend.request.layout(), threads: threads.count)
        for warning in page?.warnings ?? [] { Warnings.add(warning) }
        bitmap = page?.bitmap
      }
      guard let bitmap else { return }
      do {
        try FileAccess.write([(try bitmap.fileBytes(for: path), path)], keeping: self.states)
      } catch {
        throw MapStateError(error)
      }
    }
    // The image can be standard output.
    if output.output == "-" { return }
    guard output.format != .json else {
      return try StandardOutput.write(answer.json(warnings: Warnings.all).text() + "\n")
    }
    var text = answer.count.map { CountTable.text($0, format: output.format) } ?? ""
    text += answer.counts.map { CountTable.text(counts: $0, [], format: output.format) } ?? ""
    if let table = answer.statistics, let query = answer.statisticsQuery {
      text += StatisticsText.text(
        of: StatisticsAnswer(table: table, corners: nil), query, format: output.format)
    }
    try StandardOutput.write(text)
  }
}

/// The number of partitions.
struct ExpectedPartitions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of partitions; their ordinals are 0 to N - 1.", valueName: "n"))
  var expectPartitions: Int

  func validate() throws {
    guard (1...PartialState.greatestOrdinal + 1).contains(expectPartitions) else {
      throw ValidationError(
        "--expect-partitions is \(expectPartitions); it must be 1 to \(PartialState.greatestOrdinal + 1).")
    }
  }
}

/// The image and the format of a joined answer.
struct MergedOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Image file to write; - is standard output.", valueName: "file"), completion: .file())
  var output: String?
  @Option(help: "Format of the answer.")
  var format: OutputFormat = .text
}
