import Glibc
import MapJSON
import MapModel

/// Expressions and values of MapLibre styles as JSON.
///
/// - Source: MapLibre Style Specification, "Expressions".
enum StyleJSON {
  /// Returns a length in pixels, rounded to a millionth.
  static func pixels(_ length: Double) -> JSONValue { .number((length * 1e6).rounded() / 1e6) }

  /// Returns the value of a property of the feature.
  static func get(_ property: String) -> JSONValue { ["get", .string(property)] }

  /// Returns a test for a number, which null and texts fail.
  static func isNumber(_ input: JSONValue) -> JSONValue { ["==", ["typeof", input], "number"] }

  /// Returns the sum of an input, multiplied, and another value; constants are computed.
  static func linear(_ input: JSONValue, times factor: Double, plus term: JSONValue) -> JSONValue {
    if let number = input.double, let other = term.double { return pixels(number * factor + other) }
    let product: JSONValue =
      input.double.map { pixels($0 * factor) } ?? (factor == 1 ? input : ["*", input, .number(factor)])
    return term.double == 0 ? product : ["+", product, term]
  }

  /// Returns a curve through stops, ascending by their inputs.
  ///
  /// Of several stops with one input, the last one counts at it and the first one just below, as in visual variables.
  static func curve(
    _ kind: JSONValue, _ input: JSONValue, _ stops: [(input: Double, output: JSONValue)]
  ) -> JSONValue {
    var elements: [JSONValue] = ["interpolate", kind, input]
    var last: Double?
    for (index, stop) in stops.enumerated() {
      // Inputs must ascend strictly.
      let isInner = index + 1 < stops.count && index > 0
      if isInner, stops[index - 1].input == stop.input, stops[index + 1].input == stop.input { continue }
      let place = last.map { stop.input <= $0 ? $0.nextUp : stop.input } ?? stop.input
      elements += [.number(place), stop.output]
      last = place
    }
    return .array(elements)
  }

  /// Returns a condition that is the conjunction of others; nil for none.
  static func all(_ conditions: [JSONValue]) -> JSONValue? {
    conditions.count > 1 ? .array(["all"] + conditions) : conditions.first
  }

  /// Returns a list as a literal.
  static func literal(_ numbers: [Double]) -> JSONValue { ["literal", .array(numbers.map { pixels($0) })] }
}

extension Color {
  /// The colour in CSS.
  var css: String {
    guard alpha < 255 else {
      func hex(_ channel: UInt8) -> String {
        (channel < 16 ? "0" : "") + String(channel, radix: 16)
      }
      return "#" + hex(red) + hex(green) + hex(blue)
    }
    // Four digits keep each of the 256 alphas.
    return "rgba(\(red),\(green),\(blue),\((Double(alpha) / 255 * 10_000).rounded() / 10_000))"
  }
}

/// Zooms of scale denominators.
enum StyleZoom {
  /// The zooms of layers.
  ///
  /// - Source: MapLibre Style Specification, `minzoom` and `maxzoom`.
  static let limits = 0.0...24.0

  /// Returns the zoom of a scale denominator.
  ///
  /// - Source: ``Viewpoint/scale(ofZoom:)``.
  static func zoom(ofScale scale: Double) -> Double { log2(Viewpoint.scale(ofZoom: 0) / scale) }
}
