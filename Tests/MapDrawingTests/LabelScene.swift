import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import Testing

/// Labels of layers over a small view, in a font whose letters are half an em wide.
struct LabelScene {
  /// Every character is a box from 0 to 0.5 and from -0.2 to 0.7 ems; a blank has no ink.
  static let measurer = TextMeasurer(
    shapeSections: { sections in
      let line = sections.map(\.text).joined()
      let glyphs = line.unicodeScalars.enumerated().map { index, scalar in
        ShapedLine.Glyph(glyph: scalar.value, x: Double(index) / 2, y: 0)
      }
      return ShapedLine(
        glyphs: glyphs, advance: Double(glyphs.count) / 2, missing: line.unicodeScalars.filter { $0 == "?" })
    },
    outline: { glyph, _ in
      guard glyph != 0x20 else { return GlyphOutline(steps: []) }
      return GlyphOutline(steps: [
        .move(x: 0, y: -0.2), .line(x: 0.5, y: -0.2), .line(x: 0.5, y: 0.7), .line(x: 0, y: 0.7), .close,
      ])
    })

  var scene = Scene()
  /// Whether labels keep off the drawn symbols.
  var hasObstacles = false
  /// The indexes of layers with markers of 4 pixels.
  var smallLayers: Set<Int> = []
  /// Tables with their label classes, the first at the bottom.
  var layers: [(table: FeatureColumns, labels: [LabelDefinition])] = []

  /// A label class that shows the field `n`, 10 pixels high, without a distance.
  static func definition(_ placement: LabelingPlacement? = .pointAboveRight) -> LabelDefinition {
    var definition = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[n]"))
    definition.placement = placement
    definition.offsetDistance = 0
    return definition
  }

  /// Points with a text each.
  static func points(_ places: [(x: Double, y: Double, text: String)]) throws -> FeatureColumns {
    try Scene.table(
      "Point", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"}]",
      places.map { "{\"attributes\":{\"n\":\"\($0.text)\"},\"geometry\":{\"x\":\($0.x),\"y\":\($0.y)}}" })
  }

  /// The label drawing after placement.
  func drawing() throws -> LabelDrawing {
    let states = layers.enumerated().map { index, item in
      var layer = FeatureLayer(
        source: InMemorySource(item.table), id: "id", title: "layer \(index)",
        renderer: smallLayers.contains(index)
          ? SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 4)) : scene.renderer
      ).frozen
      layer.drawingOrder = scene.drawingOrder
      (layer.labelsAreEnabled, layer.labelDefinitions) = (true, item.labels)
      return layer
    }
    let view = ViewState(
      width: scene.width, height: scene.height, pixelRatio: scene.pixelRatio,
      viewpoint: ResolvedViewpoint(
        center: scene.center, resolution: scene.resolution, rotation: scene.rotation),
      background: .white, timeExtent: nil, layers: states)
    var candidates: [LabelCandidates] = []
    var obstacles = LabelObstacles(view)
    for (index, layer) in states.enumerated() {
      var own: [LabelCandidates] = []
      for classIndex in layer.labelDefinitions.indices {
        var conditions = view.conditions(for: layer)
        conditions.labelWhere = layer.labelDefinitions[classIndex].whereClause
        let source = try #require(layer.source as? InMemorySource)
        let (table, rows) = (source.columns(), try source.rows(conditions.query(for: .labels)))
        own.append(
          try LabelCandidates(
            view: view, layer: layer, index: index, classIndex: classIndex, table: table, rows: rows,
            drawn: LabelledSymbols(
              view: view, layer: layer, table: table, rows: rows, measurer: Self.measurer)))
      }
      if hasObstacles {
        try obstacles.add(
          Self.drawing(of: layer, index, in: view), labelledBy: layer.labelDefinitions.isEmpty ? nil : own)
      }
      candidates += own
    }
    return LabelPlacement.labels(
      of: candidates, avoiding: hasObstacles ? obstacles : nil, view: view, measurer: Self.measurer)
  }

  private static func drawing(of layer: LayerState, _ index: Int, in view: ViewState) throws -> DisplayLayer {
    let source = try #require(layer.source as? InMemorySource)
    let rows = try source.rows(view.conditions(for: layer).query(for: .drawing))
    return try LayerSymbolizer(view: view, layer: layer, measurer: measurer)
      .drawing(index: index, table: source.columns(), candidates: rows, visible: rows).layer
  }

  /// The labels in painting order.
  func items() throws -> [LabelItem] { try drawing().items }

  /// The texts of the labels, sorted.
  func texts() throws -> [String] { try items().map(\.text).sorted() }
}

extension LabelDrawing {
  /// All labels in painting order, each with the line to it, which is painted before it.
  var items: [LabelItem] {
    let painted = layers.flatMap(\.batches).flatMap { batch -> [LabelItem] in
      if case .labels(let labels) = batch { labels.items } else { [] }
    }
    return painted.indices.filter { !painted[$0].text.isEmpty }.map { index in
      let item = painted[index]
      return LabelItem(
        text: item.text, style: item.style, row: item.row, box: item.box, glyphs: item.glyphs,
        leader: index > 0 ? painted[index - 1].leader : nil)
    }
  }
}
