import MapJSON
import MapModel
import MapScript
import MapState

extension RequestParameter {
  /// The parameters of a view's size, filters and layers; their names are those of `ViewRequest`.
  static let view: [RequestParameter] =
    [
      RequestParameter("size", .text, "Width and height in view pixels, such as 800x600."),
      RequestParameter("viewpoint", .text, "LAT,LON,SCALE[,ROTATION]: centre, scale denominator, rotation."),
      RequestParameter("center", .text, "LAT,LON of the centre; goes with scale or zoom."),
      RequestParameter("scale", .number, "Scale denominator; goes with center."),
      RequestParameter(
        "zoom", .number, "Zoom in the place of the scale, 0 to 30: at 0, the world is 512 view pixels wide."),
      RequestParameter("rotation", .number, "Counterclockwise rotation in degrees."),
      RequestParameter("reference", .text, "Spatial reference of the map: a WKID, or such as EPSG:25832."),
      RequestParameter("layer", .text, "Layer for filters without a name: its title, id or index."),
      RequestParameter("only", .texts, "Layer to draw or ask; may be repeated."),
      RequestParameter("hide", .texts, "Layer to hide; may be repeated."),
      RequestParameter("show", .texts, "Layer to show; may be repeated."),
      RequestParameter(
        "filters", .choice(FilterMode.allCases.map(\.rawValue)), "Filters of the document that apply."),
      RequestParameter("definition", .texts, "SQL or NAME: SQL that replaces a definition expression."),
      RequestParameter("displayFilter", .texts, "SQL or NAME: SQL that replaces a display filter."),
      RequestParameter("now", .text, "Current time of filters and expressions, in ISO 8601."),
    ] + classes

  /// The parameters of changed classes; class -1 is that of all other features.
  static let classes: [RequestParameter] = [
    RequestParameter("classColor", .texts, "[NAME: ]CLASS=COLOUR: colour of a class, such as 2=#d7301f."),
    RequestParameter("classBreak", .texts, "[NAME: ]CLASS=NUMBER: upper bound of a class."),
    RequestParameter("classLabel", .texts, "[NAME: ]CLASS=TEXT: label of a class."),
  ]

  /// The parameters of a saved document and of a snapshot case.
  private static let written =
    view.filter { ["size", "layer", "hide", "show", "definition", "displayFilter"].contains($0.name) }
    + classes
    + area.filter { $0.name == "bounds" } + [
      RequestParameter("revision", .text, "Revision of the map that was changed.")
    ]

  static let save =
    written + [RequestParameter("keepView", .boolean, "Make the place the initial viewpoint.")]

  static let snapshotCase =
    written + view.filter { $0.name == "now" } + [
      RequestParameter("name", .text, "Path of the new case below the folder of cases."),
      RequestParameter("title", .text, "Sentence that describes the image."),
    ]

  /// The parameters of the area of an image.
  static let area: [RequestParameter] = [
    RequestParameter("bounds", .text, "XMIN,YMIN,XMAX,YMAX[,WKID]: area to show, in degrees without a WKID."),
    RequestParameter("fit", .text, "Layer whose features are shown, or all."),
    RequestParameter("padding", .number, "Free view pixels on each side."),
    RequestParameter("pixelRatio", .number, "Output pixels per view pixel."),
    RequestParameter("for", .text, "Medium of the image: print, screen or projector."),
  ]

  /// The condition of paths that draw.
  static let condition = RequestParameter(
    "where", .texts, "SQL or NAME: SQL, added by AND to a definition expression.")

  static let time = RequestParameter("time", .text, "Time or START/END in ISO 8601.")

