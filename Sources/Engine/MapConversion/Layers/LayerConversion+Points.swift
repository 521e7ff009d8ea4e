import MapDrawing
import MapFeatures
import MapJSON
import MapModel
import MapState
import MapSystem

extension LayerConversion {
  /// Adds the layer of points: circles if all symbols are, and images otherwise.
  ///
  /// All classes are in one layer, so that features overlap in their order.
  mutating func addPoints(_ sprite: inout SpriteSheet) async throws(MapStateError) {
    let symbols = choice.classes.compactMap { symbol(of: $0) }
    let circles = symbols.compactMap(\.circle)
    if circles.count == symbols.count { addCircles() } else { try await addIcons(&sprite) }
  }

  private mutating func addCircles() {
    let variables = layer.renderer.visualVariables
    var draft = StyleLayerDraft("", "circle")
    func circle(_ index: Int32) -> SimpleMarkerSymbol? { symbol(of: index)?.circle }
    func width(_ index: Int32) -> Double { circle(index)?.outline?.width ?? 0 }
    let widths = choice.expression { StyleJSON.pixels(width($0)) }
    var outline = StyleSize(widths)
    if let variable = variables.outlineWidth {
      outline = size(variable, name: "outline")
      if outline.dependsOnZoom {
        lose(["visualVariables"], "outline: widths by the scale are not written", in: .renderer)
        outline = StyleSize(widths)
      }
    }
    // The outline is centred on the edge, and a circle's stroke surrounds it. The edge of a circle fades inwards over one
    // pixel, so the circle is half a pixel larger (MapLibre GL JS 5 and Native).
    let inset = outline.expression(times: -0.5, plus: 0.5)
    if let variable = variables.size {
      let size = size(variable, name: "size")
      draft.conditions += (size.needed.map { [StyleJSON.isNumber($0)] } ?? [])
      draft.set(paint: "circle-radius", size.expression(times: 0.5, plus: inset, growing: growth))
    } else {
      let radii =
        variables.outlineWidth == nil
        ? choice.expression { StyleJSON.pixels(((circle($0)?.size ?? 0) - width($0)) / 2 + 0.5) }
        : StyleJSON.linear(
          choice.expression { StyleJSON.pixels((circle($0)?.size ?? 0) / 2) }, times: 1, plus: inset)
      draft.set(paint: "circle-radius", StyleSize(radii).expression(growing: growth))
    }
    let color = color(choice.expression { .string((circle($0)?.color ?? .clear).css) })
    draft.set(paint: "circle-color", color)
    let opacity = opacity()
    draft.set(paint: "circle-opacity", opacity, default: 1)
    if choice.classes.contains(where: { width($0) > 0 }) {
      draft.set(paint: "circle-stroke-width", outline.expression(growing: growth))
      draft.set(
        paint: "circle-stroke-color",
        choice.expression { .string((circle($0)?.outline?.color ?? .clear).css) })
      draft.set(paint: "circle-stroke-opacity", opacity, default: 1)
      if variables.transparency != nil {
        lose(["visualVariables"], "transparency: translucent circles end at their outlines", in: .renderer)
      }
    }
    if let filter = choice.filter({ _ in true }) { draft.conditions.insert(filter, at: 0) }
    drafts.append(draft)
  }

  private mutating func addIcons(_ sprite: inout SpriteSheet) async throws(MapStateError) {
    let variables = layer.renderer.visualVariables
    var draft = StyleLayerDraft("", "symbol")
    if variables.color != nil {
      lose(
        ["visualVariables"], "color: applies to circles, and these symbols are images", in: .renderer,
        .dropped)
    }
    if variables.outlineWidth != nil {
      lose(["visualVariables"], "outline: these symbols are images", in: .renderer, .dropped)
    }
    var names: [Int32: String] = [:]
    var isRotated = false
    for index in choice.classes {
      guard var form = symbol(of: index) else { continue }
      if variables.rotation != nil {
        var upright = SymbolVariation()
        upright.angle = 0
        form = form.applying(upright)
      } else if form.isAlignedWithMap {
        isRotated = true
      }
      guard form.simpleParts.contains(where: { $0.swatchKind == .point }) else {
        lose(symbolOf: index, "lines and areas of points are not written", .dropped)
        continue
      }
      let name = choice.classes.count == 1 ? id : "\(id) \(index < 0 ? "other" : "\(index + 1)")"
      names[index] = try await sprite.marker(form.withoutOffset, named: name)
    }
    if let filter = choice.filter({ names[$0] != nil }) { draft.conditions.append(filter) }
    draft.set(layout: "icon-image", choice.expression { .string(names[$0] ?? names.values.min() ?? "") })
    if let variable = variables.size {
      let size = size(variable, name: "size")
      draft.conditions += (size.needed.map { [StyleJSON.isNumber($0)] } ?? [])
      let own = choice.expression { StyleJSON.pixels(self.symbol(of: $0)?.markerSize ?? 1) }
      draft.set(layout: "icon-size", size.expression(dividedBy: own, growing: growth))
      lose(["visualVariables"], "size: outlines grow with their symbols, which are images", in: .renderer)
    } else if let growth {
      draft.set(layout: "icon-size", growth.grown(1))
    }
    let offsets = choice.expression { index in
      let offset = self.symbol(of: index)?.offset ?? (x: 0.0, y: 0.0)
      return StyleJSON.literal([offset.x, offset.y == 0 ? 0 : -offset.y])
    }
    draft.set(layout: "icon-offset", offsets, default: StyleJSON.literal([0, 0]))
    if let variable = variables.rotation {
      let number = properties.number(of: variable.input, name: "rotation")
      let heading: JSONValue = [
        "case", StyleJSON.isNumber(number), number, .number(variable.kind == .geographic ? 0 : 90),
      ]
      draft.set(layout: "icon-rotate", variable.kind == .geographic ? heading : ["-", 90, heading])
      isRotated = true
    }
    if isRotated { draft.set(layout: "icon-rotation-alignment", "map") }
    draft.set(layout: "icon-allow-overlap", true)
    draft.set(layout: "icon-ignore-placement", true)
    draft.set(layout: "symbol-z-order", "source")
    draft.set(paint: "icon-opacity", opacity(), default: 1)
    drafts.append(draft)
  }

