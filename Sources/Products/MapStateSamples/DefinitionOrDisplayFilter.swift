import MapState

/// The sample "Filter by definition expression or display filter".
///
/// The definition expression limits the data; the display filter limits the drawing only.
enum DefinitionOrDisplayFilter {
  private enum Mode: String, CaseIterable {
    case none, definitionExpression, displayFilter
  }

  /// A map of a table of requests, with its two filters.
  private final class Model: Sendable {
    let map = Map(basemapStyle: .arcGISTopographic)
    private let layer: FeatureLayer
    private let trees = DisplayFilter(
      name: "Trees", whereClause: "req_type LIKE 'Tree Maintenance or Damage'")

    init() throws {
      layer = FeatureLayer(featureTable: try Services.table(Services.incidents))
      map.initialViewpoint = Viewpoint(latitude: 37.7762, longitude: -122.4522, scale: 7e4)
      map.addOperationalLayer(layer)
    }

    /// Sets both filters each time, so that switching removes the previous one.
    func filter(_ mode: Mode) {
      layer.definitionExpression =
        mode == .definitionExpression ? "req_type = 'Tree Maintenance or Damage'" : ""
      layer.displayFilterDefinition =
        mode == .displayFilter
        ? ManualDisplayFilterDefinition(activeFilter: trees, availableFilters: [trees]) : nil
    }

    func count(within extent: Envelope) async throws -> Int {
      let parameters = QueryParameters()
      parameters.geometry = extent
      return try await layer.featureTable?.queryFeatureCount(using: parameters) ?? 0
    }
  }

  @Sendable static func run() async throws {
    let model = try Model()
    let view = try MapView(map: model.map, width: 390, height: 700)
    let frame = ScreenRect(x: 0, y: 0, width: view.width, height: view.height)
    var modes = Mode.allCases[...]
    // The view reports each drawing after a change by itself.
    for await status in view.drawStatuses {
      print("draw status: \(status.rawValue)")
      guard status == .completed, let extent = view.envelope(fromViewRect: frame) else { continue }
      let state = view.freeze()
      var funnel = CountOptions()
      funnel.funnel = true
      let drawn = try await state.counts(funnel).layers.first?.funnel?.drawn ?? 0
      print("\(try await model.count(within: extent)) feature(s), \(drawn) drawn")
      modes = modes.dropFirst()
      guard let next = modes.first else { break }
      print("filter mode: \(next.rawValue)")
      view.map.update { model.filter(next) }
    }
  }
}
