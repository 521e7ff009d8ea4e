import ArgumentParser
import MapState

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why a feature is or is not drawn.",
    discussion: """
      Lists the stages of the filter funnel with the reason at the first one that the feature fails, its class \
      and symbol, the result of its labels, and the features that cover it in the image that render draws with \
      the same options.
      """)

  @OptionGroup var map: MapOptions
  @OptionGroup var bounds: ViewBounds
  @Flag(help: "Leave out layers that cannot be read, with a warning.")
  var skipUnavailable = false
  @Option(parsing: .unconditional, help: ArgumentHelp("The object id of the feature.", valueName: "n"))
  var id: Int64
  @Option(help: "Form of the answer: text or json.")
  var format: InspectCommand.Format = .text

  func validate() throws { try bounds.check(map) }

  func run() async throws {
    var choice = map.choice(.visible)
    // A hidden layer is read too when it is asked about.
    choice.names += [map.layer].compactMap { $0 }
    (choice.readsSingle, choice.skipsUnavailable) = (true, skipUnavailable)
    let document = try await map.open(.all, choice)
    var options = map.viewOptions(bounds: bounds.envelope)
    options.time = map.time?.extent
    let state = try await document.view(options).freeze()
    let explanation = try await state.explanation(of: try map.oneLayerIndex(in: document), objectID: id)
    await map.warnOfAnswers(in: document, state)
    guard format == .json else { return try StandardOutput.write(explanation.text) }
    var json = explanation.json.object ?? JSONObject()
    json["warnings"] = Warnings.json
    try StandardOutput.write(JSONValue.object(json).text(style: .pretty) + "\n")
  }
}
