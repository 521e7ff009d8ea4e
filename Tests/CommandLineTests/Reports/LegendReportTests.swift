import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Runs the tool on cases of public reports about legends and labels of areas.
@Suite("Reports about legends and labels of areas")
struct LegendReportTests {
  private static func file(_ name: String) -> String {
    Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases/\(name)").path
  }

  @Test("The swatches of all dashes differ")
  func dashes() async throws {
    let scratch = try ScratchFolder()
    let image = scratch.url("legend.png")
    let run = try await Tool.run(
      "legend", Self.file("11-legend-dashes-alike/d.json"), "-o", image.path, "--pixel-ratio", "3")
    #expect(run.code == 0, "\(run.err)")
    let bitmap = try Bitmap(file: image.path)
    // Where dark runs begin and end, relative to the first, in rows through a swatch; labels are at the right of them.
    var patterns: Set<[Int]> = []
    var last: [Int] = []
    for y in 0..<bitmap.height {
      let isDark = (0..<min(bitmap.width, 3 * 132)).map { bitmap[$0, y].red < 40 }
      let changes = isDark.indices.dropFirst().filter { isDark[$0] != isDark[$0 - 1] }
      let pattern = changes.map { ($0 - changes[0]) / 4 }
      // Solid lines of 1 and 4 points have the same ends; the letter of the title has two patterns.
      if pattern.count > 1, pattern == last { patterns.insert(pattern) }
      last = pattern
    }
    #expect(patterns.count >= 15, "\(patterns)")
  }

  @Test("A symbol with overrides has its own colours in the legend")
  func overrides() async throws {
    let scratch = try ScratchFolder()
    let document = """
      {"operationalLayers":[{"id":"a","title":"Layer","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"drawingInfo":{"renderer":{"type":"simple",
      "symbol":{"type":"CIMSymbolReference","primitiveOverrides":[{"type":"CIMPrimitiveOverride","primitiveName":"p",
      "propertyName":"Color","valueExpressionInfo":{"type":"CIMExpressionInfo","expression":"IIf($feature.v > 1, 'red', 'blue')"}}],
      "symbol":{"type":"CIMPointSymbol","symbolLayers":[{"type":"CIMVectorMarker","enable":true,"size":12,
      "frame":{"xmin":-5,"ymin":-5,"xmax":5,"ymax":5},"markerGraphics":[{"type":"CIMMarkerGraphic",
      "geometry":{"rings":[[[-5,-5],[5,-5],[5,5],[-5,5],[-5,-5]]]},"symbol":{"type":"CIMPolygonSymbol","symbolLayers":[
      {"type":"CIMSolidFill","enable":true,"primitiveName":"p","color":[0,160,0,255]}]}}]}]}}}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"features":[{"attributes":{"OBJECTID":1,"v":1},"geometry":{"x":10,"y":50}}]}}]}}]}
      """
    try scratch.write(document, to: "map.json")
    let image = scratch.url("legend.png")
    let run = try await Tool.run("legend", scratch.url("map.json").path, "-o", image.path)
    #expect(run.code == 0 && run.err == "", "\(run)")
    let bitmap = try Bitmap(file: image.path)
    let green = (0..<bitmap.height).reduce(0) { sum, y in
      sum + (0..<bitmap.width).count { bitmap[$0, y] == PixelColor(red: 0, green: 160, blue: 0, alpha: 255) }
    }
    #expect(green >= 200)
  }

  @Test("A long label in a legend wraps and is not cut")
  func longLabel() async throws {
    let scratch = try ScratchFolder()
    let run = try await Tool.run(
      "render", Self.file("18-legend-label-cut-silently/leg.json"), "-o", scratch.url("leg.svg").path,
      "--size", "700x350", "--legend", "--svg-text")
    #expect(run.code == 0)
    let text = try String(contentsOf: scratch.url("leg.svg"), encoding: .utf8)
    #expect(text.contains("full") && !run.err.contains("is cut in the legend"))
  }