  /// Adds a heat map.
  ///
  /// Both kernels have the same height over a point and half of it at the same distance: 0.541 of the radius of MapState,
  /// and 0.392 of the radius of styles, whose kernel is a bell of Gauss with a third of the radius as its deviation.
  ///
  /// - Source: MapLibre GL JS 5, whose kernel has the height 0.3989 over a point of weight 1.
  mutating func addHeat(_ renderer: HeatmapRenderer) {
    var draft = StyleLayerDraft("", "heatmap")
    if let field = renderer.fieldName {
      let number = properties.number(of: .field(field), name: "weight")
      draft.set(
        paint: "heatmap-weight", ["case", StyleJSON.isNumber(number), ["max", number, 0], 0])
    }
    let radius = max(renderer.radius, 1)
    draft.set(paint: "heatmap-radius", StyleJSON.pixels(radius * 0.541 / 0.392))
    let span = renderer.maxDensity - renderer.minDensity
    let height = 3 / (.pi * radius * radius)
    let intensity = span > 0 ? height / span / 0.398_942_280_4 : 1
    draft.set(paint: "heatmap-intensity", .number(intensity.isFinite ? intensity : 1))
    var stops = renderer.colorStops.map {
      (input: min(max($0.ratio, 0), 1), output: JSONValue.string($0.color.css))
    }
    // Without any point there is no colour, as outside the kernels.
    if let first = stops.first, first.input <= 0 {
      stops[0].output = .string(renderer.color(ofDensity: 0).css)
    }
    if !stops.isEmpty {
      draft.set(paint: "heatmap-color", StyleJSON.curve(["linear"], ["heatmap-density"], stops))
    }
    draft.set(paint: "heatmap-opacity", .number((layer.opacity * 10_000).rounded() / 10_000), default: 1)
    drafts.append(draft)
    lose(["radius"], "the heat of styles fades by another kernel", in: .renderer)
    if renderer.minDensity > 0 {
      lose(["minDensity"], "styles begin at a density of 0", in: .renderer)
    }
  }
}

extension SymbolForm {
  /// The symbol as a circle of a style; nil for any other symbol.
  ///
  /// Below a translucent outline a marker goes on, and a circle does not.
  fileprivate var circle: SimpleMarkerSymbol? {
    guard case .marker(let marker) = self, marker.style == .circle, offset == (0, 0) else { return nil }
    guard let outline = marker.outline, outline.width > 0, let color = outline.color, color.alpha > 0 else {
      var plain = marker
      plain.outline = nil
      return plain
    }
    guard outline.style == .solid, outline.dashTemplate.isEmpty, color.alpha == 255 || marker.color == nil,
      outline.width < marker.size
    else { return nil }
    return marker
  }

  /// The size that a variable of sizes replaces, in pixels.
  var markerSize: Double {
    switch self {
    case .marker(let marker): marker.size
    case .picture(let picture): picture.drawnSize?.height ?? 1
    case .text(let text): text.size
    case .vector(let vector): vector.size
    case .composite(let composite): composite.parts.map(\.markerSize).max() ?? 1
    case .line, .fill, .pattern, .placed: 1
    }
  }

  /// Whether the symbol rotates with the map.
  fileprivate var isAlignedWithMap: Bool {
    simpleParts.contains { part in
      switch part {
      case .marker(let marker): marker.angleAlignment == .map
      case .picture(let picture): picture.angleAlignment == .map
      case .text(let text): text.angleAlignment == .map
      case .vector(let vector): vector.angleAlignment == .map
      default: false
      }
    }
  }
}
