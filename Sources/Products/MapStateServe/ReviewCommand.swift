import ArgumentParser
import MapHTTP
import MapState

struct ReviewCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Serve a page that accepts or rejects the images of a report of snapshots.",
    usage: "mapstate-serve review [<report>] [--cases <folder>] [<options>]",
    discussion: """
      The report is the folder of mapstate snapshot verify --report-dir. Accept makes the new image the reference image, \
      as mapstate snapshot accept does. Reject keeps the reference image. Both are noted in review.json in the report.

      Prints the address of the page on standard output. It ends with a token, which is another one at each start. Only \
      a page that was opened with it can accept and reject.

      EXAMPLES:
        mapstate snapshot verify Snapshots --report-dir snapshot-report
        mapstate-serve review snapshot-report --cases Snapshots
      """)
  @Argument(help: "Folder of the report.", completion: .directory)
  var report = "snapshot-report"
  @Option(help: ArgumentHelp("Folder of cases.", valueName: "folder"), completion: .directory)
  var cases = "Snapshots"
  @OptionGroup var options: ServerOptions

  func serve() throws(MapStateError) {
    let token = AccessToken.random()
    let service = ReviewService(
      try SnapshotReview(report, cases: cases), origin: OriginCheck(hosts: options.host, token: token))
    try RunningServer.run(options, page: "#token=\(token)", handler: { .ready(service.answer($0)) })
  }
}
