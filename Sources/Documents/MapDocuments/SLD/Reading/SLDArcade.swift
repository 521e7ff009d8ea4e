import MapExpressions
import MapFilter
import MapJSON
import MapModel
import MapSystem

/// The value of a parameter: a constant, or an Arcade expression of the feature or of the scale.
enum SLDValue<Constant: Hashable>: Hashable {
  case constant(Constant)
  case arcade(String)

  /// The constant; another value where features decide.
  func value(or other: Constant) -> Constant { if case .constant(let value) = self { value } else { other } }

  /// The expression; nil for a constant.
  var expression: String? { if case .arcade(let text) = self { text } else { nil } }
}

typealias SLDNumber = SLDValue<Double>
typealias SLDColor = SLDValue<Color>

extension SLDNumber {
  /// The number as Arcade.
  var text: String {
    switch self {
    case .constant(let value): JSONWriter.text(of: value)
    case .arcade(let text): "(\(text))"
    }
  }
}

/// Values of parameters that features decide, as expressions.
extension SLDMapping {
  /// The values that an expression must have.
  enum ArcadeKind: Hashable {
    case number
    case text
    /// A colour with an alpha from 0 to 255.
    case color(alpha: UInt8)
  }

  /// Returns an expression in Arcade that can be evaluated; nil after a note.
  mutating func arcade(
    _ value: SLDExpression, as kind: ArcadeKind, _ element: SLDElement
  ) -> String? {
    guard let text = written(value, as: kind, element) else { return nil }
    // Units and signs are put around it later.
    do throws(ArcadeError) { _ = try ArcadeExpression(parsing: "Round(((\(text))))") } catch {
      note(element, "the expression is not evaluated: \(error)")
      return nil
    }
    return text
  }

  /// Writes an expression in Arcade; nil after a note.
  private mutating func written(
    _ value: SLDExpression, as kind: ArcadeKind, _ element: SLDElement
  ) -> String? {
    switch value {
    case .literal(let text): return literal(text, kind, element)
    case .property(let name):
      guard let name = spelt(name, element) else { return nil }
      let field = "$feature[\(Self.quoted(name))]"
      guard case .color(let alpha) = kind, alpha < 255 else { return field }
      let digits = String(alpha, radix: 16)
      return "\(field) + \"\(digits.count < 2 ? "0" + digits : digits)\""
    case .arithmetic(let operation, let first, let second):
      guard let a = written(first, as: .number, element), let b = written(second, as: .number, element) else {
        return nil
      }
      return "(\(a) \(operation.rawValue) \(b))"
    case .joined(let parts):
      var texts: [String] = []
      for part in parts {
        guard let text = written(part, as: .text, element) else { return nil }
        texts.append(text)
      }
      return "Concatenate([\(texts.joined(separator: ", "))])"
    case .call(let name, let arguments):
      var texts: [String] = []
      for argument in arguments {
        let isNumber = argument.constant.map { Double($0.trimmed) != nil } ?? false
        guard let text = written(argument, as: isNumber ? .number : .text, element) else { return nil }
        texts.append(text)
      }
      guard let call = SLDFunctions.arcade(name, texts) else {
        note(element, "the function \"\(name)\" is not evaluated for parameters")
        return nil
      }
      return call
    case .categories(let operand, let values, let thresholds, let isBefore):
      guard let input = written(operand, as: .number, element) else { return nil }
      var pairs: [String] = []
      for (threshold, result) in zip(thresholds, values) {
        guard let limit = written(threshold, as: .number, element),
          let output = written(result, as: kind, element)
        else { return nil }
        pairs.append("\(input) \(isBefore ? "<=" : "<") \(limit), \(output)")
      }
      guard let last = values.last.flatMap({ written($0, as: kind, element) }) else { return nil }
      return Self.given(input, pairs.isEmpty ? last : "When(\(pairs.joined(separator: ", ")), \(last))")
    case .recoded(let operand, let pairs, let otherwise):
      guard let input = written(operand, as: .text, element) else { return nil }
      let type = operand.fieldNames.first.flatMap { field($0)?.type }
      let isNumber = type == .integer || type == .real
      var items: [String] = []
      for pair in pairs {
        let from = pair.from.constant ?? ""
        let isWritten = Double(from.trimmed) != nil && isNumber
        guard let key = written(pair.from, as: isWritten ? .number : .text, element),
          let output = written(pair.to, as: kind, element)
        else { return nil }
        items += [key, output]
      }
      let rest = otherwise.flatMap { written($0, as: kind, element) } ?? "null"
      return "Decode(\(input), \(items.joined(separator: ", ")), \(rest))"
    case .fallback(let first, let second):
      guard let a = written(first, as: kind, element), let b = written(second, as: kind, element) else {
        return nil
      }
      return "DefaultValue(\(a), \(b))"
    case .interpolation(let operand, let stops, let isColor):
      guard let input = written(operand, as: .number, element) else { return nil }
      if isColor, case .color(let alpha) = kind { return colors(input, stops, alpha, element) }
      let points = stops.map { ($0.data, Double($0.value.constant?.trimmed ?? "") ?? .nan) }
      guard let formula = Self.line(input, points)
      else {
        note(element, "the values of an interpolation must be numbers or colours")
        return nil
      }
      return Self.given(input, formula)
    }
  }

