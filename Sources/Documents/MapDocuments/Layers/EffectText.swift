import MapJSON
import MapModel

/// The functions of an effect in the text form, such as `brightness(150%) drop-shadow(2px 2px 1px black)`.
///
/// Lengths are in `px` or `pt`, angles in `deg`, `grad`, `rad` or `turn`, amounts are numbers or percentages.
///
/// - Source: W3C Filter Effects Module Level 1, section 5; CSS Values and Units Level 4 for units.
struct EffectText {
  /// The functions that can be applied, in order.
  private(set) var functions: [EffectFunction] = []
  /// The reasons why other functions are not applied.
  private(set) var faults: [(message: String, outcome: DocumentOutcome)] = []

  /// Reads a text; the text `none` has no functions.
  init(_ text: String) {
    var rest = Substring(text).drop(while: \.isWhitespace)
    if rest.lowercased().trimmingSpaces == "none" { return }
    while !rest.isEmpty {
      guard let open = rest.firstIndex(of: "("), let close = Self.closing(rest, from: open) else {
        fail("\"\(rest.prefix(40))\" is not a function with arguments in brackets")
        return
      }
      let name = String(rest[..<open]).trimmingSpaces.lowercased()
      add(name, Self.arguments(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...].drop(while: \.isWhitespace)
    }
  }

  /// Returns the index of the bracket that closes another one.
  private static func closing(_ text: Substring, from open: String.Index) -> String.Index? {
    var depth = 0
    for index in text[open...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Returns the arguments between spaces; brackets of a colour keep theirs together.
  private static func arguments(_ text: Substring) -> [String] {
    var (arguments, current, depth) = ([String](), "", 0)
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character.isWhitespace, depth == 0 {
        if !current.isEmpty { arguments.append(current) }
        current = ""
      } else {
        current.append(character)
      }
    }
    return current.isEmpty ? arguments : arguments + [current]
  }

  private mutating func fail(_ reason: String) { faults.append(("not drawn: \(reason)", .dropped)) }

  private mutating func add(_ name: String, _ arguments: [String]) {
    let read: EffectFunction?
    switch name {
    case "blur": read = arguments.count > 1 ? nil : Self.length(arguments.first ?? "0").map { .blur($0) }
    case "hue-rotate":
      read = arguments.count > 1 ? nil : Self.angle(arguments.first ?? "0").map { .hueRotate($0) }
    case "drop-shadow": read = Self.shadow(arguments).map { .dropShadow($0) }
    case "bloom": read = Self.bloom(arguments).map { .bloom($0) }
    default:
      guard let kind = EffectAmount(rawValue: name) else {
        let near = NearestName.of(name, among: EsriEffectCodec.names)
        fail(
          "the effect \"\(name)\" is not supported" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
        return
      }
      read = arguments.count > 1 ? nil : Self.amount(arguments.first ?? "1").map { .amount(kind, $0) }
    }
    guard let read else {
      fail("\"\(arguments.joined(separator: " "))\" are not arguments of \(name)")
      return
    }
    let limited = read.limited
    if let function = limited.function { functions.append(function) }
    if let fault = limited.fault { faults.append(fault) }
  }

  private static func amount(_ text: String) -> Double? {
    text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
  }

  /// Returns a number with one of some units; only 0 needs none.
  private static func measure(_ text: String, _ units: [(name: String, factor: Double)]) -> Double? {
    for unit in units where text.lowercased().hasSuffix(unit.name) {
      if let number = Double(text.dropLast(unit.name.count)) { return number * unit.factor }
    }
    return Double(text) == 0 ? 0 : nil
  }

  private static func length(_ text: String) -> Double? {
    measure(text, [("px", 1), ("pt", EsriMembers.pixelsPerPoint)])
  }

  private static func angle(_ text: String) -> Double? {
    measure(text, [("deg", 1), ("grad", 0.9), ("rad", 180 / Double.pi), ("turn", 360)])
  }

  /// Returns a glow of a strength, a radius and a threshold, which may have commas between them.
  private static func bloom(_ arguments: [String]) -> EffectBloom? {
    let parts = arguments.flatMap { $0.split(separator: ",") }.map { String($0) }
    guard parts.count <= 3, let strength = amount(parts.first ?? "1"),
      let radius = length(parts.count > 1 ? parts[1] : "0"),
      let threshold = amount(parts.count > 2 ? parts[2] : "0")
    else { return nil }
    return EffectBloom(strength: strength, radius: radius, threshold: threshold)
  }

  /// Returns a shadow of two or three lengths, with a colour before or after them; black without a colour.
  private static func shadow(_ arguments: [String]) -> EffectShadow? {
    var lengths = arguments
    var shade = Color.black
    if let first = lengths.first, length(first) == nil {
      guard let color = color(first) else { return nil }
      (shade, lengths) = (color, Array(lengths.dropFirst()))
    } else if let last = lengths.last, length(last) == nil {
      guard let color = color(last) else { return nil }
      (shade, lengths) = (color, Array(lengths.dropLast()))
    }
    let numbers = lengths.compactMap(length)
    guard numbers.count == lengths.count, (2...3).contains(numbers.count) else { return nil }
    return EffectShadow(
      x: numbers[0], y: numbers[1], radius: numbers.count == 3 ? numbers[2] : 0, color: shade)
  }

  /// Returns a colour by name, by hexadecimal digits, or by `rgb()` and `rgba()` with an alpha of 0 to 1.
  private static func color(_ text: String) -> Color? {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return Color(text: text) }
    guard ["rgb", "rgba"].contains(text[..<open].lowercased()) else { return nil }
    let inside = text[text.index(after: open)...].dropLast()
    let parts = inside.split { $0 == "," || $0 == "/" || $0.isWhitespace }
    let channels = parts.prefix(3).compactMap { UInt8($0) }
    guard channels.count == 3, parts.count < 5 else { return nil }
    let color = Color(red: channels[0], green: channels[1], blue: channels[2])
    guard parts.count == 4 else { return color }
    return amount(String(parts[3])).map { color.withAlphaComponent($0) }
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
