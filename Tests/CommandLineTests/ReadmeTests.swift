import Foundation
import MapState
import MapTestSupport
import Testing

/// Every example of README runs: shell and Python examples from README itself, Swift examples from this file.
@Suite struct ReadmeTests {
  /// The fenced blocks of README in one language, in order.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOf: Tool.project.appendingPathComponent("README.md"), encoding: .utf8)
    var blocks: [String] = []
    var block: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```", let lines = block {
        blocks.append(lines.joined(separator: "\n"))
        block = nil
      } else if block != nil {
        block?.append(String(line))
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  /// A copy of the project's folders, so that the examples write nothing into the project.
  private static func clone() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for name in ["Styles", "Snapshots"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent(name), to: scratch.url(name))
    }
    return scratch
  }

  private static func run(_ program: String, _ script: String, in folder: ScratchFolder) async throws
    -> Tool.Run
  {
    let path = "PATH=\(Tool.builtFolder.path):$PATH"
    let file = try folder.write(script, to: "example")
    return try await Tool.run(
      ["-c", "export \(path); exec \(program) \"\(file)\""], folder: folder.root,
      program: URL(fileURLWithPath: "/bin/bash"))
  }

  @Test("The shell examples in README run and write their images")
  func shell() async throws {
    let blocks = try Self.blocks("sh")
    #expect(blocks.count == 9)
    let folder = try Self.clone()
    let server = try TestServer(
      Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py"),
      [Tool.style("data")])
    defer { server.stop() }
    for block in blocks.map({ $0.replacing("https://gis.example.com", with: server.address) }) {
      let run = try await Self.run("bash -euo pipefail", block, in: folder)
      #expect(run.code == 0, "\(block)\n\(run.err)")
    }
    for picture in [
      "cities", "europe", "counties", "incidents", "graffiti", "rates", "counties-on-map", "albers", "labels",
      "names",
    ] {
      #expect(try Data(contentsOf: folder.url("\(picture).png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test("The funnel in README equals the counted one")
  func funnel() async throws {
    let shown = try #require(Self.blocks("").first { $0.hasPrefix("Incidents") })
    let run = try await Tool.run("count", Tool.incidents, "--layer", "Incidents", "--funnel")
    let lines = run.out.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    #expect(lines == shown.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } })
  }

  @Test("The Python example in README prints the stated counts")
  func python() async throws {
    let blocks = try Self.blocks("python")
    #expect(blocks.count == 1)
    let folder = try Self.clone()
    let run = try await Self.run("python3", try #require(blocks.first), in: folder)
    #expect(run.code == 0, "\(run.err)")
    #expect(run.out == "none 16697\ndefinition 991\ndisplay 16697\npanned 13588\n")
    #expect(FileManager.default.fileExists(atPath: folder.path("panned.png")))
  }

  /// Checks that the lines between two marks of this file equal one of README's Swift examples without its
  /// imports.
  private static func expectExample(_ number: Int, _ mark: String) throws {
    let blocks = try blocks("swift")
    #expect(blocks.count == 3)
    let example = blocks[number].split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("import ") || $0.isEmpty }.joined(separator: "\n")
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let lines = own.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasSuffix("// \(mark) begins") }.dropFirst().prefix { !$0.hasSuffix("// \(mark) ends") }
    #expect(lines.map { $0.dropFirst(4) }.joined(separator: "\n") == example)
  }

  @Test("The Swift example in README compiles and runs")
  func swift() async throws {
    try Self.expectExample(1, "README")
    let folder = FileManager.default.currentDirectoryPath
    #expect(FileManager.default.changeCurrentDirectoryPath(Tool.project.path))
    defer { _ = FileManager.default.changeCurrentDirectoryPath(folder) }
    // README begins
    let document = try await MapDocument.open("Styles/san-francisco-incidents.json")
    let view = try MapView(map: document.map, width: 800, height: 600)
    let layer = document.map.featureLayers[1]
    layer.displayFilterDefinition = nil
    layer.definitionExpression = "req_type = 'Graffiti' AND status <> 'Closed'"
    let state = view.freeze()
    print(try await state.counts(CountOptions()).layers.map(\.count))
    let png = try await state.render().bitmap.pngData()
    // README ends
    #expect(png.count > 1000)
    #expect(try await state.counts(CountOptions()).layers.map(\.name) == ["Land", "Incidents"])
    try await objects()
  }

  /// The second example, run in the folder of the first one.
  private func objects() async throws {
    try Self.expectExample(2, "second")
    // second begins
    let cities = LocalFeatureTable(fileURL: URL(filePath: "Styles/data/world-cities.csv"))
    let layer = FeatureLayer(featureTable: cities)
    let map = Map(basemapStyle: .arcGISStreets)
    map.initialViewpoint = Viewpoint(latitude: 50, longitude: 12, scale: 20_000_000)
    map.addOperationalLayer(layer)
    let view = try MapView(map: map, width: 800, height: 600)
    let parameters = StatisticsQueryParameters(
      statisticDefinitions: [StatisticDefinition(fieldName: "POP", statisticType: .maximum)])
    parameters.geometry = view.visibleArea?.extent
    for record in try await cities.queryStatistics(using: parameters).statisticRecords() {
      print(record.statistics)
    }
    let under = ScreenPoint(x: 400, y: 300)
    for city in try await view.identify(on: layer, screenPoint: under, tolerance: 22).geoElements {
      layer.selectFeature(city)
    }
    let image = try await view.exportImage()
    // second ends
    let records = try await cities.queryStatistics(using: parameters).statisticRecords()
    #expect(records.map { $0.statistics["MAX_POP"] as? Int } == [15_701_602])
    #expect(try await layer.selectedFeatures().features().count == 1)
    #expect(image.width == 800)
  }
}