  /// The parameters of the parts around a map; their names are those of `LayoutRequest`.
  static let layout: [RequestParameter] = [
    RequestParameter("title", .text, "Title above the map."),
    RequestParameter("subtitle", .text, "Line below the title."),
    RequestParameter(
      "legend", .choiceOrFlag(PageLayout.LegendPosition.allCases.map(\.rawValue)), "Position of the legend."),
    RequestParameter("legendTitle", .text, "Title of the legend."),
    RequestParameter("legendInView", .boolean, "List only classes with a feature in the view."),
    RequestParameter("legendCounts", .boolean, "Add the number of drawn features to each class."),
    RequestParameter("legendBars", .boolean, "Show classes of numbers as a bar."),
    RequestParameter("legendCharts", .boolean, "Show the distribution of the numbers in a chart."),
    RequestParameter("legendColumns", .integer, "Columns of the legend, 1 to 12."),
    RequestParameter(
      "scaleBar", .choiceOrFlag(PageLayout.ScaleBarUnits.allCases.map(\.rawValue)), "Units of a scale bar."),
    RequestParameter("locator", .boolean, "Draw a small map of the surroundings."),
    RequestParameter("northArrow", .boolean, "Draw a north arrow."),
    RequestParameter(
      "inset", .texts, "NAME or BOUNDS[@REFERENCE][:CORNER]: area of a small map; may be repeated."),
    RequestParameter(
      "attribution", .textOrFlag,
      "Draw the attribution that the data require: true, false or a text besides it."),
    RequestParameter("frame", .boolean, "Draw a line around the map."),
    RequestParameter("margin", .text, "Empty border of the page, such as 10mm, 0.5in or view pixels."),
  ]

  /// The parameters of a question; their names are those of `QuestionRequest`.
  static let question: [RequestParameter] =
    area.filter { $0.name != "bounds" } + [
      RequestParameter(
        "bounds", .text, "XMIN,YMIN,XMAX,YMAX[,WKID]: extent to search, in degrees without a WKID."),
      RequestParameter("extent", .text, "The same as bounds."),
      RequestParameter("inView", .boolean, "Search the area of the view, which bounds then places."),
      RequestParameter("everywhere", .boolean, "Search all features, without an extent."),
      RequestParameter("where", .text, "Condition in SQL."),
      RequestParameter("cql2", .textOrObject, "Condition in CQL2, as text or JSON."),
      RequestParameter(
        "propertyCase", .choice(PropertyCase.allCases.map(\.rawValue)), "Treatment of case in names of CQL2."),
      RequestParameter("geometry", .object, "Query geometry in GeoJSON or Esri JSON."),
      RequestParameter("relation", .text, "Relation of the query geometry to a feature, such as contains."),
      time,
      RequestParameter("objectIds", .text, "Object ids of the features, between commas."),
    ]

  static let byClass = RequestParameter("byClass", .boolean, "Count the features of each class.")

  static let statistics: [RequestParameter] = [
    RequestParameter(
      "statistic", .texts, "TYPE:FIELD[:ALIAS], such as average:POP; may be repeated.", isRequired: true),
    RequestParameter("groupBy", .text, "Fields of groups, between commas."),
    RequestParameter("orderBy", .text, "FIELD[:asc|desc], between commas."),
    RequestParameter("having", .text, "Condition on the records in SQL."),
    RequestParameter("top", .integer, "Maximum number of records; 0 for all."),
    RequestParameter("bins", .text, "Cells as groups: hexagon:WIDTH, square:WIDTH or geohash:LENGTH."),
    RequestParameter("byTime", .text, "Steps of time as groups: hour, day, week, month or year."),
  ]

  static let features: [RequestParameter] = [
    RequestParameter("outFields", .text, "Fields to return, between commas; default: all."),
    RequestParameter("orderBy", .text, "FIELD[:asc|desc], between commas."),
    RequestParameter("offset", .integer, "Number of features to skip."),
    RequestParameter("maxFeatures", .integer, "Maximum number of features."),
    RequestParameter("noGeometry", .boolean, "Return no geometries."),
    RequestParameter(
      "outWkid", .text, "Spatial reference of the geometries, as in reference; default: 4326."),
    RequestParameter("maxOffset", .number, "Simplify geometries by at most this distance."),
    RequestParameter("format", .choice(["geojson", "ndjson", "csv", "arrow"]), "Format; default: geojson."),
    RequestParameter("ids", .boolean, "Return only the object ids."),
    RequestParameter("extentOnly", .boolean, "Return only the extent of the features."),
    RequestParameter("countOnly", .boolean, "Return only the number of features."),
    download,
  ]

  /// The parameters of symbols; their names are those of `StyleRequest`, without those of files.
  static let style: [RequestParameter] = StyleRequest.names.filter { $0 != "style" }.map { name in
    styles.first { $0.name == name } ?? RequestParameter(name, .textOrTexts, "As the option of render.")
  }

