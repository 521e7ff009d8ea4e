import ArgumentParser
import MapScript
import MapState

/// The options for a legend on or beside the map.
struct LegendOptions: ParsableArguments {
  @Option(
    defaultAsFlag: LayoutRequest.defaultLegend,
    help: ArgumentHelp("Legend beside or on the map.", valueName: "position"))
  var legend: PageLayout.LegendPosition?
  @Option(help: ArgumentHelp("Title of the legend, instead of the layer's.", valueName: "text"))
  var legendTitle: String?
  @Flag(help: "List only classes with a feature in the view.")
  var legendInView = false
  @Flag(
    name: [.customLong("legend-counts"), .customLong("counts")],
    help: "Add the number of drawn features to each class of the legend.")
  var legendCounts = false

  /// The layout that the options request.
  var request: LayoutRequest {
    var request = LayoutRequest()
    (request.legend, request.legendTitle) = (legend, legendTitle)
    (request.legendInView, request.legendCounts) = (legendInView, legendCounts)
    return request
  }
}
