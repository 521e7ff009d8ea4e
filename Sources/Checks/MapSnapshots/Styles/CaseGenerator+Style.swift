import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapState
import MapStyles
import MapSystem

extension CaseGenerator {
  /// Generates cases of a style: one for each zoom at which the appearance of a layer changes.
  ///
  /// Each case is centred where most layers have features that earlier cases do not show.
  ///
  /// - Throws: `MapStateError` if the style cannot be drawn.
  func generate(
    ofStyle style: MapStyle, _ opened: MapDocument, into root: String,
    _ receive: (Case) throws(MapStateError) -> Void
  ) async throws(MapStateError) {
    let topic = Self.slug(FilePath.stem(of: opened.path), or: "style")
    let start = try await opened.view(ViewRequest()).viewpoint
    let centers = Self.centers(of: style, start)
    let zooms = StyleCaseZooms(style.document)
    var seen: Set<String> = []
    var shown: Set<String> = []
    for zoom in zooms.taken {
      let name = "\(topic)/zoom-\(Self.slug(Self.text(zoom), or: "0"))"
      var best: (score: Int, layers: Set<String>, value: JSONValue)?
      for center in centers {
        let value = json(name, zoom: zoom, center, start, in: root)
        let drawn = try await SnapshotCase(value, folder: "\(root)/\(name)", name: name).draw(
          document: opened)
        let layers = drawn.report.tiles.flatMap(\.styleLayers)
        shown.formUnion(layers.map(\.id))
        let own = Set(layers.filter { $0.featureCount > 0 }.map(\.id))
        let score = own.subtracting(seen).count * StyleDocument.layerLimit + own.count
        if !own.isEmpty, !drawn.isBlank, score > best?.score ?? 0 { best = (score, own, value) }
      }
      guard let best else {
        try receive(Case(name: name, text: "", omission: "no feature is drawn"))
        continue
      }
      seen.formUnion(best.layers)
      try receive(Case(name: name, text: best.value.text(style: .pretty) + "\n", omission: nil))
    }
    for zoom in zooms.left {
      let name = "\(topic)/zoom-\(Self.slug(Self.text(zoom), or: "0"))"
      let reason = "fewer layers change there than at the \(StyleCaseZooms.limit) zooms with cases"
      try receive(Case(name: name, text: "", omission: reason))
    }
    let missing = style.document.layers.filter { layer in
      layer.type.sourceTypes.contains(.vector) && shown.contains(layer.id) && !seen.contains(layer.id)
    }
    for layer in missing {
      try receive(
        Case(
          name: "\(topic)/layer-\(Self.slug(layer.id, or: "0"))", text: "",
          omission: "no case shows a feature of the layer"))
    }
  }

  /// Returns the centres that cases may have: that of the style, and points in the extent of its sources.
  private static func centers(of style: MapStyle, _ start: ResolvedViewpoint) -> [Point] {
    var centers = [Point(x: start.center.x, y: start.center.y)]
    let extent = style.extent
    guard !extent.isEmpty, extent.width.isFinite, extent.height.isFinite else { return centers }
    for (x, y) in [(0.5, 0.5), (0.25, 0.5), (0.75, 0.5), (0.5, 0.25), (0.5, 0.75)] {
      let point = Point(x: extent.xMin + x * extent.width, y: extent.yMin + y * extent.height)
      if !centers.contains(where: { $0.x == point.x && $0.y == point.y }) { centers.append(point) }
    }
    return centers
  }

  private func json(
    _ name: String, zoom: Double, _ center: Point, _ start: ResolvedViewpoint, in root: String
  ) -> JSONValue {
    func rounded(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }
    return [
      "title": .string("The style at zoom \(Self.text(zoom))."),
      "document": .string(Self.relative(document, from: "\(root)/\(name)")),
      "size": [.number(size.width), .number(size.height)],
      "viewpoint": [
        "center": [
          "x": rounded(center.x), "y": rounded(center.y),
          "spatialReference": ["wkid": .number(start.reference.wkid)],
        ], "zoom": .number(zoom), "rotation": .number(start.rotation),
      ],
    ]
  }

  private static func text(_ zoom: Double) -> String { LayerProperties.text(.number(zoom)) }
}

/// The zooms at which the appearance of a style's layers changes: the ends of their ranges, and the stops of their values.
struct StyleCaseZooms {
  /// The largest number of zooms with cases.
  ///
  /// - Source: design decision; a style with stops at every zoom has some twenty.
  static let limit = 16

  /// The zooms with cases: those at which most layers change, in order.
  let taken: [Double]
  /// The other zooms at which a layer changes, in order.
  let left: [Double]

  init(_ document: StyleDocument) {
    var counts: [Double: Int] = [:]
    func note(_ zoom: Double) {
      guard (0...24).contains(zoom) else { return }
      counts[(zoom * 1000).rounded() / 1000, default: 0] += 1
    }
    for (layer, definition) in zip(document.layers, document.definitions()) {
      if layer.minzoom.isFinite { note(layer.minzoom) }
      if layer.maxzoom.isFinite { note(layer.maxzoom) }
      let stops = ["filter", "layout", "paint"].reduce(into: Set<Double>()) { found, group in
        found.formUnion(StyleZoomStops.zooms(in: definition[group] ?? .null))
      }
      for zoom in stops where zoom > layer.minzoom && zoom < layer.maxzoom { note(zoom) }
    }
    // A layer without a change is shown at the zoom of the style, or below the first change.
    if let zoom = document.zoom { note(zoom) } else { note(max(0, (counts.keys.min() ?? 1) - 1)) }
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    taken = most.prefix(Self.limit).sorted()
    left = most.dropFirst(Self.limit).sorted()
  }
}
