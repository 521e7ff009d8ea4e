import MapCairo
public import MapDrawing
import MapGeometry
import MapImages
public import MapJSON
public import MapModel

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
    public internal(set) var funnel: FilterFunnel?
    /// The features in the view by class, and those of them that are drawn; nil if they are not counted.
    public internal(set) var classes: [ClassCount]?
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
    /// The zoom at which a style is drawn; nil for tiles of images.
    package var styleZoom: Double?
    /// The texts of a style's symbols, with the box around each in output pixels, y down: by layer, starting at the bottom.
    public var names: [(layer: String, text: String, box: Envelope)] = []
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
    layers.flatMap { layer in layer.notes.map { "layer \"\(layer.name)\": \($0)" } } + view.basemapNotes
  }

  /// The report as JSON with the warnings of drawing.
  public var json: JSONValue { json(warnings: allWarnings) }

  /// Returns the report as JSON with keys in a fixed order.
  ///
  /// - Parameters:
  ///   - warnings: all warnings of document, options and drawing.
  ///   - listsLabels: whether `labels.list` has the feature, text and box of every label, and `names` of styles the layer,
  ///     text and box of every text; boxes are in output pixels.
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
      ClassCount.add(layer.classes, to: &object)
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
      "layers": .array(layers), "tiles": .array(tiles.map { $0.json(listsNames: listsLabels) }),
      "labels": labels.json(listsLabels: listsLabels),
      "warnings": .array(warnings.map { .string($0) }), "losses": .array(losses.map(\.json)),
      "members": .array(members.map(\.json)),
      "libraries": .object(libraries),
    ]
  }
}

extension RenderReport.Tiles {
  /// Returns the report as JSON with keys in a fixed order.
  ///
  /// - Parameter listsNames: whether `names` has the layer, text and box of every text of a style.
  fileprivate func json(listsNames: Bool) -> JSONValue {
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
    if listsNames {
      object["names"] = .array(
        names.map { name in
          let box = [name.box.xMin, name.box.yMin, name.box.xMax, name.box.yMax]
          return [
            "layer": .string(name.layer), "text": .string(name.text), "box": .array(box.map { .number($0) }),
          ]
        })
    }
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
