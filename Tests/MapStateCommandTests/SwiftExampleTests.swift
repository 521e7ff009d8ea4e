import Foundation
import MapState
import MapTestSupport
import Testing

/// The Swift examples of README and the guide, compiled and run as they are written.
@Suite struct SwiftExampleTests {
  /// The files in which every Swift example is found.
  private static let files = [
    "Tests/MapStateCommandTests/SwiftExampleTests.swift", "Tests/SnapshotTests/GuideExampleTests.swift",
  ]

  /// Runs a body that holds an example of an article, and expects that it prints the shown output.
  private func example(
    _ article: String, at index: Int = 0, _ body: (_ print: @escaping (Any...) -> Void) async throws -> Void
  ) async throws {
    #expect(FileManager.default.changeCurrentDirectoryPath(Tool.project.path))
    let all = try GuideText.examples(of: article).filter { $0.language == "swift" }
    let example = try #require(all.dropFirst(index).first)
    var lines: [String] = []
    try await body { items in lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    #expect(example.shows(lines.joined(separator: "\n")), "\(article): \(lines)")
  }

  @Test("Every Swift example of README and the guide is compiled as it is written")
  func areCompiled() throws {
    func code(_ text: String) -> String {
      text.split(separator: "\n").filter { !$0.hasPrefix("import ") }
        .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
    let own = try Self.files.map { code(try GuideText.text(of: $0)) }
    let examples = try GuideText.articles.flatMap { try GuideText.examples(of: $0) }
      .filter { $0.language == "swift" }
    #expect(examples.count == 5)
    for example in examples {
      let text = code(example.code)
      #expect(own.contains { $0.contains(text) }, "\(example.article): \(text)")
    }
  }

  @Test("The example of README counts and draws")
  func readme() async throws {
    try await example("README.md") { print in
      let document = try await MapDocument.open("Styles/san-francisco-incidents.json")
      let view = try MapView(map: document.map, width: 800, height: 600)
      let layer = document.map.featureLayers[1]
      layer.displayFilterDefinition = nil
      layer.definitionExpression = "req_type = 'Graffiti' AND status <> 'Closed'"
      let state = view.freeze()
      print(try await state.counts(CountOptions()).layers.map(\.count))
      let png = try await state.render().bitmap.pngData()
      #expect(png.count > 1000)
      #expect(try await state.counts(CountOptions()).layers.map(\.name) == ["Land", "Incidents"])
    }
  }

  @Test("The example of the article on the library queries statistics and identifies")
  func library() async throws {
    try await example("Sources/Engine/MapState/MapState.docc/Library.md") { print in
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
        print(record.statistics["MAX_POP"] as? Int ?? 0)
      }
      let point = ScreenPoint(x: 400, y: 300)
      for city in try await view.identify(on: layer, screenPoint: point, tolerance: 22).geoElements {
        layer.selectFeature(city)
      }
      let image = try await view.exportImage()
      #expect(try await layer.selectedFeatures().features().count == 1)
      #expect(image.width == 800)
    }
  }

  @Test("The example of the article on concurrency counts and draws a frozen view")
  func concurrency() async throws {
    try await example("Sources/Engine/MapState/MapState.docc/Concurrency.md") { print in
      let document = try await MapDocument.open("Styles/us-counties.json")
      let view = try MapView(map: document.map, width: 800, height: 600)
      let state = view.freeze()
      document.map.featureLayers[1].definitionExpression = "STATE = 'OH'"
      async let image = state.render()
      let before = try await state.counts(CountOptions()).layers.map(\.count)
      let after = try await view.freeze().counts(CountOptions()).layers.map(\.count)
      print(before, after)
      print(try await image.bitmap.width)
    }
  }

  @Test("The example of the article on concurrency draws on the threads of a task executor")
  func executor() async throws {
    try await example("Sources/Engine/MapState/MapState.docc/Concurrency.md", at: 1) { print in
      final class DrawingThreads: TaskExecutor {
        private let threads = OperationQueue()

        init(count: Int) { threads.maxConcurrentOperationCount = count }

        func enqueue(_ job: consuming ExecutorJob) {
          let job = UnownedJob(job)
          threads.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
      }
      let drawing = DrawingThreads(count: 2)
      let counties = try await MapDocument.open("Styles/us-counties.json").map
      let drawn = try MapView(map: counties, width: 800, height: 600).freeze()
      let png = try await withTaskExecutorPreference(drawing) {
        try await drawn.render().bitmap.pngData()
      }
      print(png.count > 1000)
    }
  }
}
