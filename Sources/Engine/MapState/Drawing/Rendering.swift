import MapCairo
public import MapDrawing
import MapGeometry
public import MapImages
public import MapJSON
public import MapModel

/// An image of a map with its report.
public struct RenderedMap: Sendable {
  /// The image.
  public let bitmap: Bitmap
  /// The report: extent, scale, and the number of features of each layer by stage.
  public let report: RenderReport
}

/// The report of an image: extent, scale, the funnel of each layer and the time that it took.
public struct RenderReport: Sendable {
  /// The report of one layer.
  public struct Layer: Sendable {
    /// The part of a layer in an image.
    public enum Status: String, Sendable {
      /// A layer that was queried for its features.
      case drawn
      /// A layer that was not read, because it is hidden or only other layers were requested.
      case hidden
      /// A layer that could not be read and is left out.
      case unavailable
    }

    /// The layer's title, or its id without a title.
    public let name: String
    /// The part of the layer in the image.
    public let status: Status
    /// The number of features that pass each stage; nil for a layer that was not read.
    public let funnel: FilterFunnel?
    /// The seconds from the query to the end of painting.
    public let seconds: Double
    /// The deviations from the layer's definition.
    public internal(set) var warnings: [String]
    /// Remarks that are no deviations, such as why the layer's own filters leave nothing to draw.
    public internal(set) var notes: [String] = []
    /// The reason why the layer draws nothing; nil for others.
    var emptiness: Emptiness?
    /// The counts that replace the layer's symbols; nil for a layer with symbols.
    package var cells: CellSummary?
  }

  /// The report of a layer of tiles.
  public struct Tiles: Sendable {
    /// The tiles of one source of a style.
    public struct Source: Sendable {
      /// The name in the style.
      public let name: String
      /// The path or address of the tiles.
      public let place: String
      /// The zoom level; nil if the source has none so small.
      public let zoom: Int?
      /// The number of tiles in the view.
      public let count: Int
      /// The tiles that the source does not have; they are empty.
      public let missing: [TileIndex]
      /// The tiles that cannot be read, with the reasons.
      public let failed: [(tile: TileIndex, reason: String)]
    }

    /// The layer's title, or its id without a title.
    public let name: String
    /// The path or address of the tiles.
    public let place: String
    /// The zoom level; nil if no tile is in the view.
    public let zoom: Int?
    /// The number of tiles in the view.
    public let count: Int
    /// The tiles that the source does not have.
    public let missing: [TileIndex]
    /// The tiles that cannot be read, with the reasons.
    public let failed: [(tile: TileIndex, reason: String)]
    /// The lines about missing and unreadable tiles, and about what is not drawn.
    public let warnings: [String]
    /// The sources of a style; empty for tiles of images.
    public var sources: [Source] = []
    /// The layers of a style that are shown at the zoom, starting at the bottom, each with the number of its features.
    public var styleLayers: [(id: String, featureCount: Int)] = []
  }

  /// The view that was drawn.
  public let view: ViewState
  /// The layers, first at the bottom.
  public let layers: [Layer]
  /// The layers of tiles that were drawn, first at the bottom.
  public let tiles: [Tiles]
  /// The results of label placement; empty without labels.
  public let labels: LabelReport
  /// The deviations in drawing overlays and the labels of all layers.
  public let warnings: [String]

  /// The page on which the map is drawn; nil for an image of the map alone.
  public internal(set) var page: PageReport?

  /// The attribution text required by the data sources; empty for none.
  public var attribution: String { view.attribution }

  /// All warnings of drawing; those of layers have the layer's name.
  public var allWarnings: [String] {
    // Opening the document has already reported layers that could not be read.
    layers.filter { $0.status != .unavailable }.flatMap { layer in
      layer.warnings.map { "layer \"\(layer.name)\": \($0)" }
    } + tiles.flatMap { layer in layer.warnings.map { "layer \"\(layer.name)\": \($0)" } } + warnings
      + (page?.warnings ?? [])
  }

  /// All notes of drawing, with the layers' names.
  public var allNotes: [String] {
    layers.flatMap { layer in layer.notes.map { "layer \"\(layer.name)\": \($0)" } }
  }

  /// The report as JSON with the warnings of drawing.
  public var json: JSONValue { json(warnings: allWarnings) }

