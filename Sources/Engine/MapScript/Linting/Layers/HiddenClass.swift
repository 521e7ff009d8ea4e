import MapDrawing
import MapGeometry
package import MapModel
package import MapState

/// A class that readers hardly see: its colour is nearly that of the ground, or that of the outline of all classes.
struct HiddenClass: Hashable {
  /// The difference CIEDE2000 below which a class is hidden.
  ///
  /// - Source: design decision, as for two classes that readers confuse.
  static let difference = ColorPair.confusedDifference
  /// The largest number of classes that a warning names.
  private static let longestList = 3

  /// The index of the class; -1 is the default symbol.
  let index: Int
  /// The label of the class; empty for a renderer of one symbol.
  let label: String
  /// The colour of the class as painted over the ground.
  let color: Color
  /// The colour that is nearly the same.
  let other: Color
  /// The ground or the outline, which has that colour.
  let place: String
  /// The difference CIEDE2000.
  let least: Double

  /// The fault in one sentence.
  var message: String {
    (label.isEmpty ? "its symbol" : "class \"\(label)\"")
      + " has nearly the colour of \(place): \(color.hexadecimal) and \(other.hexadecimal) differ by "
      + "\(LintText.tenths(least)) (CIEDE2000; \(LintText.number(Self.difference)) is needed)"
  }

  /// Returns the hidden classes of a layer of a view.
  ///
  /// The fill of an area counts alone where there are classes, because its outline does not show the class. Other
  /// symbols are hidden if all their colours are.
  static func of(_ layer: LayerState, in view: ViewState) -> [HiddenClass] {
    let renderer = layer.renderer
    guard renderer.visualVariables.color == nil else { return [] }
    var symbols: [(index: Int, label: String, symbol: SymbolForm)]
    switch renderer {
    case .simple(let simple): symbols = [(0, simple.label, simple.symbol)]
    case .uniqueValue, .classBreaks, .rules:
      symbols = zip(renderer.classSymbols, renderer.countedLabels).enumerated().map { ($0, $1.1, $1.0) }
      if let symbol = renderer.defaultSymbol { symbols.append((-1, renderer.defaultLabel, symbol)) }
    case .heatmap, .dotDensity, .pieChart: return []
    }
    let grounds = view.groundColors
    let outlines = Set(symbols.compactMap { $0.symbol.plainColors.outline })
    return symbols.compactMap { index, label, symbol in
      let (fill, outline) = symbol.plainColors
      guard let fill else { return nil }
      let color = fill.withOpacity(layer.opacity)
      func nearest(_ color: Color) -> (ground: Color, color: Color, least: Double) {
        let found = grounds.map { ground in
          (ground: ground, color: color.over(ground), least: color.over(ground).difference(to: ground))
        }
        return found.min { $0.least < $1.least } ?? (.white, color, .infinity)
      }
      let (onGround, edge) = (nearest(color), outline.map { nearest($0.withOpacity(layer.opacity)) })
      let needsFill = symbols.count > 1 && layer.source.schema.geometryKind == .polygon
      if onGround.least < difference, needsFill || edge.map({ $0.least < difference }) ?? true {
        return HiddenClass(
          index: index, label: label, color: onGround.color, other: onGround.ground, place: "the ground",
          least: onGround.least)
      }
      guard needsFill, outlines.count == 1, let outline else { return nil }
      let least = color.over(grounds[0]).difference(to: outline.over(grounds[0]))
      guard least < difference else { return nil }
      return HiddenClass(
        index: index, label: label, color: color.over(grounds[0]), other: outline.over(grounds[0]),
        place: "its outline", least: least)
    }
  }

  /// Returns a warning for each layer of a view that has hidden classes; features without a class are left out.
  static func warnings(in view: ViewState) -> [String] {
    view.layers.compactMap { layer in
      guard layer.isShown(atScale: view.viewpoint.scale) else { return nil }
      let hidden = of(layer, in: view).filter { $0.index >= 0 }
      guard !hidden.isEmpty else { return nil }
      let named = hidden.prefix(longestList).map(\.message)
      let more = hidden.count - named.count
      return "layer \"\(layer.name)\": " + named.joined(separator: "; ")
        + (more > 0 ? "; and \(more) more" : "")
    }
  }
}

extension SymbolForm {
  /// The colour that fills the symbol and that of its outline; nil for none, for patterns and for images.
  fileprivate var plainColors: (fill: Color?, outline: Color?) {
    func visible(_ color: Color?) -> Color? { color.flatMap { $0.alpha > 0 ? $0 : nil } }
    func line(_ line: SimpleLineSymbol?) -> Color? { line.flatMap { $0.width > 0 ? visible($0.color) : nil } }
    switch self {
    case .marker(let marker): return (visible(marker.color), line(marker.outline))
    case .line(let own): return (line(own), nil)
    case .fill(let fill): return (fill.style == .solid ? visible(fill.color) : nil, line(fill.outline))
    default: return (nil, nil)
    }
  }
}

extension MapDocument {
  /// Returns warnings about the colours of plain data that readers hardly see in a view; none for a document, whose author
  /// asks `lint`.
  package func colorWarnings(in view: ViewState) -> [String] {
    isPlainData ? HiddenClass.warnings(in: view) : []
  }
}

extension LintedLayer {
  /// Returns a finding for each class that has nearly the colour of the ground or of its outline.
  func visibilityFindings() -> [LintFinding] {
    HiddenClass.of(state, in: view).map { hidden in
      LintFinding(
        .classVisibility, at: path(ofClass: hidden.index), layer: name, hidden.message,
        suggestion: "give the class another colour, or change \(hidden.place)",
        numbers: [("difference", hidden.least), ("needed", HiddenClass.difference)])
    }
  }
}

extension ViewState {
  /// Returns a warning if the basemap covers the background colour that a caller asks for; nil if it leaves it visible.
  ///
  /// - Parameters:
  ///   - background: the name of the option or field.
  ///   - remedy: the advice, such as `add --no-basemap to see it`.
  package func backgroundWarning(_ background: String, remedy: String) -> String? {
    let base = tileLayers.filter { $0.section == .base && $0.isShown(atScale: viewpoint.scale) }
    if basemap?.water != nil || base.contains(where: { $0.background(atScale: viewpoint.scale) != nil }) {
      return "the basemap hides \(background); \(remedy)"
    }
    return base.contains { $0.source != nil }
      ? "images of the basemap may hide \(background); \(remedy)" : nil
  }
}
