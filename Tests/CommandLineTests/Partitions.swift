import Foundation
import MapJSON
import Testing
import MapTestSupport

/// A folder with the features of a GeoJSON file cut into consecutive partitions.
struct Partitions {
  let folder: ScratchFolder
  let count: Int
  let renderer: String

  init(_ source: String, at fractions: [Double], renderer: String) throws {
    let (folder, renderer) = (try ScratchFolder(), renderer)
    (self.folder, self.renderer) = (folder, renderer)
    let data = try Data(contentsOf: URL(fileURLWithPath: source))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let features = try #require(json["features"] as? [Any])
    let cuts = [0] + fractions.map { Int($0 * Double(features.count)) } + [features.count]
    count = cuts.count - 1
    for index in 0..<count {
      var part = json
      part["features"] = Array(features[cuts[index]..<cuts[index + 1]])
      try folder.write(JSONSerialization.data(withJSONObject: part), to: "\(index).geojson")
    }
    try folder.write(renderer, to: "drawing.json")
  }

  /// Writes a question and the state of each partition.
  func ask(_ question: String) async throws {
    try folder.write(question, to: "question.json")
    for index in 0..<count {
      let run = try await Tool.run(
        "partial", folder.path("\(index).geojson"), "--question", folder.path("question.json"), "--ordinal",
        "\(index)", "-o", folder.path("\(index).state"))
      #expect(run.code == 0 && run.out == "" && run.err == "", "\(run.err)")
    }
  }

  /// Merges the states in reversed order.
  func merge(_ options: String...) async throws -> Tool.Run {
    let states = (0..<count).reversed().map { folder.path("\($0).state") }
    return try await Tool.run(["merge", "--expect-partitions", "\(count)"] + states + options)
  }

  /// Red points with an outline.
  static let incidents = """
    {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "color": [200, 30, 30, 255],
      "size": 6, "outline": {"type": "esriSLS", "style": "esriSLSSolid", "color": [0, 0, 0, 255], "width": 1}}}}
    """
}