  /// Returns the report as JSON with keys in a fixed order.
  ///
  /// - Parameters:
  ///   - warnings: all warnings of document, options and drawing.
  ///   - listsLabels: whether `labels.list` has the feature, text and box of every label; boxes are in output pixels.
  ///   - losses: the parts of the document that are not drawn as written.
  ///   - members: all members of the document with their results.
  public func json(
    warnings: [String], listsLabels: Bool = false, losses: [DocumentPart] = [],
    members: [DocumentPart] = []
  ) -> JSONValue {
    let extent = view.extent
    let layers: [JSONValue] = layers.map { layer in
      var object: JSONObject = [
        "layer": .string(layer.name), "status": .string(layer.status.rawValue),
        "funnel": layer.funnel?.json ?? .null, "seconds": .number(layer.seconds),
        "warnings": .array(layer.warnings.map { .string($0) }),
      ]
      if !layer.notes.isEmpty { object["notes"] = .array(layer.notes.map { .string($0) }) }
      if let cells = layer.cells { object["aggregate"] = cells.json }
      return .object(object)
    }
    var libraries: JSONObject = [
      "cairo": .string(CairoPainter.libraryVersion), "libpng": .string(PNGCodec.libraryVersion),
    ]
    if let (name, version) = TextEngine.libraryVersion { libraries[name] = .string(version) }
    let size = (width: page?.width ?? view.width, height: page?.height ?? view.height)
    let map = page?.map ?? Envelope(xMin: 0, yMin: 0, xMax: view.width, yMax: view.height)
    return [
      "size": [.number(size.width), .number(size.height)],
      "map": [.number(map.xMin), .number(map.yMin), .number(map.width), .number(map.height)],
      "pixelRatio": .number(view.pixelRatio),
      "extent": extent.json, "wkid": .number(view.spatialReference.wkid),
      "scale": .number(view.viewpoint.scale),
      "rotation": .number(view.viewpoint.rotation), "attribution": .string(attribution),
      "layers": .array(layers), "tiles": .array(tiles.map(\.json)),
      "labels": labels.json(listsLabels: listsLabels),
      "warnings": .array(warnings.map { .string($0) }), "losses": .array(losses.map(\.json)),
      "members": .array(members.map(\.json)),
      "libraries": .object(libraries),
    ]
  }
}

extension RenderReport.Tiles {
  /// The report as JSON with keys in a fixed order.
  fileprivate var json: JSONValue {
    var object: JSONObject = ["layer": .string(name), "place": .string(place)]
    for (name, value) in Self.members(zoom, count, missing, failed) { object[name] = value }
    guard !sources.isEmpty || !styleLayers.isEmpty else { return .object(object) }
    object["sources"] = .array(
      sources.map { source in
        var object: JSONObject = ["source": .string(source.name), "place": .string(source.place)]
        for (name, value) in Self.members(source.zoom, source.count, source.missing, source.failed) {
          object[name] = value
        }
        return .object(object)
      })
    object["styleLayers"] = .array(
      styleLayers.map { ["layer": .string($0.id), "features": .number($0.featureCount)] })
    return .object(object)
  }

  private static func members(
    _ zoom: Int?, _ count: Int, _ missing: [TileIndex], _ failed: [(tile: TileIndex, reason: String)]
  ) -> [(String, JSONValue)] {
    [
      ("zoom", zoom.map { .number($0) } ?? .null), ("tiles", .number(count)),
      ("missing", .array(missing.map { .string($0.description) })),
      (
        "failed",
        .array(failed.map { ["tile": .string($0.tile.description), "reason": .string($0.reason)] })
      ),
    ]
  }
}

extension LabelReport {
  /// The report as JSON with keys in a fixed order, without the list of labels.
  public var json: JSONValue { json(listsLabels: false) }

