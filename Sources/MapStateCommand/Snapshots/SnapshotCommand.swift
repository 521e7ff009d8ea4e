import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Compare images of maps with reference images.",
    discussion: """
      EXAMPLES:
        mapstate snapshot verify Snapshots --only "labels/*"
        mapstate snapshot record Snapshots symbols/circle-marker
      """,
    subcommands: [
      SnapshotVerifyCommand.self, SnapshotRecordCommand.self, SnapshotAcceptCommand.self,
      SnapshotGenerateCommand.self, SnapshotCoverageCommand.self, SnapshotSchemaCommand.self,
    ])
}

/// The cases that a subcommand takes.
struct SnapshotSelection: ParsableArguments {
  @Argument(help: "Folder of cases.", completion: .directory)
  var folder = "Snapshots"
  @Argument(help: "Cases, by path below the folder; without any, verify takes all.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var options: CaseOptions
  @OptionGroup(title: HelpGroup.services) var reach: ReachOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func validate() throws {
    if !cases.isEmpty, !options.only.isEmpty {
      throw ValidationError("--only cannot be combined with names of cases; give one of them.")
    }
  }

  func run() throws(MapStateError) -> SnapshotRun {
    var run = try SnapshotRun(root: folder, named: cases, patterns: options.only)
    run.services = reach.services
    run.jobs = options.jobs ?? Processors.count
    return run
  }
}

/// The options that select cases.
struct CaseOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Cases whose path matches; * matches any text; repeatable.", valueName: "pattern"))
  var only: [String] = []
  @Option(
    help: ArgumentHelp(
      "Number of cases to draw at the same time; default: number of cores.", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...1000).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); it must be 1 to 1000.")
    }
  }
}
