import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotAcceptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Take the pictures that the last report shows as references: what was looked at.")
  @Argument(help: "The folder of cases.")
  var folder = "Snapshots"
  @Argument(help: "Cases by their path below the folder.")
  var cases: [String] = []
  @Flag(help: "All cases that failed.")
  var all = false
  @Option(help: ArgumentHelp("The report's folder.", valueName: "dir"))
  var reportDir = "snapshot-report"
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    if all == !cases.isEmpty { throw ValidationError("say which: cases by name, or --all.") }
  }

  func run() async throws {
    let acceptance = try SnapshotAcceptance(reportFolder: reportDir, root: folder)
    for name in all ? acceptance.names : cases {
      try acceptance.accept(name)
      try StandardOutput.write("accepted\t\(MessageText.name(name))\n")
    }
  }
}