  /// Returns the report as JSON with keys in a fixed order.
  ///
  /// - Parameter listsLabels: whether `list` has the feature, text and box of every label.
  public func json(listsLabels: Bool) -> JSONValue {
    let numbered = self.classes
    let classes: [JSONValue] = classes.map { item in
      var object: JSONObject = ["layer": .string(item.layer), "class": .number(item.classIndex)]
      if !item.name.isEmpty { object["name"] = .string(item.name) }
      object["placed"] = .number(item.placed)
      var (positions, dropped) = (JSONObject(), JSONObject())
      for (name, count) in item.positions.sorted(by: { $0.key < $1.key }) { positions[name] = .number(count) }
      for (name, count) in item.dropped { dropped[name] = .number(count) }
      (object["positions"], object["dropped"]) = (.object(positions), .object(dropped))
      return .object(object)
    }
    var object: JSONObject = [
      "classes": .array(classes), "missingGlyphs": .array(missingGlyphs.map { .string(String($0)) }),
    ]
    if listsLabels {
      object["list"] = .array(
        labels.map { label in
          let (item, box) = (numbered[label.classNumber], label.box)
          return [
            "layer": .string(item.layer), "class": .number(item.classIndex),
            "id": .number(Int(clamping: label.objectID)), "text": .string(label.text),
            "box": .array([box.xMin, box.yMin, box.xMax, box.yMax].map { .number($0) }),
          ]
        })
    }
    return .object(object)
  }
}

extension FilterFunnel {
  /// The stages by name, in order.
  public var json: JSONValue {
    var object = JSONObject()
    for stage in stages { object[stage.name] = stage.count.map { .number($0) } ?? .null }
    return .object(object)
  }
}

extension ViewState {
  /// Draws the view.
  ///
  /// The order is: basemap, layers, the basemap's reference layers, overlays, labels. Each layer is queried, painted and
  /// released before the next; with several threads, the next one is made while it is painted. The bytes of the image
  /// do not depend on the number of threads. A cancelled task stops while it paints a layer, or before the next step of
  /// drawing it.
  ///
  /// - Throws: ``MapStateError``.
  public func render(
    threads: Int = 1, method: PaintingMethod = .fast
  ) async throws(MapStateError) -> RenderedMap {
    try await render(threads: threads, method: method, covered: [])
  }

  /// Draws the view with labels that were placed before, see ``placedLabels()``.
  package func render(
    threads: Int, labels: [DisplayLayer]
  ) async throws(MapStateError) -> RenderedMap {
    try await render(threads: threads, method: .fast, covered: [], placed: labels)
  }

