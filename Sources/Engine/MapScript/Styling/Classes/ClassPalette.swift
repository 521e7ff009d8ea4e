import Glibc
import MapFeatures
import MapGeometry
package import MapModel
import MapState

/// The symbols of classes on a ground: their colours, that of features without a class, and their outlines.
package struct ClassPalette {
  /// Returns the default colours of text values, from the most frequent.
  package static func qualitative(on ground: GroundTone) -> [Color] {
    ground == .light ? DistinctColors.onLight : DistinctColors.onDark
  }

  private let request: StyleRequest
  private let kind: GeometryKind
  private let ground: GroundTone
  /// The symbol that a caller asks for; nil for the standard one.
  private let own: SymbolForm?
  /// The opacity of the colours of the symbol that a caller asks for, 0 to 1.
  private let alpha: Double
  /// The colours of the classes; nil for those that the request asks for, or standard ones.
  private let colors: [Color]?

  /// Creates a palette for a kind of geometries.
  ///
  /// - Parameters:
  ///   - symbol: the symbol of the layer, which its classes have in their colours; nil for the standard one.
  ///   - colors: the colours of the classes; nil for those that the request asks for, or standard ones.
  /// - Throws: `MapStateError` for a symbol that does not draw the geometries.
  init(
    _ request: StyleRequest, kind: GeometryKind, on ground: GroundTone, symbol: SymbolForm? = nil,
    colors: [Color]? = nil
  ) throws(MapStateError) {
    (self.request, self.kind, self.ground, self.colors) = (request, kind, ground, colors)
    own = try request.symbol?.base(for: kind) ?? symbol
    alpha = try request.symbol?.alpha(for: kind) ?? 1
  }

  /// Returns a renderer of classes of numbers or texts with their colours, greys for all other features, and outlines.
  ///
  /// The outlines of markers are a darker tone of their colour, which they keep where many overlap. Those of areas, and of
  /// markers of several sizes, are white, and nearly black on dark ground, unless a class has such a colour.
  ///
  /// - Parameter table: the table with the geometries, whose sizes decide the scales of narrower outlines.
  func painted(_ classes: RendererForm, _ table: FeatureColumns) -> RendererForm {
    let count = classes.classSymbols.count
    let standard: [Color] =
      if case .classBreaks = classes {
        ColorRamp.standardColors(count: count, on: ground)
      } else { Self.qualitative(on: ground) }
    let asked = colors ?? request.colors ?? request.ramp?.colors(count: count)
    let colors = Array((asked ?? standard).prefix(count))
    let grey = Self.distinctGrey(
      ground == .light
        ? [170, 190, 150, 205, 221, 130, 110, 90, 70] : [100, 112, 90, 125, 140, 80, 160, 180], colors)
    let noData: Color? = request.noDataColor.map(\.color) ?? grey
    let symbol = symbol(beside: colors + [noData ?? grey])
    var painted = classes
    switch classes {
    case .uniqueValue(var renderer):
      for (index, color) in zip(renderer.uniqueValues.indices, colors) {
        renderer.uniqueValues[index].symbol = self.symbol(symbol, in: color)
      }
      renderer.defaultSymbol = noData.map { self.symbol(symbol, in: $0) }
      painted = .uniqueValue(renderer)
    case .classBreaks(var renderer):
      for (index, color) in zip(renderer.classBreaks.indices, colors) {
        renderer.classBreaks[index].symbol = self.symbol(symbol, in: color)
      }
      renderer.defaultSymbol = noData.map { self.symbol(symbol, in: $0) }
      painted = .classBreaks(renderer)
    default: break
    }
    guard own == nil, request.outlineWidth == nil, let width = OutlineByScale.variable(for: table) else {
      return painted
    }
    var variables = VisualVariables()
    variables.outlineWidth = width
    return painted.with(variables)
  }

  /// Returns the symbol that gets the colours of the classes.
  private func symbol(beside colors: [Color]) -> SymbolForm {
    if let own { return own }
    let standard = SymbolForm.standard(for: kind, on: ground)
    let edges = (ground == .light ? [255, 225, 195, 140] : [30, 12, 60, 90]).map { Color(gray: $0) }
    let edge =
      edges.first { edge in
        colors.allSatisfy { edge.difference(to: $0) >= HiddenClass.difference }
      } ?? edges[0]
    switch standard {
    case .fill(var fill):
      fill.outline = SimpleLineSymbol(color: edge, width: OutlineByScale.width)
      return .fill(fill)
    // Lines of one class meet without notches.
    case .line: return standard.sized(in: edge)
    default: return request.sizeBy == nil ? standard : standard.sized(in: edge)
    }
  }

  /// Returns a symbol in the colour of a class, with the alpha of the symbol that the request asks for.
  private func symbol(_ symbol: SymbolForm, in color: Color) -> SymbolForm {
    let color = color.withAlphaComponent(Double(color.alpha) / 255 * alpha)
    guard own == nil, request.sizeBy == nil, case .marker(var marker) = symbol else {
      return symbol.colored(color)
    }
    (marker.color, marker.outline) = (color, SimpleLineSymbol(color: color.outline, width: 0.5))
    return .marker(marker)
  }

  /// Returns the first grey that no reader confuses with one of the colours if there is such a grey; else the one that is
  /// farthest from the colours.
  ///
  /// - Parameter levels: the levels of the greys, the most suitable first.
  private static func distinctGrey(_ levels: [UInt8], _ colors: [Color]) -> Color {
    func difference(_ grey: Color) -> Double { colors.map { ColorPair(grey, $0).margin() }.min() ?? 0 }
    let greys = levels.map { Color(gray: $0) }
    return greys.first { difference($0) >= 0 } ?? greys.max { difference($0) < difference($1) } ?? .gray
  }
}

