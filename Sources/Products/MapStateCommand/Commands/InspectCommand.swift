import ArgumentParser
import MapScript
import MapState

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List the layers, fields, extents, renderers, filters and warnings of a source.",
    usage: "mapstate inspect <source> [<options>]",
    discussion: """
      EXAMPLES:
        mapstate inspect Styles/us-counties.json
        mapstate inspect Styles/data/world-cities.csv --format json
      """)

  @Argument(
    help: "Web map document (JSON), data file or layer URL, or - for standard input.", completion: .file())
  var source: String
  @OptionGroup(title: HelpGroup.output) var output: DocumentOutput
  @OptionGroup(title: HelpGroup.layers) var selection: InspectedLayer
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func run() async throws {
    var choice = LayerChoice()
    choice.skipsUnavailable = unavailable.areSkipped
    let layer = selection.layer
    if let layer { (choice.rule, choice.names) = (.named, [layer]) }
    let document: MapDocument
    do {
      var catalog = try sources.catalog()
      catalog.indexUse = .checking
      catalog.joins.layer = layer
      document = try await MapDocument.open(source, catalog: catalog, choice: choice)
    } catch {
      throw MapStateError(error)
    }
    let only = try layer.map { name throws(MapStateError) in try document.layer(named: name) }
    let inspection = try await Inspection(document, only: only)
    for warning in inspection.warnings { Warnings.add(warning, isInAnswer: true) }
    for note in document.notes { Warnings.note(note) }
    try StandardOutput.write(
      output.format == .json
        ? Warnings.noting(inspection.json).text(style: .pretty) + "\n" : inspection.text)
  }
}

/// The layer to inspect.
struct InspectedLayer: ParsableArguments {
  @Option(
    help: ArgumentHelp("List only this layer, by title, id or index from 0.", valueName: "name"))
  var layer: String?
}
