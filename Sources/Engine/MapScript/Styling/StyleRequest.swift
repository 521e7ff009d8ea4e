package import MapJSON
public import MapModel
package import MapState
import MapSystem

/// A request for the symbols and labels of layers, from options, a step or a snapshot case.
///
/// It is for the only layer of a map, for all layers of plain data, or for the layer that the view names. ``ofLayers`` has
/// the values for named layers.
public struct StyleRequest: Hashable, Sendable {
  /// The field that colours the features; nil for one colour.
  public var colorBy: String?
  /// The field that divides the numbers of ``colorBy``; nil for the numbers themselves.
  public var normalizeBy: String?
  /// The field whose classes are crossed with those of ``colorBy``; nil for classes of one field.
  public var crossBy: String?
  /// The number of classes; nil for five classes of numbers, and nine of texts.
  public var classes: Int?
  /// The rule for the bounds of the classes; nil for quantiles.
  public var method: ClassificationMethod?
  /// The bounds of the classes, ascending, instead of a method; nil for none.
  public var breaks: [Double]?
  /// The bounds that are part of a class; nil for the upper ones.
  public var edges: ClassEdges?
  /// The number that divides the classes of a diverging ramp; nil for classes without a middle.
  public var midpoint: Double?
  /// The colours of the classes; nil for the default ones.
  public var ramp: ColorRamp?
  /// The colours of the classes, instead of a ramp; nil for the default ones.
  public var colors: [Color]?
  /// The colour of hatches that replace the fills of classes of areas; nil for fills.
  public var hatch: Color?
  /// The colour of features without a class of ``colorBy``; nil for a grey.
  public var noDataColor: RequestedColor?
  /// The style of a file, with rules, symbols and labels; nil for none.
  public var style: RequestedStyle?
  /// The symbol, whose colour ``colorBy`` replaces; nil for the standard one.
  public var symbol: RequestedSymbol?
  /// The opacity of all symbols, 0 to 1, which multiplies that of their colours; nil for that of the symbols.
  public var opacity: Double?
  /// The colour of the outlines of markers and areas; nil for that of the symbols.
  public var outline: RequestedColor?
  /// The width of these outlines in pixels; nil for that of the symbols.
  public var outlineWidth: Double?
  /// The shape of markers; nil for that of the symbols.
  public var marker: SimpleMarkerSymbol.Style?
  /// The size of markers, or the width of lines, in pixels; nil for that of the symbols.
  public var symbolSize: Double?
  /// The field that sets the size of markers or the width of lines; nil for one size.
  public var sizeBy: String?
  /// The smallest and the largest size of markers, or width of lines, in pixels; nil for those of the geometry.
  public var sizeRange: ClosedRange<Double>?
  /// The rule by which amounts set the sizes of markers; nil for areas.
  public var sizeScaling: SizeScaling?
  /// The field that labels the features; nil for no labels.
  public var label: String?
  /// The field with shorter texts for labels of areas without room for the whole text; nil for none.
  public var labelShort: String?
  /// The field that ranks the features for their labels; nil for that of ``sizeBy``, or else one whose name says that it
  /// is a population or a rank.
  public var labelPriority: FeaturePriority?
  /// The values for layers that the request names, in its order.
  public var ofLayers: [LayerStyle] = []

  /// A property with two values for one layer; nil for none.
  var repeated: Repeated?
  /// The title of the classes in a legend; nil for the alias of ``colorBy``.
  package var heading: String?

  /// The numbers of classes that can be requested.
  ///
  /// - Source: design decision, as many as there are distinct colours; readers of a map tell apart far fewer.
  package static let classLimit = 1...DistinctColors.onLight.count

  /// Creates a request that changes nothing.
  public init() {}

  /// The number of classes, which the colours give if the request does not.
  var classCount: Int? { classes ?? (breaks == nil ? colors?.count : nil) }

  /// Reads colours between blanks or semicolons, or between commas if they have none of their own.
  package static func colors(text: String) throws(MapStateError) -> [Color] {
    let separator: (Character) -> Bool =
      text.contains(where: { $0 == " " || $0 == ";" })
      ? { $0 == " " || $0 == ";" } : { $0 == "," }
    return try colors(text.split(whereSeparator: separator).map(String.init))
  }

  private static func colors(_ texts: [String]) throws(MapStateError) -> [Color] {
    guard classLimit.contains(texts.count) else {
      throw MapStateError(
        .usage, "expected 1 to \(classLimit.upperBound) colours, such as #ffffcc,#41b6c4,#253494")
    }
    return try texts.map(color(text:))
  }

  /// Reads a colour.
  package static func color(text: String) throws(MapStateError) -> Color {
    guard let color = Color(text: text) else {
      throw MapStateError(.usage, "\"\(text)\" is no colour; write a CSS colour name or #rrggbb")
    }
    return color
  }

