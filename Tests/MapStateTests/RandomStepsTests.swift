import Foundation
import MapState
import MapTestSupport
import Testing

/// A map after many changes draws and counts like a new map in the same state.
@Suite struct RandomStepsTests {
  /// The state of a map, as a value.
  struct Situation {
    var clauses = ["", ""]
    var filters: [String?] = [nil, nil]
    var visible = [true, true]
    var opacity = [1.0, 1.0]
    var minScale = [0.0, 0.0]
    var selected: [Set<Int64>] = [[], []]
    var hidden: [Set<Int64>] = [[], []]
    var isSwapped = false
    var marker = 0
    var viewpoint = Viewpoint(
      center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 100_000, rotation: 0)
    var time: TimeExtent?
    var graphics: [Point] = []
    var background: Color? = .white
    /// Symbol sizes of the basemap's layers below and above those of the map.
    var basemap: (base: [Double], reference: [Double]) = ([], [])
  }

  /// A map in a given state, as objects.
  private final class Live: Sendable {
    let map = Map()
    let layers: [FeatureLayer]
    let overlay: GraphicsOverlay
    let view: MapView

    init(_ sources: [any FeatureSource], _ situation: Situation) throws {
      overlay = GraphicsOverlay()
      layers = sources.map { FeatureLayer(featureTable: LocalFeatureTable(source: $0)) }
      map.addOperationalLayers(layers)
      view = try MapView(
        map: map, width: 240, height: 160, viewpoint: situation.viewpoint, graphicsOverlays: [overlay])
    }

    /// Creates a map of copies of another's layers, with its graphics.
    init(copying other: Live, _ situation: Situation) throws {
      (overlay, layers) = (other.overlay, other.layers.map { $0.clone() })
      map.addOperationalLayers(situation.isSwapped ? layers.reversed() : layers)
      map.backgroundColor = situation.background
      view = try MapView(
        map: map, width: 240, height: 160, viewpoint: situation.viewpoint, graphicsOverlays: [overlay])
      view.timeExtent = situation.time
      map.basemap = other.map.basemap?.clone()
    }

    /// Applies a whole state at once.
    func take(_ situation: Situation) throws {
      for index in layers.indices {
        set(.clause, index, situation)
        set(.filter, index, situation)
        set(.visible, index, situation)
        set(.opacity, index, situation)
        set(.scale, index, situation)
        set(.selection, index, situation)
        set(.hidden, index, situation)
      }
      set(.order, 0, situation)
      set(.marker, 0, situation)
      set(.time, 0, situation)
      set(.graphics, 0, situation)
      set(.background, 0, situation)
      set(.basemap, 0, situation)
      try view.setViewpoint(situation.viewpoint)
    }

    enum Part: CaseIterable {
      case clause, filter, visible, opacity, scale, selection, hidden, order, marker, time, graphics
      case background, basemap
    }

