import ArgumentParser
import MapReaders
import MapScript
import MapState

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why a feature is or is not drawn.",
    usage: "mapstate explain <source> --id <n> [<options>]",
    discussion: """
      Lists the stages of filtering, and gives the reason at the stage that removes the feature from the image. Also \
      shows the class, symbol and labels of the feature, and the features drawn over it. The image is the one that \
      render draws with the same options.

      EXAMPLES:
        mapstate explain Styles/us-counties.json --layer Counties --id 100
      """)

  @OptionGroup(title: HelpGroup.question) var feature: FeatureSelection
  @OptionGroup(title: HelpGroup.output) var output: DocumentOutput
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.drawing) var drawing: FontOptions
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers

  func validate() throws { try bounds.check(map) }

  func run() async throws {
    var choice = map.choice(.visible)
    // Also opens the named layer when it is hidden.
    choice.names += [map.layers.layer].compactMap { $0 }
    (choice.readsSingle, choice.skipsUnavailable) = (true, unavailable.areSkipped)
    let fonts = try drawing.fonts()
    let document = try await map.open(.all, choice, fonts: fonts)
    document.map.fonts = fonts
    let request = map.request(bounds: bounds.envelope)
    map.warnOfPadding(document, request)
    map.warnOfPlace(document, request)
    let state = try await document.view(request).freeze()
    let explanation = try await state.explanation(of: try document.layerIndex(request), objectID: feature.id)
    await map.warnOfAnswers(in: document, state)
    guard output.format == .json else { return try StandardOutput.write(explanation.text) }
    var json = explanation.json.object ?? JSONObject()
    json["warnings"] = Warnings.json
    try StandardOutput.write(JSONValue.object(json).text(style: .pretty) + "\n")
  }
}

/// The feature to explain.
struct FeatureSelection: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Object ID of the feature.", valueName: "n"))
  var id: Int64
}

/// The format of an answer that is no table.
struct DocumentOutput: ParsableArguments {
  /// The formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Option(help: "Format of the answer.")
  var format: Format = .text
}
