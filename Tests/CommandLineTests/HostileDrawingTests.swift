import Foundation
import MapTestSupport
import Testing

/// Documents with extreme numbers or very many vertices are drawn within limits.
@Suite struct HostileDrawingTests {
  /// A document of one layer of inline features.
  static func document(_ kind: String, renderer: String, fields: String = "", features: [String]) -> String {
    """
    {"version": "2.31", "operationalLayers": [{"id": "l", "title": "l", "featureCollection": {"layers": [{
      "layerDefinition": {"geometryType": "\(kind)", "objectIdField": "OBJECTID",
        "spatialReference": {"wkid": 3857},
        "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID"}\(fields)],
        "drawingInfo": {"renderer": \(renderer)}},
      "featureSet": {"geometryType": "\(kind)", "spatialReference": {"wkid": 3857},
        "features": [\(features.joined(separator: ","))]}}]}}]}
    """
  }

  static func point(_ id: Int, _ attributes: String = "") -> String {
    "{\"attributes\": {\"OBJECTID\": \(id)\(attributes)}, \"geometry\": {\"x\": \(id * 1000), \"y\": 0}}"
  }

  /// A PNG image of 8 by 8 pixels.
  static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAEklEQVR4nGM4wcX1Hx9mGBkKACr7dsFgmNbOAAAAAElFTkSuQmCC"

  /// Symbols whose size is decided by the data or the document.
  static let symbols: [(String, @Sendable (String) -> String)] = [
    (
      "esriGeometryPoint",
      {
        "{\"type\": \"esriPMS\", \"imageData\": \"\(picture)\", \"width\": \($0), \"height\": \($0), \"angle\": 30}"
      }
    ),
    (
      "esriGeometryPoint",
      { "{\"type\": \"esriPMS\", \"imageData\": \"\(picture)\", \"width\": \($0), \"height\": 10}" }
    ),
    (
      "esriGeometryPoint",
      {
        "{\"type\": \"esriSMS\", \"style\": \"esriSMSSquare\", \"color\": [0,0,0,255], \"size\": \($0),"
          + "\"xoffset\": \($0), \"outline\": {\"type\": \"esriSLS\", \"style\": \"esriSLSDash\","
          + "\"color\": [0,0,0,255], \"width\": \($0)}}"
      }
    ),
    (
      "esriGeometryPoint",
      {
        "{\"type\": \"esriTS\", \"text\": \"A\", \"color\": [0,0,0,255], \"haloColor\": [255,0,0,255],"
          + "\"haloSize\": \($0), \"font\": {\"size\": \($0)}}"
      }
    ),
  ]

  /// Draws a point whose marker is an SVG.
  private static func render(svg: String) async throws -> Tool.Run {
    let symbol =
      "{\"type\": \"esriPMS\", \"imageData\": \"\(Data(svg.utf8).base64EncodedString())\","
      + " \"contentType\": \"image/svg+xml\", \"width\": 20, \"height\": 20}"
    let document = document(
      "esriGeometryPoint", renderer: "{\"type\": \"simple\", \"symbol\": \(symbol)}",
      features: [point(1)])
    let scratch = try ScratchFolder()
    try scratch.write(document, to: "map.json")
    return try await Tool.run(
      ["render", "map.json", "-o", "a.png", "--size", "100x80", "--timeout", "30"], folder: scratch.root)
  }

  @Test(
    "An SVG that takes too long or too much memory is refused before it is drawn",
    arguments: [
      (
        "<filter id='f'><feTurbulence numOctaves='1000000000'/></filter><rect filter='url(#f)'/>",
        "takes too long"
      ),
      ("<filter id='f'><feMorphology radius='90'/></filter><rect style='filter:url(#f)'/>", "takes too long"),
      (
        "<g id='a'><rect/><rect/></g>"
          + (1...20).map { level in
            let used = level == 1 ? "a" : "b\(level - 1)"
            return "<g id='b\(level)'><use href='#\(used)'/><use href='#\(used)'/></g>"
          }.joined(), "takes too long"
      ),
      ("<circle r='1e6' stroke='red' stroke-dasharray='.01'/>", "dashes are too many"),
      ("<style>path{stroke-dasharray:.001}</style><path d='M0 0h100'/>", "dashes are too many"),
      ("<path d='M1e999 0 1e999'/><path stroke-dasharray='1' d='M0 0H5000000'/>", "dashes are too many"),
      (
        "<path id='p' stroke-dasharray='1' d='M0 0H50000'/>"
          + String(repeating: "<use href='#p'/>", count: 50), "dashes are too many"
      ),
      (
        "<!-- </svg> --><filter id='f'><feBlend/></filter>"
          + String(repeating: "<rect filter='url(#f)'/>", count: 100), "takes too long"
      ),
      (
        "<style>rect{filter:url(#f)}</style><filter id='f'><feBlend/></filter>"
          + String(repeating: "<rect/>", count: 200), "takes too long"
      ),
      ("<filter id='f'><feTurbulence numOctaves='&#x31;&#x30;&#x30;'/></filter>", "hide what it draws"),
    ])
  func costlyPictures(content: String, reason: String) async throws {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'>\(content)</svg>"
    let run = try await Self.render(svg: svg)
    #expect(run.code == 0 && run.err.contains(reason), "\(run)")
  }

