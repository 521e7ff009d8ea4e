package import MapJSON
public import MapModel
package import MapState
import MapSystem

/// A request for the symbols and labels of plain data, from options, a step or a snapshot case.
public struct StyleRequest: Hashable, Sendable {
  /// The field that colours the features; nil for one colour.
  public var colorBy: String?
  /// The field that divides the numbers of ``colorBy``; nil for the numbers themselves.
  public var normalizeBy: String?
  /// The number of classes; nil for five classes of numbers, and nine of texts.
  public var classes: Int?
  /// The rule for the bounds of the classes; nil for quantiles.
  public var method: ClassificationMethod?
  /// The upper bounds of the classes, ascending, instead of a method; nil for none.
  public var breaks: [Double]?
  /// The colours of the classes; nil for the default ones.
  public var ramp: ColorRamp?
  /// The colours of the classes, instead of a ramp; nil for the default ones.
  public var colors: [Color]?
  /// The symbol, whose colour ``colorBy`` replaces; nil for the standard one.
  public var symbol: RequestedSymbol?
  /// The field that sets the size of markers or the width of lines; nil for one size.
  public var sizeBy: String?
  /// The smallest and the largest size of markers, or width of lines, in pixels; nil for those of the geometry.
  public var sizeRange: ClosedRange<Double>?
  /// The rule by which amounts set the sizes of markers; nil for areas.
  public var sizeScaling: SizeScaling?
  /// The field that labels the features; nil for no labels.
  public var label: String?
  /// The field that ranks the features for their labels; nil for that of ``sizeBy``, or else one whose name says that it
  /// is a population or a rank.
  public var labelPriority: FeaturePriority?

  /// The title of the classes in a legend; nil for the alias of ``colorBy``.
  package var heading: String?

  /// The numbers of classes that can be requested.
  ///
  /// - Source: design decision; readers of a map tell apart far fewer.
  package static let classLimit = 1...50

  /// Creates a request that changes nothing.
  public init() {}

  /// The fields that the request names.
  package var fieldNames: [String] {
    [colorBy, normalizeBy, sizeBy, label, labelPriority?.fieldName].compactMap { $0 }
  }

  /// Whether a field is looked for among all fields of the data: the one that ranks the features for their labels.
  package var readsAllFields: Bool { label != nil && labelPriority == nil && sizeBy == nil }

  /// Checks that the values go together.
  ///
  /// - Throws: `MapStateError` of kind usage.
  package func check() throws(MapStateError) {
    let dependents = [
      ("--normalize-by", normalizeBy != nil), ("--classes", classes != nil), ("--method", method != nil),
      ("--breaks", breaks != nil), ("--ramp", ramp != nil), ("--colors", colors != nil),
    ]
    if colorBy == nil, let (name, _) = dependents.first(where: { $0.1 }) {
      throw MapStateError(.usage, "\(name) needs --color-by")
    }
    if sizeBy == nil, sizeRange != nil || sizeScaling != nil {
      throw MapStateError(.usage, "\(sizeRange == nil ? "--size-scaling" : "--size-range") needs --size-by")
    }
    if label == nil, labelPriority != nil {
      throw MapStateError(.usage, "--label-priority needs --label")
    }
    if colors != nil, ramp != nil {
      throw MapStateError(.usage, "--colors contradicts --ramp; give one of them")
    }
    if breaks != nil, classes != nil || method != nil {
      throw MapStateError(
        .usage, "--breaks contradicts \(classes == nil ? "--method" : "--classes"); give one of them")
    }
  }

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
    return try texts.map { text throws(MapStateError) in
      guard let color = Color(text: text) else {
        throw MapStateError(.usage, "\"\(text)\" is no colour; write a CSS colour name or #rrggbb")
      }
      return color
    }
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

  /// Reads the name of a colour ramp, in any case.
  package static func ramp(_ name: String) throws(MapStateError) -> ColorRamp {
    guard let ramp = ColorRamp.named(name) else {
      throw unknown("colour ramp", name, ColorRamp.all.map(\.name))
    }
    return ramp
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
    RequestField("colorBy", \.colorBy) { try $0.string() },
    RequestField("normalizeBy", \.normalizeBy) { try $0.string() },
    RequestField("classes", \.classes) { try classes($0.integer()) },
    RequestField("method", \.method) { try method($0.string()) },
    RequestField("breaks", \.breaks) { node in
      guard let text = node.value.string else { return try breaks(node.elements().map { try $0.double() }) }
      return try breaks(text: text)
    },
    RequestField("ramp", \.ramp) { try ramp($0.string()) },
    RequestField("colors", \.colors) { node in
      guard let text = node.value.string else { return try colors(node.strings()) }
      return try colors(text: text)
    },
    RequestField("symbol", \.symbol) { try RequestedSymbol($0) },
    RequestField("sizeBy", \.sizeBy) { try $0.string() },
    RequestField("sizeRange", \.sizeRange) { node in
      guard let text = node.value.string else {
        return try sizeRange(node.elements().map { try $0.double() })
      }
      return try sizeRange(text: text)
    },
    RequestField("sizeScaling", \.sizeScaling) { try sizeScaling($0.string()) },
    RequestField("label", \.label) { try $0.string() },
    RequestField("labelPriority", \.labelPriority) { try labelPriority($0.string()) },
  ]

  /// Reads a request from the members of an object.
  ///
  /// - Throws: `MapStateError` with the JSON path, also for members that contradict each other.
  package init(_ node: JSONNode) throws(MapStateError) {
    try read(node)
    try check()
  }
}
