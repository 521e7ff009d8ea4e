import MapJSON

/// The paths below a map, with their parameters and descriptions.
package enum MapPath: String, CaseIterable, Sendable {
  case description = ""
  case image, count, funnel, statistics, features, legend, identify, lint, classes, revision
  case explanation = "explain"
  case tileJSON = "tiles.json"
  case tileCapabilities = "WMTSCapabilities.xml"
  case tile = "tiles/{z}/{x}/{y}.png"
  case series
  case seriesImage = "series/{number}"

  /// The names of the parameters.
  package var parameterNames: [String] { parameters.map(\.name) }

  var parameters: [RequestParameter] {
    let view = RequestParameter.view
    let formats = MapRequest.imageFormats.map(\.0)
    switch self {
    case .description: return []
    case .image:
      return view + RequestParameter.area + [RequestParameter.condition, RequestParameter.time]
        + RequestParameter.layout
        + RequestParameter.drawing + RequestParameter.style + RequestParameter.file
        + [RequestParameter("format", .choice(formats), "Format; default: png."), RequestParameter.download]
    case .series, .seriesImage:
      let cells = RequestParameter.drawing.filter { $0.name == "aggregate" }
      return RequestParameter.series + view + RequestParameter.area
        + [RequestParameter.condition, RequestParameter.time]
        + RequestParameter.layout + cells + RequestParameter.style
        + RequestParameter.file.filter { $0.name != "idsOf" }
        + [RequestParameter("format", .choice(formats), "Format of the images; default: png.")]
    case .count:
      let names = [
        "colorBy", "normalizeBy", "crossBy", "classes", "method", "breaks", "edges", "midpoint", "ramp",
        "colors", "hatch",
      ]
      let colors = RequestParameter.style.filter { names.contains($0.name) }
      return view + RequestParameter.question + colors + [RequestParameter.byClass]
    case .funnel:
      return view + RequestParameter.question + RequestParameter.style + [RequestParameter.byClass]
    case .statistics: return view + RequestParameter.question + RequestParameter.statistics
    case .features: return view + RequestParameter.question + RequestParameter.features
    case .legend:
      let own = RequestParameter.layout.filter {
        ["legendTitle", "legendInView", "legendCounts", "legendBars", "legendCharts", "legendColumns"]
          .contains($0.name)
      }
      return view + RequestParameter.area + [RequestParameter.condition, RequestParameter.time] + own
        + RequestParameter.style
        + [RequestParameter.background]
        + [RequestParameter("format", .choice(["json", "png"]), "Format; default: json.")]
    case .identify:
      return view + RequestParameter.area + [
        RequestParameter.time, RequestParameter("x", .number, "View pixels from the left.", isRequired: true),
        RequestParameter("y", .number, "View pixels from the top.", isRequired: true),
        RequestParameter("tolerance", .number, "Radius in view pixels, 0 to 20; default: 2."),
      ]
    case .explanation:
      return view + RequestParameter.area + [
        RequestParameter.time,
        RequestParameter("id", .integer, "Object id of the feature.", isRequired: true),
      ]
    case .lint, .classes, .revision: return []
    case .tileJSON, .tileCapabilities, .tile:
      let place = ["size", "viewpoint", "center", "scale", "zoom", "rotation", "reference"]
      return view.filter { !place.contains($0.name) } + [RequestParameter.condition, RequestParameter.time]
        + RequestParameter.style
        + RequestParameter.drawing.filter { $0.name != "aggregate" }
    }
  }

  var summary: String {
    switch self {
    case .description: "The layers, fields and warnings of a map."
    case .image: "An image of the map."
    case .count: "The number of features of each layer, by default in the view."
    case .funnel: "The number of features at each stage of filtering."
    case .statistics: "Statistics of a layer's features, by default of those in the view."
    case .features: "Features of a layer, by default those in the view."
    case .legend: "The legend of the map."
    case .identify: "The drawn features at a point of the view, from top to bottom."
    case .explanation: "The reasons why a feature is or is not drawn."
    case .lint: "The findings about the document."
    case .classes: "The classes of the layers, with their colours and bounds."
    case .revision: "The revision of the document and its data, which changes with them."
    case .tileJSON: "The address, area, first view and zoom levels of the tiles, as TileJSON 3.0.0."
    case .tileCapabilities: "The address, area and zoom levels of the tiles, for clients of WMTS 1.0.0."
    case .series: "The images of a series: one for each feature of a layer, or for each step of time."
    case .seriesImage: "An image of a series, by its number in the list."
    case .tile: "A tile in Web Mercator, 256 pixels wide; {y}@2x has 512."
    }
  }

  /// The media types of the answers, first the usual one.
  var types: [String] {
    switch self {
    case .image, .seriesImage: MapRequest.imageFormats.map(\.1)
    case .tile: ["image/png"]
    case .tileCapabilities: ["application/xml"]
    case .features:
      [
        "application/geo+json", "application/x-ndjson", "text/csv",
        "application/vnd.apache.arrow.stream", "application/json",
      ]
    case .legend: ["application/json", "image/png"]
    default: ["application/json"]
    }
  }
}
