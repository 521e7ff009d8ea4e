/// A field with an example: the text of the option, nil for a flag, and its forms in JSON.
struct RequestExample {
  let name: String
  let text: String?
  let forms: [String]
  /// The options and members that the field needs.
  var options: [String] = []
  var members = ""

  static let views = [
    Self(name: "size", text: "640x480", forms: [#""640x480""#, "[640, 480]"]),
    Self(name: "pixelRatio", text: "2", forms: ["2"]),
    Self(name: "for", text: "projector", forms: [#""projector""#]),
    Self(
      name: "viewpoint", text: "10,20,3000000,30",
      forms: [
        #""10,20,3000000,30""#,
        #"{"center": {"latitude": 10, "longitude": 20}, "scale": 3000000, "rotation": 30}"#,
        #"{"center": [10, 20], "scale": 3000000, "rotation": 30}"#,
        #"{"center": {"x": 20, "y": 10, "spatialReference": {"wkid": 4326}}, "scale": 3e6, "rotation": 30}"#,
      ]),
    Self(
      name: "bounds", text: "1,2,3,4",
      forms: [
        #""1,2,3,4""#, "[1, 2, 3, 4]", "[1, 2, 3, 4, 4326]", #"{"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}"#,
        #"{"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4, "spatialReference": {"wkid": 4326}}"#,
      ]),
    Self(name: "fit", text: "Roads", forms: [#""Roads""#]),
    Self(name: "padding", text: "7.5", forms: ["7.5"]),
    Self(name: "rotation", text: "-15", forms: ["-15"]),
    Self(name: "zoom", text: "4.5", forms: ["4.5"]),
    Self(name: "reference", text: "25832", forms: ["25832", #""EPSG:25832""#]),
    Self(name: "layer", text: "Roads", forms: [#""Roads""#]),
    Self(name: "only", text: "Roads", forms: [#""Roads""#, #"["Roads"]"#]),
    Self(name: "hide", text: "Roads", forms: [#""Roads""#, #"["Roads"]"#]),
    Self(name: "show", text: "Roads", forms: [#""Roads""#, #"["Roads"]"#]),
    Self(name: "filters", text: "definition", forms: [#""definition""#]),
    Self(name: "definition", text: "Roads: n > 3", forms: [#""Roads: n > 3""#, #"["Roads: n > 3"]"#]),
    Self(name: "where", text: "Roads: n > 3", forms: [#""Roads: n > 3""#, #"["Roads: n > 3"]"#]),
    Self(name: "displayFilter", text: "n > 3", forms: [#""n > 3""#, #"["n > 3"]"#]),
    Self(name: "time", text: "2020-01-02/..", forms: [#""2020-01-02/..""#]),
    Self(name: "now", text: "2024-04-01", forms: [#""2024-04-01""#, #""2024-04-01T00:00:00Z""#]),
    Self(name: "sourceReference", text: "25832", forms: ["25832", #""EPSG:25832""#]),
    Self(
      name: "x", text: "easting", forms: [#""easting""#], options: ["--y", "n"], members: #""y": "n", "#),
    Self(name: "y", text: "north", forms: [#""north""#], options: ["--x", "e"], members: #""x": "e", "#),
    Self(name: "encoding", text: "latin1", forms: [#""latin1""#, #""ISO-8859-1""#]),
    Self(name: "delimiter", text: ";", forms: [#"";""#]),
    Self(name: "decimal", text: ",", forms: [#"",""#]),
    Self(name: "skipBadRows", text: nil, forms: ["true"]),
    Self(
      name: "join", text: "Roads: t.csv:id=code",
      forms: [#""Roads: t.csv:id=code""#, #"["Roads: t.csv:id=code"]"#]),
    Self(name: "tiles", text: "a=t.pmtiles", forms: [#""a=t.pmtiles""#, #"["a=t.pmtiles"]"#]),
    Self(name: "idsOf", text: "Streets", forms: [#""Streets""#, #"["Streets"]"#]),
    Self(
      name: "joinFirst", text: nil, forms: ["true"], options: ["--join", "t.csv:id"],
      members: #""join": "t.csv:id", "#),
    Self(name: "tileZoom", text: "3", forms: ["3"]),
  ]

  static let questions = [
    Self(name: "bounds", text: "1,2,3,4,25832", forms: [#""1,2,3,4,25832""#, "[1, 2, 3, 4, 25832]"]),
    Self(
      name: "extent", text: "1,2,3,4",
      forms: [#""1,2,3,4""#, "[1, 2, 3, 4]", #"{"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}"#]),
    Self(name: "inView", text: nil, forms: ["true"]),
    Self(name: "everywhere", text: nil, forms: ["true"]),
    Self(name: "where", text: "n > 3", forms: [#""n > 3""#]),
    Self(
      name: "cql2", text: #"{"op":"<","args":[{"property":"n"},31]}"#,
      forms: [
        #"{"op": "<", "args": [{"property": "n"}, 31]}"#,
        #""{\"op\":\"<\",\"args\":[{\"property\":\"n\"},31]}""#,
      ]),
    Self(
      name: "propertyCase", text: "insensitive", forms: [#""insensitive""#], options: ["--cql2", "n < 3"],
      members: #""cql2": "n < 3", "#),
    Self(name: "geometry", text: "area.json", forms: [#""area.json""#]),
    Self(
      name: "relation", text: "envelope-intersects",
      forms: [#""envelope-intersects""#, #""envelopeIntersects""#], options: ["--geometry", "area.json"],
      members: #""geometry": "area.json", "#),
    Self(name: "time", text: "2020-01-02/2020-01-04", forms: [#""2020-01-02/2020-01-04""#]),
    Self(name: "objectIds", text: "3,-14", forms: [#""3,-14""#, "[3, -14]"]),
  ]

  static let styles = [
    Self(name: "style", text: "a.sld#roads", forms: [#""a.sld#roads""#]),
    Self(name: "colorBy", text: "n", forms: [#""n""#]),
    colored(name: "normalizeBy", text: "m", forms: [#""m""#]),
    colored(name: "crossBy", text: "m", forms: [#""m""#]),
    colored(name: "classes", text: "7", forms: ["7", #""7""#]),
    colored(name: "method", text: "natural-breaks", forms: [#""natural-breaks""#]),
    colored(name: "breaks", text: "-1,2.5", forms: [#""-1,2.5""#, "[-1, 2.5]"]),
    colored(name: "edges", text: "lower", forms: [#""lower""#]),
    colored(name: "midpoint", text: "2.5", forms: ["2.5", #""2.5""#]),
    colored(name: "ramp", text: "Viridis", forms: [#""viridis""#]),
    colored(
      name: "colors", text: "#ff0000,blue", forms: [##""#ff0000,blue""##, ##"["#ff0000", "blue"]"##]),
    Self(name: "hatch", text: "#000000", forms: [##""#000000""##, #""black""#]),
    colored(name: "noDataColor", text: "none", forms: [#""none""#]),
    Self(
      name: "symbol", text: #"{"type":"esriSMS","size":9}"#,
      forms: [#"{"type": "esriSMS", "size": 9}"#, #""{\"type\":\"esriSMS\",\"size\":9}""#]),
    Self(name: "opacity", text: "0.5", forms: ["0.5", #""0.5""#]),
    Self(name: "outline", text: "#ff0000", forms: [##""#ff0000""##, #""red""#]),
    Self(name: "outlineWidth", text: "2.5", forms: ["2.5", #""2.5""#]),
    Self(name: "marker", text: "square", forms: [#""square""#]),
    Self(name: "symbolSize", text: "12", forms: ["12", #""12""#]),
    Self(name: "sizeBy", text: "n", forms: [#""n""#]),
    sized(name: "sizeRange", text: "2.5-30", forms: [#""2.5-30""#, "[2.5, 30]"]),
    sized(name: "sizeScaling", text: "flannery", forms: [#""flannery""#]),
    Self(name: "label", text: "kind", forms: [#""kind""#]),
    Self(
      name: "labelShort", text: "kind", forms: [#""kind""#], options: ["--label", "kind"],
      members: #""label": "kind", "#),
    Self(
      name: "labelPriority", text: "n:desc", forms: [#""n:desc""#], options: ["--label", "kind"],
      members: #""label": "kind", "#),
  ]

  private static func sized(name: String, text: String, forms: [String]) -> Self {
    Self(name: name, text: text, forms: forms, options: ["--size-by", "n"], members: #""sizeBy": "n", "#)
  }

  private static func colored(name: String, text: String, forms: [String]) -> Self {
    Self(
      name: name, text: text, forms: forms, options: ["--color-by", "n"], members: #""colorBy": "n", "#)
  }

  static let layouts = [
    Self(name: "title", text: "Rates", forms: [#""Rates""#]),
    Self(name: "subtitle", text: "By county", forms: [#""By county""#]),
    Self(name: "legend", text: nil, forms: ["true", #""right""#]),
    Self(name: "legendTitle", text: "Rate", forms: [#""Rate""#]),
    Self(name: "legendInView", text: nil, forms: ["true"]),
    Self(name: "legendCounts", text: nil, forms: ["true"]),
    Self(name: "legendBars", text: nil, forms: ["true"]),
    Self(name: "legendCharts", text: nil, forms: ["true"]),
    Self(name: "legendColumns", text: "3", forms: ["3"]),
    Self(name: "scaleBar", text: "both", forms: [#""both""#]),
    Self(name: "locator", text: nil, forms: ["true"]),
    Self(name: "northArrow", text: nil, forms: ["true"]),
    Self(
      name: "inset", text: "-180,50,-128,72:bottom-left",
      forms: [#""-180,50,-128,72:bottom-left""#, #"["-180,50,-128,72:bottom-left"]"#]),
    Self(name: "attribution", text: "City of Oslo", forms: [#""City of Oslo""#]),
    Self(name: "frame", text: nil, forms: ["true"]),
    Self(name: "margin", text: "1in", forms: [#""1in""#, "96"]),
  ]

  static let drawings = [
    Self(name: "basemap", text: "arcGISStreets", forms: [#""arcGISStreets""#]),
    Self(name: "basemapLanguage", text: "fi", forms: [#""fi""#]),
    Self(name: "noBasemap", text: nil, forms: ["true"]),
    Self(name: "basemapNames", text: nil, forms: ["true"]),
    Self(name: "graticule", text: nil, forms: ["true"]),
    Self(name: "background", text: "none", forms: [#""none""#, #""None""#]),
    Self(name: "aggregate", text: "hexagon:24", forms: [#""hexagon:24""#]),
    Self(name: "missingTiles", text: "placeholder", forms: [#""placeholder""#]),
    Self(name: "font", text: "a.ttf", forms: [#""a.ttf""#, #"["a.ttf"]"#]),
    Self(name: "painter", text: "reference", forms: [#""reference""#]),
  ]
}
