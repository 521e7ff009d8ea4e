import Foundation
import MapTestSupport
import Testing

/// Causes of lines that leave the image, alone and on pages.
@Suite struct LineCauseTests {
  let folder: ScratchFolder

  /// Lines of two classes that leave the view, in a case without a page and in two on pages.
  init() async throws {
    folder = try ScratchFolder()
    try write()
    let layouts = [
      "plain": "", "titled": #", "layout": {"title": "A map", "margin": 20}"#,
      "bar": #", "layout": {"scaleBar": true}"#,
    ]
    for (name, layout) in layouts {
      try folder.write(
        """
        {"document": "../../map.json", "size": [140, 90],
         "bounds": {"xmin": 0, "ymin": 0, "xmax": 140, "ymax": 60, "spatialReference": {"wkid": 3857}}\(layout)}
        """, to: "cases/\(name)/case.json")
    }
    let run = try await Tool.run(["snapshot", "record", "cases", "--all"], folder: folder.root)
    try #require(run.code == 0, "\(run)")
  }

  func write(field: String = "kind", width: Int = 2) throws {
    let lines = (0..<4).map { n in
      #"{"attributes": {"n": \#(n), "kind": "\#(n % 2 == 0 ? "a" : "b")"}, "geometry": {"paths": [[[\#(30 * n - 300), -100], [\#(30 * n + 20), 30], [400, \#(50 + 5 * n)]]]}}"#
    }
    func info(_ value: String, _ color: String, _ width: Int) -> String {
      #"{"value": "\#(value)", "label": "\#(value)", "symbol": {"type": "esriSLS", "style": "esriSLSSolid", "color": \#(color), "width": \#(width)}}"#
    }
    try folder.write(
      """
      {"operationalLayers": [{"id": "lines", "title": "Lines", "featureCollection": {"layers": [{
        "layerDefinition": {"geometryType": "esriGeometryPolyline", "spatialReference": {"wkid": 3857},
          "fields": [{"name": "n", "type": "esriFieldTypeInteger"}, {"name": "kind", "type": "esriFieldTypeString"}],
          "drawingInfo": {"renderer": {"type": "uniqueValue", "field1": "\(field)", "uniqueValueInfos": [
            \(info("a", "[200, 0, 0, 255]", width)), \(info("b", "[0, 0, 200, 255]", 2))]}}},
        "featureSet": {"features": [\(lines.joined(separator: ", "))]}}]}}]}
      """, to: "map.json")
  }

  @Test(
    "A wider class moves no other one, and all differing pixels are counted, also of a map that a page moves")
  func widerClass() async throws {
    try write(width: 3)
    let run = try await Tool.run(["snapshot", "verify", "cases"], folder: folder.root)
    #expect(run.code == 1 && !run.out.contains("geometry"), "\(run)")
    #expect(run.out.components(separatedBy: "stroke width: 2 → 3; 2 features;").count == 4, "\(run)")
    var cases = 0
    for name in ["plain", "titled", "bar"] {
      let lines = run.out.split(separator: "\n")
      let first = try #require(lines.firstIndex { $0.hasPrefix("differs\t\(name)\t") })
      let total = try #require(
        lines[first].split(separator: "\t")[2].split(separator: " ").first.flatMap { Int($0) })
      let pixels = try #require(lines[first + 1].split(separator: "pixels: ").last)
      let counted = pixels.split(separator: ";")[0].split(separator: ", ").compactMap {
        $0.split(separator: " ").first.flatMap { Int($0) }
      }
      #expect(counted.reduce(0, +) == total, "\(name): \(lines[first + 1])")
      cases += 1
    }
    #expect(cases == 3)
  }

  @Test(
    "A field that the renderer newly reads, and that is not there, is a change of the renderer, also on a page"
  )
  func missingField() async throws {
    try write(field: "kin")
    let run = try await Tool.run(["snapshot", "verify", "cases"], folder: folder.root)
    let causes = run.out.split(separator: "\n").filter { $0.hasPrefix("\t") }
    #expect(causes.count == 3 && causes.allSatisfy { $0 == "\tLines › renderer field: kind → kin" }, "\(run)")
  }
}
