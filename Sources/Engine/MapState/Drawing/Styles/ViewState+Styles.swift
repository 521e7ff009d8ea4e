import MapDrawing
import MapGeometry
import MapModel
import MapStyles
import MapSystem
import MapTiles
import MapVector

extension ViewState {
  /// Returns the drawings of a style's layers, in the groups around them, and the report.
  ///
  /// - Parameter styled: the drawings with placed symbols.
  /// - Throws: ``MapStateError``.
  func draw(
    _ layer: TileLayerState, _ style: MapStyle, hidden: Set<String>, in styled: StyledLayers, threads: Int,
    joinsTiles: Bool
  ) async throws(MapStateError) -> (drawings: [DisplayLayer], report: RenderReport.Tiles) {
    let drawing: StyleDrawing
    if let placed = styled.drawing(of: layer) {
      drawing = placed
    } else {
      drawing = try await styleDrawing(
        of: layer, style, hidden: hidden, threads: threads, joinsTiles: joinsTiles)
    }
    let around = imageGroups(layer.groups).groups
    let shared = around.reduce(1) { $0 * $1.opacity }
    let opacity = shared > 0 ? min(1, layer.opacity / shared) : 0
    let functions = layer.effect?.functions(atScale: viewpoint.scale) ?? []
    let own = Int(clamping: (functions.reduce(0) { $0 + $1.reach } * pixelRatio).rounded(.up))
    var groups = around
    if opacity < 1 || layer.blendMode != .normal || !functions.isEmpty {
      groups.append(
        DisplayGroup(
          layer.key, opacity: opacity, blendMode: layer.blendMode, functions: functions, margin: own,
          pixelRatio: pixelRatio))
    }
    let margin = groups.reduce(0) { $0 + $1.margin }
    // Blurs and shadows of items outside the image reach into it.
    let larger =
      margin > 0
      ? try await grown(by: margin).styleDrawing(of: layer, style, hidden: hidden, threads: threads) : nil
    var drawings: [DisplayLayer] = []
    for (index, item) in drawing.layers.enumerated() {
      var display = DisplayLayer(
        index: idIndex(of: item.layer, in: layer, style), name: "\(layer.name)#\(item.layer.id)",
        opacity: item.opacity, batches: item.batches)
      display.groups = groups
      if let larger, larger.layers.indices.contains(index) {
        // Symbols around the view are placed already.
        let batches =
          item.layer.type == .symbol
          ? item.batches.map { $0.moved(x: Double(margin), y: Double(margin)) } : larger.layers[index].batches
        display.effect = DisplayEffect(
          parts: [DisplayEffect.Part(batches: batches, functions: [])], functions: [], margin: 0,
          pixelRatio: pixelRatio)
      }
      drawings.append(display)
    }
    return (drawings, RenderReport.Tiles(layer.name, style, drawing))
  }

  /// Returns the index of a style's layer for id images, after those of the layers with features; negative for none.
  private func idIndex(of layer: StyleLayer, in map: TileLayerState, _ style: MapStyle) -> Int {
    guard map.entersIDImages, let own = style.index(ofLayer: layer.id) else { return -1 }
    let before = tileLayers.prefix { $0.key != map.key }.reduce(layers.count) { count, other in
      guard other.entersIDImages, case .style(let style, _)? = other.content else { return count }
      return count + style.document.layers.count
    }
    return before + own
  }

  /// Returns the ids of the features of a style's layers, by the index of the layer.
  ///
  /// A feature without an id has the negative number of the feature in the layer of its tiles, less 1.
  ///
  /// - Throws: ``MapStateError``.
  func styleFeatures(of layer: TileLayerState) async throws(MapStateError) -> [Int: SVGFeatures] {
    guard case .style(let style, let hidden)? = layer.content else { return [:] }
    let drawing = try await styleDrawing(of: layer, style, hidden: hidden, threads: 1)
    var all: [Int: SVGFeatures] = [:]
    for item in drawing.layers {
      var features = SVGFeatures()
      features.ids = (0..<drawing.count(of: item.layer, style)).map { number in
        drawing.feature(number, of: item.layer, style)?.feature.id.number.flatMap { Int64(exactly: $0) }
          ?? Int64(-number - 1)
      }
      all[idIndex(of: item.layer, in: layer, style)] = features
    }
    return all
  }

  /// Draws a style without effects.
  func styleDrawing(
    of layer: TileLayerState, _ style: MapStyle, hidden: Set<String>, threads: Int, only: Set<String>? = nil,
    joinsTiles: Bool = false
  ) async throws(MapStateError) -> StyleDrawing {
    do {
      return try await StyleDrawing(
        style, hidden: hidden, in: self, missing: layer.missing, threads: threads, only: only,
        joinsTiles: joinsTiles)
    } catch {
      throw MapStateError(.input, "layer \"\(layer.name)\": \(style.place): \(error)", cause: error)
    }
  }
}

extension RenderReport.Tiles {
  /// Creates the report of a style.
  fileprivate init(_ name: String, _ style: MapStyle, _ drawing: StyleDrawing) {
    let sources = drawing.tiles.values.map(\.report).sorted { $0.name < $1.name }
    var warnings = drawing.warnings
    if drawing.zoom == nil { warnings.append("nothing is drawn: no part of the view is on the world") }
    for source in sources {
      if source.count == 0 {
        warnings.append(
          source.zoom == nil
            ? "source \"\(MessageText.name(source.name))\" has no tiles of so small a zoom: \(source.place)"
            : "source \"\(MessageText.name(source.name))\" has no tiles in the view: \(source.place)")
      }
      if let first = source.failed.first {
        warnings.append(
          "source \"\(MessageText.name(source.name))\": \(source.failed.count) of \(source.count) tiles cannot be read and are left blank; tile \(first.tile) \(first.reason)"
        )
      }
    }
    self.init(
      name: name, place: style.place, zoom: sources.compactMap(\.zoom).max(),
      count: sources.reduce(0) { $0 + $1.count }, missing: sources.flatMap(\.missing),
      failed: sources.flatMap(\.failed), warnings: warnings, sources: sources,
      styleLayers: drawing.layers.map { ($0.layer.id, $0.featureCount) },
      styleZoom: drawing.zoom, names: drawing.layers.flatMap(\.names))
  }
}

extension StyleDrawing.Layer {
  /// The texts of the layer's symbols, with the box around each in output pixels.
  fileprivate var names: [(layer: String, text: String, box: Envelope)] {
    var names: [(layer: String, text: String, box: Envelope)] = []
    for case .labels(let labels) in batches {
      var last: LabelItem?
      for item in labels.items {
        // A text of several colours, and one with a blurred halo, is several labels with the same box.
        let isSame = last.map { ($0.row, $0.text, $0.box) == (item.row, item.text, item.box) } ?? false
        if !isSame { names.append((layer.id, item.text, item.box)) }
        last = item
      }
    }
    return names
  }
}
