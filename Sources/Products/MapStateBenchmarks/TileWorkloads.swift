import MapJSON
import MapModel
import MapReaders
import MapState
import MapStyles
import MapSystem
import MapTiles

extension Workload {
  /// Decodes the vector tiles of Helsinki, evaluates all properties of the style OSM Bright for their features, and draws
  /// the style without symbols.
  ///
  /// The facts are the megabytes of uncompressed tiles per second on one thread, and the milliseconds per tile of the
  /// largest zoom, for features that pass the filters of the layers that are visible at it.
  static let vectorTiles = Workload(name: "V1") { setting in
    let archive = try TileArchive("\(setting.folder)/helsinki.pmtiles")
    let style = try StyleDocument(
      try JSONValue(parsing: try FileAccess.read("\(setting.folder)/osm-bright.json")))
    var tiles: [(index: TileIndex, bytes: [UInt8])] = []
    for zoom in archive.zooms {
      for index in try archive.tiles(zoom: zoom) {
        if let bytes = try archive.bytes(at: index) { tiles.append((index, bytes)) }
      }
    }
    let size = tiles.reduce(0) { $0 + $1.bytes.count }
    // Enough for a time that is much longer than its error.
    let rounds = 100
    var count = 0
    let decoding = try await setting.time {
      count = 0
      for _ in 0..<rounds {
        for tile in tiles { count += try VectorTile(tile.bytes).layers.reduce(0) { $0 + $1.rowCount } }
      }
    }
    let best = (decoding.min() ?? .infinity) / 1000
    var lines = [
      Timing(
        workload: "V1", what: "decode \(rounds * tiles.count) tiles", times: decoding,
        facts: [
          ("mbPerSecond", .number((Double(size * rounds) / best / 1e6).rounded())),
          ("features", .number(count)),
        ])
    ]
    for zoom in [13, 14] {
      let level = try tiles.filter { $0.index.zoom == zoom }.map {
        (index: $0.index, tile: try VectorTile($0.bytes))
      }
      let context = StyleContext(zoom: Double(zoom))
      let views = style.layers.filter { $0.isVisible(context) }.map { StyleLayerView($0, context) }
      var passed = 0
      let times = try await setting.time {
        passed = 0
        for (index, tile) in level { passed += evaluate(views, tile, index) }
      }
      lines.append(
        Timing(
          workload: "V1", what: "OSM Bright at zoom \(zoom), \(level.count) tiles", times: times,
          facts: [
            ("msPerTile", .number((times.min() ?? 0) / Double(max(1, level.count)))),
            ("features", .number(passed)),
          ]))
    }
    return try await lines + nextImages(setting)
  }

  /// Draws images of an open map with their PNG, each a little beside the last.
  private static func nextImages(_ setting: BenchmarkSetting) async throws -> [Timing] {
    let map = try await MapDocument.open("\(setting.folder)/helsinki.style.json").map
    var lines: [Timing] = []
    for zoom in [12.0, 14, 16] {
      var (longitude, drawn) = (24.945, 0)
      let times = try await setting.time {
        longitude += 1e-5
        let viewpoint = Viewpoint(latitude: 60.1675, longitude: longitude, zoom: zoom)
        let image = try await MapView(map: map, width: 800, height: 600, viewpoint: viewpoint).freeze()
          .render(threads: setting.threads)
        _ = try image.bitmap.pngData()
        drawn = image.report.tiles.flatMap(\.styleLayers).reduce(0) { $0 + $1.featureCount }
      }
      guard drawn > 0 else {
        throw WrongAnswer(description: "nothing is drawn at zoom \(Int(clamping: zoom))")
      }
      lines.append(
        Timing(
          workload: "V1", what: "next image at zoom \(Int(clamping: zoom))", times: times,
          facts: [("features", .number(drawn))]))
    }
    return lines
  }

  /// Evaluates all properties for the features of a tile, and returns the number of features that pass a filter.
  private static func evaluate(_ views: [StyleLayerView], _ tile: VectorTile, _ index: TileIndex) -> Int {
    let features = Dictionary(
      tile.layers.map { ($0.name, StyleFeatures($0, in: index)) }, uniquingKeysWith: { $1 })
    var passed = 0
    for view in views {
      guard let name = view.layer.sourceLayer, let own = features[name] else { continue }
      let rows = view.rows(of: own)
      guard !rows.isEmpty else { continue }
      passed += rows.count
      for property in view.layer.type.properties.indices where view.constant(property) == nil {
        _ = view.answers(property, own, rows: rows)
      }
    }
    return passed
  }
}
