import Foundation
import MapTestSupport
import Testing

/// A document of ten layers; one cannot be read, is hidden or is not queried.
@Suite("Ten layers, one of them dead")
struct TenLayersTests {
  /// The fault of one layer.
  enum Fault: String, CaseIterable {
    case missing, unreachable, unauthorised, hiddenMissing, hiddenUnreachable
  }

  /// A command over the document and its expected result for each fault: the exit code and the named layers.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: String
    /// Exit codes for a missing file and for a service.
    let codes: (file: Int32, service: Int32)
    /// Whether the fault has no effect when the layer is hidden.
    let sparesHidden: Bool
    /// The number of layers drawn or counted; nil if the command fails.
    let reached: Int?

    var testDescription: String { command }
  }

  // D is the layer with the fault, L another one and FILE an image.
  private static let rows = [
    Row(command: "render -o FILE", codes: (2, 3), sparesHidden: true, reached: nil),
    Row(command: "render -o FILE --skip-unavailable", codes: (0, 0), sparesHidden: true, reached: 9),
    Row(command: "render -o FILE --skip-unavailable --strict", codes: (1, 1), sparesHidden: true, reached: 9),
    Row(command: "render -o FILE --hide D", codes: (0, 0), sparesHidden: true, reached: 9),
    Row(command: "render -o FILE --only L", codes: (0, 0), sparesHidden: true, reached: 1),
    Row(command: "render -o FILE --show D", codes: (2, 3), sparesHidden: false, reached: nil),
    Row(command: "render -o FILE --only D", codes: (2, 3), sparesHidden: false, reached: nil),
    Row(command: "count", codes: (2, 3), sparesHidden: false, reached: nil),
    Row(command: "count --layer L", codes: (0, 0), sparesHidden: false, reached: 1),
    Row(command: "count --only L --only L2", codes: (0, 0), sparesHidden: false, reached: 2),
    Row(command: "count --layer D", codes: (2, 3), sparesHidden: false, reached: nil),
    Row(command: "query --layer L --ids", codes: (0, 0), sparesHidden: false, reached: 1),
    Row(command: "inspect", codes: (2, 3), sparesHidden: false, reached: nil),
    Row(command: "inspect --skip-unavailable", codes: (0, 0), sparesHidden: false, reached: 9),
    Row(command: "inspect --layer L", codes: (0, 0), sparesHidden: false, reached: 1),
  ]

  private static func document(dead: Int, _ fault: Fault, server: String) -> String {
    let layers = (0..<10).map { index in
      var url = "places.geojson"
      var type = "GeoJSON"
      if index == dead {
        switch fault {
        case .missing, .hiddenMissing: url = "gone.geojson"
        // Port 1 has no listener.
        case .unreachable, .hiddenUnreachable:
          (url, type) = ("http://127.0.0.1:1/arcgis/rest/services/x/FeatureServer/0", "ArcGISFeatureLayer")
        case .unauthorised:
          (url, type) = ("\(server)/arcgis/rest/services/x/FeatureServer/0", "ArcGISFeatureLayer")
        }
      }
      let isHidden = index == dead && fault.rawValue.hasPrefix("hidden")
      return """
        {"id":"l\(index)","title":"Layer \(index)","layerType":"\(type)","url":"\(url)",\
        "visibility":\(!isHidden)}
        """
    }
    return "{\"version\":\"2.31\",\"operationalLayers\":[\(layers.joined(separator: ",\n"))]}"
  }

  @Test(
    "A layer with a fault stops only the commands that need it, and the error names it",
    arguments: Fault.allCases)
  func table(_ fault: Fault) async throws {
    let program = Tool.project.appendingPathComponent("Tests/CommandLineTests/unauthorised_server.py")
    let server = try TestServer(program)
    defer { server.stop() }
    // Every command with the fault in the first layer, and the plain image and one more command for each other layer.
    let asked = (0..<10).flatMap { dead in
      Self.rows.indices.filter { dead == 0 || $0 == 0 || $0 == dead }.map { (dead, Self.rows[$0]) }
    }
    #expect(asked.count == 33)
    // All at once, because most wait between tries.
    try await withThrowingTaskGroup { group in
      for (dead, row) in asked {
        let document = Self.document(dead: dead, fault, server: server.address)
        group.addTask { try await Self.check(row, document, dead: dead, fault) }
      }
      try await group.waitForAll()
    }
  }

  /// Runs a command over a document and compares its exit code, outputs, warnings and report.
  private static func check(_ row: Row, _ document: String, dead: Int, _ fault: Fault) async throws {
    let folder = try ScratchFolder()
    try folder.write(SmallMap.places, to: "places.geojson")
    let map = try folder.write(document, to: "map.json")
    let (other, second) = ((dead + 3) % 10, (dead + 7) % 10)
    let words = row.command.split(separator: " ").map { word in
      switch word {
      case "FILE": folder.path("x.png")
      case "D": "Layer \(dead)"
      case "L": "Layer \(other)"
      case "L2": "\(second)"
      default: String(word)
      }
    }
    var arguments = [words[0], map, "--allow-private"] + words.dropFirst()
    let isRender = words[0] == "render"
    if isRender { arguments += ["--report", folder.path("report.json")] }
    let run = try await Tool.run(arguments)
    let isSpared = row.sparesHidden && fault.rawValue.hasPrefix("hidden")
    let isFile = fault == .missing || fault == .hiddenMissing
    let code = isSpared ? 0 : isFile ? row.codes.file : row.codes.service
    let comment: Comment = "\(fault) \(arguments): \(run)"
    #expect(run.code == code, comment)
    #expect(run.isSignal == false, comment)
    if code > 1 {
      #expect(run.errors.count == 1, comment)
      #expect(run.out == "", comment)
      #expect(run.err.contains("$.operationalLayers[\(dead)].url"), comment)
      #expect(!FileManager.default.fileExists(atPath: folder.path("report.json")), comment)
      return
    }
    let isSkipped = row.command.contains("--skip-unavailable") && !isSpared
    // Inspect lists the warning in its output.
    let warning = "\"Layer \(dead)\" is left out, because it cannot be read"
    #expect((run.err + run.out).contains(warning) == isSkipped, comment)
    guard isRender else {
      let reached = try #require(row.reached, comment)
      switch words[0] {
      case "count": #expect(run.out.split(separator: "\n").count == reached, comment)
      case "query": #expect(run.out.split(separator: "\n").count == 8, comment)
      default:
        #expect(
          run.out.split(separator: "\n").count { $0.contains("(point, 8 features)") } == reached, comment)
      }
      return
    }
    let report =
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: folder.url("report.json"))) as? [String: Any]
    let layers = try #require(report?["layers"] as? [[String: Any]], comment)
    let drawn = layers.filter { $0["status"] as? String == "drawn" }.count
    #expect(layers.count == 10, comment)
    #expect(drawn == (isSpared && row.reached == nil ? 9 : row.reached ?? 9), comment)
    let status = layers[dead]["status"] as? String
    #expect(status == (isSkipped ? "unavailable" : "hidden"), comment)
    let warnings = try #require(report?["warnings"] as? [String], comment)
    #expect(warnings.contains { $0.contains(warning) } == isSkipped, comment)
  }

  /// The fields of the data are not those that the document was written for.
  @Test("A layer or label class with a condition that its data refuse is left out on request")
  func refusedConditions() async throws {
    let folder = try ScratchFolder()
    try folder.write(SmallMap.places, to: "places.geojson")
    let map = try folder.write(
      """
      {"operationalLayers":[
        {"id":"a","title":"Rows","layerType":"GeoJSON","url":"places.geojson",
          "layerDefinition":{"definitionExpression":"nowhere = 1"}},
        {"id":"b","title":"Labels","layerType":"GeoJSON","url":"places.geojson","showLabels":true,
          "layerDefinition":{"drawingInfo":{"labelingInfo":[
            {"where":"nowhere = 1","labelExpressionInfo":{"expression":"$feature.kind"},
              "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":9}}},
            {"labelExpressionInfo":{"expression":"$feature.nowhere"},
              "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":9}}},
            {"labelExpressionInfo":{"expression":"$feature.kind"},
              "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":9}}}]}}}]}
      """, to: "map.json")
    let refused = try await Tool.run(["render", map, "-o", folder.path("x.png")])
    #expect(refused.code == 2)
    #expect(try !folder.names().contains("x.png"))
    let report = folder.path("report.json")
    let run = try await Tool.run(
      ["render", map, "-o", folder.path("x.png"), "--skip-unavailable", "--report", report])
    #expect(run.code == 0, "\(run)")
    #expect(run.err.contains("$.operationalLayers[0]: layer \"Rows\" is left out"), "\(run)")
    #expect(run.err.contains("$.operationalLayers[1]: labels left out: in \"nowhere = 1\""), "\(run)")
    #expect(run.err.contains("$.operationalLayers[1]: labels left out: a label class reads field"), "\(run)")
    let written =
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("report.json"))) as? [String: Any]
    let layers = try #require(written?["layers"] as? [[String: Any]])
    #expect(layers.map { $0["status"] as? String } == ["unavailable", "drawn"])
    let labels = try #require(written?["labels"] as? [String: Any])
    #expect((labels["classes"] as? [Any])?.count == 1)
  }

  @Test("A layer of a map service may list its sublayers, whose ids are numbers")
  func numberedSublayers() async throws {
    let folder = try ScratchFolder()
    try folder.write(SmallMap.places, to: "places.geojson")
    try folder.write(
      #"{"https://example.com/rest/services/x/MapServer/0":"places.geojson"}"#, to: "services.json")
    let map = try folder.write(
      """
      {"operationalLayers":[{"id":"a","title":"Places","layerType":"ArcGISMapServiceLayer",
        "url":"https://example.com/rest/services/x/MapServer/0","layers":[{"id":0,"name":"Places"}]}]}
      """, to: "map.json")
    let run = try await Tool.run(["count", map, "--services", folder.path("services.json")])
    #expect(run.code == 0, "\(run)")
    #expect(run.err == "")
  }
}