extension Color {
  /// Creates an opaque grey of a level.
  fileprivate init(gray level: UInt8) { self.init(red: level, green: level, blue: level) }

  /// Creates an opaque colour from a hexadecimal number.
  fileprivate init(hexadecimal value: UInt32) {
    self.init(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}

/// The width of the outlines of areas, which becomes smaller with them, so that small areas keep their colours.
enum OutlineByScale {
  /// The width of outlines of areas that are not small, in pixels.
  static let width = 0.5
  /// The widths by the size of areas on the image, both in pixels.
  ///
  /// - Source: design decision; an outline of half a pixel takes a third of an area of 3 pixels.
  private static let widths = [(12.0, width), (8.0, 0.35), (5.0, 0.15), (3.0, 0.0)]
  /// The largest number of areas that are measured.
  private static let sample = 1000

  /// Returns the widths by scale; nil without areas.
  ///
  /// A width applies where a quarter of the areas is smaller than its size.
  ///
  /// - Cost: the envelopes of at most 1,000 areas.
  static func variable(for table: FeatureColumns) -> SizeVariable? {
    guard let geometry = table.geometry, geometry.kind == .polygon, geometry.rowCount > 0 else { return nil }
    let reference = table.schema.spatialReference
    let step = max(1, geometry.rowCount / sample)
    let sizes = stride(from: 0, to: geometry.rowCount, by: step).compactMap { row -> Double? in
      let box = geometry.envelope(ofRow: row).with(spatialReference: reference)
      // Other spatial references than the built-in ones have metres, or nearly so.
      let meters = box.projected(to: .webMercator) ?? box
      let size = (meters.width * meters.height).squareRoot()
      return size.isFinite && size > 0 ? size : nil
    }.sorted()
    guard !sizes.isEmpty else { return nil }
    let size = sizes[sizes.count / 4]
    return SizeVariable(
      input: .scale,
      rule: .stops(
        widths.map { VariableStop(size / $0.0 * ResolvedViewpoint.scalePerResolution, $0.1) }))
  }
}
