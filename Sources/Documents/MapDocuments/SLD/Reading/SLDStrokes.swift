import MapExpressions
import MapModel

/// A part of a symbol, with the properties that features decide.
struct SLDPart {
  /// A property with an expression in Arcade: lengths are pixels, and angles clockwise.
  struct Decided {
    var shape: Int?
    let property: SymbolOverride.Property
    let expression: String

    /// The expression in the units of overrides: points, and angles counter-clockwise.
    fileprivate var converted: String {
      switch property {
      case .color, .text: expression
      case .size, .width, .offsetX, .offsetY: "(\(expression)) * 0.75"
      case .angle: "-(\(expression))"
      }
    }
  }

  var form: SymbolForm
  var decided: [Decided] = []
}

extension [SLDPart] {
  /// The parts as one symbol; an empty composite symbol for none.
  var symbol: SymbolForm {
    if count == 1, self[0].decided.isEmpty { return self[0].form }
    var composite = CompositeSymbol()
    composite.parts = map(\.form)
    for (index, part) in enumerated() {
      for item in part.decided {
        // It was read with room for the conversion.
        guard let expression = try? ArcadeExpression(parsing: item.converted) else { continue }
        composite.overrides.append(
          SymbolOverride(
            part: index, shape: item.shape, property: item.property, input: .expression(expression)))
      }
    }
    return .composite(composite)
  }
}

/// Strokes and fills.
///
/// - Source: OGC 05-077r4 (Symbology Encoding 1.1), clauses 11.1 to 11.3; OGC 02-070 (SLD 1.0), clause 11.
extension SLDMapping {
  static let strokeElements: Set<String> = ["CssParameter", "SvgParameter", "GraphicFill", "GraphicStroke"]
  static let strokeNames: Set<String> = [
    "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "stroke-dasharray",
    "stroke-dashoffset",
  ]

  /// The parameters of an element, by name; those that are not known are reported.
  mutating func parameters(_ element: SLDElement, _ known: Set<String>) -> [String: SLDElement] {
    var found: [String: SLDElement] = [:]
    for child in element.children where child.name == "CssParameter" || child.name == "SvgParameter" {
      let name = child.attributes["name"] ?? ""
      guard known.contains(name) else {
        let nearest = nearestName(name, known)
        note(child, "unknown parameter \"\(name.prefix(60))\"" + nearest)
        continue
      }
      // The families after the first one are for programs without it.
      guard name != "font-family" || found[name] == nil else { continue }
      checkRepeated(found[name], child)
      found[name] = child
    }
    return found
  }

  /// Reads the fill of an area or a mark; `graphic` is the pattern, which only areas have.
  mutating func fill(
    _ element: SLDElement, opacity: Double = 1
  ) -> (color: SLDColor, graphic: SLDElement?) {
    check(element, ["CssParameter", "SvgParameter", "GraphicFill"])
    let values = parameters(element, ["fill", "fill-opacity"])
    let color = color(
      values["fill"], opacity: values["fill-opacity"], factor: opacity, default: .fillOfStyles)
    return (color, element["GraphicFill"])
  }

  /// Reads a stroke without its graphics.
  mutating func stroke(
    _ element: SLDElement, _ unit: Unit, opacity: Double = 1, isFixed: Bool = false
  ) -> SLDPart {
    check(element, Self.strokeElements)
    let values = parameters(element, Self.strokeNames)
    let color = color(values["stroke"], opacity: values["stroke-opacity"], factor: opacity, default: .black)
    let own = values["stroke-width"]
    let width: SLDNumber =
      isFixed ? .constant(fixed(own, unit, or: 1)) : length(own, unit) ?? .constant(1)
    var line = SimpleLineSymbol(color: color.value(or: .black), width: max(width.value(or: 1), 0))
    if let fill = element["GraphicFill"] {
      note(fill, "the stroke has its colour, without a pattern", .approximated)
    }
    if let join = values["stroke-linejoin"], let word = word(join) {
      switch word {
      case "mitre", "miter": line.join = .miter
      case "round": line.join = .round
      case "bevel": line.join = .bevel
      default: note(join, "\"\(word.prefix(60))\" is no join; mitre, round and bevel are")
      }
    }
    if let cap = values["stroke-linecap"], let word = word(cap) {
      if let found = SimpleLineSymbol.Cap(rawValue: word) {
        line.cap = found
      } else {
        note(cap, "\"\(word.prefix(60))\" is no cap; butt, round and square are")
      }
    }
    line.dashTemplate = dashes(values["stroke-dasharray"], unit)
    line.dashOffset = fixed(values["stroke-dashoffset"], unit)
    return SLDPart(form: .line(line), decided: decided(width, color))
  }

  private func decided(_ width: SLDNumber, _ color: SLDColor) -> [SLDPart.Decided] {
    var decided: [SLDPart.Decided] = []
    if let text = width.expression { decided.append(.init(property: .width, expression: text)) }
    if let text = color.expression { decided.append(.init(property: .color, expression: text)) }
    return decided
  }

  /// Reads a word in lower case; nil after a note.
  mutating func word(_ element: SLDElement) -> String? {
    guard let value = value(element) else { return nil }
    guard let word = value.constant else {
      note(element, "a value that features decide has no effect")
      return nil
    }
    return word.trimmed.lowercased()
  }

  /// Reads the lengths of dashes and gaps.
  mutating func dashes(_ element: SLDElement?, _ unit: Unit) -> [Double] {
    guard let element else { return [] }
    guard let text = value(element)?.constant else {
      note(element, "dashes that features decide are not drawn; the line is solid", .approximated)
      return []
    }
    let parts = text.split { $0 == "," || $0.isWhitespace }
    let numbers = parts.compactMap { Double($0) }.filter { $0 >= 0 && $0.isFinite }
    guard numbers.count == parts.count, numbers.reduce(0, +) > 0 else {
      if !parts.isEmpty { note(element, "\"\(text.prefix(60))\" are no lengths of dashes") }
      return []
    }
    let dashes = numbers.count.isMultiple(of: 2) ? numbers : numbers + numbers
    guard case .ground = unit else { return dashes }
    let length = dashes.reduce(0, +)
    guard let pixels = onGround(length, unit, element), pixels > 0 else {
      note(element, "the lengths of dashes are pixels", .approximated)
      return dashes
    }
    return dashes.map { $0 * pixels / length }
  }
}