  @Test("An SVG with comments, style sheets, a filter, references and dashes is drawn")
  func ordinaryPicture() async throws {
    let svg = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>
      <svg xmlns="&ns;" width="20" height="20"><!-- <rect/> --><style><![CDATA[path{stroke-dasharray:2 1}]]></style>
      <defs><filter id="f"><feGaussianBlur stdDeviation="1"/><feOffset dx="1"/></filter>
      <path id="p" d="M0 0L20 20" stroke="red"/></defs><use href="#p"/>
      <rect filter="url(#f)" width="100%" height="10" fill="blue"/><text y="20">a &amp; b</text></svg>
      """
    let run = try await Self.render(svg: svg)
    #expect(run.code == 0 && run.err == "", "\(run)")
  }

  @Test(
    "Symbols too small to see are drawn without a crash",
    arguments: ["0", "1e-320", "1e-300", "1e-25", "1e-9"])
  func tinySymbols(size: String) async throws {
    #expect(Self.symbols.count == 4)
    for (kind, symbol) in Self.symbols {
      let folder = try ScratchFolder()
      let document = Self.document(
        kind, renderer: "{\"type\": \"simple\", \"symbol\": \(symbol(size))}", features: [Self.point(1)])
      try folder.write(document, to: "map.json")
      let run = try await Tool.run(
        "render", "map.json", "-o", "map.png", "--size", "40x30", folder: folder.root)
      #expect(run.code == 0, "\(size) \(symbol(size)): \(run.err)")
      #expect(!run.isSignal, "\(size) \(symbol(size)): \(run.err)")
    }
  }

  static let values = ["1e-25", "5e-324", "-1e300", "1e300", "1.7e308", "0", "null", "3"]

  @Test(
    "Extreme visual variables are drawn without a crash",
    arguments: [
      #"{"type": "sizeInfo", "field": "v", "minDataValue": 1, "minSize": 10}"#,
      #"{"type": "sizeInfo", "field": "v", "minDataValue": 1e-300, "minSize": 10, "maxSize": 20}"#,
      #"{"type": "sizeInfo", "field": "v", "stops": [{"value": 0, "size": 0}, {"value": 1, "size": 20}]}"#,
      #"{"type": "sizeInfo", "field": "v", "valueUnit": "kilometers", "valueRepresentation": "area"}"#,
      #"{"type": "sizeInfo", "field": "v", "target": "outline", "minDataValue": 1, "minSize": 10}"#,
      #"{"type": "rotationInfo", "field": "v"}"#,
      #"{"type": "transparencyInfo", "field": "v", "stops": [{"value": -1e308, "transparency": 0}, {"value": 1e308, "transparency": 100}]}"#,
      #"{"type": "colorInfo", "field": "v", "stops": [{"value": -1e308, "color": [0,0,0,255]}, {"value": 1e308, "color": [255,0,0,255]}]}"#,
    ])
  func visualVariables(variable: String) async throws {
    let features = Self.values.enumerated().map { Self.point($0 + 1, ", \"v\": \($1)") }
    for (kind, symbol) in Self.symbols {
      let folder = try ScratchFolder()
      let document = Self.document(
        kind,
        renderer: "{\"type\": \"simple\", \"symbol\": \(symbol("10")), \"visualVariables\": [\(variable)]}",
        fields: ", {\"name\": \"v\", \"type\": \"esriFieldTypeDouble\"}", features: features)
      try folder.write(document, to: "map.json")
      let run = try await Tool.run(
        "render", "map.json", "-o", "map.png", "--size", "40x30", folder: folder.root)
      #expect(run.code == 0, "\(variable) \(symbol("10")): \(run.err)")
      #expect(!run.isSignal, "\(variable) \(symbol("10")): \(run.err)")
    }
  }

  /// Rings and lines of 20,000 random vertices, in 4 GB of address space.
  ///
  /// Other tests check the time with counters.
  @Test(
    "Paths with 20,000 vertices are drawn in limited memory",
    arguments: [
      ("esriGeometryPolygon", "esriSFSSolid", 1), ("esriGeometryPolygon", "esriSFSCross", 1),
      ("esriGeometryPolygon", "esriSFSDiagonalCross", 1), ("esriGeometryPolyline", "esriSLSSolid", 40),
      ("esriGeometryPolyline", "esriSLSDash", 1), ("esriGeometryPolyline", "esriSLSDashDotDot", 40),
    ])
  func vertices(kind: String, style: String, width: Int) async throws {
    var random = SeededGenerator(seed: 1)
    let places = (0..<20_000).map { _ in
      "[\(Int.random(in: -1_000_000...1_000_000, using: &random)),\(Int.random(in: -1_000_000...1_000_000, using: &random))]"
    }
    let isArea = kind == "esriGeometryPolygon"
    let line =
      "{\"type\": \"esriSLS\", \"style\": \"\(isArea ? "esriSLSSolid" : style)\", \"color\": [40,40,200,160], \"width\": \(width)}"
    let symbol =
      isArea
      ? "{\"type\": \"esriSFS\", \"style\": \"\(style)\", \"color\": [200,40,40,255], \"outline\": \(line)}"
      : line
    let chain = (places + (isArea ? [places[0]] : [])).joined(separator: ",")
    let document = Self.document(
      kind, renderer: "{\"type\": \"simple\", \"symbol\": \(symbol)}",
      features: [
        "{\"attributes\": {\"OBJECTID\": 1}, \"geometry\": {\"\(isArea ? "rings" : "paths")\": [[\(chain)]]}}"
      ])
    let folder = try ScratchFolder()
    try folder.write(document, to: "map.json")
    let run = try await Tool.run(
      ["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", Tool.url.path]
        + ["render", "map.json", "-o", "map.png", "--size", "300x200", "--threads", "2"],
      folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"))
    #expect(run.code == 0, "\(run.err)")
    #expect(!run.isSignal, "\(run.err)")
    #expect(try folder.names().contains("map.png"))
  }
}
