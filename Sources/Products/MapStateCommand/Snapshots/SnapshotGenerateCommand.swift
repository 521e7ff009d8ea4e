import ArgumentParser
import MapScript
import MapSnapshots
import MapState
import MapSystem

struct SnapshotGenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate cases from the classes of a document, or the zooms of a style.",
    usage: "mapstate snapshot generate <document> [<folder>] [<options>]",
    discussion: """
      Writes cases for each class, with each filter, at three scales around the features of the class. Cases of the \
      whole map show labels, both sides of each scale bound, and each display filter. Features have at least 100 \
      pixels in each case. Of a MapLibre style, writes a case for each of up to 16 zooms at which the appearance of a \
      layer changes. Lists what is left out, and skips cases that exist. Record the reference images afterwards.

      EXAMPLES:
        mapstate snapshot generate Styles/world-cities.json Generated
        mapstate snapshot record Generated --missing
      """)
  @Argument(help: "Web map document, style or data file.", completion: .file())
  var document: String
  @Argument(help: "Folder of cases.", completion: .directory)
  var folder = "Snapshots"
  @OptionGroup(title: HelpGroup.view) var shape: ImageShape
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: CaseSources
  @OptionGroup(title: HelpGroup.services) var tables: JoinOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func run() async throws {
    var generator = CaseGenerator(document: document)
    generator.services = try sources.access()
    generator.standIns = try sources.standIns()
    (generator.now, generator.joins) = (clock.now, tables.joins)
    if let size = shape.size { generator.size = (size.width, size.height) }
    var (made, blank, there) = (0, 0, 0)
    try await generator.generate(into: folder) { item throws(MapStateError) in
      let path = "\(folder)/\(item.name)"
      if let omission = item.omission {
        blank += 1
        try StandardOutput.write("left out\t\(MessageText.name(item.name))\t\(MessageText.line(omission))\n")
      } else if FileAccess.exists("\(path)/case.json") {
        there += 1
      } else {
        do {
          try FileAccess.makeFolder(path)
          try FileAccess.write(Array(item.text.utf8), to: "\(path)/case.json")
        } catch {
          throw MapStateError(error)
        }
        try StandardOutput.write("generated\t\(MessageText.name(item.name))\n")
        made += 1
      }
    }
    StandardError.write(
      "\(made) generated, \(blank) left out, \(there) exist already; "
        + "record missing reference images with: mapstate snapshot record \(folder) --missing")
  }
}

/// The size of generated cases.
struct ImageShape: ParsableArguments {
  @Option(
    help: ArgumentHelp("Image size in view pixels; default: 320x240.", valueName: "WxH"),
    transform: { try ViewSize(text: $0) })
  var size: ViewSize?
}

struct SnapshotSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of case.json.",
    usage: "mapstate snapshot schema",
    discussion: """
      EXAMPLES:
        mapstate snapshot schema
      """)

  func run() throws { try StandardOutput.write(SnapshotCase.schema) }
}
