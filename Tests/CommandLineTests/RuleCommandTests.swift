import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Renderers with rules in answers of the tool.
@Suite struct RuleCommandTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func square(_ color: String, _ size: Int = 9) -> String {
    #"{"type":"esriSMS","style":"esriSMSSquare","color":\#(color),"size":\#(size)}"#
  }

  private static let red = square("[200,0,0,255]")
  private static let blue = square("[0,0,200,255]")

  /// Writes a document with points of the values 1 to 4 and rules.
  private func write(_ rules: String, to name: String = "map.json", layer: String = "") throws -> String {
    let features = (1...4).map {
      #"{"attributes":{"OBJECTID":\#($0),"v":\#($0)},"geometry":{"x":\#($0),"y":0}}"#
    }.joined(separator: ",")
    return try folder.write(
      """
      {"operationalLayers":[{"id":"a","title":"Places","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326}\(layer),
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}],
        "drawingInfo":{"renderer":{"type":"rules","passes":[{"rules":[\(rules)]}]}}},
       "featureSet":{"features":[\(features)]}}]}}],
       "initialState":{"viewpoint":{"scale":10000000,"targetGeometry":{"x":2,"y":0,"spatialReference":{"wkid":4326}}}}}
      """, to: name)
  }

  @Test("Counts by class count a feature in each of its rules")
  func counts() async throws {
    let map = try write(
      #"{"name":"low","where":"v < 4","symbol":\#(Self.red)},{"name":"two","filter":"v = 2","symbol":\#(Self.blue)}"#
    )
    let run = try await Tool.run("count", map, "--by-class", "--everywhere")
    #expect(run.out == "low\t3\ntwo\t1\n(no rule)\t1\n", "\(run)")
    let json = try await Tool.run("count", map, "--by-class", "--everywhere", "--format", "json")
    let layer = try JSONValue(parsing: Array(json.out.utf8))["layers"]?[0]
    #expect(layer?["overlapping"] == true && layer?["count"] == 4)
    let expected = try await Tool.run("count", map, "--by-class", "--everywhere", "--expect", "4")
    #expect(expected.code == 0, "\(expected)")
    let inspected = try await Tool.run("inspect", map)
    #expect(inspected.out.contains("  renderer    rules by v\n              low\n              two\n"))
  }

  @Test("Rules that no feature matches, that never apply and that share a name are findings")
  func lint() async throws {
    let map = try write(
      #"""
      {"name":"low","where":"v < 3","symbol":\#(Self.red)},
      {"name":"low","where":"v = 3","symbol":\#(Self.blue)},
      {"name":"none","where":"v > 9","symbol":\#(Self.square("[0,120,0,255]", 12))},
      {"name":"far","where":"v > 3","minScale":1000,"symbol":\#(Self.square("[90,90,0,255]", 16))}
      """#, layer: #","minScale":20000000,"maxScale":1000"#)
    let run = try await Tool.run("lint", map)
    #expect(run.code == 1)
    let path =
      "$.operationalLayers[0].featureCollection.layers[0].layerDefinition.drawingInfo.renderer.passes[0].rules"
    let found = run.out.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(
      found.map { Array($0.prefix(2)) } == [
        ["duplicate-value", "\(path)[1]"], ["class-without-rows", "\(path)[2]"],
        ["scale-range", "\(path)[3]"],
      ], "\(run.out)")
  }

  @Test("A rule with features has no finding, and an else rule has those of the scales of others")
  func clean() async throws {
    let map = try write(
      #"""
      {"name":"all","minScale":50000000,"symbol":\#(Self.red)},{"name":"rest","else":true,"symbol":\#(Self.blue)}
      """#)
    let run = try await Tool.run("lint", map)
    #expect(run.code == 0, "\(run)")
    let never = try write(
      #"{"name":"all","symbol":\#(Self.red)},{"name":"rest","else":true,"symbol":\#(Self.blue)}"#,
      to: "never.json")
    let second = try await Tool.run("lint", never)
    #expect(second.out.contains("rule \"rest\" matches none of the 4 rows of the data"), "\(second)")
  }

  @Test("Differences of documents name the rule")
  func diff() async throws {
    let rule = #"{"name":"low","where":"v < 3","symbol":\#(Self.red)}"#
    let before = try write(rule)
    let after = try write(
      rule.replacingOccurrences(of: "v < 3", with: "v < 4").replacingOccurrences(of: ":9", with: ":8")
        + #",{"else":true,"symbol":\#(Self.blue)}"#, to: "after.json")
    let run = try await Tool.run("diff", before, after)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "Places › 0 › rule \"low\" › where: v < 3 → v < 4", "Places › 0 › rule \"low\" › symbol.size: 9 → 8",
        "Places › 0 › rule 1 › rule: none → added",
      ], "\(run.out)")
  }
}
