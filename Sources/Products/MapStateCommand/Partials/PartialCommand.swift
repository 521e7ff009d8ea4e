import ArgumentParser
import MapScript
import MapState
import MapSystem

struct PartialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "partial",
    abstract: "Answer a question for a part of the rows; merge joins the answers.",
    usage: "mapstate partial <source> --question <file> --ordinal <n> -o <file>",
    discussion: """
      Counts, computes statistics and draws for one partition of a table, and writes a state. When every partition has \
      its state, mapstate merge joins them. Counts and statistics are then those of the whole table, bit by bit. The \
      partitions can be computed on different machines, by any program that starts processes.

      Partitions are consecutive rows of the table, numbered from 0. A later partition is drawn over an earlier one. \
      With --of, a partition is a share of the row groups of Parquet files, and no program must divide them.

      The question is a JSON object. Its members are view fields, as in mapstate run; document, the path of a drawing \
      document with the renderer; and at least one of:

      count: selection fields; funnel, byClass, extents
      statistics: selection fields; statistic, groupBy, orderBy, having, top
      image: true; with aggregate, pixel or hexagon, an image of counts instead of symbols

      What depends on all rows is an error: the default view, labels, drawing orders, medians, percentiles and distinct \
      values.

      EXAMPLES:
        echo '{"count": {"where": "POP > 1000000"}}' > q.json
        mapstate partial Styles/data/world-cities.csv --question q.json \\
          --ordinal 0 -o 0.state
        mapstate query Styles/data/world-cities.csv -o cities.parquet
        seq 0 1 | xargs -P 2 -I N mapstate partial cities.parquet \\
          --question q.json --ordinal N --of 2 -o N.state
      """)

  @Argument(
    help: "Data file or address of the partition, or - for standard input.", completion: .file())
  var source: String
  @OptionGroup(title: HelpGroup.question) var asked: PartitionOptions
  @OptionGroup(title: HelpGroup.services) var fetching: FetchOptions
  @OptionGroup(title: HelpGroup.services) var reach: ReachOptions
  @OptionGroup(title: HelpGroup.output) var output: StateOutput
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    let question = try PartialQuestion(contentsOf: asked.question)
    var services = reach.services
    do { try fetching.set(&services) } catch { throw MapStateError(error) }
    if reach.online { Warnings.add("--online has no effect: a partial answer has no tiles") }
    let (state, warnings) = try await question.answer(
      about: source, ordinal: asked.ordinal, shares: asked.of, threads: threads.count, services: services,
      report: fetching.report)
    for warning in warnings { Warnings.add(warning) }
    do {
      try FileAccess.write([(state.bytes, output.output)], keeping: [source, asked.question])
    } catch {
      throw MapStateError(error)
    }
  }
}

/// The question and the partition.
struct PartitionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("JSON file with the question.", valueName: "file"), completion: .file())
  var question: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position of the partition, from 0 in the order of drawing.", valueName: "n"))
  var ordinal: Int
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Divide the row groups of a Parquet source into <n> shares; --ordinal names the one to read.",
      valueName: "n"))
  var of: Int?

  func validate() throws {
    if let of, of < 1 { throw ValidationError("--of is \(of); it must be 1 or more.") }
    if let of, ordinal >= of {
      throw ValidationError("--ordinal is \(ordinal); with --of \(of), it must be 0 to \(of - 1).")
    }
    guard (0...PartialState.greatestOrdinal).contains(ordinal) else {
      throw ValidationError("--ordinal is \(ordinal); it must be 0 to \(PartialState.greatestOrdinal).")
    }
  }
}

/// The file that a state is written to.
struct StateOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output.", valueName: "file"), completion: .file())
  var output: String
}
