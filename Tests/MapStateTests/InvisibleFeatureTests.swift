import MapDrawing
import MapGeometry
import MapJSON
import MapState
import MapTestSupport
import Testing

/// Exactly the drawn and edge features change a pixel of the image when they are alone.
@Suite struct InvisibleFeatureTests {
  @Test(
    "Features that paint a pixel alone are exactly the drawn and edge features, in 600 random documents",
    arguments: ["Point", "Polyline", "Polygon"])
  func documents(_ kind: String) async throws {
    var counts = (painted: 0, invisible: 0)
    for seed in 0..<200 {
      let scene = try await Scene(kind, seed: UInt64(seed))
      let drawing = try await scene.view.drawing(of: scene.layer, index: 0)
      #expect(drawing.drawn.intersection(drawing.edge).isEmpty)
      #expect(drawing.drawn.intersection(drawing.invisible).isEmpty)
      let found = Set(drawing.painted.map { $0 + 1 })
      let painted = try await scene.painted()
      #expect(found == painted, "\(kind), seed \(seed): \(scene.json)")
      let funnel = try await scene.view.funnel(of: scene.layer, drawing: drawing)
      #expect(funnel.display == funnel.invisible + funnel.drawn)
      counts.painted += painted.count
      counts.invisible += funnel.invisible
    }
    // The scenes have many of both.
    #expect(counts.painted > 100, "\(counts)")
    #expect(counts.invisible > 100, "\(counts)")
  }

