import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Features that change no pixel of the image are counted as invisible, with the property that hides them.
@Suite struct InvisibleReportTests {
  private static let cases = Tool.project.appendingPathComponent(
    "Tests/CommandLineTests/Reports/Cases/invisible")

  /// Returns the stages of the only layer's funnel, and the warnings and notes.
  private static func funnel(
    _ document: String, _ options: [String], folder: URL = cases
  ) async throws -> (stages: [String: Int], messages: String) {
    let run = try await Tool.run(
      ["count", document, "--in-view", "--funnel", "--format", "json"] + options, folder: folder)
    #expect(run.code == 0, "\(run.err)")
    let funnel = try JSONValue(parsing: run.out)["layers"]?[0]?["funnel"]?.object
    var stages: [String: Int] = [:]
    for stage in funnel?.members ?? [] { stages[stage.name] = stage.value.integer }
    return (stages, run.err)
  }

  @Test("A marker that its offset moves out of the image is invisible, one that is moved in is at the edge")
  func offset() async throws {
    let (stages, messages) = try await Self.funnel(
      "off.json", ["--bounds=-10,-5,10,5", "--size", "200x100"])
    #expect(stages["display"] == 2)
    #expect(stages["invisible"] == 1)
    #expect(stages["drawn"] == 1)
    #expect(stages["edge"] == 1)
    #expect(messages.contains("1 of 2 features in the view are invisible: the offset of the symbol"))
  }

  @Test(
    "Features that opacity or colour hides are invisible, and a warning names the property",
    arguments: [
      ("op-opacity0.json", "the opacity of the layer is 0"),
      ("op-alpha0.json", "the colour of the symbol is transparent or missing"),
      ("op-groupopacity0.json", "the opacity of its group is 0 ($.operationalLayers[0])"),
    ])
  func transparent(_ document: String, _ words: String) async throws {
    let view = ["--bounds", "170,-5,205,5", "--size", "300x100"]
    let (stages, messages) = try await Self.funnel(document, view)
    #expect(stages["display"] == 3)
    #expect(stages["invisible"] == 3)
    #expect(stages["drawn"] == 0)
    #expect(stages["edge"] == 0)
    #expect(messages.contains("warning: layer \"x\": 3 of 3 features in the view are invisible: \(words)"))

    let scratch = try ScratchFolder()
    let image = try await Tool.run(
      ["render", document, "-o", scratch.path("x.png")] + view, folder: Self.cases)
    #expect(
      image.err.contains(
        "warning: layer \"x\": draws nothing: 3 of 3 features in the view are invisible: \(words)"))
    let explained = try await Tool.run(
      ["explain", document, "--layer", "x", "--id", "1"] + view, folder: Self.cases)
    #expect(explained.out.contains("drawn       no   it is invisible: \(words)"), "\(explained.out)")
  }

  @Test("A size variable of 0 makes features invisible, and the others are drawn")
  func sizeVariable() async throws {
    let scratch = try ScratchFolder()
    let features = [0, 0, 5].enumerated().map {
      #"{"attributes":{"OBJECTID":\#($0 + 1),"v":\#($1)},"geometry":{"x":\#($0 * 100000),"y":0}}"#
    }
    let document = """
      {"operationalLayers":[{"id":"x","title":"x","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"objectIdField":"OBJECTID",
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":8,
      "color":[255,0,0,255],"outline":null},"visualVariables":[{"type":"sizeInfo","field":"v","minDataValue":0,
      "maxDataValue":10,"minSize":0,"maxSize":20}]}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    try scratch.write(document, to: "size.json")
    let (stages, messages) = try await Self.funnel(
      "size.json", ["--viewpoint", "0,0,20000000", "--size", "200x100"], folder: scratch.root)
    #expect(stages["invisible"] == 2)
    #expect(stages["drawn"] == 1)
    #expect(messages.contains("2 of 3 features in the view are invisible: the size or width of the symbol"))
    let all = try await Tool.run(
      "count", "size.json", "--everywhere", "--funnel", "--format", "json", folder: scratch.root)
    let funnel = try JSONValue(parsing: all.out)["layers"]?[0]?["funnel"]
    #expect(funnel?["drawn"]?.integer == 1)
    #expect(funnel?["invisible"]?.integer == 2)
  }

  @Test("Of small areas without an outline, exactly those are drawn that paint a pixel when they are alone")
  func smallAreas() async throws {
    let view = ["--bounds=-1,-1,5,5", "--size", "200x200"]
    let (stages, _) = try await Self.funnel("tiny-nooutline.json", view)
    #expect(stages["extent"] == 9)
    var painted = 0
    let scratch = try ScratchFolder()
    let empty = try await Self.image(of: "i = 0", view, scratch)
    for id in 1...9 where try await Self.image(of: "i = \(id)", view, scratch) != empty { painted += 1 }
    #expect(painted > 0)
    #expect(stages["drawn"] == painted)
    #expect(stages["invisible"] == 9 - painted)
  }

  private static func image(of filter: String, _ view: [String], _ scratch: ScratchFolder) async throws
    -> Data
  {
    let run = try await Tool.run(
      ["render", "tiny-nooutline.json", "-o", scratch.path("x.png"), "--definition", filter] + view,
      folder: cases)
    #expect(run.code == 0, "\(run.err)")
    return try Data(contentsOf: scratch.url("x.png"))
  }

  @Test("With --by-class, the drawn numbers of the classes add up to the drawn number of the funnel")
  func classes() async throws {
    let run = try await Tool.run(
      [
        "count", "off.json", "--in-view", "--bounds=-10,-5,10,5", "--size", "200x100", "--funnel",
        "--by-class",
        "--format", "json",
      ], folder: Self.cases)
    let layer = try JSONValue(parsing: run.out)["layers"]?[0]
    let drawn = layer?["classes"]?.array?.compactMap { $0["drawn"]?.integer } ?? []
    #expect(drawn.reduce(0, +) == 1)
    #expect(layer?["funnel"]?["drawn"]?.integer == 1)
  }
}
