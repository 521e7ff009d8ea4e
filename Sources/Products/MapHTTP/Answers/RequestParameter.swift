import MapJSON
import MapScript
import MapState

/// A parameter of a path: its name, the form of its value and its description in the OpenAPI document.
struct RequestParameter: Sendable {
  /// The form of a value.
  enum Form: Sendable {
    /// A text.
    case text
    /// A text; the parameter may be repeated.
    case texts
    case number
    case integer
    case boolean
    /// Text from a fixed list.
    case choice([String])
    /// An object in JSON.
    case object
    /// A text, or an object in JSON.
    case textOrObject
  }

  let name: String
  let form: Form
  let description: String
  /// Whether the path refuses to answer without it.
  let isRequired: Bool

  init(_ name: String, _ form: Form, _ description: String, isRequired: Bool = false) {
    (self.name, self.form, self.description, self.isRequired) = (name, form, description, isRequired)
  }

  /// Returns the value in JSON, which the decoders of requests read.
  ///
  /// - Throws: ``HTTPFault`` with the name of the parameter.
  private func json(_ text: String) throws(HTTPFault) -> JSONValue {
    switch form {
    case .text, .texts: return .string(text)
    case .choice(let known):
      guard known.contains(text) else {
        let nearest = NearestName.of(text, among: known)
        throw HTTPFault(
          400, "\(name): \"\(text)\" is not one of \(known.joined(separator: ", "))", suggestion: nearest)
      }
      return .string(text)
    case .number:
      guard let number = DecimalNumbers.read(text, counts: 1...1)?.first else {
        throw HTTPFault(400, "\(name): \"\(text)\" is not a decimal number")
      }
      return .number(number)
    case .integer:
      guard let number = Int(text) else { throw HTTPFault(400, "\(name): \"\(text)\" is not a whole number") }
      return .number(number)
    case .boolean:
      guard ["true", "false"].contains(text) else {
        throw HTTPFault(400, "\(name): \"\(text)\" is not true or false")
      }
      return .boolean(text == "true")
    case .textOrObject where !text.hasPrefix("{"): return .string(text)
    case .object, .textOrObject:
      guard let value = try? JSONValue(parsing: Array(text.utf8)), value.object != nil else {
        throw HTTPFault(400, "\(name): expected an object in JSON")
      }
      return value
    }
  }

  /// Returns the parameters of a query as an object.
  ///
  /// - Throws: ``HTTPFault`` for an unknown name, with the nearest one, for a repeated name, and for a malformed value.
  static func decode(
    _ query: [HTTPRequest.Parameter], _ known: [RequestParameter]
  ) throws(HTTPFault) -> JSONObject {
    var object = JSONObject()
    for item in query {
      guard let parameter = known.first(where: { $0.name == item.name }) else {
        let names = known.map(\.name)
        let nearest = NearestName.of(item.name, among: names)
        throw HTTPFault(
          400,
          "unknown parameter \"\(item.name)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
            + "available: \(names.isEmpty ? "none" : names.sorted().joined(separator: ", "))",
          suggestion: nearest)
      }
      let value = try parameter.json(item.value)
      if case .texts = parameter.form {
        object[item.name] = .array((object[item.name]?.array ?? []) + [value])
      } else {
        guard object[item.name] == nil else { throw HTTPFault(400, "\(item.name): is given twice") }
        object[item.name] = value
      }
    }
    return object
  }

  /// The schema in the OpenAPI document.
  ///
  /// - Parameter allowsEmpty: whether an empty value is the same as none, as for the paths of ArcGIS REST.
  func schema(allowsEmpty: Bool) -> JSONValue {
    switch form {
    case .text, .textOrObject: ["type": "string"]
    case .object: ["type": "string", "contentMediaType": "application/json"]
    case .texts: ["type": "array", "items": ["type": "string"]]
    case .number: ["type": "number"]
    case .integer: ["type": "integer"]
    case .boolean: ["type": "boolean"]
    case .choice(let known):
      ["type": "string", "enum": .array((known + (allowsEmpty ? [""] : [])).map { .string($0) })]
    }
  }
}

extension RequestParameter {
  /// The parameters of a view's size, filters and layers; their names are those of `ViewRequest`.
  static let view: [RequestParameter] =
    [
      RequestParameter("size", .text, "Width and height in view pixels, such as 800x600."),
      RequestParameter("viewpoint", .text, "LAT,LON,SCALE[,ROTATION]: centre, scale denominator, rotation."),
      RequestParameter("center", .text, "LAT,LON of the centre; goes with scale or zoom."),
      RequestParameter("scale", .number, "Scale denominator; goes with center."),
      RequestParameter("zoom", .number, "Zoom level of web maps, 0 to 30; goes with center."),
      RequestParameter("rotation", .number, "Counterclockwise rotation in degrees."),
      RequestParameter("reference", .integer, "WKID of the spatial reference of the map."),
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
    RequestParameter("fit", .text, "Layer whose features are shown."),
    RequestParameter("padding", .number, "Free view pixels on each side."),
    RequestParameter("pixelRatio", .number, "Output pixels per view pixel."),
  ]

  static let time = RequestParameter("time", .text, "Time or START/END in ISO 8601.")

  /// The parameters of the parts around a map; their names are those of `LayoutRequest`.
  static let layout: [RequestParameter] = [
    RequestParameter("title", .text, "Title above the map."),
    RequestParameter("subtitle", .text, "Line below the title."),
    RequestParameter(
      "legend", .choice(PageLayout.LegendPosition.allCases.map(\.rawValue)), "Position of the legend."),
    RequestParameter("legendTitle", .text, "Title of the legend."),
    RequestParameter("legendInView", .boolean, "List only classes with a feature in the view."),
    RequestParameter("legendCounts", .boolean, "Add the number of drawn features to each class."),
    RequestParameter("legendBars", .boolean, "Show classes of numbers as a bar."),
    RequestParameter(
      "scaleBar", .choice(PageLayout.ScaleBarUnits.allCases.map(\.rawValue)), "Units of a scale bar."),
    RequestParameter("northArrow", .boolean, "Draw a north arrow."),
    RequestParameter("attribution", .boolean, "Draw the attribution."),
    RequestParameter("frame", .boolean, "Draw a line around the map."),
  ]

  /// The parameters of a question; their names are those of `QuestionRequest`.
  static let question: [RequestParameter] = [
    RequestParameter(
      "bounds", .text, "XMIN,YMIN,XMAX,YMAX[,WKID]: extent to search, in degrees without a WKID."),
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
  ]

  static let features: [RequestParameter] = [
    RequestParameter("outFields", .text, "Fields to return, between commas; default: all."),
    RequestParameter("orderBy", .text, "FIELD[:asc|desc], between commas."),
    RequestParameter("offset", .integer, "Number of features to skip."),
    RequestParameter("maxFeatures", .integer, "Maximum number of features."),
    RequestParameter("noGeometry", .boolean, "Return no geometries."),
    RequestParameter("outWkid", .integer, "WKID of the geometries; default: 4326."),
    RequestParameter("maxOffset", .number, "Simplify geometries by at most this distance."),
    RequestParameter("format", .choice(["geojson", "ndjson", "csv", "arrow"]), "Format; default: geojson."),
  ]
}
