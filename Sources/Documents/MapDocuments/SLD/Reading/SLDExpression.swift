import MapFilter
import MapGeometry
import MapJSON
import MapModel

/// The value of a parameter or a side of a comparison, as the standards have them.
///
/// - Source: OGC 04-095 (filters 1.1), 09-026r2 (filters 2.0), 05-077r4 (Symbology Encoding 1.1), clause 11.6.
indirect enum SLDExpression: Hashable {
  /// A text that is a number, a colour or a word.
  case literal(String)
  case property(String)
  case arithmetic(ArithmeticOperator, SLDExpression, SLDExpression)
  case call(String, [SLDExpression])
  /// Texts one after the other.
  case joined([SLDExpression])
  /// The value of a class; a value at a threshold belongs to the class before it or after it.
  case categories(SLDExpression, values: [SLDExpression], thresholds: [SLDExpression], isBefore: Bool)
  /// A value between those of points.
  case interpolation(SLDExpression, [SLDStop], isColor: Bool)
  /// The value for a value.
  case recoded(SLDExpression, [SLDPair], otherwise: SLDExpression?)
  /// The value, or another one where it is null.
  case fallback(SLDExpression, SLDExpression)

  /// A point of an interpolation.
  struct SLDStop: Hashable {
    let data: Double
    let value: SLDExpression
  }

  /// A value and its replacement.
  struct SLDPair: Hashable {
    let from: SLDExpression
    let to: SLDExpression
  }
}

extension SLDMapping {
  private static let operators: [String: ArithmeticOperator] = [
    "Add": .add, "Sub": .subtract, "Mul": .multiply, "Div": .divide,
  ]
  /// The largest number of terms of an expression.
  static let mostTerms = 20_000
  /// The elements that are expressions.
  static let expressionNames: Set<String> = Set(operators.keys).union([
    "Literal", "PropertyName", "ValueReference", "Function", "Categorize", "Interpolate", "Recode",
    "Concatenate", "StringLength", "Substring", "Trim", "ChangeCase", "StringPosition", "FormatNumber",
    "FormatDate",
  ])

  /// Reads the value of a parameter: texts and expressions in an element.
  mutating func value(_ element: SLDElement) -> SLDExpression? {
    var parts: [SLDExpression] = []
    let hasExpressions = !element.children.isEmpty
    for (index, part) in element.parts.enumerated() {
      switch part {
      case .text(let text):
        // White space around and between the parts is of the form of the document; one blank is kept inside a text.
        var plain = hasExpressions ? Self.collapsed(text) : text.trimmed
        if index == 0, plain.hasPrefix(" ") { plain.removeFirst() }
        if index == element.parts.count - 1, plain.hasSuffix(" ") { plain.removeLast() }
        if !plain.trimmed.isEmpty || (!plain.isEmpty && !text.contains(where: \.isNewline)) {
          parts.append(.literal(plain))
        }
      case .element(let child):
        guard Self.expressionNames.contains(child.name) else {
          check(element, Self.expressionNames)
          return nil
        }
        guard let value = expression(child) else { return nil }
        parts.append(value)
      }
    }
    return parts.count > 1 ? .joined(parts) : parts.first ?? .literal("")
  }

  /// The text with each run of white space as one blank.
  private static func collapsed(_ text: String) -> String {
    var result = ""
    for character in text {
      if !character.isWhitespace {
        result.append(character)
      } else if result.last != " " {
        result.append(" ")
      }
    }
    return result
  }

  /// Reads an expression; nil after a note.
  mutating func expression(_ element: SLDElement) -> SLDExpression? {
    guard let value = ownExpression(element) else { return nil }
    guard value.weight <= Self.mostTerms else {
      note(element, "lookups in lookups of more than \(Self.mostTerms) terms are not evaluated")
      return nil
    }
    guard let text = element.attributes["fallbackValue"], value.constant == nil else { return value }
    if case .recoded(let operand, let pairs, nil) = value {
      return .recoded(operand, pairs, otherwise: .literal(text))
    }
    return .fallback(value, .literal(text))
  }

