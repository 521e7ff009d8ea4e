import MapGeometry
import MapModel
import MapState

/// The properties that a request changes in all symbols of a layer, whatever chooses their colours and sizes.
struct SymbolChanges {
  private let request: StyleRequest

  /// Takes the properties of a request; nil if it has none.
  init?(_ request: StyleRequest) {
    guard !request.changes.isEmpty else { return nil }
    self.request = request
  }

  /// Returns a renderer with changed symbols; heat maps, dots and pie charts stay as they are.
  func applied(to renderer: RendererForm) -> RendererForm {
    let changed = renderer.mapSymbols { self.changed($0) }
    var variables = changed.visualVariables
    if request.outlineWidth != nil { variables.outlineWidth = nil }
    if request.symbolSize != nil { variables.size = nil }
    return variables == changed.visualVariables ? changed : changed.with(variables)
  }

  private func changed(_ symbol: SymbolForm) -> SymbolForm {
    var variation = SymbolVariation()
    (variation.opacity, variation.outlineWidth) = (request.opacity, request.outlineWidth)
    variation.size = request.symbolSize
    return reshaped(symbol).applying(variation)
  }

  /// Returns a symbol with the requested marker and colour of the outline.
  private func reshaped(_ symbol: SymbolForm) -> SymbolForm {
    switch symbol {
    case .marker(var marker):
      marker.style = request.marker ?? marker.style
      // The strokes of these markers are their outline.
      if [.cross, .x].contains(request.marker) {
        marker.outline = SimpleLineSymbol(color: marker.color, width: 2)
      }
      marker.outline = outlined(marker.outline)
      return .marker(marker)
    case .fill(var fill):
      fill.outline = outlined(fill.outline)
      return .fill(fill)
    case .pattern(var pattern):
      pattern.outline = outlined(pattern.outline)
      return .pattern(pattern)
    case .composite(var composite):
      // The topmost outline of an area has the colour, and the casings below it stay.
      let top = request.outline?.color == nil ? nil : composite.parts.lastIndex { $0.topOutlineWidth != nil }
      composite.parts = composite.parts.indices.map { index in
        let part = composite.parts[index]
        return Self.isArea(part) && top.map { index < $0 } ?? false ? part : reshaped(part)
      }
      return .composite(composite)
    case .picture, .text, .line, .vector, .placed: return symbol
    }
  }

  private func outlined(_ outline: SimpleLineSymbol?) -> SimpleLineSymbol? {
    guard let asked = request.outline else { return outline }
    guard let color = asked.color else { return nil }
    var outline = outline ?? SimpleLineSymbol()
    outline.color = color
    return outline
  }

  /// The options that change no symbol of a renderer, as warnings.
  func warnings(of renderer: RendererForm, for kind: GeometryKind) -> [String] {
    let parts = (renderer.classSymbols + [renderer.defaultSymbol].compactMap { $0 }).flatMap(\.simpleParts)
    let shapes =
      switch kind {
      case .point, .multipoint: "points"
      case .polyline: "lines"
      case .polygon: "areas"
      }
    return request.changes.compactMap { option in
      let (part, isThere): (String, (SymbolForm) -> Bool) =
        switch option {
        case "--outline", "--outline-width": ("outline", Self.hasOutline)
        case "--marker": ("marker", Self.isMarker)
        case "--symbol-size": ("size", { $0.hasSize })
        default: ("symbol", { _ in true })
        }
      let takesIt = renderer.hasSymbols && parts.contains(where: isThere)
      return takesIt ? nil : "\(option) has no effect: the \(shapes) have no \(part) to change"
    }
  }

  private static func isArea(_ symbol: SymbolForm) -> Bool {
    switch symbol {
    case .fill, .pattern: true
    default: false
    }
  }

  private static func hasOutline(_ symbol: SymbolForm) -> Bool {
    switch symbol {
    case .marker, .fill, .pattern: true
    default: false
    }
  }

  private static func isMarker(_ symbol: SymbolForm) -> Bool {
    if case .marker = symbol { true } else { false }
  }
}

extension RendererForm {
  /// Whether features are drawn with symbols of their own, unlike those of a heat map, dots and pie charts.
  fileprivate var hasSymbols: Bool {
    switch self {
    case .simple, .uniqueValue, .classBreaks, .rules: true
    case .heatmap, .dotDensity, .pieChart: false
    }
  }
}
