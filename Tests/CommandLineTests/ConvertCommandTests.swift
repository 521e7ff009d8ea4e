import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Maps as MapLibre styles.
@Suite("convert")
struct ConvertCommandTests {
  /// The differences of two images over the pixels that differ from the ground in either.
  struct Distance {
    var mean = 0.0
    var largest = 0
    var share = 0.0

    init(_ one: String, _ other: String, ground: [Int]) throws {
      let (one, other) = (try Bitmap(file: one), try Bitmap(file: other))
      try #require(one.width == other.width && one.height == other.height)
      var (sum, count) = (0, 0)
      for start in stride(from: 0, to: one.pixels.count, by: 4) {
        var (apart, hasInk) = (0, false)
        for channel in 0..<3 {
          let (a, b) = (Int(one.pixels[start + channel]), Int(other.pixels[start + channel]))
          apart = max(apart, abs(a - b))
          hasInk = hasInk || abs(a - ground[channel]) > 2 || abs(b - ground[channel]) > 2
        }
        guard hasInk else { continue }
        (sum, count, largest) = (sum + apart, count + 1, max(largest, apart))
      }
      mean = count > 0 ? Double(sum) / Double(count) : 0
      share = Double(count) / Double(one.width * one.height)
    }
  }

  /// A document of one layer of features in degrees, over the world around 0, 0.
  static func document(
    _ renderer: String, fields: [String], _ rows: [(geometry: String, attributes: String)],
    kind: String = "esriGeometryPoint", layer: String = "", definition: String = "", map: String = ""
  ) -> String {
    let features = rows.enumerated().map { index, row in
      """
      {"geometry":{\(row.geometry),"spatialReference":{"wkid":4326}},
       "attributes":{"OBJECTID":\(index + 1)\(row.attributes.isEmpty ? "" : ",")\(row.attributes)}}
      """
    }.joined(separator: ",\n")
    let fields = ([#"{"name":"OBJECTID","type":"esriFieldTypeOID"}"#] + fields).joined(separator: ",")
    return """
      {"version":"2.31","baseMap":{"title":"None","baseMapLayers":[]},
       "operationalLayers":[{"id":"own","title":"Own",\(layer)
        "featureCollection":{"layers":[{"layerDefinition":{"geometryType":"\(kind)","objectIdField":"OBJECTID",
         "fields":[\(fields)],\(definition)"drawingInfo":{"renderer":\(renderer)}},
         "featureSet":{"geometryType":"\(kind)","features":[\(features)]}}]}}],
       \(map)"initialState":{"viewpoint":{"targetGeometry":{"xmin":-20,"ymin":-15,"xmax":20,"ymax":15,
        "spatialReference":{"wkid":4326}}}},"spatialReference":{"wkid":3857}}
      """
  }

  static func circle(_ color: String, size: Double = 12, more: String = "") -> String {
    #"{"type":"esriSMS","style":"esriSMSCircle","color":[\#(color),255],"size":\#(size)\#(more)}"#
  }

  /// Points in a row, one for each text of attributes.
  static func points(_ attributes: [String]) -> [(geometry: String, attributes: String)] {
    attributes.enumerated().map { index, attributes in
      (#""x":\#(Double(index) * 3 - 18),"y":\#(index.isMultiple(of: 2) ? 1 : -1)"#, attributes)
    }
  }

  /// Converts a document and compares its image with that of the style, in each of some views.
  static func compare(
    _ document: String, in folder: ScratchFolder, _ views: [[String]] = [[]], options: [String] = []
  ) async throws -> (distances: [Distance], style: JSONValue, run: Tool.Run) {
    let map = folder.path("map.json")
    if !document.isEmpty { try folder.write(document, to: "map.json") }
    let style = folder.path("made.style.json")
    let run = try await Tool.run(["convert", map, "-o", style, "--size", "400x300"] + options)
    #expect(run.code == 0, "\(run)")
    let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: style))))
    var distances: [Distance] = []
    for view in views {
      for (source, image) in [(map, "map.png"), (style, "style.png")] {
        let run = try await Tool.run(
          ["render", source, "-o", folder.path(image), "--size", "400x300"] + view)
        #expect(run.code == 0 && !run.err.contains("warning:"), "\(run)")
      }
      distances.append(
        try Distance(folder.path("map.png"), folder.path("style.png"), ground: [255, 255, 255]))
    }
    return (distances, json, run)
  }

  /// The documents of Styles, with the largest mean difference of their images.
  ///
  /// Lines and circles are equal. Outlines of a style lie above all areas of their layer, and images at whole pixels.
  private static let documents: [(name: String, ground: [Int], mean: Double)] = [
    ("us-counties", [233, 238, 241], 1),
    ("us-unemployment", [255, 255, 255], 6),
    ("san-francisco-incidents", [207, 225, 236], 3),
    ("world-cities", [255, 255, 255], 0),
    ("world-rivers", [255, 255, 255], 0),
    ("helsinki-bicycles", [255, 255, 255], 0),
  ]

  @Test("The documents of Styles become styles with the same images but for labels", arguments: documents)
  func styles(name: String, ground: [Int], mean: Double) async throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: Tool.project.appendingPathComponent("Styles"), to: folder.url("Styles"))
    let source = folder.path("Styles/\(name).json")
    let text = try String(contentsOfFile: source, encoding: .utf8)
    try folder.write(
      text.replacing("\"showLabels\": true", with: "\"showLabels\": false"), to: "Styles/\(name).json")
    let style = folder.path("\(name).style.json")
    let view = ["--reference", "3857"]
    let run = try await Tool.run(["convert", source, "-o", style] + view)
    #expect(run.code == 0, "\(run)")
    #expect(run.err.split(separator: "\n").allSatisfy { $0.hasPrefix("warning: $.") }, "\(run.err)")
    let inspected = try await Tool.run("inspect", style)
    #expect(inspected.code == 0 && !inspected.out.contains("warning:"), "\(inspected.out)")
    let map = try await Tool.run(["render", source, "-o", folder.path("map.png"), "--no-basemap"] + view)
    let made = try await Tool.run("render", style, "-o", folder.path("style.png"))
    #expect(map.code == 0 && made.code == 0 && made.err == "", "\(map) \(made)")
    let distance = try Distance(folder.path("map.png"), folder.path("style.png"), ground: ground)
    #expect(distance.mean <= mean && distance.share > 0.01, "\(distance)")
  }

  @Test("Lines keep width, dashes, caps and casings, and areas their outlines")
  func paths() async throws {
    func line(_ style: String, _ more: String = "") -> String {
      #"{"type":"esriSLS","style":"\#(style)","color":[20,60,160,255],"width":3\#(more)}"#
    }
    let symbols = [
      line("esriSLSSolid"), line("esriSLSDash"), line("esriSLSDot"), line("esriSLSDashDotDot"),
      line("esriSLSSolid", #","cap":"round","join":"round""#),
      line("esriSLSSolid", #","cap":"square","join":"bevel""#),
    ]
    let path = #""paths":[[[-15,-8],[-5,8],[0,-6],[12,6]],[[-10,-10],[14,-10]]]"#
    let folder = try ScratchFolder()
    for symbol in symbols {
      let document = Self.document(
        #"{"type":"simple","symbol":\#(symbol)}"#, fields: [], [(path, "")], kind: "esriGeometryPolyline")
      let (distances, _, run) = try await Self.compare(document, in: folder)
      #expect(distances[0].mean < 1.5 && distances[0].share > 0.005, "\(symbol) \(distances)")
      #expect(run.err.contains("dashes") == (symbol.contains("Da") || symbol.contains("Dot")), "\(run.err)")
    }
    let area =
      #"{"type":"esriSFS","style":"esriSFSSolid","color":[220,200,120,255],"outline":\#(line("esriSLSSolid"))}"#
    let ring = #""rings":[[[-15,-8],[-5,8],[12,6],[10,-9],[-15,-8]],[[-4,-3],[2,-3],[0,2],[-4,-3]]]"#
    let document = Self.document(
      #"{"type":"simple","symbol":\#(area)}"#, fields: [], [(ring, "")], kind: "esriGeometryPolygon")
    let (distances, style, _) = try await Self.compare(document, in: folder)
    #expect(distances[0].mean < 0.5 && distances[0].share > 0.2, "\(distances)")
    #expect(style["layers"]?.array?.map { $0["type"]?.string ?? "" } == ["background", "fill", "line"])
    #expect(symbols.count == 6)
  }

  @Test("Definition expressions leave features out, and display filters and scale ranges are in the layers")
  func filters() async throws {
    let definition = """
      "definitionExpression":"n <> 3","minScale":60000000,"displayFilterInfo":{"filterMode":"scale","filters":[
       {"id":"a","title":"A","minScale":0,"maxScale":20000000,"where":"n > 4"},
       {"id":"b","title":"B","minScale":20000000,"maxScale":10000000,"where":"n IN (2, 4)"}]},
      """
    let document = Self.document(
      #"{"type":"simple","symbol":\#(Self.circle("200,0,0"))}"#,
      fields: [#"{"name":"n","type":"esriFieldTypeInteger"}"#],
      Self.points((0..<9).map { #""n":\#($0)"# }), definition: definition)
    let folder = try ScratchFolder()
    let scales = [
      "70000000", "60000000", "50000000", "20000001", "20000000", "15000000", "10000000", "9000000",
    ]
    let (distances, style, run) = try await Self.compare(
      document, in: folder, scales.map { ["--viewpoint", "0,0,\($0)"] })
    #expect(distances.allSatisfy { $0.largest == 0 }, "\(distances)")
    #expect(distances.map { $0.share > 0 } == [false, true, true, true, true, true, true, true])
    #expect(run.err == "")
    #expect(style["sources"]?["own"]?["data"]?["features"]?.array?.count == 8)
    #expect(style["layers"]?.array?.count == 4)
  }

  @Test("Markers that are no circles are images beside the style")
  func icons() async throws {
    let square = #"{"type":"esriSMS","style":"esriSMSSquare","color":[200,0,0,255],"size":12}"#
    let cross =
      #"{"type":"esriSMS","style":"esriSMSCross","color":[0,0,200,255],"size":14,"xoffset":6,"yoffset":3}"#
    let document = Self.document(
      """
      {"type":"uniqueValue","field1":"v","uniqueValueInfos":[{"value":"a","symbol":\(square)},
       {"value":"b","symbol":\(cross)}]}
      """, fields: [#"{"name":"v","type":"esriFieldTypeString"}"#],
      Self.points(["a", "b", "c"].map { #""v":"\#($0)""# }))
    let folder = try ScratchFolder()
    let (distances, style, run) = try await Self.compare(
      document, in: folder, [[], ["--pixel-ratio", "2"]])
    // Images of styles are drawn at whole pixels.
    #expect(distances.allSatisfy { $0.mean < 40 && $0.share > 0.001 }, "\(distances)")
    #expect(run.err == "")
    let names = try folder.names().filter { $0.hasPrefix("made.style") }
    #expect(
      names == [
        "made.style-sprite.json", "made.style-sprite.png", "made.style-sprite@2x.json",
        "made.style-sprite@2x.png",
        "made.style.json",
      ])
    #expect(style["sprite"] == "made.style-sprite")
    let images = try JSONValue(parsing: Array(try Data(contentsOf: folder.url("made.style-sprite.json"))))
    #expect(images.object?.members.map(\.name) == ["own 1", "own 2"])
    let absolute = try await Tool.run(
      "convert", folder.path("map.json"), "-o", folder.path("x.json"), "--address", "https://example.org/map")
    #expect(absolute.code == 0)
    let text = try String(contentsOf: folder.url("x.json"), encoding: .utf8)
    #expect(text.contains(#""sprite": "https://example.org/map/x-sprite""#))
    let stream = try await Tool.run("convert", folder.path("map.json"), "-o", "-")
    #expect(stream.code == 64 && stream.out == "" && stream.err.contains("has images"), "\(stream)")
  }

  @Test("Labels become layers with the texts of the map")
  func labels() async throws {
    let labels = """
      "labelingInfo":[{"labelExpressionInfo":{"expression":"$feature.v + ' (' + $feature.n + ')'"},
       "labelPlacement":"esriServerPointLabelPlacementAboveRight","where":"n > 1","minScale":50000000,
       "symbol":{"type":"esriTS","color":[0,80,0,255],"haloColor":[255,255,255,255],"haloSize":1,
        "font":{"family":"Noto Sans","size":9,"weight":"bold"}}},
       {"labelExpressionInfo":{"expression":"$feature.v"},
        "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":12}}}],
      """
    let document = Self.document(
      #"{"type":"simple","symbol":\#(Self.circle("200,0,0"))}"#,
      fields: [
        #"{"name":"v","type":"esriFieldTypeString"}"#, #"{"name":"n","type":"esriFieldTypeInteger"}"#,
      ],
      Self.points([#""v":"Oslo","n":1"#, #""v":"Rom","n":2"#])
    ).replacing(#""drawingInfo":{"#, with: #""drawingInfo":{\#(labels)"#)
      .replacing(#""featureCollection":{"#, with: #""featureCollection":{"showLabels":true,"#)
      .replacing(#""title":"Own","#, with: #""title":"Own","showLabels":true,"#)
    let folder = try ScratchFolder()
    try folder.write(document, to: "map.json")
    let run = try await Tool.run(
      "convert", folder.path("map.json"), "-o", folder.path("s.json"), "--report", folder.path("r.json"))
    #expect(run.code == 0, "\(run)")
    let style = try JSONValue(parsing: Array(try Data(contentsOf: folder.url("s.json"))))
    #expect(style["glyphs"] == "s-{fontstack}-{range}.pbf")
    #expect(
      try folder.names() == [
        "map.json", "r.json", "s-Noto Sans Bold-0-255.pbf", "s-Noto Sans Regular-0-255.pbf", "s.json",
      ])
    let layers = (style["layers"]?.array ?? []).filter { $0["type"] == "symbol" }
    #expect(layers.count == 2, "\(style["layers"] ?? .null)")
    // The first class of a layer is the most important, and that is the highest layer of a style.
    let first = try #require(layers.last)
    #expect(first["layout"]?["text-font"] == ["Noto Sans Bold"])
    #expect(first["layout"]?["text-size"] == 12)
    #expect(first["layout"]?["text-anchor"] == "bottom-left")
    #expect(first["paint"]?["text-color"] == "#005000")
    #expect((first["minzoom"]?.double ?? 0) > 2.56)
    let property = try #require(first["layout"]?["text-field"]?[1]?.string)
    let features = style["sources"]?["own"]?["data"]?["features"]?.array ?? []
    #expect(features.map { $0["properties"]?[property]?.string } == [nil, "Rom (2)"])
    #expect(layers.first?["layout"]?["text-field"] == ["get", "v"])
    // The glyph files have the letters of the font. MapState reads those of a font that it does not have.
    let text = try String(contentsOf: folder.url("s.json"), encoding: .utf8)
    try folder.write(text.replacing("\"Noto Sans ", with: "\"Other "), to: "o.json")
    for name in try folder.names() where name.hasSuffix(".pbf") {
      try FileManager.default.copyItem(
        at: folder.url(name), to: folder.url(name.replacing("s-Noto Sans", with: "s-Other")))
    }
    for name in ["s", "o"] {
      let run = try await Tool.run("render", folder.path("\(name).json"), "-o", folder.path("\(name).png"))
      #expect(run.code == 0 && run.err == "", "\(run)")
    }
    let distance = try Distance(folder.path("s.png"), folder.path("o.png"), ground: [255, 255, 255])
    #expect(distance.mean > 0 && distance.mean < 30, "\(distance)")
    let report = try JSONValue(parsing: Array(try Data(contentsOf: folder.url("r.json"))))
    let losses = report["losses"]?.array ?? []
    #expect(losses.count == 2, "\(losses)")
    #expect(losses.first?["path"]?.string?.hasSuffix("labelingInfo[0]") == true, "\(losses)")
  }

  @Test("Heat maps and clusters become those of styles")
  func density() async throws {
    let heat = """
      {"type":"heatmap","radius":12,"minDensity":0,"maxDensity":0.02,
       "colorStops":[{"ratio":0,"color":[0,0,255,0]},{"ratio":1,"color":[255,0,0,255]}]}
      """
    let rows = Self.points((0..<9).map { #""n":\#($0)"# })
    let fields = [#"{"name":"n","type":"esriFieldTypeInteger"}"#]
    let folder = try ScratchFolder()
    let (distances, style, run) = try await Self.compare(
      Self.document(heat, fields: fields, rows), in: folder)
    #expect(distances[0].mean < 20 && distances[0].share > 0.02, "\(distances)")
    #expect(style["layers"]?[1]?["type"] == "heatmap")
    #expect(run.err.contains("another kernel"))
    let clustered = Self.document(
      #"{"type":"simple","symbol":\#(Self.circle("200,0,0"))}"#, fields: fields, rows,
      definition: #""featureReduction":{"type":"cluster","clusterRadius":40},"#)
    let (_, clusters, warned) = try await Self.compare(clustered, in: folder)
    #expect(clusters["sources"]?["own"]?["cluster"] == true)
    #expect(clusters["sources"]?["own"]?["clusterRadius"] == 53)
    #expect(
      clusters["layers"]?.array?.map { $0["id"]?.string ?? "" } == ["background", "own", "own clusters"])
    #expect(clusters["layers"]?[1]?["filter"] == ["!", ["has", "point_count"]])
    #expect(warned.err.contains("featureReduction: clusters are those of styles"), "\(warned.err)")
  }

  @Test("The losses name their paths, and --strict exits with 1")
  func losses() async throws {
    let pies = """
      {"type":"pieChart","attributes":[{"field":"n","color":[200,0,0,255]}],"size":12}
      """
    let document = Self.document(
      pies, fields: [#"{"name":"n","type":"esriFieldTypeInteger"}"#], Self.points([#""n":1"#]),
      layer: #""opacity":0.5,"blendMode":"multiply","effect":[{"type":"blur","radius":3}],"#)
    let folder = try ScratchFolder()
    try folder.write(document, to: "map.json")
    let words = [
      "convert", folder.path("map.json"), "-o", folder.path("s.json"), "--report", folder.path("r.json"),
    ]
    let run = try await Tool.run(words)
    #expect(run.code == 0)
    let own = "$.operationalLayers[0]"
    let inner = "\(own).featureCollection.layers[0].layerDefinition.drawingInfo.renderer.type"
    for line in [
      "\(inner): styles have no dots and no pie charts",
      ".opacity: applies to each part", ".blendMode: styles do not blend", ".effect: styles have no effects",
    ] {
      #expect(run.err.contains(line), "\(line)\n\(run.err)")
    }
    let strict = try await Tool.run(words + ["--strict"])
    #expect(strict.code == 1, "\(strict)")
    let report = try JSONValue(parsing: Array(try Data(contentsOf: folder.url("r.json"))))
    let outcomes = (report["losses"]?.array ?? []).map { $0["outcome"]?.string ?? "" }
    #expect(outcomes.count == 4 && outcomes.filter { $0 == "dropped" }.count == 3, "\(report)")
  }

  @Test("The files are written together or not at all")
  func together() async throws {
    let square = #"{"type":"esriSMS","style":"esriSMSSquare","color":[200,0,0,255],"size":12}"#
    let folder = try ScratchFolder()
    try folder.write(
      Self.document(#"{"type":"simple","symbol":\#(square)}"#, fields: [], Self.points([""])), to: "map.json")
    try FileManager.default.createDirectory(
      at: folder.url("s-sprite@2x.png"), withIntermediateDirectories: false)
    let run = try await Tool.run("convert", folder.path("map.json"), "-o", folder.path("s.json"))
    #expect(run.code == 2, "\(run)")
    #expect(try folder.names() == ["map.json", "s-sprite@2x.png"])
    let style = try await Tool.run(
      "convert", Tool.style("tiles/city.json"), "-o", folder.path("city.json"))
    #expect(style.code == 2 && style.err.contains("is a style already"), "\(style)")
    let over = try await Tool.run("convert", folder.path("map.json"), "-o", folder.path("map.json"))
    #expect(over.code != 0)
    #expect(try String(contentsOf: folder.url("map.json"), encoding: .utf8).contains("operationalLayers"))
  }
}
