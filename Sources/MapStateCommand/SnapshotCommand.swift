import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Compare pictures of maps with references, say what changed, record references.",
    subcommands: [
      SnapshotVerifyCommand.self, SnapshotRecordCommand.self, SnapshotAcceptCommand.self,
      SnapshotGenerateCommand.self, SnapshotSchemaCommand.self,
    ])
}

/// The cases that a subcommand is about.
struct SnapshotSelection: ParsableArguments {
  @Argument(help: "The folder of cases.")
  var folder = "Snapshots"
  @Argument(help: "Cases by their path below the folder; none is all.")
  var cases: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Cases whose path fits, * is anything; repeatable.", valueName: "pattern"))
  var only: [String] = []
  @Option(help: ArgumentHelp("Cases drawn at once; default all cores.", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if !cases.isEmpty, !only.isEmpty {
      throw ValidationError("--only and names of cases each say which; give one of them.")
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs is \(jobs); 1 or more can work.") }
  }

  func run(_ reporting: ReportingOptions) throws(MapError) -> SnapshotRun {
    var run = try SnapshotRun(root: folder, named: cases, patterns: only)
    run.services = reporting.services
    run.jobs = jobs ?? Processors.count
    return run
  }
}