  private mutating func ownExpression(_ element: SLDElement) -> SLDExpression? {
    let name = element.name
    if let operation = Self.operators[name] {
      guard let operands = expressions(element.children), operands.count == 2 else {
        if element.children.count != 2 { note(element, "needs two operands") }
        return nil
      }
      return .arithmetic(operation, operands[0], operands[1])
    }
    switch name {
    case "Literal":
      if element.children.isEmpty {
        let text = element.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        // Blanks count in a literal; line breaks around it are of the form of the document.
        return .literal(text.contains(where: \.isNewline) ? text.trimmed : text)
      }
      return value(element)
    case "PropertyName", "ValueReference":
      // A path names the namespace and the element of the feature, too.
      let last = element.text.split(separator: "/").last.map(String.init) ?? ""
      return .property(last.localName)
    case "Function":
      guard let arguments = expressions(element.children) else { return nil }
      return function(element, element.attributes["name"] ?? "", arguments)
    case "Categorize": return categories(element)
    case "Interpolate": return interpolation(element)
    case "Recode": return recoded(element)
    case "Concatenate":
      guard let parts = expressions(element.all("StringValue")) else { return nil }
      return .joined(parts)
    case "ChangeCase":
      let isLower = element.attributes["direction"] == "toLower"
      return wrapped(element, isLower ? "strToLowerCase" : "strToUpperCase")
    case "Trim": return wrapped(element, "strTrim")
    case "StringLength": return wrapped(element, "strLength")
    case "Substring":
      guard let text = element["StringValue"].flatMap({ value($0) }) else { return nil }
      let position = element["Position"].flatMap { value($0) } ?? .literal("1")
      let from = SLDExpression.arithmetic(.subtract, position, .literal("1"))
      guard let length = element["Length"].flatMap({ value($0) }) else {
        return .call("strSubstringStart", [text, from])
      }
      return .call("strSubstring", [text, from, .arithmetic(.add, from, length)])
    case "StringPosition":
      guard let part = element["LookupString"].flatMap({ value($0) }),
        let text = element["StringValue"].flatMap({ value($0) })
      else { return nil }
      if element.attributes["searchDirection"] == "backToFront" {
        note(element, "the text is searched from its front", .approximated)
      }
      return .arithmetic(.add, .call("strIndexOf", [text, part]), .literal("1"))
    case "FormatNumber":
      if let pattern = element["NegativePattern"] {
        note(pattern, "negative numbers have a minus", .approximated)
      }
      guard let number = element["NumericValue"].flatMap({ value($0) }) else { return nil }
      return .call("numberFormat", [.literal(element.text("Pattern") ?? "0"), number])
    case "FormatDate":
      guard let date = element["DateValue"].flatMap({ value($0) }) else { return nil }
      return .call("dateFormat", [.literal(element.text("Pattern") ?? "yyyy-MM-dd"), date])
    default:
      note(element, "the expression \(name) is not evaluated")
      return nil
    }
  }

  private mutating func wrapped(_ element: SLDElement, _ name: String) -> SLDExpression? {
    element["StringValue"].flatMap { value($0) }.map { .call(name, [$0]) }
  }

  private mutating func expressions(_ elements: [SLDElement]) -> [SLDExpression]? {
    var list: [SLDExpression] = []
    for element in elements {
      let isValue = !Self.expressionNames.contains(element.name)
      guard let value = isValue ? value(element) : expression(element) else { return nil }
      list.append(value)
    }
    return list
  }

  // MARK: Functions

