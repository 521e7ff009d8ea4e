import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotGenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make cases of a document's symbology: each class, in each filter mode, at three scales.",
    discussion:
      "What shows nothing and cases that are there already are left out. Record references afterwards.")
  @Argument(help: "A web map or a data file.")
  var document: String
  @Argument(help: "The folder of cases.")
  var folder = "Snapshots"
  @Option(help: ArgumentHelp("Size of the pictures in view pixels.", valueName: "wxh"))
  var size: ViewSize?
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    var generator = CaseGenerator(document: document)
    generator.services = reporting.services
    if let size { generator.size = (size.width, size.height) }
    var (made, blank, there) = (0, 0, 0)
    try await generator.generate(into: folder) { item throws(MapError) in
      let path = "\(folder)/\(item.name)"
      if item.isBlank {
        blank += 1
      } else if FileAccess.exists("\(path)/case.json") {
        there += 1
      } else {
        do {
          try FileAccess.makeFolder(path)
          try FileAccess.write(Array(item.text.utf8), to: "\(path)/case.json")
        } catch {
          throw MapError(error)
        }
        try StandardOutput.write("generated\t\(MessageText.name(item.name))\n")
        made += 1
      }
    }
    StandardError.write(
      "\(made) generated, \(blank) left out because nothing shows, \(there) were there already; "
        + "record what has no reference with: mapstate snapshot record \(folder) --missing")
  }
}

struct SnapshotSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of case.json.")

  func run() throws { try StandardOutput.write(SnapshotCase.schema) }
}
