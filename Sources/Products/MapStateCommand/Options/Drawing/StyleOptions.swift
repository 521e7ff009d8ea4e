import ArgumentParser
package import MapScript
import MapState

/// The options that choose the symbols and labels of a plain data file.
package struct StyleOptions: ParsableArguments {
  @OptionGroup var coloring: ColorOptions
  @Option(
    help: ArgumentHelp(
      "Symbol of a plain data file: a colour, or a symbol or renderer in Esri's JSON.",
      valueName: "color|json"),
    transform: { try RequestedSymbol(text: $0) })
  var symbol: RequestedSymbol?
  @Option(
    help: ArgumentHelp(
      "Size points (by area) or lines (by width) of a data file in proportion to a field.",
      valueName: "field"))
  var sizeBy: String?
  @Option(
    help: ArgumentHelp(
      "Smallest and largest size in pixels; default: 3-40 for points, 0.5-8 for lines.", valueName: "min-max"),
    transform: { try StyleRequest.sizeRange(text: $0) })
  var sizeRange: ClosedRange<Double>?
  @Option(
    help: ArgumentHelp(
      "Rule for the sizes of points: area (default), or flannery for larger circles.", valueName: "rule"),
    completion: .list(SizeScaling.allCases.map(\.rawValue)),
    transform: { try StyleRequest.sizeScaling($0) })
  var sizeScaling: SizeScaling?
  @Option(help: ArgumentHelp("Label the features of a plain data file by a field.", valueName: "field"))
  var label: String?
  @Option(
    help: ArgumentHelp(
      "Order of the labels; default: that of --size-by, or of a field of populations or ranks.",
      valueName: "field[:desc]"),
    transform: { try StyleRequest.labelPriority($0) })
  var labelPriority: FeaturePriority?

  package init() {}

  /// The style that the options request.
  package var request: StyleRequest {
    var request = coloring.request
    (request.sizeBy, request.sizeRange, request.sizeScaling) = (sizeBy, sizeRange, sizeScaling)
    (request.label, request.labelPriority) = (label, labelPriority)
    request.symbol = symbol
    return request
  }

  package func validate() throws {
    do { try request.check() } catch { throw ValidationError("\(error).") }
  }
}

/// The options that choose the classes and colours of a plain data file.
package struct ColorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Colour the features of a data file by a field: classes of numbers, or one colour per text.",
      valueName: "field"))
  var colorBy: String?
  @Option(
    help: ArgumentHelp("Divide the numbers of --color-by by those of another field.", valueName: "field"))
  var normalizeBy: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of classes; default: at most 5 of numbers and 9 of texts.", valueName: "n"),
    transform: { try StyleRequest.classes(WholeNumber.read($0)) })
  var classes: Int?
  @Option(
    help: ArgumentHelp(
      "Rule for the bounds of classes: quantile (default), equal-interval, natural-breaks or standard-deviation.",
      valueName: "method"),
    completion: .list(ClassificationMethod.allCases.map(\.rawValue)),
    transform: { try StyleRequest.method($0) })
  var method: ClassificationMethod?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Upper bounds of the classes, each part of its class.", valueName: "a,b,…"),
    transform: { try StyleRequest.breaks(text: $0) })
  var breaks: [Double]?
  @Option(
    help: ArgumentHelp(
      "Colour ramp, or NAME-reversed; default: YlGnBu for numbers, nine colours for texts. \"list\" prints all ramps.",
      valueName: "name"),
    completion: .list(ColorRamp.all.map(\.name)),
    transform: { try StyleRequest.ramp($0) })
  var ramp: ColorRamp?
  @Option(
    help: ArgumentHelp(
      "Colours of the classes instead of a ramp, such as #ffffcc,#41b6c4,#253494.", valueName: "color,…"),
    transform: { try StyleRequest.colors(text: $0) })
  var colors: [Color]?

  package init() {}

  package func validate() throws {
    do { try request.check() } catch { throw ValidationError("\(error).") }
  }

  /// The style that the options request.
  package var request: StyleRequest {
    var request = StyleRequest()
    (request.colorBy, request.normalizeBy, request.classes) = (colorBy, normalizeBy, classes)
    (request.method, request.breaks, request.ramp) = (method, breaks, ramp)
    request.colors = colors
    return request
  }
}

/// A whole number from text.
private enum WholeNumber {
  static func read(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw ValidationError("expected a whole number") }
    return number
  }
}