  /// Reads a number of classes.
  package static func classes(text: String) throws(MapStateError) -> Int {
    guard let count = Int(text) else {
      throw MapStateError(.usage, "\"\(text)\": expected a whole number of classes")
    }
    return try classes(count)
  }

  /// Checks a number of classes.
  package static func classes(_ count: Int) throws(MapStateError) -> Int {
    guard classLimit.contains(count) else {
      throw MapStateError(
        .usage, "\(count) classes are impossible; give \(classLimit.lowerBound) to \(classLimit.upperBound)")
    }
    return count
  }

  /// Reads the name of a method.
  package static func method(_ name: String) throws(MapStateError) -> ClassificationMethod {
    guard let method = ClassificationMethod(rawValue: name) else {
      // The names of other programs.
      let other = ["jenks": "natural-breaks", "fisher": "natural-breaks", "pretty": "equal-interval"]
      throw unknown(
        "method", name, ClassificationMethod.allCases.map(\.rawValue), nearest: other[name.lowercased()])
    }
    return method
  }

  /// Reads the name of a colour ramp, in any case, or colours between hyphens.
  package static func ramp(_ text: String) throws(MapStateError) -> ColorRamp {
    if let ramp = ColorRamp.named(text) { return ramp }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map {
      $0.trimmingPrefix { $0 == " " }.split(separator: " ").joined()
    }
    guard parts.count > 1 || Color(text: text) != nil else {
      throw unknown("colour ramp", text, ColorRamp.all.map(\.name))
    }
    guard parts.count > 1 else {
      throw MapStateError(
        .usage, "a ramp needs two colours or more, such as #ffffcc-#253494; --symbol \(text) is one colour")
    }
    return ColorRamp(through: try colors(parts))
  }

  /// Reads the name of a rule for bounds.
  package static func edges(_ name: String) throws(MapStateError) -> ClassEdges {
    guard let edges = ClassEdges(rawValue: name) else {
      throw unknown("edge of classes", name, ClassEdges.allCases.map(\.rawValue))
    }
    return edges
  }

  /// The sizes that can be requested, in pixels.
  ///
  /// - Source: design decision; larger symbols hide the map.
  private static let sizeLimits = 0.0...500.0

  /// Reads a range of sizes, such as `3-40`.
  package static func sizeRange(text: String) throws(MapStateError) -> ClosedRange<Double> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DecimalNumbers.read(String($0), counts: 1...1)?.first }
    guard parts.count == 2, numbers.count == 2 else {
      throw MapStateError(.usage, "\"\(text)\": expected two sizes in pixels, such as 3-40")
    }
    return try sizeRange(numbers)
  }

  private static func sizeRange(_ sizes: [Double]) throws(MapStateError) -> ClosedRange<Double> {
    guard sizes.count == 2, sizes[0] < sizes[1], sizes.allSatisfy(sizeLimits.contains) else {
      throw MapStateError(
        .usage, "expected two sizes from 0 to 500 pixels, the smaller one first, such as 3-40")
    }
    return sizes[0]...sizes[1]
  }

  /// Reads a size of symbols in pixels.
  package static func symbolSize(text: String) throws(MapStateError) -> Double {
    try symbolSize(number(text))
  }

  private static func symbolSize(_ size: Double) throws(MapStateError) -> Double {
    guard size > 0, sizeLimits.contains(size) else {
      throw MapStateError(
        .usage, "a size of \(size) is impossible; it must be above 0 and at most 500 pixels")
    }
    return size
  }

  /// Reads a width of outlines in pixels.
  package static func outlineWidth(text: String) throws(MapStateError) -> Double {
    try outlineWidth(number(text))
  }

  private static func outlineWidth(_ width: Double) throws(MapStateError) -> Double {
    guard sizeLimits.contains(width) else {
      throw MapStateError(.usage, "a width of \(width) is impossible; it must be 0 to 500 pixels")
    }
    return width
  }

  /// Reads an opacity.
  package static func opacity(text: String) throws(MapStateError) -> Double { try opacity(number(text)) }

  private static func opacity(_ opacity: Double) throws(MapStateError) -> Double {
    guard (0...1).contains(opacity) else {
      throw MapStateError(
        .usage, "an opacity of \(opacity) is impossible; it must be 0 (invisible) to 1 (opaque)")
    }
    return opacity
  }

  /// Reads a decimal number.
  package static func number(_ text: String) throws(MapStateError) -> Double {
    guard let number = DecimalNumbers.read(text, counts: 1...1)?.first else {
      throw MapStateError(.usage, "\"\(text)\" is no number")
    }
    return number
  }

  /// Reads the name of a shape of markers.
  package static func marker(_ name: String) throws(MapStateError) -> SimpleMarkerSymbol.Style {
    guard let marker = SimpleMarkerSymbol.Style(rawValue: name) else {
      // The names of matplotlib.
      let other = ["o": "circle", "s": "square", "^": "triangle", "d": "diamond", "+": "cross"]
      throw unknown(
        "marker", name, SimpleMarkerSymbol.Style.allCases.map(\.rawValue), nearest: other[name.lowercased()])
    }
    return marker
  }

  /// Reads the name of a rule for sizes.
  package static func sizeScaling(_ name: String) throws(MapStateError) -> SizeScaling {
    guard let scaling = SizeScaling(rawValue: name) else {
      throw unknown("rule for sizes", name, SizeScaling.allCases.map(\.rawValue))
    }
    return scaling
  }

  /// Reads a field that ranks features, such as `POP:desc`.
  package static func labelPriority(_ text: String) throws(MapStateError) -> FeaturePriority {
    try FeaturePriority(text: text)
  }

  /// Reads bounds between commas.
  package static func breaks(text: String) throws(MapStateError) -> [Double] {
    guard let bounds = DecimalNumbers.read(text, counts: classLimit) else {
      throw MapStateError(
        .usage,
        "\"\(text)\": expected at most \(classLimit.upperBound) numbers between commas, such as 5,10,20")
    }
    return try breaks(bounds)
  }

  /// Checks bounds.
  private static func breaks(_ bounds: [Double]) throws(MapStateError) -> [Double] {
    guard classLimit.contains(bounds.count), bounds.allSatisfy(\.isFinite) else {
      throw MapStateError(.usage, "expected 1 to \(classLimit.upperBound) numbers")
    }
    for (first, second) in zip(bounds, bounds.dropFirst()) where first >= second {
      throw MapStateError(.usage, "the bounds of classes must ascend, but \(second) follows \(first)")
    }
    return bounds
  }

  private static func unknown(
    _ kind: String, _ name: String, _ known: [String], nearest: String? = nil
  ) -> MapStateError {
    let nearest = nearest ?? NearestName.of(name, among: known)
    let advice = nearest.map { "did you mean \"\($0)\"? " } ?? ""
    return MapStateError(
      .usage, "no \(kind) named \"\(name)\"; \(advice)available: \(known.joined(separator: ", "))",
      suggestion: nearest)
  }
}

