import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapReaders
import Testing

/// A view of one layer, small enough to check by eye.
struct Scene {
  var center = Point(x: 0, y: 0, spatialReference: .webMercator)
  var width = 100.0
  var height = 80.0
  var resolution = 1.0
  var rotation = 0.0
  var pixelRatio = 1.0
  var renderer: (any Renderer)?
  var drawingOrder: [DrawingOrder] = []

  /// A table from an Esri feature set in Web Mercator.
  static func table(_ type: String, fields: String? = nil, _ features: [String]) throws -> FeatureColumns {
    let json = """
      {"geometryType":"esriGeometry\(type)","spatialReference":{"wkid":3857},
      \(fields.map { "\"fields\":\($0)," } ?? "")
      "features":[\(features.joined(separator: ","))]}
      """
    return try EsriFeatureSet.read(JSONNode(JSONValue(parsing: json)))
  }

  /// The layer's drawing, as a view makes it.
  func drawing(of table: FeatureColumns) throws -> (view: ViewState, drawing: LayerDrawing) {
    let source = InMemorySource(table)
    var layer = FeatureLayer(source: source, id: "id", title: "title", renderer: renderer).frozen
    layer.drawingOrder = drawingOrder
    let view = ViewState(
      width: width, height: height, pixelRatio: pixelRatio,
      viewpoint: ResolvedViewpoint(center: center, resolution: resolution, rotation: rotation),
      background: .white, timeExtent: nil, layers: [layer])
    let symbolizer = LayerSymbolizer(view: view, layer: layer)
    var conditions = view.conditions(for: layer)
    let visible = try source.rows(conditions.query(for: .drawing))
    conditions.viewArea = QueryArea(symbolizer.fetchEnvelopes())
    let candidates = try source.rows(conditions.query(for: .drawing))
    return (
      view, try symbolizer.drawing(index: 0, table: table, candidates: candidates, visible: visible)
    )
  }

  func dump(of table: FeatureColumns) throws -> String {
    let (view, drawing) = try drawing(of: table)
    let rows = "drawn \(Array(drawing.drawn)) edge \(Array(drawing.edge))\n"
    return DisplayList(
      width: Int(view.width * pixelRatio), height: Int(view.height * pixelRatio), background: view.background,
      layers: [drawing.layer]
    ).dump() + rows
  }
}

/// Expected dumps beside the tests; the environment variable `MAPSTATE_RECORD_DUMPS` names a folder to write
/// them to.
enum GoldenDump {
  static func expect(
    _ name: String, _ dump: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if let folder = ProcessInfo.processInfo.environment["MAPSTATE_RECORD_DUMPS"] {
      try dump.write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
    }
    let url = try #require(Bundle.module.url(forResource: "Dumps/\(name)", withExtension: "txt"))
    let golden = try String(contentsOf: url, encoding: .utf8)
    #expect(dump == golden, "\(name) is now:\n\(dump)", sourceLocation: sourceLocation)
  }
}
