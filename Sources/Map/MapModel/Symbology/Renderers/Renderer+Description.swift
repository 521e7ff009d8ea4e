import MapExpressions
import MapGeometry
import MapJSON

extension SimpleRenderer: CustomDebugStringConvertible {
  /// The symbol; `description` is the text of the document.
  public var debugDescription: String { "SimpleRenderer(\(symbol))" }
}

extension ClassBreaksRenderer: CustomStringConvertible {
  /// Field and class breaks, such as `ClassBreaksRenderer(POP: 0 to 10, 10 to 20)`.
  public var description: String {
    let breaks = classBreaks.map {
      "\(JSONWriter.text(of: $0.minimum)) to \(JSONWriter.text(of: $0.maximum))"
    }
    return "ClassBreaksRenderer(\(fieldName): \(breaks.joined(separator: ", ")))"
  }
}

extension ClassBreaksRenderer.ClassBreak: CustomDebugStringConvertible {
  /// Minimum, maximum, label and symbol; `description` is the text of the document.
  public var debugDescription: String {
    let range = "\(JSONWriter.text(of: minimum)) to \(JSONWriter.text(of: maximum))"
    return "ClassBreak(\(range), \"\(label)\", \(symbol))"
  }
}

extension UniqueValueRenderer: CustomStringConvertible {
  /// Fields and values, such as `UniqueValueRenderer(kind: road, rail)`; ` + ` joins several fields.
  public var description: String {
    let values = uniqueValues.map { $0.values.joined(separator: " + ") }
    return
      "UniqueValueRenderer(\(fieldNames.joined(separator: " + ")): \(values.joined(separator: ", ")))"
  }
}

extension UniqueValueRenderer.UniqueValue: CustomDebugStringConvertible {
  /// Values, label and symbol; `description` is the text of the document.
  public var debugDescription: String {
    "UniqueValue(\(values.joined(separator: ", ")), \"\(label)\", \(symbol))"
  }
}

extension HeatmapRenderer: CustomStringConvertible {
  /// Field, radius and densities, such as `HeatmapRenderer(POP: radius 24.0, 0.0 to 0.5)`.
  public var description: String {
    "HeatmapRenderer(\(fieldName ?? "1"): radius \(radius), \(minDensity) to \(maxDensity))"
  }
}

extension DotDensityRenderer: CustomStringConvertible {
  /// Fields and dot value, such as `DotDensityRenderer(A, B: 1 dot = 100.0)`.
  public var description: String {
    let names = attributes.map { $0.valueExpression?.text ?? $0.fieldName }
    return "DotDensityRenderer(\(names.joined(separator: ", ")): 1 dot = \(dotValue))"
  }
}

extension PieChartRenderer: CustomStringConvertible {
  /// Fields and size, such as `PieChartRenderer(A, B: size 16.0)`.
  public var description: String {
    let names = attributes.map { $0.valueExpression?.text ?? $0.fieldName }
    return "PieChartRenderer(\(names.joined(separator: ", ")): size \(size))"
  }
}

extension RuleRenderer: CustomStringConvertible {
  /// The names of the rules by pass, such as `RuleRenderer(roads, rail; names)`.
  public var description: String {
    let passes = passes.map { $0.rules.map(\.title).joined(separator: ", ") }
    return "RuleRenderer(\(passes.joined(separator: "; ")))"
  }
}

extension RuleRenderer.Rule: CustomDebugStringConvertible {
  /// Name, filter and symbol; `description` is the text of the document.
  public var debugDescription: String {
    let parts = [title.isEmpty ? "" : "\"\(title)\"", isElse ? "else" : filter, "\(symbol)"]
    return "Rule(\(parts.filter { !$0.isEmpty }.joined(separator: ", ")))"
  }
}

extension RendererForm: CustomStringConvertible {
  /// The renderer as it prints.
  public var description: String {
    switch self {
    case .simple(let renderer): renderer.debugDescription
    case .uniqueValue(let renderer): renderer.description
    case .classBreaks(let renderer): renderer.description
    case .heatmap(let renderer): renderer.description
    case .dotDensity(let renderer): renderer.description
    case .pieChart(let renderer): renderer.description
    case .rules(let renderer): renderer.description
    }
  }
}

extension VisualVariables: CustomStringConvertible {
  /// The properties that vary with their inputs, such as `VisualVariables(size by POP)`.
  public var description: String {
    let names = inputs.map { "\($0.name) by \($0.input.summary)" }
    return "VisualVariables(\(names.joined(separator: ", ")))"
  }
}

extension VariableInput: CustomStringConvertible {
  /// The field or fields, or `scale`.
  public var description: String { summary }
}

extension VariableStop: CustomStringConvertible {
  /// Value and output, such as `10: #d73027`.
  public var description: String {
    let shown = (output as? Double).map { JSONWriter.text(of: $0) } ?? "\(output)"
    return "\(JSONWriter.text(of: value)): \(shown)"
  }
}

extension ColorVariable: CustomStringConvertible {
  /// Input and stops, such as `ColorVariable(POP, 0: #ffffff, 10: #d73027)`.
  public var description: String { "ColorVariable(\(input), \(stops.text))" }
}

extension TransparencyVariable: CustomStringConvertible {
  /// Input and stops, such as `TransparencyVariable(POP, 0: 1, 10: 0.5)`.
  public var description: String { "TransparencyVariable(\(input), \(stops.text))" }
}

extension SizeVariable: CustomStringConvertible {
  /// Input and rule, such as `SizeVariable(POP, 0: 4, 10: 20)`.
  public var description: String {
    func text(_ number: Double) -> String { JSONWriter.text(of: number) }
    let words =
      switch rule {
      case .stops(let stops): stops.text
      case .bounded(let minimum, let maximum, let smallest, let largest):
        "\(text(minimum)): \(smallest), \(text(maximum)): \(largest)"
      case .proportional(let minimum, let smallest, let largest):
        "\(text(minimum)): \(smallest), proportional\(largest.map { " up to \($0)" } ?? "")"
      case .ground(let measure): "\(measure)"
      }
    return "SizeVariable(\(input), \(words))"
  }
}

extension ScaledSize: CustomStringConvertible {
  /// The size in view pixels, or the sizes by scale denominator.
  public var description: String {
    switch self {
    case .fixed(let size): JSONWriter.text(of: size)
    case .byScale(let stops): "(\(stops.text))"
    }
  }
}

extension GroundMeasure: CustomStringConvertible {
  /// Measured part and unit, such as `diameter in meters`.
  public var description: String { "\(part) in \(unit.rawValue)" }
}

extension RotationVariable: CustomStringConvertible {
  /// Input and kind, such as `RotationVariable(HEADING, geographic)`.
  public var description: String { "RotationVariable(\(input), \(kind))" }
}

extension Sequence {
  /// The descriptions of the elements between commas.
  fileprivate var text: String { map { "\($0)" }.joined(separator: ", ") }
}