  /// Returns the call of a function; the functions of Symbology Encoding become those of the standard.
  private mutating func function(
    _ element: SLDElement, _ name: String, _ arguments: [SLDExpression]
  ) -> SLDExpression? {
    func number(_ value: SLDExpression) -> Double? { value.constant.flatMap { Double($0.trimmed) } }
    switch name {
    case "Categorize" where arguments.count >= 2:
      var rest = Array(arguments.dropFirst())
      var isBefore = false
      if rest.count.isMultiple(of: 2), let word = rest.last?.constant {
        isBefore = word == "preceding"
        rest.removeLast()
      }
      return .categories(
        arguments[0], values: stride(from: 0, to: rest.count, by: 2).map { rest[$0] },
        thresholds: stride(from: 1, to: rest.count, by: 2).map { rest[$0] }, isBefore: isBefore)
    case "Interpolate" where arguments.count >= 3:
      var rest = Array(arguments.dropFirst())
      var isColor = false
      while let word = rest.last?.constant, ["color", "numeric", "linear", "cosine", "cubic"].contains(word) {
        isColor = isColor || word == "color"
        if word == "cosine" || word == "cubic" { noteMode(element, word) }
        rest.removeLast()
      }
      var stops: [SLDExpression.SLDStop] = []
      for index in stride(from: 0, to: rest.count - 1, by: 2) {
        guard let data = number(rest[index]) else { return noNumber(element) }
        stops.append(.init(data: data, value: rest[index + 1]))
      }
      return interpolation(element, arguments[0], stops, isColor: isColor)
    case "Recode" where arguments.count >= 3:
      let pairs = stride(from: 1, to: arguments.count - 1, by: 2).map {
        SLDExpression.SLDPair(from: arguments[$0], to: arguments[$0 + 1])
      }
      return .recoded(arguments[0], pairs, otherwise: nil)
    case "Concatenate", "strConcat", "concat": return .joined(arguments)
    case "env" where !arguments.isEmpty:
      let name = arguments[0].constant ?? ""
      if name == "wms_scale_denominator" { return .call("env", []) }
      // The server of a map sets such values; without one, the default counts.
      if arguments.count > 1 { return arguments[1] }
      note(element, "the value \"\(name.prefix(60))\" of a server has no default")
      return nil
    case "isCoverage": return .literal("false")
    // The language that a request to a server names: none.
    case "language" where arguments.isEmpty: return .literal("")
    case "geometry" where arguments.isEmpty: return .property(geometryName)
    case "dimension" where arguments.count == 1:
      // One geometry kind for all features.
      guard let kind else { break }
      return .literal(kind == .polygon ? "2" : kind == .polyline ? "1" : "0")
    case "property" where arguments.count == 1 && arguments[0].constant != nil:
      return .property(arguments[0].constant ?? "")
    default: break
    }
    guard SLDFunctions.names.contains(name) else {
      let nearest = nearestName(name, SLDFunctions.names)
      note(element, "the function \"\(name.prefix(60))\" is not evaluated" + nearest)
      return nil
    }
    return .call(name, arguments)
  }

  private mutating func noteMode(_ element: SLDElement, _ mode: String) {
    note(element, "values between the points change linearly, not by the mode \"\(mode)\"", .approximated)
  }

  private mutating func noNumber(_ element: SLDElement) -> SLDExpression? {
    note(element, "the points of an interpolation must be numbers")
    return nil
  }

  private mutating func interpolation(
    _ element: SLDElement, _ value: SLDExpression, _ stops: [SLDExpression.SLDStop], isColor: Bool
  ) -> SLDExpression? {
    let sorted = stops.sorted { $0.data < $1.data }
    guard let first = sorted.first, sorted.allSatisfy({ $0.value.constant != nil }) else {
      note(element, "an interpolation needs points with constant values")
      return nil
    }
    return .interpolation(value, sorted, isColor: isColor || first.value.constant?.hasPrefix("#") ?? false)
  }

  private mutating func categories(_ element: SLDElement) -> SLDExpression? {
    guard let value = lookup(element), let values = expressions(element.all("Value")),
      let thresholds = expressions(element.all("Threshold"))
    else { return nil }
    guard values.count == thresholds.count + 1 else {
      note(element, "\(values.count) values need \(values.count - 1) thresholds, not \(thresholds.count)")
      return nil
    }
    let belongs =
      element.attributes["threshholdsBelongTo"] ?? element.attributes["thresholdsBelongTo"] ?? "succeeding"
    return .categories(value, values: values, thresholds: thresholds, isBefore: belongs == "preceding")
  }

  private mutating func interpolation(_ element: SLDElement) -> SLDExpression? {
    guard let value = lookup(element) else { return nil }
    var stops: [SLDExpression.SLDStop] = []
    for point in element.all("InterpolationPoint") {
      guard let data = point.text("Data").flatMap({ Double($0) }) else { return noNumber(element) }
      guard let output = point["Value"].flatMap({ self.value($0) }) else { return nil }
      stops.append(.init(data: data, value: output))
    }
    if let mode = element.attributes["mode"], mode != "linear" { noteMode(element, mode) }
    return interpolation(element, value, stops, isColor: element.attributes["method"] == "color")
  }