  /// Returns an expression of an input; null without the input.
  private static func given(_ input: String, _ formula: String) -> String {
    "IIf(IsEmpty(\(input)), null, \(formula))"
  }

  private mutating func literal(_ text: String, _ kind: ArcadeKind, _ element: SLDElement) -> String? {
    switch kind {
    case .text: return Self.quoted(text)
    case .number:
      if let number = DecimalText.number(text.trimmed)?.numberOrMilliseconds {
        return JSONWriter.text(of: number)
      }
      return Self.quoted(text)
    case .color(let alpha):
      guard let color = Color(sld: text) else {
        note(element, "\"\(text.prefix(60))\" is no colour")
        return nil
      }
      return "\"\(color.red),\(color.green),\(color.blue),\(alpha)\""
    }
  }

  /// Returns a text as Arcade.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case "\n", "\r\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.append(character)
      }
    }
    return result + "\""
  }

  /// Returns the piecewise linear function of an input through some points.
  private static func line(_ input: String, _ points: [(x: Double, y: Double)]) -> String? {
    guard let first = points.first, let last = points.last, points.allSatisfy({ $0.y.isFinite }) else {
      return nil
    }
    func text(_ number: Double) -> String { JSONWriter.text(of: number) }
    var pairs = ["\(input) <= \(text(first.x)), \(text(first.y))"]
    for (a, b) in zip(points, points.dropFirst()) where b.x > a.x {
      let slope = (b.y - a.y) / (b.x - a.x)
      pairs.append(
        "\(input) < \(text(b.x)), \(text(a.y)) + (\(input) - \(text(a.x))) * (\(text(slope)))")
    }
    return "When(\(pairs.joined(separator: ", ")), \(text(last.y)))"
  }

  private mutating func colors(
    _ input: String, _ stops: [SLDExpression.SLDStop], _ alpha: UInt8, _ element: SLDElement
  ) -> String? {
    let colors = stops.compactMap { stop in
      stop.value.constant.flatMap { Color(sld: $0) }.map { (stop.data, $0) }
    }
    guard colors.count == stops.count,
      let red = Self.line(input, colors.map { ($0.0, Double($0.1.red)) }),
      let green = Self.line(input, colors.map { ($0.0, Double($0.1.green)) }),
      let blue = Self.line(input, colors.map { ($0.0, Double($0.1.blue)) })
    else {
      note(element, "the values of an interpolation of colours must be colours")
      return nil
    }
    return Self.given(
      input, "Concatenate([Round(\(red)), \",\", Round(\(green)), \",\", Round(\(blue)), \",\(alpha)\"])")
  }

  // MARK: Parameters

  /// Returns the unit of the lengths of a symbolizer; pixels after a note.
  mutating func unit(of element: SLDElement) -> Unit {
    guard let text = element.attributes["uom"] else { return .pixel }
    if let unit = Unit(text) { return unit }
    note(element, "the unit \"\(text.prefix(60))\" is pixels", .approximated)
    return .pixel
  }

  /// The units of lengths.
  enum Unit: Hashable {
    case pixel
    /// A length on the ground, in metres.
    case ground(Double)

    /// Reads the attribute `uom` of a symbolizer; nil for an unknown one.
    init?(_ text: String?) {
      switch text?.split(separator: "/").last?.lowercased() {
      case nil, "pixel"?, "pixels"?, "px"?: self = .pixel
      case "metre"?, "meter"?, "metres"?, "meters"?, "m"?: self = .ground(1)
      case "foot"?, "feet"?, "ft"?: self = .ground(0.3048)
      default: return nil
      }
    }
  }

  /// Reads a number; nil without an element, and after a note.
  mutating func number(_ element: SLDElement?) -> SLDNumber? {
    guard let element, let value = value(element) else { return nil }
    if let text = value.constant {
      guard let number = Double(text.trimmed), number.isFinite else {
        note(element, "\"\(text.prefix(60))\" is no number")
        return nil
      }
      return .constant(number)
    }
    return arcade(value, as: .number, element).map { .arcade($0) }
  }

  /// Reads a length in pixels; one on the ground depends on the scale.
  mutating func length(_ element: SLDElement?, _ unit: Unit) -> SLDNumber? {
    guard let element else { return nil }
    var (unit, number) = (unit, SLDNumber?.none)
    // GeoServer accepts units after numbers.
    let text = element.children.isEmpty ? element.text : ""
    if let suffix = ["px", "ft", "m"].first(where: { text.hasSuffix($0) }),
      let found = Double(text.dropLast(suffix.count).description.trimmed), found.isFinite
    {
      (unit, number) = (Unit(suffix) ?? .pixel, .constant(found))
    } else {
      number = self.number(element)
    }
    guard let number, number != .constant(0), case .ground(let meters) = unit else { return number }
    let factor = JSONWriter.text(of: ResolvedViewpoint.scalePerResolution * meters)
    return .arcade("\(number.text) * \(factor) / $view.scale")
  }

  /// Reads a number that is the same for all features.
  mutating func fixedNumber(_ element: SLDElement?, or other: Double) -> Double {
    guard let element, let number = number(element) else { return other }
    if case .arcade = number {
      note(element, "\(JSONWriter.text(of: other)) is used: the features decide it", .approximated)
    }
    return number.value(or: other)
  }

  /// Reads a length in pixels that is the same for all features and scales; one on the ground is that at the middle of the
  /// rule's scales.
  mutating func fixed(_ element: SLDElement?, _ unit: Unit, or other: Double = 0) -> Double {
    guard let element, let length = length(element, unit) else { return other }
    if case .constant(let pixels) = length { return pixels }
    if case .ground = unit, case .constant(let number)? = self.length(element, .pixel),
      let pixels = onGround(number, unit, element)
    {
      return pixels
    }
    note(
      element, "drawn with \(JSONWriter.text(of: other)) pixels: the features or the scale decide it",
      .approximated)
    return other
  }

  /// Returns a length on the ground in pixels at the middle of the rule's scales, after a note; nil without these scales.
  mutating func onGround(_ number: Double, _ unit: Unit, _ element: SLDElement) -> Double? {
    guard case .ground(let meters) = unit, let scale, scale > 0, scale.isFinite else { return nil }
    let pixels = number * meters * ResolvedViewpoint.scalePerResolution / scale
    guard pixels.isFinite else { return nil }
    let text = JSONWriter.text(of: (pixels * 10).rounded() / 10)
    note(
      element, "drawn with \(text) pixels at all scales, as at 1:\(JSONWriter.text(of: scale.rounded()))",
      .approximated)
    return pixels
  }

  /// Reads a colour with an opacity; nil after a note.
  mutating func color(
    _ element: SLDElement?, opacity: SLDElement?, factor: Double = 1, default standard: Color
  ) -> SLDColor {
    var share = number(opacity) ?? .constant(1)
    if case .constant(let value) = share { share = .constant(value * factor) }
    let value = element.flatMap { self.value($0) }
    var constant = standard
    if let element, let text = value?.constant {
      if let found = Color(sld: text) {
        constant = found
      } else {
        note(element, "\"\(text.prefix(60))\" is no colour")
      }
    }
    if let element, let value, value.constant == nil {
      if case .arcade = share {
        note(element, "its opacity, which features decide, too, is 1", .approximated)
        share = .constant(1)
      }
      let alpha = UInt8(clamping: Int(clamping: (share.value(or: 1) * 255).rounded()))
      if let text = arcade(value, as: .color(alpha: alpha), element) { return .arcade(text) }
    }
    switch share {
    case .constant(let share): return .constant(constant.withAlphaComponent(share))
    case .arcade(let text):
      return .arcade(
        "Concatenate([\"\(constant.red),\(constant.green),\(constant.blue),\", Round(255 * Constrain(\(text), 0, 1))])"
      )
    }
  }
}

extension Color {
  /// The colour of a fill without one.
  ///
  /// - Source: OGC 05-077r4, 11.2.2.
  static let fillOfStyles = Color(red: 128, green: 128, blue: 128)

  /// Reads a colour of a style: `#rrggbb`, `0xrrggbb`, or a name of CSS.
  init?(sld text: String) {
    let text = text.trimmed
    self.init(text: text.lowercased().hasPrefix("0x") ? "#" + text.dropFirst(2) : text)
  }
}
