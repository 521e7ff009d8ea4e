import ArgumentParser
import MapState

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what is in a source: layers, fields, counts, extents, renderers, filters, warnings.")

  @Argument(help: "A web map document (JSON), a data file or the address of a layer; - reads standard input.")
  var source: String
  @Option(help: ArgumentHelp("Only this layer, by title, id or index.", valueName: "name"))
  var layer: String?
  @Flag(help: "Leave out layers that cannot be read, with a warning.")
  var skipUnavailable = false
  @OptionGroup var sources: SourceOptions
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions
  @Option(help: "Form of the answer: text or json.")
  var format: Format = .text

  /// The form of the answer.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  func run() async throws {
    var choice = LayerChoice()
    choice.skipsUnavailable = skipUnavailable
    if let layer { (choice.rule, choice.names) = (.named, [layer]) }
    let document: MapDocument
    do {
      document = try await MapDocument.open(source, catalog: try sources.catalog(reporting), choice: choice)
    } catch {
      throw MapError(error)
    }
    let only = try layer.map { name throws(MapError) in try document.layer(named: name) }
    let inspection = try await Inspection(document, only: only)
    for warning in inspection.warnings { Warnings.add(warning, isInAnswer: true) }
    try StandardOutput.write(format == .json ? inspection.json.text(style: .pretty) + "\n" : inspection.text)
  }
}
