import ArgumentParser
import MapScript
import MapState
import MapSystem

struct LegendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "legend", abstract: "Draw the legend of a map as a PNG image, or write it as JSON.",
    usage: "mapstate legend <source> -o <file> [<options>]",
    discussion: """
      Lists the classes of the layers that are visible at the scale of the view, with the symbols that render draws. A \
      file with the ending .json gets the labels, and the symbols as PNG images in base64.

      EXAMPLES:
        mapstate legend Styles/us-counties.json -o legend.png
        mapstate legend Styles/data/us-counties.geojson -o rates.png \\
          --color-by unemployment_rate
        mapstate legend Styles/world-cities.json -o legend.json --counts --in-view
      """)

  @OptionGroup(title: HelpGroup.output) var output: LegendOutput
  @OptionGroup(title: HelpGroup.drawing) var fonts: FontOptions
  @OptionGroup(title: HelpGroup.style) var style: StyleOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.filters) var conditions: ConditionOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers

  func validate() throws { try bounds.check(map) }

  func run() async throws {
    var choice = map.choice(.visible)
    choice.skipsUnavailable = unavailable.areSkipped
    choice.readsBasemap = false
    let fonts = try fonts.fonts()
    let style = style.request
    var document = try await map.open(
      FieldSelection(map, style, names: conditions.fieldNames), choice, fonts: fonts)
    document = try await map.styled(
      document, style, for: map.request(bounds: bounds.envelope, conditions: conditions.clauses), fonts: fonts
    )
    document.map.fonts = fonts
    if output.isJSON, !fonts.isEmpty { Warnings.add("--font has no effect: a JSON file has no font") }
    var request = map.request(bounds: bounds.envelope, conditions: conditions.clauses)
    // Default symbols suit the background of the legend.
    request.background = output.background.map { $0.color }
    request.applyMedium()
    map.warnOfDrawing(document, request, style)
    if output.isJSON, output.background != nil {
      Warnings.add("--background has no effect: a JSON file has no background")
    }
    if output.isJSON, output.columns != nil {
      Warnings.add("--columns has no effect: a JSON file has no columns")
    }
    let view = try await document.view(request).freeze()
    var legend = try await view.legend(
      viewOnly: output.inView, counts: output.counts, bars: output.bars, charts: output.charts)
    legend.title = output.title ?? ""
    if legend.isEmpty { Warnings.add("the legend is empty: no layer has a class to show") }
    let bytes: [UInt8]
    if output.isJSON {
      for warning in legend.warnings { Warnings.add(warning) }
      bytes = Array((try await legend.json(pixelRatio: request.pixelRatio).text(style: .pretty) + "\n").utf8)
    } else {
      let background = output.background.map { $0.color } ?? .white
      let image = try legend.makeImage(
        pixelRatio: request.pixelRatio, background: background, columns: output.columns)
      for warning in image.warnings { Warnings.add(warning) }
      do { bytes = try image.bitmap.pngData() } catch { throw MapStateError(error) }
    }
    await map.warnOfAnswers(in: document, view)
    do { try FileAccess.write([(bytes, output.file)], keeping: document.inputs) } catch {
      throw MapStateError(error)
    }
  }
}

/// The file and the content of a legend.
struct LegendOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "PNG or JSON file to write; - writes a PNG image to standard output.", valueName: "file"),
    completion: .file())
  var file: String
  @Option(
    name: [.customLong("title"), .customLong("legend-title")],
    help: ArgumentHelp("Title of the legend, instead of the layer's.", valueName: "text"))
  var title: String?
  @Flag(
    name: [.customLong("counts"), .customLong("legend-counts")],
    help: "Add the number of drawn features to each class.")
  var counts = false
  @Flag(
    name: [.customLong("in-view"), .customLong("legend-in-view")],
    help: "List only classes with a feature in the view.")
  var inView = false
  @Flag(
    name: [.customLong("bars"), .customLong("legend-bars")],
    help: "Show classes of numbers as a bar with the numbers at the breaks.")
  var bars = false
  @Flag(
    name: [.customLong("charts"), .customLong("legend-charts")],
    help: "Show the distribution of the numbers in a chart, with the classes below it.")
  var charts = false
  @Option(
    name: [.customLong("columns"), .customLong("legend-columns")],
    help: ArgumentHelp("Columns of the legend, 1 to 12; default: as few as fit.", valueName: "n"),
    transform: { try LayoutRequest.columns(text: $0) })
  var columns: Int?
  @Option(
    help: ArgumentHelp("Background colour, or none for transparent; default: white.", valueName: "color"),
    transform: { try BackgroundOption(text: $0) })
  var background: BackgroundOption?

  var isJSON: Bool { FilePath.pathExtension(of: file) == "json" }

  func validate() throws {
    do { try PictureFile.check(file, others: ["json"]) } catch { throw ValidationError("-o \(error).") }
  }
}
