import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotAcceptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept the images of the last report as reference images.",
    usage: "mapstate snapshot accept [<folder>] (<cases> ... | --all) [<options>]",
    discussion: """
      Look at the images in the report first.

      EXAMPLES:
        mapstate snapshot verify Snapshots --only "symbols/*" --report-dir report
        mapstate snapshot accept Snapshots --all --report-dir report
      """)
  @Argument(help: "Folder of cases.", completion: .directory)
  var folder = "Snapshots"
  @Argument(help: "Cases to accept, by path below the folder.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var selection: AcceptedCases
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func validate() throws {
    if selection.all == !cases.isEmpty { throw ValidationError("Name the cases to accept, or give --all.") }
  }

  func run() async throws {
    let acceptance = try SnapshotAcceptance(reportFolder: selection.reportDir, root: folder)
    for name in selection.all ? acceptance.names : cases {
      let accepted = try acceptance.accept(name)
      try StandardOutput.write("accepted\t\(MessageText.name(accepted))\n")
    }
  }
}

/// The cases to accept.
struct AcceptedCases: ParsableArguments {
  @Flag(help: "Accept all failed cases.")
  var all = false
  @Option(help: ArgumentHelp("Folder of the report.", valueName: "dir"), completion: .directory)
  var reportDir = "snapshot-report"
}
