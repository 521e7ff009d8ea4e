import MapGeometry

/// How values or the scale change a renderer's symbols: colour, transparency, size, width of the outline, turn.
///
/// They act on the symbol of a class and on the default symbol alike. A feature without a value keeps its symbol's own
/// colour and transparency, stands upright to north, and without a size is not drawn.
///
/// - Source: Esri web map specification, `visualVariables`; js for null.
public struct VisualVariables: Hashable, Sendable {
  /// The colour inside, or of a line; never of an outline.
  public var color: ColorVariable?
  /// How much of fill and outline shows through.
  public var transparency: TransparencyVariable?
  /// The size of a marker or width of a line.
  public var size: SizeVariable?
  /// The width of the outline of a marker or area, where the symbol has one; no value paints none.
  public var outlineWidth: SizeVariable?
  /// The turn of a marker.
  public var rotation: RotationVariable?

  /// No variables.
  public init() {}

  /// True when nothing varies.
  public var isEmpty: Bool { self == VisualVariables() }

  /// What each variable there is depends on, with its name.
  public var inputs: [(name: String, input: VariableInput)] {
    let all = [
      ("color", color?.input), ("transparency", transparency?.input), ("size", size?.input),
      ("outline width", outlineWidth?.input), ("rotation", rotation?.input),
    ]
    return all.compactMap { name, input in input.map { (name, $0) } }
  }
}

/// What a visual variable depends on.
public enum VariableInput: Hashable, Sendable {
  /// A number or date (milliseconds since 1970) of the feature, divided by another where one is named.
  case field(String, normalizedBy: String? = nil)
  /// The N of the view's scale 1:N.
  case scale

  /// Words for people, such as `POP / AREA`.
  public var summary: String {
    switch self {
    case .field(let name, let other): other.map { "\(name) / \($0)" } ?? name
    case .scale: "scale"
    }
  }

  /// The fields that it reads.
  public var fieldNames: [String] {
    switch self {
    case .field(let name, let other): [name] + (other.map { [$0] } ?? [])
    case .scale: []
    }
  }
}

/// What a variable gives at one value.
public struct VariableStop<Output: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public let value: Double
  /// What it gives.
  public let output: Output

  /// A stop.
  public init(_ value: Double, _ output: Output) { (self.value, self.output) = (value, output) }
}

/// A colour by linear interpolation between stops, alpha too, clamped at both ends.
///
/// Error: channels are rounded to whole numbers of 0 to 255.
public struct ColorVariable: Hashable, Sendable {
  /// What it depends on.
  public let input: VariableInput
  /// The stops, ascending by value.
  public let stops: [VariableStop<Color>]

  /// A variable; stops may come in any order.
  public init(input: VariableInput, stops: [VariableStop<Color>]) {
    (self.input, self.stops) = (input, stops.ascending())
  }

  /// The colour of a value; nil without stops.
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
  /// What it depends on.
  public let input: VariableInput
  /// The stops, ascending by value: 0 is opaque, 100 clear.
  public let stops: [VariableStop<Double>]

  /// A variable; stops may come in any order.
  public init(input: VariableInput, stops: [VariableStop<Double>]) {
    (self.input, self.stops) = (input, stops.ascending())
  }

  /// What alpha is multiplied by, 0 to 1; nil without stops.
  public func opacity(of value: Double) -> Double? {
    stops.interpolated(at: value).map { min(max((100 - $0) / 100, 0), 1) }
  }
}

/// The turn of a marker by a number of the feature, relative to north: it turns with the map.
public struct RotationVariable: Hashable, Sendable {
  /// How the number is counted.
  public enum Kind: String, Hashable, Sendable {
    /// Clockwise from north.
    case geographic
    /// Counter-clockwise from east.
    case arithmetic
  }

  /// What it depends on.
  public let input: VariableInput
  /// How the number is counted.
  public let kind: Kind

  /// A variable.
  public init(input: VariableInput, kind: Kind = .geographic) { (self.input, self.kind) = (input, kind) }

  /// Degrees clockwise from north; 0 without a value.
  public func heading(of value: Double?) -> Double {
    guard let value, value.isFinite else { return 0 }
    let turn = (kind == .geographic ? value : 90 - value).truncatingRemainder(dividingBy: 360)
    return turn < 0 ? turn + 360 : turn
  }
}

extension Array {
  /// By value, equal ones as they stand.
  func ascending<Output>() -> Self where Element == VariableStop<Output> {
    enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }.map(\.element)
  }

  /// The stops around a value, and how far it is from the first to the second, 0 to 1; nil without stops.
  ///
  /// O(log n).
  func place<Output>(of value: Double) -> (below: Output, above: Output, fraction: Double)?
  where Element == VariableStop<Output> {
    guard let first, let last else { return nil }
    // NaN, too, is the first stop's.
    guard value > first.value else { return (first.output, first.output, 0) }
    guard value < last.value else { return (last.output, last.output, 0) }
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].value <= value { low = middle } else { high = middle }
    }
    let fraction = (value - self[low].value) / (self[high].value - self[low].value)
    // Values at the ends of doubles may be infinitely far apart.
    return (self[low].output, self[high].output, fraction.isFinite ? fraction : 0)
  }

  /// The number at a value; nil without stops.
  func interpolated(at value: Double) -> Double? where Element == VariableStop<Double> {
    place(of: value).map { $0.below + ($0.above - $0.below) * $0.fraction }
  }
}
