import ArgumentParser
import MapScript
import MapState
import MapStyles

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List the layers, fields, extents, renderers, filters and warnings of a source.",
    usage: "mapstate inspect <source> [<options>]",
    discussion: """
      Of a set of tiles, lists the zoom levels with their tiles, and the layers of vector tiles with their fields and \
      pieces; FILE#LAYER describes the features of a layer. Of a MapLibre style, lists sources and layers, the values \
      of their properties or the inputs that decide them, and the members that are unknown, invalid or not drawn.

      EXAMPLES:
        mapstate inspect Styles/us-counties.json
        mapstate inspect Styles/data/world-cities.csv --format json
        mapstate inspect Styles/tiles/helsinki.pmtiles
        mapstate inspect Styles/tiles/helsinki.style.json
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
    if let style = try StyleDocument(at: source) {
      let inspection = try StyleInspection(style, only: selection.layer)
      sources.warnOfUnusedOptions("the description of a style reads no other file")
      return try write(inspection.text, inspection.json, warnings: inspection.warnings)
    }
    if selection.layer == nil, let inspection = try TileInspection(of: source) {
      sources.warnOfUnusedOptions("the description has all levels of the tiles; FILE#LAYER reads a table")
      return try write(inspection.text, inspection.json, warnings: inspection.warnings)
    }
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
    // A style on a server is known only after its address was asked.
    if let json = document.style, let style = try? StyleDocument(json) {
      let inspection = try StyleInspection(style, only: layer)
      return try write(inspection.text, inspection.json, warnings: inspection.warnings)
    }
    let only = try layer.map { name throws(MapStateError) in try document.layer(named: name) }
    let inspection = try await Inspection(document, only: only)
    for note in document.notes + document.relationshipNotes { Warnings.note(note) }
    sources.warnOfUnusedTiles([document])
    try write(inspection.text, inspection.json, warnings: inspection.warnings.map(\.description))
  }

  /// Writes a description, which has its warnings.
  private func write(_ text: String, _ json: JSONValue, warnings: [String]) throws {
    for warning in warnings { Warnings.add(warning, isInAnswer: true) }
    try StandardOutput.write(
      output.format == .json ? Warnings.noting(json).text(style: .pretty) + "\n" : text)
  }
}

/// The layer to inspect.
struct InspectedLayer: ParsableArguments {
  @Option(
    help: ArgumentHelp("List only this layer, by title, id or index from 0.", valueName: "name"))
  var layer: String?
}
