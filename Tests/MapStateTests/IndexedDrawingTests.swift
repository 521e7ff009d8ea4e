import Foundation
import MapGeometry
import MapModel
import MapReaders
import MapState
import MapTestSupport
import Testing

/// Images and funnels by the index of a file are those of the whole file.
@Suite struct IndexedDrawingTests {
  /// A folder with 100,000 points in a file with an index, and a document that draws them with labels.
  private static func folder(_ file: String, _ driver: String, _ random: inout SeededGenerator) throws -> URL
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "indexed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A long text makes the file large enough to be read in part.
    let text = String(repeating: "x", count: 130)
    var rows = ["X,Y,NUMBER,TEXT"]
    for number in 0..<100_000 {
      let x = Double.random(in: -170...170, using: &random)
      let y = Double.random(in: -60...60, using: &random)
      rows.append("\(x),\(y),\(number % 1000),\(text)")
    }
    try Data(rows.joined(separator: "\n").utf8).write(to: folder.appending(path: "points.csv"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/ogr2ogr")
    process.currentDirectoryURL = folder
    process.arguments = [
      "-f", driver, "-lco", "SPATIAL_INDEX=YES", "-a_srs", "EPSG:4326", "-oo", "X_POSSIBLE_NAMES=X",
      "-oo", "Y_POSSIBLE_NAMES=Y", "-oo", "AUTODETECT_TYPE=YES", file, "points.csv",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let document = """
      {"operationalLayers":[{"id":"a","title":"A","url":"\(file)","layerType":"ArcGISFeatureLayer",
      "layerDefinition":{"drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS",
      "style":"esriSMSCircle","size":30,"color":[200,40,40,120]}},"labelingInfo":[{"labelExpressionInfo":{
      "expression":"$feature.NUMBER"},"labelPlacement":"esriServerPointLabelPlacementAboveRight",
      "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":9}}}]}}}],"spatialReference":{"wkid":3857}}
      """
    try Data(document.utf8).write(to: folder.appending(path: "map.json"))
    return folder
  }

  private static func layer(_ folder: URL, _ use: IndexUse) async throws -> LayerState {
    var catalog = SourceCatalog()
    catalog.indexUse = use
    let document = try await MapDocument.open(folder.appending(path: "map.json").path, catalog: catalog)
    return try #require((document.map.operationalLayers[0] as? FeatureLayer)?.frozen)
  }

  @Test(
    "Thirty views drawn by the index have the bytes and the numbers of the whole file",
    arguments: [("points.fgb", "FlatGeobuf"), ("points.gpkg", "GPKG")])
  func drawingByTheIndex(_ file: String, _ driver: String) async throws {
    var random = SeededGenerator(seed: 84)
    let folder = try Self.folder(file, driver, &random)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try await Self.layer(folder, .none)
    let byIndex = try await Self.layer(folder, .answering)
    #expect(whole.source.inMemory != nil)
    var drawn = 0
    for _ in 0..<30 {
      let center = Point(
        x: .random(in: -1.9e7...1.9e7, using: &random), y: .random(in: -7e6...7e6, using: &random),
        spatialReference: .webMercator)
      let place = ResolvedViewpoint(
        center: center, resolution: .random(in: 300...6000, using: &random),
        rotation: .random(in: 0...360, using: &random))
      let views = [whole, byIndex].map { layer in
        ViewState(
          width: 300, height: 200, pixelRatio: 1, viewpoint: place, background: .white, timeExtent: nil,
          layers: [layer])
      }
      let images = (try await views[0].render(), try await views[1].render())
      #expect(images.0.bitmap == images.1.bitmap)
      #expect(images.0.report.layers[0].funnel == images.1.report.layers[0].funnel)
      drawn += images.0.report.layers[0].funnel?.drawn ?? 0
    }
    #expect(drawn > 1000, "\(drawn)")
    #expect(byIndex.source.inMemory == nil, "the index answered for every view")
  }
}
