import ArgumentParser
package import MapScript
import MapState

/// The options that choose the symbols and labels of a layer.
package struct StyleOptions: ParsableArguments {
  @OptionGroup var coloring: ColorOptions
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Symbol: a colour, or a symbol or renderer in Esri's JSON; repeatable.",
      valueName: "[layer: ]color|json"),
    transform: { try LayerValue($0) { try RequestedSymbol(text: $0) } })
  var symbol: [LayerValue<RequestedSymbol>] = []
  @OptionGroup var changes: SymbolOptions
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Size points (by area) or lines (by width) in proportion to a field; repeatable.",
      valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var sizeBy: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Smallest and largest size in pixels; default: 3-40 for points, 0.5-8 for lines.",
      valueName: "[layer: ]min-max"),
    transform: { try LayerValue($0) { try StyleRequest.sizeRange(text: $0) } })
  var sizeRange: [LayerValue<ClosedRange<Double>>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Rule for the sizes of points: area (default), or flannery for larger circles.",
      valueName: "[layer: ]rule"),
    completion: .list(SizeScaling.allCases.map(\.rawValue)),
    transform: { try LayerValue($0) { try StyleRequest.sizeScaling($0) } })
  var sizeScaling: [LayerValue<SizeScaling>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Label the features by a field; repeatable.", valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var label: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Shorter texts for areas without room, such as codes.", valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var labelShort: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Order of the labels; default: that of --size-by, or of a field of populations or ranks.",
      valueName: "[layer: ]field[:desc]"),
    transform: { try LayerValue($0) { try StyleRequest.labelPriority($0) } })
  var labelPriority: [LayerValue<FeaturePriority>] = []

  package init() {}

  /// The style that the options request.
  package var request: StyleRequest {
    var request = coloring.request
    request.set(\.symbol, symbol, of: "symbol")
    changes.set(in: &request)
    request.set(\.sizeBy, sizeBy, of: "sizeBy")
    request.set(\.sizeRange, sizeRange, of: "sizeRange")
    request.set(\.sizeScaling, sizeScaling, of: "sizeScaling")
    request.set(\.label, label, of: "label")
    request.set(\.labelShort, labelShort, of: "labelShort")
    request.set(\.labelPriority, labelPriority, of: "labelPriority")
    return request
  }

  package func validate() throws {
    do { try request.check() } catch { throw ValidationError("\(error).") }
  }
}

/// The options that change one property of all symbols of a layer.
package struct SymbolOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Opacity of the symbols, 0 to 1; also of classes.", valueName: "[layer: ]number"),
    transform: { try LayerValue($0) { try StyleRequest.opacity(text: $0) } })
  var opacity: [LayerValue<Double>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Colour of the outlines of points and areas, or none.", valueName: "[layer: ]color"),
    transform: { try LayerValue($0) { try RequestedColor(text: $0) } })
  var outline: [LayerValue<RequestedColor>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Width of these outlines in pixels.", valueName: "[layer: ]pixels"),
    transform: { try LayerValue($0) { try StyleRequest.outlineWidth(text: $0) } })
  var outlineWidth: [LayerValue<Double>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Shape of points: circle, cross, diamond, square, triangle or x.", valueName: "[layer: ]shape"),
    completion: .list(SimpleMarkerSymbol.Style.allCases.map(\.rawValue)),
    transform: { try LayerValue($0) { try StyleRequest.marker($0) } })
  var marker: [LayerValue<SimpleMarkerSymbol.Style>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Size of points, or width of lines, in pixels.", valueName: "[layer: ]pixels"),
    transform: { try LayerValue($0) { try StyleRequest.symbolSize(text: $0) } })
  var symbolSize: [LayerValue<Double>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Colour of features without a class of --color-by, or none to leave them out; default: a grey.",
      valueName: "[layer: ]color"),
    transform: { try LayerValue($0) { try RequestedColor(text: $0) } })
  var noDataColor: [LayerValue<RequestedColor>] = []

  package init() {}

  /// Sets the changes in a request.
  func set(in request: inout StyleRequest) {
    request.set(\.opacity, opacity, of: "opacity")
    request.set(\.outline, outline, of: "outline")
    request.set(\.outlineWidth, outlineWidth, of: "outlineWidth")
    request.set(\.marker, marker, of: "marker")
    request.set(\.symbolSize, symbolSize, of: "symbolSize")
    request.set(\.noDataColor, noDataColor, of: "noDataColor")
  }
}

