import MapDrawing
import MapGeometry
import MapModel
import MapStyleDrawing
import MapStyles
import MapSystem

/// The drawings of the styles in a view that have symbols, which are placed together.
struct StyledLayers: Sendable {
  /// A drawing, with a larger one that has only the symbols.
  private struct Item {
    let key: LayerGroup.Key
    let style: MapStyle
    var drawing: StyleDrawing
    var larger: StyleDrawing?
  }

  /// The drawings, the top layer first.
  private var items: [Item] = []
  /// The output pixels around the view in which symbols are placed, too.
  private let margin: Int

  /// Whether no style in view has symbols.
  var isEmpty: Bool { items.isEmpty }

  /// Creates an empty set for views with a margin.
  init(margin: Int = 0) { self.margin = margin }

  /// Adds the drawing of a layer below those before.
  mutating func append(
    _ layer: TileLayerState, _ style: MapStyle, _ drawing: StyleDrawing, larger: StyleDrawing?
  ) {
    items.append(Item(key: layer.key, style: style, drawing: drawing, larger: larger))
  }

  /// Returns the drawing of a layer; nil for a layer without symbols.
  func drawing(of layer: TileLayerState) -> StyleDrawing? { items.first { $0.key == layer.key }?.drawing }

  /// Places all symbols: those of the top style first, and in a style those of its top layer.
  ///
  /// - Parameter boxes: the rectangles that they avoid, in pixels of the view.
  mutating func place(in view: ViewState, avoiding boxes: [LabelBox]) {
    let offset = Double(margin)
    var placement = SymbolPlacement(
      width: view.pictureWidth + 2 * margin, height: view.pictureHeight + 2 * margin,
      pixelRatio: view.pixelRatio,
      occupied: boxes.map {
        LabelBox(
          xMin: $0.xMin + offset, yMin: $0.yMin + offset, xMax: $0.xMax + offset, yMax: $0.yMax + offset)
      })
    for index in items.indices {
      guard var larger = items[index].larger else {
        // Bundled styles cut no names at the edge of an image; others draw what their makers see.
        items[index].drawing.place(by: &placement, staysInside: items[index].style.isBundled && margin == 0)
        continue
      }
      larger.place(by: &placement)
      items[index].larger = nil
      items[index].drawing.add(larger, of: items[index].style, movedBy: -offset, in: view)
    }
  }
}

extension StyleDrawing {
  /// Places the symbols of the layers, those of the top layer first.
  ///
  /// - Parameter staysInside: whether symbols are left out that the edge of the image would cut.
  mutating func place(by placement: inout SymbolPlacement, staysInside: Bool = false) {
    var found: [String] = []
    for index in layers.indices.reversed() {
      guard let candidates = layers[index].candidates else { continue }
      let drawing = placement.place(candidates, staysInside: staysInside)
      layers[index].candidates = nil
      (layers[index].batches, layers[index].featureCount) = (drawing.batches, drawing.featureCount)
      found = drawing.problems.map { "\(Self.named(drawing.layer)): \($0)" } + found
    }
    warnings += found + (fonts?.problems ?? [])
  }

  /// Adds the layers of a drawing of a larger view, as far as they reach into this view.
  fileprivate mutating func add(
    _ larger: StyleDrawing, of style: MapStyle, movedBy offset: Double, in view: ViewState
  ) {
    let image = Envelope(
      xMin: 0, yMin: 0, xMax: Double(view.pictureWidth), yMax: Double(view.pictureHeight))
    for var layer in larger.layers {
      layer.batches = layer.batches.compactMap { $0.moved(x: offset, y: offset).reaching(into: image) }
      layers.append(layer)
    }
    let order = Dictionary(
      style.document.layers.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    layers.sort { order[$0.layer.id] ?? 0 < order[$1.layer.id] ?? 0 }
    for warning in larger.warnings where !warnings.contains(warning) { warnings.append(warning) }
  }
}

extension ViewState {
  /// The layers of tiles with a style that are shown, the top layer first.
  private var shownStyles: [(layer: TileLayerState, style: MapStyle, hidden: Set<String>)] {
    [TileLayerState.Section.reference, .operational, .base].flatMap { section in
      tileLayers.reversed().compactMap { layer in
        guard layer.section == section, layer.isShown(atScale: viewpoint.scale),
          case .style(let style, let hidden)? = layer.content
        else { return nil }
        return (layer, style, hidden)
      }
    }
  }

  /// Returns the drawings of the styles with layers of symbols, which are not placed yet.
  ///
  /// - Parameters:
  ///   - margin: the output pixels around the view in which symbols are placed, too; 0 for an image of its own.
  ///   - joinsTiles: whether features of vector tiles are joined at the sides of tiles, for formats without pixels.
  /// - Throws: ``MapStateError``.
  func styledLayers(
    threads: Int, margin: Int = 0, joinsTiles: Bool = false
  ) async throws(MapStateError) -> StyledLayers {
    var styled = StyledLayers(margin: margin)
    guard TextEngine.measurer != nil else { return styled }
    for (layer, style, hidden) in shownStyles {
      let symbols = Set(style.document.layers.filter { $0.type == .symbol }.map(\.id)).subtracting(hidden)
      guard !symbols.isEmpty else { continue }
      guard margin > 0 else {
        let drawing = try await styleDrawing(
          of: layer, style, hidden: hidden, threads: threads, joinsTiles: joinsTiles)
        styled.append(layer, style, drawing, larger: nil)
        continue
      }
      let drawing = try await styleDrawing(
        of: layer, style, hidden: hidden.union(symbols), threads: threads, joinsTiles: joinsTiles)
      let larger = try await grown(by: margin).styleDrawing(
        of: layer, style, hidden: hidden, threads: threads, only: symbols)
      styled.append(layer, style, drawing, larger: larger)
    }
    return styled
  }

  /// Returns the drawings of the styles with layers of symbols, which avoid the labels of layers with features.
  ///
  /// - Parameter covered: rectangles in output pixels that are covered by parts of a page.
  /// - Throws: ``MapStateError``.
  func placedStyles(
    threads: Int, covered: [Envelope] = [], joinsTiles: Bool = false
  ) async throws(MapStateError) -> StyledLayers {
    var styled = try await styledLayers(threads: threads, joinsTiles: joinsTiles)
    guard !styled.isEmpty else { return styled }
    let labels =
      newLabels().obstacles == nil
      ? [] : labels(try await listBelowLabels(covered: covered, drawsTiles: false).labels)?.layers ?? []
    styled.place(in: self, avoiding: LabelBox.all(of: labels, covered: covered))
    return styled
  }
}

extension LabelBox {
  /// Returns the rectangles of labels, and those that parts of a page cover.
  static func all(of labels: [DisplayLayer], covered: [Envelope]) -> [LabelBox] {
    labels.flatMap(\.labelBoxes)
      + covered.map { LabelBox(xMin: $0.xMin, yMin: $0.yMin, xMax: $0.xMax, yMax: $0.yMax) }
  }
}