    func set(_ part: Part, _ index: Int, _ situation: Situation) {
      let layer = layers[index]
      switch part {
      case .clause: layer.definitionExpression = situation.clauses[index]
      case .filter:
        let filter = situation.filters[index].map { DisplayFilter(name: "f", whereClause: $0) }
        layer.displayFilterDefinition = filter.map {
          ManualDisplayFilterDefinition(activeFilter: $0, availableFilters: [$0])
        }
      case .visible: layer.isVisible = situation.visible[index]
      case .opacity: layer.opacity = situation.opacity[index]
      case .scale: layer.minScale = situation.minScale[index]
      case .selection:
        layer.clearSelection()
        layer.select(situation.selected[index], mode: .new)
      case .hidden:
        layer.resetFeaturesVisible()
        layer.setVisible(
          false,
          for: situation.hidden[index].map {
            Feature(table: layer.featureTable, objectID: $0, attributes: [:], geometry: nil)
          })
      case .order:
        let isSwapped = map.featureLayers[0] !== layers[0]
        if isSwapped != situation.isSwapped { map.moveOperationalLayer(from: 0, to: 1) }
      case .marker:
        let style = SimpleMarkerSymbol.Style.allCases[situation.marker]
        layers[0].renderer = SimpleRenderer(
          symbol: SimpleMarkerSymbol(style: style, color: .red, size: 9, outline: SimpleLineSymbol()))
      case .time: view.timeExtent = situation.time
      case .graphics:
        overlay.removeAllGraphics()
        overlay.addGraphics(
          situation.graphics.map { Graphic(geometry: $0, symbol: SimpleMarkerSymbol(color: .blue, size: 5)) })
      case .background: map.backgroundColor = situation.background
      case .basemap:
        func layers(_ sizes: [Double], _ color: Color) -> [any Layer] {
          sizes.map { size in
            FeatureLayer(
              source: TableFixtures.cities,
              renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(color: color, size: size)))
          }
        }
        map.basemap = Basemap(
          baseLayers: layers(situation.basemap.base, .green),
          referenceLayers: layers(situation.basemap.reference, .purple))
      }
    }
  }

  private static let clauses = [
    "", "OBJECTID > 20", "req_type LIKE 'T%'", "req_date IS NOT NULL", "OBJECTID = 7",
  ]

  /// Changes one property in the value and in the objects.
  private static func step(
    _ situation: inout Situation, _ live: Live, _ random: inout SeededGenerator
  ) throws {
    let index = Int.random(in: 0...1, using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      try move(&situation, live, &random)
      return
    }
    guard let part = Live.Part.allCases.randomElement(using: &random) else { return }
    switch part {
    case .clause: situation.clauses[index] = clauses.randomElement(using: &random) ?? ""
    case .filter:
      situation.filters[index] = clauses.randomElement(using: &random).flatMap { $0.isEmpty ? nil : $0 }
    case .visible: situation.visible[index].toggle()
    case .opacity: situation.opacity[index] = [0.2, 0.5, 1].randomElement(using: &random) ?? 1
    case .scale: situation.minScale[index] = [0, 0, 80_000, 300_000].randomElement(using: &random) ?? 0
    case .selection:
      situation.selected[index] = Set((0..<3).map { _ in Int64.random(in: 1...120, using: &random) })
    case .hidden:
      situation.hidden[index] = Set((0..<40).map { _ in Int64.random(in: 1...120, using: &random) })
    case .order: situation.isSwapped.toggle()
    case .marker: situation.marker = Int.random(in: 0..<6, using: &random)
    case .time:
      let start = Int64.random(in: 0..<80, using: &random) * 86_400_000_000
      situation.time =
        Int.random(in: 0..<4, using: &random) > 0
        ? nil
        : TimeExtent(
          start: Instant(microseconds: start), end: Instant(microseconds: start + 20 * 86_400_000_000))
    case .graphics:
      situation.graphics = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Point(
          x: .random(in: -2000...9000, using: &random), y: .random(in: -2000...9000, using: &random),
          spatialReference: .webMercator)
      }
    case .basemap:
      situation.basemap = (
        (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(in: 5...60, using: &random) },
        (0..<Int.random(in: 0...1, using: &random)).map { _ in .random(in: 5...30, using: &random) }
      )
    case .background: situation.background = [nil, .white, .yellow].randomElement(using: &random) ?? .white
    }
    let now = situation
    live.map.update { live.set(part, index, now) }
  }

  private static func move(
    _ situation: inout Situation, _ live: Live, _ random: inout SeededGenerator
  ) throws {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      try live.view.pan(right: .random(in: -9...9, using: &random), down: .random(in: -9...9, using: &random))
    case 1:
      try live.view.zoom(by: live.view.viewpoint.scale > 300_000 ? 2 : .random(in: 0.7...1.4, using: &random))
    case 2: try live.view.rotate(by: Double(Int.random(in: 0..<8, using: &random)) * 45)
    default:
      let center = Point(
        x: .random(in: 0...9000, using: &random), y: .random(in: 0...9000, using: &random),
        spatialReference: .webMercator)
      try live.view.setViewpoint(Viewpoint(center: center, scale: 60_000, rotation: 0))
    }
    situation.viewpoint = try #require(live.view.currentViewpoint(kind: .centerAndScale))
  }

  private struct Look: Equatable {
    let counts: [Int]
    let drawn: [Int?]
    let picture: Bitmap

    init(_ view: MapView) async throws {
      let state = view.freeze()
      counts = try await state.counts(CountOptions()).layers.map(\.count)
      let rendered = try await state.render()
      (drawn, picture) = (rendered.report.layers.map { $0.funnel?.drawn ?? -1 }, rendered.bitmap)
    }
  }

  @Test("A map changed by random steps draws and counts like a new map in the same state")
  func liveEqualsNew() async throws {
    let isFull = ProcessInfo.processInfo.environment["MAPSTATE_FULL_TESTS"] == "1"
    let sources: [any FeatureSource] = [TableFixtures.incidents, TableFixtures.incidents]
    var situation = Situation()
    var live = try Live(sources, situation)
    try live.take(situation)
    var random = SeededGenerator(seed: 10_000)
    var pictures: Set<Int> = []
    var early = 0
    for number in 0..<(isFull ? 10_000 : 400) {
      try Self.step(&situation, live, &random)
      if number % 10 == 9 {
        // Continues with a copy, which changes to the other do not affect.
        let other = live
        live = try Live(copying: other, situation)
        for layer in other.layers {
          (layer.isVisible, layer.opacity, layer.definitionExpression) = (false, 0.1, "OBJECTID = 1")
          layer.select([1, 2, 3], mode: .add)
          layer.resetFeaturesVisible()
        }
        other.map.removeAllOperationalLayers()
      }
      let fresh = try Live(sources, situation)
      try fresh.take(situation)
      let (a, b) = (try await Look(live.view), try await Look(fresh.view))
      #expect(a == b, "step \(number): \(situation)")
      pictures.insert(a.picture.hashValue)
      if number == 200 { early = Self.residentBytes }
      if a != b { return }
    }
    // The steps are visible.
    #expect(pictures.count > 60, "\(pictures.count)")
    // Memory of released maps is freed.
    if isFull { #expect(Self.residentBytes - early < 64_000_000) }
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  @Test("Concurrent changes and queries leave a map equal to a new one")
  func together() async throws {
    let sources: [any FeatureSource] = [TableFixtures.incidents, TableFixtures.incidents]
    let live = try Live(sources, Situation())
    live.view.onDrawStatusChanged { _ in }.onLayerViewStateChanged { _, _ in }.onScaleChanged { _ in }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(task))
          var situation = Situation()
          for number in 0..<60 {
            try Self.step(&situation, live, &random)
            switch number % 4 {
            case 0: _ = try await Look(live.view)
            case 1: _ = try await live.layers[task % 2].featureTable?.queryFeatureCount()
            case 2:
              _ = try await live.view.identifyLayers(screenPoint: ScreenPoint(x: 30, y: 20), tolerance: 5)
            default:
              _ = try await live.layers[task % 2].selectFeatures(withQuery: QueryParameters(), mode: .add)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let clean = Situation()
    try live.take(clean)
    let fresh = try Live(sources, clean)
    try fresh.take(clean)
    #expect(try await Look(live.view) == Look(fresh.view))
  }
}
