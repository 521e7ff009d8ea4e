extension StyleMachine {
  /// Returns the first value of the node's type.
  func asserted(_ nodes: [StyleNode], _ node: StyleNode) throws(StyleExpressionError) -> StyleValue {
    var type = StyleType.null
    for argument in nodes {
      let value = try evaluate(argument)
      switch (node.type, value) {
      case (.number, .number), (.string, .string), (.boolean, .boolean): return value
      default: break
      }
      type = value.type
      if node.type.includes(type) { return value }
    }
    throw StyleExpressionError(
      "Expected value to be of type \(node.type), but found \(type) instead.", at: node.key)
  }

  /// Returns the first value that can be converted to the node's type.
  func converted(_ nodes: [StyleNode], _ node: StyleNode) throws(StyleExpressionError) -> StyleValue {
    var value = StyleValue.null
    var fault: String?
    for argument in nodes {
      value = try evaluate(argument)
      fault = nil
      switch node.type {
      case .boolean: return .boolean(value.isTrue)
      case .string:
        let text = StyleText.text(value)
        guard text.utf8.count <= StyleText.lengthLimit else {
          throw StyleExpressionError("The text is longer than \(StyleText.lengthLimit) bytes.", at: node.key)
        }
        return .string(text)
      case .number:
        let number = Self.number(value)
        if !number.isNaN { return .number(number) }
      case .color:
        if let color = value.converted(to: .color) { return color }
        if case .array(let parts) = value {
          if let color = Self.color(parts, &fault) { return .color(color) }
        }
      default: if let converted = value.converted(to: node.type) { return converted }
      }
    }
    let text = value.string ?? StyleText.json(value)
    switch node.type {
    case .number:
      throw StyleExpressionError("Could not convert \(StyleText.json(value)) to number.", at: node.key)
    default:
      throw StyleExpressionError(fault ?? "Could not parse \(node.type) from value '\(text)'", at: node.key)
    }
  }

  /// Returns a value as a number; NaN when it is none.
  ///
  /// - Source: ECMA-262, ToNumber.
  private static func number(_ value: StyleValue) -> Double {
    switch value {
    case .null: return 0
    case .boolean(let value): return value ? 1 : 0
    case .number(let number): return number
    case .string(let text): return StyleText.number(of: text)
    case .array(let elements):
      guard let first = elements.first else { return 0 }
      if case .boolean = first { return .nan }
      return elements.count == 1 ? number(first) : .nan
    default: return .nan
    }
  }

  private static func color(_ parts: [StyleValue], _ fault: inout String?) -> StyleColor? {
    guard parts.count == 3 || parts.count == 4 else {
      fault =
        "Invalid rgba value \(StyleText.json(.array(parts))): expected an array containing either three or four "
        + "numeric values."
      return nil
    }
    fault = StyleColor.fault(parts[0], parts[1], parts[2], parts.count == 4 ? parts[3] : nil)
    guard fault == nil, let red = parts[0].number, let green = parts[1].number, let blue = parts[2].number
    else {
      return nil
    }
    return StyleColor(premultiplied: red, green, blue, alpha: parts.count == 4 ? parts[3].number ?? 1 : 1)
  }

  /// Returns the first value that is not null; of images that are missing, the first.
  func coalesced(_ nodes: [StyleNode]) throws(StyleExpressionError) -> StyleValue {
    var missing: StyleValue?
    for node in nodes {
      let value = try evaluate(node)
      if case .image(let image) = value, !image.isAvailable {
        missing = missing ?? value
      } else if !value.isNull {
        return value
      }
    }
    return missing ?? .null
  }

  /// Returns the value between two stops.
  func interpolated(
    _ input: StyleNode, _ curve: StyleCurve, _ node: StyleNode
  ) throws(StyleExpressionError) -> StyleValue {
    let (labels, outputs) = (curve.stops.labels, curve.stops.outputs)
    if labels.count == 1 { return try evaluate(outputs[0]) }
    let number = try evaluate(input).number ?? .nan
    if number.isNaN { throw StyleExpressionError("Input is not a number.", at: node.key) }
    if number <= labels[0] { return try evaluate(outputs[0]) }
    if number >= labels[labels.count - 1] { return try evaluate(outputs[labels.count - 1]) }
    let index = curve.stops.index(below: number)
    let share = curve.share(of: number, from: labels[index], to: labels[index + 1])
    let (lower, upper) = (try evaluate(outputs[index]), try evaluate(outputs[index + 1]))
    do throws(StyleFault) {
      return try lower.mixed(with: upper, share, in: curve.space)
    } catch {
      throw StyleExpressionError(error.message, at: node.key)
    }
  }

  /// Returns a label.
  func formatted(_ sections: [StyleSection]) throws(StyleExpressionError) -> StyleValue {
    var result: [FormattedSection] = []
    for section in sections {
      let content = try evaluate(section.content)
      var part = FormattedSection("")
      if case .image(let image) = content {
        part.image = image
      } else {
        part.text = StyleText.text(content)
        part.scale = try section.scale.map { node throws(StyleExpressionError) in try evaluate(node) }?.number
        part.fonts = try section.fonts.map { node throws(StyleExpressionError) in try evaluate(node) }?
          .array?.map(StyleText.text).joined(separator: ",")
        part.color = try section.color.map { node throws(StyleExpressionError) in try evaluate(node) }?.color
      }
      part.verticalAlign =
        try section.verticalAlign.map { node throws(StyleExpressionError) in try evaluate(node) }?.string
      result.append(part)
    }
    return .formatted(result)
  }

  /// Returns a number as text of a language.
  func formatted(_ format: StyleNumberFormat, _ node: StyleNode) throws(StyleExpressionError) -> StyleValue {
    var text = NumberText()
    if let locale = format.options["locale"] { text.locale = StyleText.text(try evaluate(locale)) }
    if let currency = format.options["currency"] { text.currency = StyleText.text(try evaluate(currency)) }
    if let unit = format.options["unit"] { text.unit = StyleText.text(try evaluate(unit)) }
    if let least = format.options["min-fraction-digits"] { text.leastDigits = try evaluate(least).number }
    if let most = format.options["max-fraction-digits"] { text.mostDigits = try evaluate(most).number }
    let number = try evaluate(format.number).number ?? .nan
    do throws(StyleFault) {
      return .string(try text.text(of: number))
    } catch {
      throw StyleExpressionError(error.message, at: node.key)
    }
  }
}
