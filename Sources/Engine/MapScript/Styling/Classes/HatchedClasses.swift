import Glibc
import MapGeometry
import MapModel
import MapState

/// Hatches of one colour for the classes of areas, which are told apart in black and white.
enum HatchedClasses {
  /// The width and the distance of the lines of the lightest and of the darkest hatch, in pixels; the last of several
  /// classes of numbers is solid.
  ///
  /// - Source: design decision: lines take 7 to 50 % of the area, and are at least 0.6 points wide, which a printer of
  ///   600 dots per inch draws with 5 dots.
  private static let (light, dark) = ((width: 0.8, step: 11.0), (width: 1.6, step: 3.2))
  /// The widths of borders and of the light line below them, which separates them from the lines of a hatch, in pixels.
  ///
  /// - Source: design decision.
  private static let (borderWidth, casingWidth) = (0.8, 2.8)

  /// The angles of the lines of unordered classes and their distances, with 0 for solid.
  private static let unordered: [(angles: [Double], step: Double)] = [
    ([45], 6), ([135], 6), ([0], 5), ([90], 5), ([45, 135], 7), ([0, 90], 6), ([], 0), ([45], 3), ([0], 2.5),
  ]

  /// Returns a renderer with hatches instead of the fills of its classes.
  ///
  /// Those of numbers become denser, those of other values have several directions, and features without a class are
  /// empty.
  ///
  /// - Throws: `MapStateError` for features that are no areas, and for a renderer without classes, or with too many.
  static func applied(
    to renderer: RendererForm?, _ color: Color, of layer: String, _ kind: GeometryKind?
  ) throws(MapStateError) -> RendererForm {
    guard kind == .polygon else {
      throw MapStateError(.input, "--hatch: the features of layer \"\(layer)\" are no areas")
    }
    let outline = SimpleLineSymbol(color: color, width: borderWidth)
    let renderer = renderer.map(wider)
    let empty = SimpleFillSymbol(color: nil, outline: outline).form
    switch renderer {
    case .classBreaks(var classes):
      let count = classes.classBreaks.count
      for index in classes.classBreaks.indices {
        classes.classBreaks[index].symbol = ordered(index, of: count, color, outline)
      }
      if classes.defaultSymbol != nil { classes.defaultSymbol = empty }
      return .classBreaks(classes)
    case .uniqueValue(var classes):
      guard classes.uniqueValues.count <= unordered.count else {
        throw MapStateError(
          .input,
          "--hatch: layer \"\(layer)\" has \(classes.uniqueValues.count) classes; \(unordered.count) hatches are told apart"
        )
      }
      for index in classes.uniqueValues.indices {
        let hatch = unordered[index]
        classes.uniqueValues[index].symbol = symbol(hatch.angles, 1, hatch.step, color, outline)
      }
      if classes.defaultSymbol != nil { classes.defaultSymbol = empty }
      return .uniqueValue(classes)
    default:
      throw MapStateError(
        .usage, "--hatch: layer \"\(layer)\" has no classes to hatch; choose a field with --color-by")
    }
  }

  /// Returns a renderer whose outlines, which are narrower at small scales, have the width of borders at others.
  private static func wider(_ renderer: RendererForm) -> RendererForm {
    var variables = renderer.visualVariables
    guard let width = variables.outlineWidth, width.input == .scale, case .stops(let stops) = width.rule
    else { return renderer }
    variables.outlineWidth = SizeVariable(
      input: .scale,
      rule: .stops(stops.map { VariableStop($0.value, $0.output * borderWidth / OutlineByScale.width) }))
    return renderer.with(variables)
  }

  /// Returns the hatch of a class of numbers; neighbouring classes also differ in the direction of the lines.
  private static func ordered(
    _ index: Int, of count: Int, _ color: Color, _ outline: SimpleLineSymbol
  ) -> SymbolForm {
    guard index < count - 1 else { return symbol([], 0, 0, color, outline) }
    let place = count > 2 ? Double(index) / Double(count - 2) : 0
    // Equal ratios of the distances look like equal steps.
    let step = light.step * exp(place * log(dark.step / light.step))
    let width = light.width + (dark.width - light.width) * place
    return symbol([index % 2 == 0 ? 45 : 135], width, step, color, outline)
  }

  private static func symbol(
    _ angles: [Double], _ width: Double, _ step: Double, _ color: Color, _ outline: SimpleLineSymbol
  ) -> SymbolForm {
    let contrast: Color = color.isDark ? .white : .black
    guard !angles.isEmpty else {
      // Neighbours of one solid class are told apart by their outlines.
      return SimpleFillSymbol(color: color, outline: SimpleLineSymbol(color: contrast, width: outline.width))
        .form
    }
    let line = SimpleLineSymbol(color: color, width: width)
    var composite = CompositeSymbol()
    composite.parts = angles.map { angle in
      PatternFillSymbol(pattern: .lines(line, separation: step, angle: angle)).form
    }
    composite.parts += [SimpleLineSymbol(color: contrast, width: casingWidth), outline].map {
      SimpleFillSymbol(color: nil, outline: $0).form
    }
    return .composite(composite)
  }
}