/// The options that choose the classes and colours of a layer.
package struct ColorOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Rules, symbols and labels of a style (SLD 1.0 or 1.1); repeatable.",
      valueName: "[layer: ]file[#name]"),
    completion: .file(extensions: ["sld", "xml"]),
    transform: { try LayerValue($0) { try RequestedStyle(text: $0) } })
  var style: [LayerValue<RequestedStyle>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Colour the features by a field: classes of numbers, or one colour per text; repeatable.",
      valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var colorBy: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Divide the numbers of --color-by by those of another field.", valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var normalizeBy: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Cross the classes of --color-by with those of another field, three by three.",
      valueName: "[layer: ]field"),
    transform: { try LayerValue($0) { $0 } })
  var crossBy: [LayerValue<String>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Number of classes; default: at most 5 of numbers and 9 of texts.", valueName: "[layer: ]n"),
    transform: { try LayerValue($0) { try StyleRequest.classes(text: $0) } })
  var classes: [LayerValue<Int>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Rule for the bounds of classes: quantile (default), equal-interval, natural-breaks or standard-deviation.",
      valueName: "[layer: ]method"),
    completion: .list(ClassificationMethod.allCases.map(\.rawValue)),
    transform: { try LayerValue($0) { try StyleRequest.method($0) } })
  var method: [LayerValue<ClassificationMethod>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Bounds of the classes, instead of a rule.", valueName: "[layer: ]a,b,…"),
    transform: { try LayerValue($0) { try StyleRequest.breaks(text: $0) } })
  var breaks: [LayerValue<[Double]>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Bounds that are part of a class: upper (default), or lower for values from a bound up to the next.",
      valueName: "[layer: ]edge"),
    completion: .list(ClassEdges.allCases.map(\.rawValue)),
    transform: { try LayerValue($0) { try StyleRequest.edges($0) } })
  var edges: [LayerValue<ClassEdges>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Number between two halves of the classes in a diverging ramp; default ramp then: RdBu_r.",
      valueName: "[layer: ]number"),
    transform: { try LayerValue($0) { try StyleRequest.number($0) } })
  var midpoint: [LayerValue<Double>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Colour ramp: OrRd, tab20 or #ffffcc-#253494; default: YlGnBu, or distinct colours. \"list\" prints all.",
      valueName: "[layer: ]ramp"),
    completion: .list(ColorRamp.all.map(\.name)),
    transform: { try LayerValue($0) { try StyleRequest.ramp($0) } })
  var ramp: [LayerValue<ColorRamp>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Colours of the classes instead of a ramp, such as #ffffcc,#41b6c4,#253494.",
      valueName: "[layer: ]color,…"),
    transform: { try LayerValue($0) { try StyleRequest.colors(text: $0) } })
  var colors: [LayerValue<[Color]>] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Hatches of this colour for the classes of areas, such as black, for printing in one colour.",
      valueName: "[layer: ]color"),
    transform: { try LayerValue($0) { try StyleRequest.color(text: $0) } })
  var hatch: [LayerValue<Color>] = []

  package init() {}

  package func validate() throws {
    do { try request.check() } catch { throw ValidationError("\(error).") }
  }

  /// The style that the options request.
  package var request: StyleRequest {
    var request = StyleRequest()
    request.set(\.style, style, of: "style")
    request.set(\.colorBy, colorBy, of: "colorBy")
    request.set(\.normalizeBy, normalizeBy, of: "normalizeBy")
    request.set(\.crossBy, crossBy, of: "crossBy")
    request.set(\.classes, classes, of: "classes")
    request.set(\.method, method, of: "method")
    request.set(\.breaks, breaks, of: "breaks")
    request.set(\.edges, edges, of: "edges")
    request.set(\.midpoint, midpoint, of: "midpoint")
    request.set(\.ramp, ramp, of: "ramp")
    request.set(\.colors, colors, of: "colors")
    request.set(\.hatch, hatch, of: "hatch")
    return request
  }
}
