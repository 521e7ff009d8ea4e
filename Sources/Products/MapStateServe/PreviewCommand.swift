import ArgumentParser
import MapHTTP
import MapState
import MapSystem

struct PreviewCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Serve a page that shows one map and changes its filters and classes.",
    usage: "mapstate-serve preview <file> [--save-to <file>] [--cases <folder>] [<options>]",
    discussion: """
      Prints the address of the page on standard output. The page is drawn again when the document or its data change, \
      and writes only the files that the options name.

      The address ends with a token, which is another one at each start. Only a page that was opened with it can write.

      EXAMPLES:
        mapstate-serve preview Styles/world-cities.json
        mapstate-serve preview draft.json --save-to draft.json --cases Snapshots
      """)
  @Argument(help: "Document or data source.", completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp(
      "Document to save to, in the folder of the file; may be the file itself.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var saveTo: String?
  @Option(
    help: ArgumentHelp("Folder of snapshot cases to add cases to.", valueName: "folder"),
    completion: .directory)
  var cases: String?
  @OptionGroup var options: ServerOptions

  func serve() throws(MapStateError) {
    guard FileRevision(file) != nil else {
      throw MapStateError(.input, "\(file): no such file; name one document or data source")
    }
    let maps = try MapFolder(file)
    let files = try PreviewFiles(of: file, document: saveTo, cases: cases)
    let token = saveTo == nil && cases == nil ? nil : AccessToken.random()
    let service = MapService(
      maps, limits: options.limits, origin: OriginCheck(hosts: options.host, token: token),
      files: token == nil ? nil : files)
    try RunningServer.run(
      options,
      page: "maps/\(FilePath.percentEncoded(FilePath.stem(of: file)))/preview"
        + (token.map { "#token=\($0)" } ?? ""),
      log: { service.count($0) }, handler: { service.begin($0) })
  }
}