extension StyleRequest: TabularRequest {
  package static let fields: [RequestField<StyleRequest>] = [
    field("style", \.style, RequestedStyle.init(text:)),
    field("colorBy", \.colorBy) { $0 },
    field("normalizeBy", \.normalizeBy) { $0 },
    field("crossBy", \.crossBy) { $0 },
    field("classes", \.classes, classes(text:)) { try classes($0.integer()) },
    field("method", \.method, method),
    field("breaks", \.breaks, breaks(text:)) { try breaks($0.elements().map { try $0.double() }) },
    field("edges", \.edges, edges),
    field("midpoint", \.midpoint, number) { try $0.double() },
    field("ramp", \.ramp, ramp),
    field("colors", \.colors, colors(text:)) { try colors($0.strings()) },
    field("hatch", \.hatch, color(text:)),
    field("noDataColor", \.noDataColor, RequestedColor.init(text:)),
    field("symbol", \.symbol, RequestedSymbol.init(text:)) { try RequestedSymbol($0) },
    field("opacity", \.opacity, opacity(text:)) { try opacity($0.double()) },
    field("outline", \.outline, RequestedColor.init(text:)),
    field("outlineWidth", \.outlineWidth, outlineWidth(text:)) { try outlineWidth($0.double()) },
    field("marker", \.marker, marker),
    field("symbolSize", \.symbolSize, symbolSize(text:)) { try symbolSize($0.double()) },
    field("sizeBy", \.sizeBy) { $0 },
    field("sizeRange", \.sizeRange, sizeRange(text:)) {
      try sizeRange($0.elements().map { try $0.double() })
    },
    field("sizeScaling", \.sizeScaling, sizeScaling),
    field("label", \.label) { $0 },
    field("labelShort", \.labelShort) { $0 },
    field("labelPriority", \.labelPriority, labelPriority),
  ]

  /// Creates a field whose values may be for one layer each.
  private static func field<Value: Hashable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<StyleRequest, Value?> & Sendable,
    _ text: @escaping @Sendable (String) throws -> Value,
    other: (@Sendable (JSONNode) throws -> Value)? = nil
  ) -> RequestField<StyleRequest> {
    RequestField(name) { node, request in
      request.set(property, try LayerValue.all(node, text, other: other), of: name)
    }
  }

  /// Reads a request from the members of an object.
  ///
  /// - Throws: `MapStateError` with the JSON path, also for members that contradict each other.
  package init(_ node: JSONNode) throws(MapStateError) {
    try read(node)
    try check()
  }
}
