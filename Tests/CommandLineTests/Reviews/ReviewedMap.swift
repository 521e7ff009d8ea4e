import Foundation
import MapTestSupport
import Testing

/// A map with cases that a review of snapshots needs, and the tool that runs on them.
struct ReviewedMap {
  let folder: ScratchFolder
  private static let features: String = (0..<6).map { n in
    #"{"attributes": {"n": \#(n), "kind": "\#(n % 2 == 0 ? "a" : "b")"}, "geometry": {"x": \#(20 + n * 20), "y": 30}}"#
  }.joined(separator: ", ")

  /// A map with two classes, each in a case of its own, and both in a third one.
  init() async throws {
    folder = try ScratchFolder()
    try write()
    let view =
      #""size": [140, 60], "bounds": {"xmin": 0, "ymin": 0, "xmax": 140, "ymax": 60, "spatialReference": {"wkid": 3857}}"#
    for (name, only) in [
      ("all", ""), ("classes/a", #", "only": {"layer": "Points", "class": 0}"#),
      ("classes/b", #", "only": {"layer": "Points", "class": 1}"#),
    ] {
      try folder.write(
        #"{"document": "\#(folder.path("map.json"))", \#(view)\#(only)}"#, to: "cases/\(name)/case.json")
    }
    let run = try await snapshot("record", "cases", "--all")
    try #require(run.code == 0, "\(run)")
  }

  func write(a: String = "[200, 0, 0, 255]", b: String = "[0, 0, 200, 255]", filter: String = "n < 5")
    throws
  {
    func info(_ value: String, _ color: String) -> String {
      #"{"value": "\#(value)", "label": "\#(value)", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": \#(color), "size": 9}}"#
    }
    try folder.write(
      """
      {"operationalLayers": [{"id": "points", "title": "Points", "featureCollection": {"layers": [{
        "layerDefinition": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857},
          "definitionExpression": "\(filter)",
          "fields": [{"name": "n", "type": "esriFieldTypeInteger"}, {"name": "kind", "type": "esriFieldTypeString"}],
          "drawingInfo": {"renderer": {"type": "uniqueValue", "field1": "kind", "uniqueValueInfos": [
            \(info("a", a)),
            \(info("b", b))]}}},
        "featureSet": {"features": [\(Self.features)]}}]}}]}
      """, to: "map.json")
  }

  func snapshot(_ words: String..., environment: [String: String] = [:]) async throws -> Tool.Run {
    try await Tool.run(["snapshot"] + words, folder: folder.root, environment: environment)
  }

  /// Verifies with a change on purpose in class a and one by accident in class b.
  func review(_ more: String...) async throws -> String {
    try write(a: "[240, 0, 0, 255]", b: "[0, 9, 200, 255]")
    let words = ["verify", "cases", "--report-dir", "report", "--summary", "markdown"] + more
    let run = try await Tool.run(["snapshot"] + words, folder: folder.root)
    #expect(run.code == 1, "\(run)")
    return try String(contentsOfFile: folder.path("report/summary.md"), encoding: .utf8)
  }
}