  /// Draws the view, with labels that avoid some rectangles in output pixels.
  ///
  /// - Parameters:
  ///   - placed: the labels; nil places them.
  ///   - above: layers of the page, which are painted over all others.
  func render(
    threads: Int, method: PaintingMethod, covered: [Envelope], placed: [DisplayLayer]? = nil,
    above: [DisplayLayer] = []
  ) async throws(MapStateError) -> RenderedMap {
    guard width > 0 else {
      throw MapStateError(.usage, "the view has no size, so it draws nothing; call resize first")
    }
    let stop = PaintingStop()
    let work = DrawingWork(
      threads: threads, method: method, covered: covered, placed: placed, above: above, stop: stop)
    do {
      return try await withTaskCancellationHandler {
        try await render(work)
      } onCancel: {
        stop.give()
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// The parameters of drawing a view.
  private struct DrawingWork: Sendable {
    let threads: Int
    let method: PaintingMethod
    let covered: [Envelope]
    let placed: [DisplayLayer]?
    let above: [DisplayLayer]
    let stop: PaintingStop
  }

  private func render(_ work: DrawingWork) async throws -> RenderedMap {
    let painter = try CairoPainter(
      width: pictureWidth, height: pictureHeight, background: canvasColor, isCut: cuts, threads: work.threads,
      method: work.method, stop: work.stop)
    let painting = LayerPainting(painter, threads: work.threads)
    do {
      return try await render(work, painting)
    } catch {
      work.stop.give()
      await painting.end()
      throw error
    }
  }

  private func render(_ work: DrawingWork, _ painting: LayerPainting) async throws -> RenderedMap {
    let (threads, placed) = (work.threads, work.placed)
    var input = placed == nil ? newLabels(avoiding: work.covered) : LabelInput()
    for (index, layer) in (basemap?.layers ?? []).enumerated() {
      let drawing = try await drawing(of: layer, index: index).layer
      try await painting.paint(drawing)
      input.obstacles?.add(drawing, labelledBy: nil)
    }
    var reports: [RenderReport.Layer] = []
    var tiles: [RenderReport.Tiles] = []
    for (place, layer) in ownBasemapLayers where place < 0 {
      try await paintTiles(.base, below: place + baseCount, painting, &tiles, threads)
      try await painting.paint(try await basemapDrawing(of: layer, place, &input))
    }
    try await paintTiles(.base, below: nil, painting, &tiles, threads)
    for (index, layer) in layers.enumerated() {
      try Task.checkCancellation()
      try await paintTiles(.operational, below: index, painting, &tiles, threads)
      if let unread = layer.source as? UnreadSource {
        reports.append(RenderReport.Layer(unread: unread, of: layer))
        continue
      }
      let start = ContinuousClock.now
      let layer = try await fetched(layer)
      let drawing = try await drawing(of: layer, index: index)
      try await painting.paint(drawing.layer)
      if placed == nil { try await addLabels(of: layer, index: index, drawing: drawing, to: &input) }
      let funnel = try await funnel(of: layer, drawing: drawing)
      reports.append(
        RenderReport.Layer(
          name: layer.name, status: layer.unloadedReason == nil ? .drawn : .unavailable, funnel: funnel,
          seconds: start.duration(to: .now) / .seconds(1),
          warnings: (layer.unloadedReason.map { ["nothing is drawn: \($0)"] } ?? []) + layer.source.warnings
            + (try await placeWarnings(of: layer))
            + symbolWarnings(of: layer, missingGlyphs: drawing.missingGlyphs)
            + drawing.failures,
          notes: try await notes(of: layer, drawing: drawing)
            + unreadTexts(of: layer, drawing: true).map(\.description)
            + invisibleNotes(of: layer, drawing, funnel),
          emptiness: layer.unloadedReason == nil ? emptiness(of: layer, funnel, drawing) : nil,
          cells: drawing.cells.map { CellSummary($0) }))
    }
    reports.tellEmptyLayers()
    try await paintTiles(.operational, below: nil, painting, &tiles, threads)
    for (place, layer) in ownBasemapLayers where place >= 0 {
      try await paintTiles(.reference, below: place - layers.count, painting, &tiles, threads)
      try await painting.paint(try await basemapDrawing(of: layer, place, &input))
    }
    try await paintTiles(.reference, below: nil, painting, &tiles, threads)
    var warnings: [String] = []
    for (index, overlay) in overlays.enumerated() {
      let drawing = try await drawing(of: overlay, index: index)
      try await painting.paint(drawing.layer)
      input.obstacles?.add(drawing.layer, labelledBy: nil)
      let symbols = symbolWarnings(of: overlay, missingGlyphs: drawing.missingGlyphs)
      for warning in try await placeWarnings(of: overlay) + symbols
      where !warnings.contains(warning) {
        warnings.append(warning)
      }
    }
    for layer in try await emphasisDrawing() { try await painting.paint(layer) }
    let labels = placed == nil ? labels(input) : nil
    for layer in (placed ?? labels?.layers ?? []) + work.above { try await painting.paint(layer) }
    let bitmap = try await painting.finish()
    // The painter leaves the rest unpainted when the task is cancelled.
    try Task.checkCancellation()
    return RenderedMap(
      bitmap: bitmap,
      report: RenderReport(
        view: self, layers: reports, tiles: tiles, labels: labels?.report ?? LabelReport(),
        warnings: warnings + basemapWarnings
          + ownBasemapLayers.flatMap { self.warnings(ofBasemapLayer: $0.layer) }
          + (placed == nil ? labelWarnings(labels?.report) : [])))
  }
}

extension RenderReport.Layer {
  /// Creates the entry of a layer that was not read.
  fileprivate init(unread: UnreadSource, of layer: LayerState) {
    (name, funnel, seconds) = (layer.name, nil, 0)
    status = unread.isUnavailable ? .unavailable : .hidden
    warnings =
      unread.isUnavailable ? ["left out, because it cannot be read: \(unread.reason)"] : []
  }
}

extension [RenderReport.Layer] {
  /// Adds the sentences about layers that draw nothing: notes where the document wants it so, else warnings.
  ///
  /// In an image with features of another layer, a layer may well have none at the view's place and time.
  mutating func tellEmptyLayers() {
    let hasFeatures = contains { !($0.funnel?.drawsNothing ?? true) }
    for index in indices {
      guard let emptiness = self[index].emptiness else { continue }
      switch emptiness.cause {
      case .document: self[index].notes.append(emptiness.sentence)
      case .view where hasFeatures: self[index].notes.append(emptiness.sentence)
      case .view, .other: self[index].warnings.insert(emptiness.sentence, at: 0)
      }
    }
  }
}
