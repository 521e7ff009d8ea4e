import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Compare images of maps with reference images.",
    discussion: """
      A case is a folder with the file case.json, which names a document and a view. generate writes cases for a \
      document, and record adds a reference image to each. After a change, verify draws the cases again and names what \
      changed. accept takes the new images of its report as references.

      EXAMPLES:
        mapstate snapshot generate Styles/world-cities.json Generated
        mapstate snapshot record Generated --missing
        mapstate snapshot verify Generated --report-dir report
        mapstate snapshot verify Snapshots --only "labels/*"
        mapstate snapshot record Snapshots symbols/circle-marker
      """,
    subcommands: [
      SnapshotVerifyCommand.self, SnapshotRecordCommand.self, SnapshotAcceptCommand.self,
      SnapshotRejectCommand.self, SnapshotGenerateCommand.self, SnapshotCoverageCommand.self,
      SnapshotSchemaCommand.self,
    ])
}

/// The cases that a subcommand takes.
struct SnapshotSelection: ParsableArguments {
  @Argument(help: "Folder of cases.", completion: .directory)
  var folder = "Snapshots"
  @Argument(help: "Cases, by path below the folder.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var options: CaseOptions
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: CaseSources
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func validate() throws {
    if !cases.isEmpty, !options.only.isEmpty {
      throw ValidationError("--only cannot be combined with names of cases; give one of them.")
    }
  }

  func run() throws(MapStateError) -> SnapshotRun {
    var run = try SnapshotRun(root: folder, named: cases, patterns: options.only)
    run.services = try sources.access()
    run.standIns = try sources.standIns()
    run.now = clock.now
    run.jobs = options.jobs ?? Processors.count
    return run
  }
}

/// The options for the services that the documents of cases name.
struct CaseSources: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JSON file with replacements for services: files or other addresses.", valueName: "file"),
    completion: .file())
  var services: String?
  @OptionGroup var exchanges: ExchangeOptions
  @OptionGroup var reach: ReachOptions

  /// The access to services, whose exchanges all cases record or replay together.
  func access() throws(MapStateError) -> ServiceAccess {
    var services = reach.services
    do { try exchanges.set(&services) } catch { throw MapStateError(error) }
    return services
  }

  /// The replacements for services; nil for those of the environment.
  func standIns() throws(MapStateError) -> StandInCatalog? {
    try services.map { file throws(MapStateError) in try StandInCatalog(file: file) }
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