  private mutating func recoded(_ element: SLDElement) -> SLDExpression? {
    guard let value = lookup(element) else { return nil }
    var pairs: [SLDExpression.SLDPair] = []
    for item in element.all("MapItem") {
      guard let from = item["Data"].flatMap({ self.value($0) }),
        let to = item["Value"].flatMap({ self.value($0) })
      else { return nil }
      pairs.append(.init(from: from, to: to))
    }
    guard !pairs.isEmpty else {
      note(element, "has no MapItem")
      return nil
    }
    return .recoded(value, pairs, otherwise: nil)
  }

  private mutating func lookup(_ element: SLDElement) -> SLDExpression? {
    guard let found = element["LookupValue"] else {
      note(element, "has no LookupValue")
      return nil
    }
    guard found.text != "Rasterdata" else {
      note(element, "values of images are not read")
      return nil
    }
    return value(found)
  }
}

extension SLDExpression {
  /// The text of an expression without fields; nil for one whose value features decide.
  var constant: String? {
    switch self {
    case .literal(let text): return text
    case .property, .call, .categories, .interpolation, .recoded, .fallback: return nil
    case .joined(let parts):
      let texts = parts.compactMap(\.constant)
      return texts.count == parts.count ? texts.joined() : nil
    case .arithmetic(let operation, let first, let second):
      guard let a = first.constant.flatMap({ Double($0.trimmed) }),
        let b = second.constant.flatMap({ Double($0.trimmed) })
      else { return nil }
      switch operation {
      case .add: return JSONWriter.text(of: a + b)
      case .subtract: return JSONWriter.text(of: a - b)
      case .multiply: return JSONWriter.text(of: a * b)
      case .divide: return b == 0 ? nil : JSONWriter.text(of: a / b)
      default: return nil
      }
    }
  }

  /// The number of terms as they are written: an input is repeated for each class and point.
  var weight: Int {
    func sum(_ values: [SLDExpression]) -> Int { values.reduce(1) { $0.saturated(adding: $1.weight) } }
    func repeated(_ value: SLDExpression, _ count: Int, _ others: [SLDExpression]) -> Int {
      sum(others).saturated(adding: value.weight.saturated(times: count + 1))
    }
    switch self {
    case .literal, .property: return 1
    case .arithmetic(_, let first, let second), .fallback(let first, let second): return sum([first, second])
    case .joined(let parts): return sum(parts)
    case .call(let name, let arguments):
      let isRepeated = ["min", "max", "between", "strStartsWith", "strEndsWith"].contains(name)
      return sum(arguments).saturated(times: isRepeated ? 2 : 1)
    case .categories(let value, let values, let thresholds, _):
      return repeated(value, thresholds.count, values + thresholds)
    case .interpolation(let value, let stops, let isColor):
      return repeated(value, 2 * stops.count * (isColor ? 3 : 1), stops.map(\.value))
    case .recoded(let value, let pairs, let otherwise):
      return repeated(value, 1, pairs.flatMap { [$0.from, $0.to] } + (otherwise.map { [$0] } ?? []))
    }
  }

  /// The names of the fields.
  var fieldNames: Set<String> {
    switch self {
    case .literal: []
    case .property(let name): [name]
    case .arithmetic(_, let first, let second), .fallback(let first, let second):
      first.fieldNames.union(second.fieldNames)
    case .call(_, let arguments), .joined(let arguments):
      arguments.reduce(into: []) { $0.formUnion($1.fieldNames) }
    case .categories(let value, let values, let thresholds, _):
      (values + thresholds).reduce(into: value.fieldNames) { $0.formUnion($1.fieldNames) }
    case .interpolation(let value, let stops, _):
      stops.reduce(into: value.fieldNames) { $0.formUnion($1.value.fieldNames) }
    case .recoded(let value, let pairs, let otherwise):
      pairs.reduce(into: value.fieldNames.union(otherwise?.fieldNames ?? [])) {
        $0.formUnion($1.from.fieldNames.union($1.to.fieldNames))
      }
    }
  }
}

extension Int {
  fileprivate func saturated(adding other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }

  fileprivate func saturated(times other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
