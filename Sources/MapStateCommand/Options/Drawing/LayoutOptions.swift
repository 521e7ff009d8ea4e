import ArgumentParser
package import MapScript
import MapState
package import MapSystem

/// The options for the parts of an image around and on its map.
package struct LayoutOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Title above the map.", valueName: "text"))
  var title: String?
  @Option(help: ArgumentHelp("Line below the title.", valueName: "text"))
  var subtitle: String?
  @Option(
    defaultAsFlag: LayoutRequest.defaultLegend,
    help: ArgumentHelp("Legend beside or on the map.", valueName: "position"))
  var legend: PageLayout.LegendPosition?
  @Option(help: ArgumentHelp("Title of the legend, instead of the layer's.", valueName: "text"))
  var legendTitle: String?
  @Flag(help: "List only classes with a feature in the view.")
  var legendInView = false
  @Flag(help: "Add the number of drawn features to each class of the legend.")
  var legendCounts = false
  @Flag(help: "Show classes of numbers as a bar with the numbers at the breaks.")
  var legendBars = false
  @Option(
    defaultAsFlag: LayoutRequest.defaultScaleBar,
    help: ArgumentHelp("Scale bar, true at the centre of the map.", valueName: "units"))
  var scaleBar: PageLayout.ScaleBarUnits?
  @Flag(help: "North arrow.")
  var northArrow = false
  @Flag(inversion: .prefixedNo, help: "Draw the attribution that the data require; default: yes.")
  var attribution: Bool?
  @Flag(help: "Line around the map.")
  var frame = false

  package init() {}

  /// Refuses a wrong value after `=`, which the parser ignores for an option that may lack its value.
  package static func check(_ words: some Sequence<String>) throws(MapStateError) {
    for word in words {
      for (option, known) in [
        ("--legend", PageLayout.LegendPosition.allCases.map(\.rawValue)),
        ("--scale-bar", PageLayout.ScaleBarUnits.allCases.map(\.rawValue)),
      ] where word.hasPrefix("\(option)=") {
        let value = String(word.dropFirst(option.count + 1))
        guard !known.contains(value) else { continue }
        let nearest = NearestName.of(value, among: known)
        let advice = nearest.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"
        throw MapStateError(.usage, "\(option) has no value '\(value)'; \(advice)", suggestion: nearest)
      }
    }
  }

  /// The layout that the options request.
  package var request: LayoutRequest {
    var request = LayoutRequest()
    (request.title, request.subtitle) = (title, subtitle)
    (request.legend, request.scaleBar, request.northArrow) = (legend, scaleBar, northArrow)
    (request.legendInView, request.legendCounts) = (legendInView, legendCounts)
    (request.legendBars, request.legendTitle) = (legendBars, legendTitle)
    (request.attribution, request.frame) = (attribution, frame)
    return request
  }
}
