import ArgumentParser
import MapReaders
import MapScript
import MapState
import MapStyles

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why a feature is or is not drawn.",
    usage: """
      mapstate explain <source> --id <n> [<options>]
      mapstate explain <style> --layer <id> --zoom <z> [<options>]
      mapstate explain <style> --at <x,y> [<options>]
      """,
    discussion: """
      Lists the stages of filtering, and gives the reason at the stage that removes the feature from the image. Also \
      shows the class, symbol and labels of the feature, and the features drawn over it. The image is the one that \
      render draws with the options of explain; the other options of render have their defaults.

      Of a MapLibre style, shows for a layer at a zoom whether a feature with the properties of --properties passes \
      the filter, and the value of every property with its origin: the style, its default, or the default because of an \
      error in an expression. With --at, shows the layers of the style at a pixel of this image, from top to bottom: \
      each with the feature, its properties, and the values that drew it.

      EXAMPLES:
        mapstate explain Styles/us-counties.json --layer Counties --id 100
        mapstate explain Styles/tiles/helsinki.style.json --layer roads --zoom 14 \\
          --properties '{"class": "primary"}'
        mapstate explain Styles/tiles/helsinki.style.json --at 400,300 --zoom 14
      """)

  @OptionGroup(title: HelpGroup.question) var feature: FeatureSelection
  @OptionGroup(title: HelpGroup.question) var styleFeature: StyleFeatureOptions
  @OptionGroup(title: HelpGroup.output) var output: DocumentOutput
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.drawing) var drawing: FontOptions
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers

  func validate() throws { try bounds.check(map) }

  func run() async throws {
    if let at = styleFeature.at { return try await explain(at: at.point) }
    if let style = try StyleDocument(at: map.source) { return try explain(style) }
    if let name = styleFeature.given {
      throw MapStateError(.usage, "\(name) is for styles; \(map.source) is none")
    }
    guard let id = feature.id else {
      throw MapStateError(.usage, "--id is missing: the object ID of the feature to explain")
    }
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
    let explanation = try await state.explanation(of: try document.layerIndex(request), objectID: id)
    await map.warnOfAnswers(in: document, state)
    guard output.format == .json else { return try StandardOutput.write(explanation.text) }
    var json = explanation.json.object ?? JSONObject()
    json["warnings"] = Warnings.json
    try StandardOutput.write(JSONValue.object(json).text(style: .pretty) + "\n")
  }
}

extension ExplainCommand {
  /// Explains the layers of a style at a pixel.
  private func explain(at point: ScreenPoint) async throws {
    let document = try await map.open(.all, map.choice(.visible))
    guard !document.map.vectorTiledLayers.isEmpty else {
      throw MapStateError(.usage, "--at is for styles; \(map.source) is none")
    }
    if let name = styleFeature.givenFeature ?? (feature.id == nil ? nil : "--id") {
      throw MapStateError(.usage, "\(name) has no use: --at finds the features in the tiles")
    }
    let request = map.request(bounds: bounds.envelope, zoom: styleFeature.zoom?.value)
    let state = try await document.view(request).freeze()
    let answer = try await StylePixelExplanation(state, at: point)
    guard output.format == .json else { return try StandardOutput.write(answer.text) }
    var json = answer.json.object ?? JSONObject()
    json["warnings"] = Warnings.json
    try StandardOutput.write(JSONValue.object(json).text(style: .pretty) + "\n")
  }

  /// Explains a layer of a style.
  private func explain(_ style: StyleDocument) throws {
    guard let layer = map.layers.layer, let zoom = styleFeature.zoom?.value else {
      throw MapStateError(
        .usage,
        "\(map.source) is a style: --at is needed, or --layer and --zoom, as in --layer water --zoom 12")
    }
    for warning in try StyleInspection(style, only: layer).warnings { Warnings.add(warning) }
    var question = StyleQuestion(layer: layer, zoom: zoom)
    (question.id, question.geometryType) = (feature.id, styleFeature.geometryType)
    question.state = try styleFeature.states()
    if let properties = styleFeature.properties {
      do { question.properties = try JSONValue(parsing: Array(properties.utf8)) } catch {
        throw MapStateError(
          .usage, "--properties: \(error); give an object, such as '{\"class\": \"park\"}'")
      }
    }
    let answer = try question.answer(style)
    guard output.format == .json else { return try StandardOutput.write(answer.text) }
    var json = answer.json.object ?? JSONObject()
    json["warnings"] = Warnings.json
    try StandardOutput.write(JSONValue.object(json).text(style: .pretty) + "\n")
  }
}

/// The feature to explain.
struct FeatureSelection: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Object ID of the feature; needed but for styles.", valueName: "n"))
  var id: Int64?
}

/// The feature for which the properties of a style are explained.
struct StyleFeatureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Zoom of a style, 0 to 30; at zoom 0, the world is 512 pixels wide.", valueName: "z"))
  var zoom: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Point of the image for a style, in view pixels from the top left corner.", valueName: "x,y"),
    transform: { try PixelOption(text: $0) })
  var at: PixelOption?
  @Option(help: ArgumentHelp("Properties of a feature for a style, as a JSON object.", valueName: "json"))
  var properties: String?
  @Option(
    help: ArgumentHelp(
      "Geometry of a feature for a style: Point, LineString or Polygon; default: that of the layer's type.",
      valueName: "type"))
  var geometryType: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "State that a style reads by feature-state or global-state; the value is JSON or a text; repeatable.",
      valueName: "key=value"))
  var state: [String] = []

  func validate() throws { try ZoomOption.check(zoom) }

  /// The name of an option that is given; nil for none.
  var given: String? { zoom == nil ? givenFeature : "--zoom" }

  /// The name of an option about the feature that is given; nil for none.
  var givenFeature: String? {
    let names = [
      ("--properties", properties != nil), ("--geometry-type", geometryType != nil),
      ("--state", !state.isEmpty),
    ]
    return names.first(where: \.1)?.0
  }

  /// The names and values of the state.
  func states() throws(MapStateError) -> [(name: String, value: JSONValue)] {
    try state.map { text throws(MapStateError) in
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw MapStateError(.usage, "--state \(text): expected KEY=VALUE, such as hover=true")
      }
      let value = String(text[text.index(after: equals)...])
      return (String(text[..<equals]), (try? JSONValue(parsing: Array(value.utf8))) ?? .string(value))
    }
  }
}

/// A point of an image.
struct PixelOption {
  let point: ScreenPoint

  init(text: String) throws {
    guard let numbers = DecimalNumbers.read(text, counts: 2...2) else {
      throw ValidationError("expected x,y in view pixels, for example 400,300")
    }
    point = ScreenPoint(x: numbers[0], y: numbers[1])
  }
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
