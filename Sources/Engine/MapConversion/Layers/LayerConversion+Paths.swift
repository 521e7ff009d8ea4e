import MapFeatures
import MapJSON
import MapModel
import MapState
import MapSystem

extension LayerConversion {
  /// The members of layers of lines and areas that have one value for all features.
  fileprivate enum LevelKind: Hashable {
    case fill, pattern
    case stroke(StrokeForm, isOutline: Bool)

    var isOutline: Bool { if case .stroke(_, true) = self { true } else { false } }
  }

  /// A layer of a style with the parts of some classes at one place of their symbols.
  private struct Level {
    let kind: LevelKind
    var parts: [Int32: PathPart] = [:]
    /// Whether a line covers the edges of each part.
    var isOutlined = true
  }

  /// Adds the layers of lines or areas: one for each place in the symbols, and for each kind of line.
  mutating func addPaths(_ sprite: inout SpriteSheet) async throws(MapStateError) {
    let isArea = properties.table.schema.geometryKind == .polygon
    var symbols: [(index: Int32, parts: [PathPart?])] = []
    for index in choice.classes {
      guard let form = symbol(of: index) else { continue }
      let (parts, losses) = form.pathParts(isArea: isArea)
      for loss in losses { lose(symbolOf: index, loss) }
      symbols.append((index, parts))
    }
    var levels: [Level] = []
    for place in 0..<(symbols.map(\.parts.count).max() ?? 0) {
      var here: [Level] = []
      for (index, parts) in symbols where place < parts.count {
        guard let part = parts[place] else { continue }
        let kind = part.kind(zoom: zoom)
        let level = here.firstIndex { $0.kind == kind } ?? here.count
        if level == here.count { here.append(Level(kind: kind)) }
        here[level].parts[index] = part
        if place + 1 >= parts.count || parts[place + 1] == nil { here[level].isOutlined = false }
      }
      levels += here
    }
    let hasTranslucentOutline = symbols.contains { symbol in
      symbol.parts.contains { part in
        if case .stroke(let line, true)? = part { (line.color?.alpha ?? 255) < 255 } else { false }
      }
    }
    if hasTranslucentOutline {
      lose(
        [], "translucent outlines lie above all areas of the layer, and overlap those of neighbours",
        in: .renderer)
    }
    for (number, level) in levels.enumerated() {
      let suffix = number == 0 ? "" : isArea && level.kind.isOutline ? "outline" : "part"
      try await add(level, suffix, &sprite)
    }
  }

  private mutating func add(
    _ level: Level, _ suffix: String, _ sprite: inout SpriteSheet
  ) async throws(MapStateError) {
    guard let any = level.parts.min(by: { $0.key < $1.key })?.value else { return }
    var draft: StyleLayerDraft
    switch level.kind {
    case .fill:
      draft = StyleLayerDraft(suffix, "fill")
      let own = choice.expression { index in
        guard case .fill(let color) = level.parts[index] ?? any else { return .null }
        return .string(color.css)
      }
      draft.set(paint: "fill-color", color(own))
      // Antialiased areas are half a pixel larger on each side (MapLibre GL JS 5 and Native). Outlines hide the steps.
      if level.isOutlined { draft.set(paint: "fill-antialias", false) }
      draft.set(paint: "fill-opacity", opacity(), default: 1)
    case .pattern:
      draft = StyleLayerDraft(suffix, "fill")
      var names: [Int32: String] = [:]
      for (index, part) in level.parts.sorted(by: { $0.key < $1.key }) {
        guard case .pattern(let symbol, let period) = part else { continue }
        names[index] = try await sprite.pattern(
          symbol, period: period, named: "\(id) \(index < 0 ? "other" : "\(index + 1)")")
      }
      draft.set(paint: "fill-pattern", choice.expression { .string(names[$0] ?? names.values.min() ?? "") })
      draft.set(paint: "fill-opacity", opacity(), default: 1)
      if layer.renderer.visualVariables.color != nil {
        lose(["visualVariables"], "color: patterns are images", in: .renderer, .dropped)
      }
    case .stroke(let form, let isOutline):
      draft = stroke(level.parts, any, form, isOutline: isOutline, suffix)
    }
    if let filter = choice.filter({ level.parts[$0] != nil }) { draft.conditions.insert(filter, at: 0) }
    drafts.append(draft)
  }

  /// Returns a layer of lines.
  private mutating func stroke(
    _ parts: [Int32: PathPart], _ any: PathPart, _ form: StrokeForm, isOutline: Bool, _ suffix: String
  ) -> StyleLayerDraft {
    var draft = StyleLayerDraft(suffix, "line")
    func line(_ index: Int32) -> SimpleLineSymbol {
      if case .stroke(let line, _) = parts[index] ?? any { line } else { SimpleLineSymbol() }
    }
    draft.set(layout: "line-cap", .string(form.cap.rawValue), default: "butt")
    draft.set(layout: "line-join", .string(form.join.rawValue), default: "miter")
    if form.join == .miter { draft.set(layout: "line-miter-limit", .number(form.miterLimit), default: 2) }
    let own = choice.expression { .string((line($0).color ?? .clear).css) }
    draft.set(paint: "line-color", isOutline ? own : color(own))
    draft.set(paint: "line-opacity", opacity(), default: 1)
    let widths = choice.expression { StyleJSON.pixels(line($0).width) }
    let variables = layer.renderer.visualVariables
    if let variable = isOutline ? variables.outlineWidth : variables.size {
      let size = size(variable, name: isOutline ? "outline" : "size")
      if !isOutline || size.needed != nil {
        draft.conditions += (size.needed.map { [StyleJSON.isNumber($0)] } ?? [])
      }
      // The widest line or the topmost outline of a symbol has the size, and the others keep their proportion to it.
      let ratios = choice.expression { index in
        let symbol = self.symbol(of: index)
        guard let full = isOutline ? symbol?.topOutlineWidth : symbol?.widestLine, full > 0 else { return 1 }
        return .number(full / line(index).width)
      }
      draft.set(
        paint: "line-width", size.expression(dividedBy: ratios == 1 ? nil : ratios, growing: growth))
      if !form.dashes.isEmpty {
        lose(["visualVariables"], "the dashes grow with the width", in: .renderer)
      }
    } else {
      draft.set(paint: "line-width", StyleSize(widths).expression(growing: growth), default: 1)
    }
    draft.set(
      paint: "line-offset", choice.expression { StyleJSON.pixels(isOutline ? 0 : line($0).styleOffset) },
      default: 0)
    if !form.dashes.isEmpty {
      draft.set(paint: "line-dasharray", .array(form.dashes.map { .number($0) }))
    }
    return draft
  }
}

extension PathPart {
  /// The layers of a style that can have the part.
  fileprivate func kind(zoom: Double) -> LayerConversion.LevelKind {
    switch self {
    case .fill: .fill
    case .pattern: .pattern
    case .stroke(let line, let isOutline): .stroke(StrokeForm(line, zoom: zoom), isOutline: isOutline)
    }
  }
}

extension SymbolForm {
  /// The width of the widest line, in pixels.
  fileprivate var widestLine: Double {
    simpleParts.map { if case .line(let line) = $0 { line.width } else { 0 } }.max() ?? 0
  }
}