  private static let styles: [RequestParameter] = [
    RequestParameter(
      "colorBy", .textOrTexts,
      "[LAYER: ]FIELD that colours the features: classes of numbers, or one colour per text."),
    RequestParameter("normalizeBy", .textOrTexts, "Field that divides the numbers of colorBy."),
    RequestParameter("crossBy", .textOrTexts, "Field whose classes are crossed with those of colorBy."),
    RequestParameter(
      "classes", .textOrTexts, "Number of classes; default: at most 5 of numbers and 9 of texts."),
    RequestParameter(
      "method", .textOrTexts,
      "Bounds of classes: quantile, equal-interval, natural-breaks or standard-deviation."),
    RequestParameter("breaks", .textOrTexts, "Bounds of the classes, between commas."),
    RequestParameter("edges", .textOrTexts, "Bounds that are part of a class: upper or lower."),
    RequestParameter(
      "midpoint", .textOrTexts, "Number between two halves of the classes in a diverging ramp."),
    RequestParameter(
      "ramp", .textOrTexts, "Colour ramp, such as viridis, or its colours, such as #fee8c8-#e34a33."),
    RequestParameter(
      "colors", .textOrTexts, "Colours of the classes, between commas, such as #fee8c8,#e34a33."),
    RequestParameter("hatch", .textOrTexts, "Colour of hatches that replace the fills of classes of areas."),
    RequestParameter("noDataColor", .textOrTexts, "Colour of features without a class of colorBy, or none."),
    RequestParameter("symbol", .textsOrObjects, "Colour of the symbols, or a symbol in Esri JSON."),
    RequestParameter("opacity", .textOrTexts, "Opacity of the symbols, 0 to 1."),
    RequestParameter("outline", .textOrTexts, "Colour of the outlines of points and areas, or none."),
    RequestParameter("outlineWidth", .textOrTexts, "Width of these outlines in pixels."),
    RequestParameter(
      "marker", .textOrTexts, "Shape of points: circle, cross, diamond, square, triangle or x."),
    RequestParameter("symbolSize", .textOrTexts, "Size of points, or width of lines, in pixels."),
    RequestParameter("sizeBy", .textOrTexts, "Field that sizes points or lines."),
    RequestParameter("sizeRange", .textOrTexts, "Smallest and largest size in pixels, such as 3-40."),
    RequestParameter("sizeScaling", .textOrTexts, "Growth of the sizes: area or flannery."),
    RequestParameter("labelShort", .textOrTexts, "Field with shorter texts for small areas."),
    RequestParameter("labelPriority", .textOrTexts, "Field whose largest values are labelled first."),
    RequestParameter("label", .textOrTexts, "Field that labels the features."),
  ]

  static let download = RequestParameter(
    "download", .boolean, "Let browsers save the answer as a file with the name of the map.")

  static let background = RequestParameter("background", .text, "Background colour, or none for transparent.")

  /// The parameters of everything below and instead of the symbols.
  static let drawing: [RequestParameter] = [
    background,
    RequestParameter(
      "basemap", .choice(Basemap.Style.withDrawing.map(\.rawValue)), "Style of the bundled basemap."),
    RequestParameter("noBasemap", .boolean, "Draw no basemap."),
    RequestParameter("basemapNames", .boolean, "Draw names of countries, seas and cities over the layers."),
    RequestParameter("graticule", .boolean, "Draw meridians and parallels below the layers."),
    RequestParameter("aggregate", .text, "Draw counts of points in cells, such as hexagon:24."),
  ]

  /// The parameters of the file of an image.
  static let file: [RequestParameter] = [
    RequestParameter("dpi", .number, "Output pixels per inch, 96 to 384: sets the pixel ratio."),
    RequestParameter("svgText", .boolean, "Write text as text in SVG; default: as outlines."),
    RequestParameter("svgIds", .boolean, "Write the ids of features as the attribute data-id in SVG."),
    RequestParameter(
      "idsOf", .texts, "Layer of vector tiles whose features have ids in SVG; may be repeated."),
  ]

  static let series: [RequestParameter] = [
    RequestParameter("by", .text, "Layer with a feature for each image."),
    RequestParameter("byField", .text, "Field of the layer whose values make groups, each with an image."),
    RequestParameter("byTime", .text, "Time of each image, such as month or 6hours."),
    RequestParameter("mute", .boolean, "Mute everything but the feature of the image."),
  ]
}
