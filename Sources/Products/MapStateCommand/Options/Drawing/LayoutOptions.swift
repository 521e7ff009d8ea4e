import ArgumentParser
package import MapScript
import MapState
package import MapSystem

/// The options for the parts of an image around and on its map.
package struct LayoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JSON file with the titles, the legend and other parts as fields of a layout; options replace them.",
      valueName: "file"),
    completion: .file(extensions: ["json"]), transform: { try LayoutRequest(template: $0) })
  var template: LayoutRequest?
  @Option(help: ArgumentHelp("Title above the map.", valueName: "text"))
  var title: String?
  @Option(help: ArgumentHelp("Line below the title.", valueName: "text"))
  var subtitle: String?
  @OptionGroup var legend: LegendOptions
  @Flag(help: "Show classes of numbers as a bar with the numbers at the breaks.")
  var legendBars = false
  @Flag(help: "Show the distribution of the numbers in a chart, with the classes below it.")
  var legendCharts = false
  @Option(
    help: ArgumentHelp("Columns of the legend, 1 to 12; default: as few as fit.", valueName: "n"),
    transform: { try LayoutRequest.columns(text: $0) })
  var legendColumns: Int?
  @Option(
    defaultAsFlag: LayoutRequest.defaultScaleBar,
    help: ArgumentHelp("Scale bar, true at the centre of the map.", valueName: "units"))
  var scaleBar: PageLayout.ScaleBarUnits?
  @Flag(help: "Small map of the surroundings, with the outline of the map.")
  var locator = false
  @Flag(help: "North arrow.")
  var northArrow = false
  @Option(
    defaultAsFlag: AttributionOption.required,
    help: ArgumentHelp("Draw the attribution that the data require, and a text.", valueName: "text"))
  var attribution: AttributionOption?
  @Flag(help: "Draw no attribution.")
  var noAttribution = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Small map of a bookmark, layer, feature or extent, also in another spatial reference; repeatable.",
      valueName: "name|bounds[@reference][:corner]"),
    transform: { try PageLayout.Inset(text: $0) })
  var inset: [PageLayout.Inset] = []
  @Flag(help: "Line around the map.")
  var frame = false
  @Option(
    help: ArgumentHelp("Empty border of the page, such as 10mm, 0.5in or view pixels.", valueName: "length"),
    transform: { try PageMargin(text: $0).pixels })
  var margin: Double?

  package init() {}

  package func validate() throws {
    if attribution != nil, noAttribution {
      throw ValidationError("--attribution contradicts --no-attribution; give one of them.")
    }
  }

  /// The options that may lack their value, with their values.
  private static let lackingValues = [
    ("--legend", PageLayout.LegendPosition.allCases.map(\.rawValue)),
    ("--scale-bar", PageLayout.ScaleBarUnits.allCases.map(\.rawValue)),
  ]

  /// Refuses a wrong value after `=`, which the parser ignores for an option that may lack its value.
  package static func check(_ words: some Sequence<String>) throws(MapStateError) {
    for word in words {
      for (option, known) in lackingValues where word.hasPrefix("\(option)=") {
        let value = String(word.dropFirst(option.count + 1))
        if !known.contains(value) { throw wrong(value, of: option, known) }
      }
    }
  }

  /// Returns the error for a wrong value after a blank, which the parser takes for another argument; nil if there is none.
  ///
  /// A value that names a file is no wrong value, because the source may follow such an option.
  static func wrongValue(among words: [String]) -> MapStateError? {
    for (word, value) in zip(words, words.dropFirst()) {
      for (option, known) in lackingValues
      where word == option && !known.contains(value) && !value.hasPrefix("-") && !FileAccess.exists(value) {
        return wrong(value, of: option, known)
      }
    }
    return nil
  }

  private static func wrong(_ value: String, of option: String, _ known: [String]) -> MapStateError {
    let nearest = NearestName.of(value, among: known)
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"
    return MapStateError(.usage, "\(option) has no value '\(value)'; \(advice)", suggestion: nearest)
  }

  /// The layout that the options request.
  package var request: LayoutRequest {
    var request = legend.request
    (request.title, request.subtitle, request.legendBars) = (title, subtitle, legendBars)
    (request.legendCharts, request.legendColumns) = (legendCharts, legendColumns)
    (request.scaleBar, request.northArrow) = (scaleBar, northArrow)
    (request.frame, request.margin, request.insets, request.locator) = (frame, margin, inset, locator)
    request.attribution = noAttribution ? false : attribution.map { _ in true }
    if case .text(let text) = attribution { request.attributionText = text }
    return template.map { request.filled(from: $0) } ?? request
  }
}

/// The attribution that the data require, or a text besides.
enum AttributionOption: ExpressibleByArgument {
  case required
  case text(String)

  /// Takes a text; nil for the source of the map, which may follow the option.
  init?(argument: String) {
    guard !argument.isEmpty, argument != "-", !FileAccess.exists(argument),
      argument.contains(" ") || !argument.contains("://")
    else { return nil }
    self = .text(argument)
  }
}
