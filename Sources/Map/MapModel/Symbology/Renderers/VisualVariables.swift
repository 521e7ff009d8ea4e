public import MapExpressions
import MapGeometry
import MapSystem

/// Variables that change a renderer's symbols by value or scale: colour, transparency, size, outline width and
/// rotation.
///
/// They affect the symbols of classes and the default symbol alike. A feature without a value keeps its symbol's own
/// colour and transparency, and points north. Without a size it is not drawn.
///
/// - Source: Esri web map specification, `visualVariables`; the JavaScript SDK for null.
public struct VisualVariables: Hashable, Sendable {
  /// The colour of the fill or of a line; never of an outline.
  public var color: ColorVariable?
  /// The transparency of fill and outline.
  public var transparency: TransparencyVariable?
  /// The size of a marker or width of a line.
  public var size: SizeVariable?
  /// The outline width of a marker or polygon with an outline; without a value no outline is painted.
  public var outlineWidth: SizeVariable?
  /// The rotation of a marker.
  public var rotation: RotationVariable?

  /// Creates an empty set of variables.
  public init() {}

  /// Whether there are no variables.
  public var isEmpty: Bool { self == VisualVariables() }

  /// The names and inputs of the variables that are set.
  public var inputs: [(name: String, input: VariableInput)] {
    let all = [
      ("color", color?.input), ("transparency", transparency?.input), ("size", size?.input),
      ("outline width", outlineWidth?.input), ("rotation", rotation?.input),
    ]
    return all.compactMap { name, input in input.map { (name, $0) } }
  }
}

/// The input of a visual variable.
public enum VariableInput: Hashable, Sendable {
  /// A number or date (milliseconds since 1970) of the feature, optionally divided by another field.
  case field(String, normalizedBy: String? = nil)
  /// The scale denominator of the view.
  case scale
  /// The number that an expression computes for the feature.
  case expression(ArcadeExpression)

  /// A short description, such as `POP / AREA`.
  public var summary: String {
    switch self {
    case .field(let name, let other): other.map { "\(name) / \($0)" } ?? name
    case .scale: "scale"
    case .expression(let expression): expression.text
    }
  }

  /// The names of the fields that are read.
  public var fieldNames: [String] {
    switch self {
    case .field(let name, let other): [name] + (other.map { [$0] } ?? [])
    case .scale: []
    case .expression(let expression): expression.fieldNames
    }
  }

  /// The expression; nil for another input.
  package var expression: ArcadeExpression? {
    if case .expression(let expression) = self { expression } else { nil }
  }
}

/// The output of a variable at one value.
public struct VariableStop<Output: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public let value: Double
  /// The output.
  public let output: Output
  /// The text of the value in a legend; empty for the number.
  public let label: String

  /// Creates a stop.
  public init(_ value: Double, _ output: Output, label: String = "") {
    (self.value, self.output, self.label) = (value, output, label)
  }
}

/// A colour by linear interpolation between stops, including alpha, clamped at both ends.
///
/// Error: channels are rounded to whole numbers from 0 to 255.
public struct ColorVariable: Hashable, Sendable {
  /// The input of the variable.
  public let input: VariableInput
  /// The stops, ascending by value.
  public let stops: [VariableStop<Color>]
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a variable; stops may be in any order.
  public init(input: VariableInput, stops: [VariableStop<Color>]) {
    (self.input, self.stops) = (input, stops.ascending())
  }

  /// Returns the colour for a value; nil without stops.
  public func color(of value: Double) -> Color? {
    guard let (below, above, fraction) = stops.place(of: value) else { return nil }
    func mix(_ channel: KeyPath<Color, UInt8>) -> UInt8 {
      let (a, b) = (Double(below[keyPath: channel]), Double(above[keyPath: channel]))
      // The fraction is 0 to 1, so the sum stays within 0 to 255.
      return UInt8(clamping: (a + (b - a) * fraction).rounded())
    }
    return Color(red: mix(\.red), green: mix(\.green), blue: mix(\.blue), alpha: mix(\.alpha))
  }
}

/// A transparency by linear interpolation between stops, clamped at both ends.
public struct TransparencyVariable: Hashable, Sendable {
  /// The input of the variable.
  public let input: VariableInput
  /// The stops, ascending by value; the output ranges from 0 (opaque) to 100 (transparent).
  public let stops: [VariableStop<Double>]
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a variable; stops may be in any order.
  public init(input: VariableInput, stops: [VariableStop<Double>]) {
    (self.input, self.stops) = (input, stops.ascending())
  }

  /// Returns the factor for alpha, 0 to 1; nil without stops.
  public func opacity(of value: Double) -> Double? {
    stops.interpolated(at: value).map { min(max((100 - $0) / 100, 0), 1) }
  }
}

/// The rotation of a marker by a number of the feature, relative to north: it rotates with the map.
public struct RotationVariable: Hashable, Sendable {
  /// The direction in which the number is measured.
  public enum Kind: String, Hashable, Sendable {
    /// Clockwise from north.
    case geographic
    /// Counter-clockwise from east.
    case arithmetic
  }

  /// The input of the variable.
  public let input: VariableInput
  /// The direction in which the number is measured.
  public let kind: Kind
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a variable.
  public init(input: VariableInput, kind: Kind = .geographic) { (self.input, self.kind) = (input, kind) }

  /// Returns the heading for a value, in degrees clockwise from north; 0 without a value.
  public func heading(of value: Double?) -> Double {
    guard let value, value.isFinite else { return 0 }
    let turn = (kind == .geographic ? value : 90 - value).truncatingRemainder(dividingBy: 360)
    return turn < 0 ? turn + 360 : turn
  }
}

extension Array {
  /// Returns the stops in ascending order; stops with equal values keep their order.
  package func ascending<Output>() -> Self where Element == VariableStop<Output> {
    enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }.map(\.element)
  }

  /// Returns the outputs around a value and its fraction between them, 0 to 1; nil without stops.
  ///
  /// - Cost: O(log n).
  func place<Output>(of value: Double) -> (below: Output, above: Output, fraction: Double)?
  where Element == VariableStop<Output> {
    guard let first, let last else { return nil }
    // NaN also gets the first stop.
    guard value > first.value else { return (first.output, first.output, 0) }
    guard value < last.value else { return (last.output, last.output, 0) }
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].value <= value { low = middle } else { high = middle }
    }
    let fraction = (value - self[low].value) / (self[high].value - self[low].value)
    // The difference of very large doubles may be infinite.
    return (self[low].output, self[high].output, fraction.isFinite ? fraction : 0)
  }

  /// Returns the interpolated number at a value; nil without stops.
  func interpolated(at value: Double) -> Double? where Element == VariableStop<Double> {
    place(of: value).map { $0.below + ($0.above - $0.below) * $0.fraction }
  }
}