  @Test("A layer with transparent symbols and labels shows its labels, without a warning")
  func labelsOnly() async throws {
    let json = """
      {"operationalLayers":[{"id":"x","title":"x","showLabels":true,"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"objectIdField":"OBJECTID",
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":8,
      "color":[255,0,0,0],"outline":null}},"labelingInfo":[{"labelExpressionInfo":{"expression":"'Here'"},
      "labelPlacement":"esriServerPointLabelPlacementAboveRight",
      "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"family":"Noto Sans","size":9}}}]},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]},
      "featureSet":{"spatialReference":{"wkid":3857},
      "features":[{"attributes":{"OBJECTID":1},"geometry":{"x":0,"y":0}}]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    let rendered = try await document.view(width: 120, height: 80).render()
    #expect(rendered.report.layers[0].funnel?.invisible == 1)
    #expect(rendered.report.layers[0].funnel?.drawn == 0)
    #expect(rendered.report.labels.classes.first?.placed == 1)
    #expect(rendered.report.layers[0].warnings.isEmpty && rendered.report.layers[0].notes.isEmpty)
  }
}

/// A random document with one layer of a few features around its view.
private struct Scene {
  private static let featureCount = 8
  let json: String
  let view: ViewState
  var layer: LayerState { view.layers[0] }

  init(_ kind: String, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &* 31 &+ UInt64(kind.count))
    let features = (1...Self.featureCount).map { id in
      let geometry = Self.geometry(kind, &random)
      let value = Int.random(in: 0...10, using: &random)
      return #"{"attributes":{"OBJECTID":\#(id),"v":\#(value)},"geometry":\#(geometry)}"#
    }
    let opacity: Double = Self.pick([1, 1, 1, 0.4, 0.02, 0.001, 0], &random)
    json = """
      {"operationalLayers":[{"id":"x","title":"x","opacity":\(opacity),"featureCollection":{"layers":[{
      "layerDefinition":{"geometryType":"esriGeometry\(kind)","spatialReference":{"wkid":3857},
      "objectIdField":"OBJECTID","drawingInfo":{"renderer":{"type":"simple",
      "symbol":\(Self.symbol(kind, &random))\(Self.variables(kind, &random))}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    let whole = document.view(
      width: 80, height: 60, pixelRatio: Self.pick([1, 1, 2], &random), x: 40, y: 30,
      rotation: Self.pick([0, 0, 30, 90, -17.3], &random))
    view = ViewState(
      width: whole.width, height: whole.height, pixelRatio: whole.pixelRatio, viewpoint: whole.viewpoint,
      background: nil, timeExtent: nil, layers: whole.layers)
  }

  /// Returns the ids of the features that change a pixel of a transparent image when they are alone.
  func painted() async throws -> Set<Int> {
    var painted: Set<Int> = []
    for id in 1...Self.featureCount {
      var alone = layer
      alone.definition.definitionExpression = "OBJECTID = \(id)"
      let image = try await view.with(layers: [alone]).render().bitmap
      if stride(from: 3, to: image.pixels.count, by: 4).contains(where: { image.pixels[$0] > 0 }) {
        painted.insert(id)
      }
    }
    return painted
  }

  private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private static func geometry(_ kind: String, _ random: inout SeededGenerator) -> String {
    let x = Double.random(in: -30...110, using: &random)
    let y = Double.random(in: -20...80, using: &random)
    guard kind != "Point" else { return #"{"x":\#(x),"y":\#(y)}"# }
    let size: Double = pick([0.001, 0.05, 0.2, 0.6, 3, 20, 300], &random)
    let thin: Double = pick([1, 1, 0.01], &random)
    var points: [[Double]] = []
    for _ in 0..<(kind == "Polygon" ? 3 : 2) {
      let east = Double.random(in: -1...1, using: &random) * size
      let north = Double.random(in: -1...1, using: &random) * size * thin
      points.append([x + east, y + north])
    }
    if kind == "Polygon" { points.append(points[0]) }
    return #"{"\#(kind == "Polygon" ? "rings" : "paths")":[\#(points)]}"#
  }

  private static func color(_ random: inout SeededGenerator) -> String {
    "[200,0,0,\(pick([0, 1, 2, 4, 40, 255, 255, 255], &random))]"
  }

  private static func line(_ random: inout SeededGenerator, style: String = "esriSLSSolid") -> String {
    let width: Double = pick([0, 0.01, 0.1, 0.5, 1, 3], &random)
    return #"{"type":"esriSLS","style":"\#(style)","color":\#(color(&random)),"width":\#(width)}"#
  }

  private static func symbol(_ kind: String, _ random: inout SeededGenerator) -> String {
    let hasOutline = Bool.random(using: &random)
    switch kind {
    case "Polyline":
      let style = pick(["Solid", "Solid", "Dash", "Dot", "LongDash"], &random)
      return line(&random, style: "esriSLS\(style)")
    case "Polygon":
      let style =
        pick(["Solid", "Solid", "Null", "Horizontal", "ForwardDiagonal", "Cross"], &random)
      return """
        {"type":"esriSFS","style":"esriSFS\(style)","color":\(color(&random)),
        "outline":\(hasOutline ? line(&random) : "null")}
        """
    default: break
    }
    let offset = pick([0, 0, 4, 40, -100], &random)
    let size: Double = pick([0, 0.01, 0.1, 0.5, 2, 8, 14], &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let text = pick(["", " ", ".", "a"], &random)
      return """
        {"type":"esriTS","text":"\(text)","color":\(color(&random)),"xoffset":\(offset),
        "font":{"family":"Noto Sans","size":\(size)}}
        """
    case 1:
      // One transparent pixel.
      return """
        {"type":"esriPMS","contentType":"image/png","width":\(size),"height":\(size),"imageData":
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="}
        """
    default:
      let style =
        pick(["Circle", "Square", "Cross", "X", "Diamond", "Triangle"], &random)
      return """
        {"type":"esriSMS","style":"esriSMS\(style)","size":\(size),"angle":\(Int.random(in: 0..<90, using: &random)),
        "xoffset":\(offset),"color":\(color(&random)),"outline":\(hasOutline ? line(&random) : "null")}
        """
    }
  }

  private static func variables(_ kind: String, _ random: inout SeededGenerator) -> String {
    guard Int.random(in: 0..<5, using: &random) == 0 else { return "" }
    guard kind != "Polygon", Bool.random(using: &random) else {
      return """
        ,"visualVariables":[{"type":"transparencyInfo","field":"v",
        "stops":[{"value":2,"transparency":100},{"value":8,"transparency":0}]}]
        """
    }
    return """
      ,"visualVariables":[{"type":"sizeInfo","field":"v","minDataValue":2,"maxDataValue":10,"minSize":0,"maxSize":12}]
      """
  }
}
