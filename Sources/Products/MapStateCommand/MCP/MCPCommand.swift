import ArgumentParser
import MapScript
import MapState

struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer questions of AI assistants about the maps in folders (Model Context Protocol).",
    usage: "mapstate mcp <folder> ... [<options>]",
    discussion: """
      Reads requests of the Model Context Protocol from standard input and writes the answers to standard output, one \
      JSON message per line, until the input ends.

      The tools are open, describe, count, statistics, query, render and explain. Each is a step of mapstate run. They \
      write no files, and open only documents and data below the folders. Documents may name services, as everywhere.

      EXAMPLES:
        mapstate mcp Styles
        echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | mapstate mcp Styles
      """)

  @Argument(help: "Folders with the maps and data that may be opened.", completion: .directory)
  var folder: [String]
  @OptionGroup(title: HelpGroup.services) var reach: ReachOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    let folders = try MCPFolders(folder)
    let catalog = SourceCatalog(allowedFolders: folder, services: reach.services)
    let session = MapSession(catalog: catalog, threads: threads.count, returnsData: true)
    try await MCPServer(tools: MCPTool.all(), folders: folders, session: session).serve()
  }
}