  @Test("A label that is cut in a legend is named in a warning")
  func cutLabel() async throws {
    let scratch = try ScratchFolder()
    let word = String(repeating: "wordy ", count: 80)
    let document = """
      {"version": "2.31", "operationalLayers": [{"title": "L", "layerType": "GeoJSON", "url": "p.geojson",
      "layerDefinition": {"drawingInfo": {"renderer": {"type": "simple", "label": "\(word)",
      "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [0, 0, 0, 255]}}}}}]}
      """
    try Data(document.utf8).write(to: scratch.url("m.json"))
    try FileManager.default.copyItem(
      atPath: Self.file("18-legend-label-cut-silently/p.geojson"), toPath: scratch.url("p.geojson").path)
    let run = try await Tool.run(
      "render", scratch.url("m.json").path, "-o", scratch.url("x.png").path, "--size", "700x350", "--legend")
    #expect(
      run.err.contains("the label \"wordy wordy") && run.err.contains("is cut in the legend"), "\(run.err)")
  }

  @Test("Classes with the same symbol and label are one entry with the sum of their counts")
  func joinedEntries() async throws {
    let scratch = try ScratchFolder()
    let symbol = #"{"type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [0, 0, 200, 255]}"#
    let document = """
      {"version": "2.31", "operationalLayers": [{"title": "L", "layerType": "GeoJSON", "url": "p.geojson",
      "layerDefinition": {"drawingInfo": {"renderer": {"type": "uniqueValue", "field1": "k", "uniqueValueInfos": [
      {"value": "a", "label": "Both", "symbol": \(symbol)}, {"value": "b", "label": "Both", "symbol": \(symbol)},
      {"value": "c", "label": "Other", "symbol": \(symbol)}]}}}}]}
      """
    try Data(document.utf8).write(to: scratch.url("m.json"))
    try FileManager.default.copyItem(
      atPath: Self.file("18-legend-label-cut-silently/p.geojson"), toPath: scratch.url("p.geojson").path)
    let run = try await Tool.run(
      "legend", scratch.url("m.json").path, "-o", scratch.url("l.json").path, "--counts")
    #expect(run.code == 0, "\(run.err)")
    let text = try String(contentsOf: scratch.url("l.json"), encoding: .utf8)
    #expect(text.components(separatedBy: "\"Both\"").count == 2, "\(text)")
  }

  @Test("Values below the lowest class and above the highest are told in notes")
  func outsideClasses() async throws {
    let scratch = try ScratchFolder()
    try Data("lon,lat,v\n1,1,5\n2,2,15\n3,3,25\n1,3,31\n3,1,32\n2,3,30\n".utf8).write(
      to: scratch.url("p.csv"))
    let symbol = #"{"type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [0, 0, 200, 255]}"#
    let document = """
      {"version": "2.31", "operationalLayers": [{"title": "L", "layerType": "CSV", "url": "p.csv",
      "locationInfo": {"locationType": "coordinates", "latitudeFieldName": "lat", "longitudeFieldName": "lon"},
      "layerDefinition": {"drawingInfo": {"renderer": {"type": "classBreaks", "field": "v", "minValue": 10,
      "classBreakInfos": [{"classMaxValue": 20, "label": "low", "symbol": \(symbol)},
      {"classMaxValue": 30, "label": "high", "symbol": \(symbol)}]}}}}]}
      """
    try Data(document.utf8).write(to: scratch.url("m.json"))
    let run = try await Tool.run(
      "render", scratch.url("m.json").path, "-o", scratch.url("x.png").path, "--bounds", "0,0,4,4", "--legend"
    )
    #expect(run.code == 0)
    #expect(run.err.contains("1 feature in the view has a value below the lowest class"), "\(run.err)")
    let above = "2 features in the view have a value above the highest class, which ends at 30"
    #expect(run.err.contains(above), "\(run.err)")
    try Data(
      document.replacing("\"classMaxValue\": 30", with: "\"classMinValue\": 25, \"classMaxValue\": 30").utf8
    )
    .write(to: scratch.url("gap.json"))
    let gap = try await Tool.run(
      "render", scratch.url("gap.json").path, "-o", scratch.url("x.png").path, "--bounds", "0,0,4,4")
    #expect(
      gap.err.contains("have a value in no class") || gap.err.contains("has a value in no class"), "\(gap)")
    for options in [[], ["--funnel"], ["--funnel", "--bounds", "0,0,4,4"]] {
      let count = try await Tool.run(["count", scratch.url("m.json").path, "--by-class"] + options)
      #expect(count.code == 0)
      let fate = "counted as \"(no class)\""
      for note in [
        "1 feature has a value below the lowest class, which begins at 10: \(fate)",
        "2 features have a value above the highest class, which ends at 30: \(fate)",
      ] {
        #expect(count.err.contains(note), "\(options) \(count.err)")
      }
    }
  }

  @Test("A note says how many points look like one, where at least half share a position")
  func sharedPositions() async throws {
    let scratch = try ScratchFolder()
    func notes(_ rows: [String], _ options: [String] = []) async throws -> [Substring] {
      try Data((["lon,lat,v"] + rows).joined(separator: "\n").utf8).write(to: scratch.url("p.csv"))
      let run = try await Tool.run(
        ["render", scratch.url("p.csv").path, "-o", scratch.url("x.png").path, "--bounds", "0,0,4,4"]
          + options)
      #expect(run.code == 0, "\(run)")
      return run.err.split(separator: "\n").filter { $0.contains("lie at") }
    }
    let spot = (0..<1000).map { "1,1,\($0)" }
    let note = try await notes(spot)
    #expect(note.count == 1)
    #expect(
      note.first?.contains("the 1000 features in the view lie at 1 position, where each one hides") ?? false)
    #expect(try await notes(spot, ["--aggregate", "hexagon"]).isEmpty)
    #expect(try await notes(spot, ["--definition", "v < 2"]).isEmpty)
    #expect(try await notes(["1,1,1", "1,1,2", "2,2,3", "2,2,4"]).first?.contains("at 2 positions") ?? false)
    #expect(try await notes(["1,1,1", "1,1,2", "2,2,3", "3,3,4"]).isEmpty)
    // Only the points in the view count, and a large table is looked at by a sample.
    #expect(try await notes(["1,1,1", "2,2,2", "3,3,3"] + (0..<9).map { "9,9,\($0)" }).isEmpty)
    #expect(try await notes((0..<20000).map { "\($0 % 40 < 2 ? 1.5 : 3),\($0 % 7),\($0)" }).count == 1)
    #expect(try await notes((0..<20000).map { "\(Double($0) / 5000),1,\($0)" }).isEmpty)
  }

  @Test("A label that would cover its area lies beside it, and the report counts those without a place")
  func smallAreas() async throws {
    let scratch = try ScratchFolder()
    let report = scratch.url("r.json")
    let run = try await Tool.run(
      "render", Self.file("19-label-hides-small-area/s.geojson"), "-o", scratch.url("sm.png").path, "--label",
      "n", "--size", "900x260", "--bounds=-1,-9,52,4", "--report", report.path, "--list-labels")
    #expect(run.code == 0, "\(run.err)")
    let text = try String(contentsOf: report, encoding: .utf8)
    for name in ["Parcel 0.2", "Parcel 0.3", "Parcel 0.5"] { #expect(text.contains(name)) }
    #expect(text.contains("Parcel 3"))
    #expect(text.contains("coversArea"))
  }
}
