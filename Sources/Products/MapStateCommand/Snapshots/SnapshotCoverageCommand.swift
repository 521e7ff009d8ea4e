import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotCoverageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "List the parts of styles that no case shows.",
    usage: "mapstate snapshot coverage [<folder>] [<cases> ...] [<options>]",
    discussion: """
      Draws every case, and lists the classes, default symbols, label classes, display filters and sides of scale \
      bounds that none of them shows. With --require all, exits with 1 if there is one.

      EXAMPLES:
        mapstate snapshot coverage Snapshots
        mapstate snapshot coverage Snapshots symbols/line-joins --require all
      """)
  @Argument(help: "Folder of cases.", completion: .directory)
  var folder = "Snapshots"
  @Argument(help: "Cases, by path below the folder; without any, all.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var required: RequiredCoverage
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: CaseSources
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func run() async throws {
    let coverage = try await SnapshotCoverage(
      root: folder, named: cases, services: sources.access(), standIns: sources.standIns(),
      now: clock.now)
    for part in coverage.missing {
      try StandardOutput.write(
        "missing\t\(MessageText.name(part.document))\t\(MessageText.line(part.description))\n")
    }
    let (all, missing) = (coverage.parts.count, coverage.missing.count)
    StandardError.write("\(all - missing) of \(all) parts shown")
    if required.require != nil, missing > 0 {
      throw ExitCode(MapStateError.Kind.expectation.exitCode)
    }
  }
}

/// The coverage that a run requires.
struct RequiredCoverage: ParsableArguments {
  /// The parts that must be shown.
  enum Parts: String, ExpressibleByArgument, CaseIterable {
    case all
  }

  @Option(help: ArgumentHelp("Exit with 1 if a part is not shown.", valueName: "parts"))
  var require: Parts?
}
