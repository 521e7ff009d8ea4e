internal import MapSystem

/// Text functions; a character is a Unicode code point, as in filters.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/text_functions/
extension ArcadeFunction {
  static let textual: [ArcadeFunction] = [
    ArcadeFunction("Text", 1...2) { machine, values throws(ArcadeError) in
      guard values.count == 2 else { return try machine.text(try text(values[0], machine)) }
      let format = try text(values[1], machine)
      switch values[0] {
      case .number(let number):
        return try machine.text(
          format.isEmpty ? ArcadeValue.text(of: number) : machine.numberFormat(format).text(of: number))
      case .date(let date):
        return try machine.text(
          format.isEmpty ? ArcadeDate(date)?.isoText ?? "" : ArcadeDate(date)?.text(format: format) ?? "")
      default: return try machine.text(try text(values[0], machine))
      }
    },
    ArcadeFunction("Concatenate", from(0)) { machine, values throws(ArcadeError) in
      var parts: [String] = []
      var (separator, format) = ("", "")
      if case .array(let array) = values.at(0) {
        separator = try text(values.at(1), machine)
        format = try text(values.at(2), machine)
        for item in array.items { parts.append(try formatted(item, format, machine)) }
      } else {
        for value in values { parts.append(try text(value, machine)) }
      }
      // The result is counted before it is made.
      try machine.charge(parts.reduce(0) { $0 + $1.utf8.count + separator.utf8.count })
      return .text(parts.joined(separator: separator))
    },
    ArcadeFunction("Upper", 1...1) { machine, values throws(ArcadeError) in
      try machine.text(try text(values[0], machine).uppercased())
    },
    ArcadeFunction("Lower", 1...1) { machine, values throws(ArcadeError) in
      try machine.text(try text(values[0], machine).lowercased())
    },
    ArcadeFunction("Proper", 1...2) { machine, values throws(ArcadeError) in
      let isFirstOnly = try text(values.at(1), machine).lowercased() == "firstword"
      return try machine.text(proper(try text(values[0], machine), firstWordOnly: isFirstOnly))
    },
    ArcadeFunction("Trim", 1...1) { machine, values throws(ArcadeError) in
      let start = try text(values[0], machine).unicodeScalars.drop { $0.properties.isWhitespace }
      let end = start.lastIndex { !$0.properties.isWhitespace }
      return try machine.text(end.map { String(start[...$0]) } ?? "")
    },
    ArcadeFunction("Left", 2...2) { machine, values throws(ArcadeError) in
      try machine.text(String(try text(values[0], machine).unicodeScalars.prefix(count(values, 1))))
    },
    ArcadeFunction("Right", 2...2) { machine, values throws(ArcadeError) in
      try machine.text(String(try text(values[0], machine).unicodeScalars.suffix(count(values, 1))))
    },
    ArcadeFunction("Mid", 2...3) { machine, values throws(ArcadeError) in
      let rest = try text(values[0], machine).unicodeScalars.dropFirst(count(values, 1))
      return try machine.text(String(values.count == 3 ? rest.prefix(count(values, 2)) : rest))
    },
    ArcadeFunction("Find", 2...3) { machine, values throws(ArcadeError) in
      let wanted = Array(try text(values[0], machine).unicodeScalars)
      let all = Array(try text(values[1], machine).unicodeScalars)
      // The search compares each place with the wanted text.
      guard wanted.count < 1000 || all.count < 10_000 else {
        throw ArcadeError("the text to find is too long", at: 0)
      }
      return .number(Double(place(of: wanted, in: all, from: count(values, 2))))
    },
    ArcadeFunction("Replace", 3...4) { machine, values throws(ArcadeError) in
      let (all, wanted) = (try text(values[0], machine), try text(values[1], machine))
      let other = try text(values[2], machine)
      guard !wanted.isEmpty else { return .text(all) }
      var result = ""
      // A whole code point begins and ends where its bytes do, so bytes find texts by code point.
      var rest = all.utf8[...]
      let isForAll = values.count < 4 || values[3].asBoolean
      while let range = rest.firstRange(of: wanted.utf8) {
        try machine.charge(other.utf8.count + 1)
        result += String(Substring(rest[..<range.lowerBound])) + other
        rest = rest[range.upperBound...]
        if !isForAll { break }
      }
      return try machine.text(result + String(Substring(rest)))
    },
    ArcadeFunction("Split", 2...4) { machine, values throws(ArcadeError) in
      let (all, separator) = (try text(values[0], machine), try text(values[1], machine))
      let limit = values.count > 2 && !values[2].isNull && values.number(2) >= 0 ? count(values, 2) : Int.max
      let keepsEmpty = !(values.count > 3 && values[3].asBoolean)
      var parts: [ArcadeValue] = []
      try machine.charge(all.utf8.count)
      if separator.isEmpty {
        parts = all.unicodeScalars.map { .text(String($0)) }
      } else {
        var rest = all.utf8[...]
        while let range = rest.firstRange(of: separator.utf8) {
          try machine.charge(32)
          parts.append(.text(String(Substring(rest[..<range.lowerBound]))))
          rest = rest[range.upperBound...]
        }
        parts.append(.text(String(Substring(rest))))
      }
      if !keepsEmpty { parts = parts.filter { !isEmpty($0) } }
      return try machine.array(Array(parts.prefix(limit)))
    },
    ArcadeFunction("ToCharCode", 1...2) { machine, values throws(ArcadeError) in
      let units = Array(try text(values[0], machine).utf16)
      let index = count(values, 1)
      guard index < units.count else { throw ArcadeError("the text has no such character", at: 0) }
      return .number(Double(units[index]))
    },
    ArcadeFunction("FromCharCode", from(1)) { machine, values throws(ArcadeError) in
      let units = values.map { UInt16(truncatingIfNeeded: Int(clamping: $0.asNumber)) }
      return try machine.text(String(decoding: units, as: UTF16.self))
    },
    ArcadeFunction("ToHex", 1...1) { _, values in
      .text(String(Int(clamping: values.number(0)), radix: 16))
    },
    ArcadeFunction("StandardizeGuid", 2...2) { machine, values throws(ArcadeError) in
      let digits = try text(values[0], machine).lowercased().filter(\.isHexDigit)
      guard digits.count == 32 else { return .null }
      let all = Array(digits)
      let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }
      switch try text(values[1], machine).lowercased() {
      case "digits": return .text(digits)
      case "digits-hyphen": return .text(parts.joined(separator: "-"))
      case "digits-hyphen-braces": return .text("{" + parts.joined(separator: "-") + "}")
      case "digits-hyphen-parentheses": return .text("(" + parts.joined(separator: "-") + ")")
      default: return .null
      }
    },
    ArcadeFunction("UrlEncode", 1...1) { machine, values throws(ArcadeError) in
      var result = ""
      for byte in try text(values[0], machine).utf8 {
        let scalar = Unicode.Scalar(byte)
        let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
        if isPlain || "-_.!~*'()".unicodeScalars.contains(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
      return try machine.text(result)
    },
  ]

  static func text(_ value: ArcadeValue, _ machine: ArcadeMachine) throws(ArcadeError) -> String {
    let text = try machine.inputs.text(value, machine: machine)
    // Reading a long text again and again is work, too.
    try machine.charge(text.utf8.count)
    return text
  }

  /// Returns a value as text by a format of numbers or dates; an empty format is none.
  private static func formatted(
    _ value: ArcadeValue, _ format: String, _ machine: ArcadeMachine
  ) throws(ArcadeError) -> String {
    switch value {
    case .number(let number) where !format.isEmpty: machine.numberFormat(format).text(of: number)
    case .date(let date) where !format.isEmpty: ArcadeDate(date)?.text(format: format) ?? ""
    default: try text(value, machine)
    }
  }

  /// The argument in a place as a count, at least 0.
  static func count(_ values: [ArcadeValue], _ index: Int) -> Int {
    max(0, Int(clamping: values.number(index, 0)))
  }

  private static func proper(_ text: String, firstWordOnly: Bool) -> String {
    var result = ""
    var isStart = true
    for character in text {
      result += isStart ? character.uppercased() : character.lowercased()
      isStart = !firstWordOnly && character.isWhitespace
    }
    return result
  }

  /// Returns the place of some elements in others; -1 when they are not there.
  private static func place(of wanted: [Unicode.Scalar], in all: [Unicode.Scalar], from start: Int) -> Int {
    guard wanted.count <= all.count, start <= all.count - wanted.count else { return -1 }
    for index in start...all.count - wanted.count
    where all[index..<index + wanted.count].elementsEqual(wanted) {
      return index
    }
    return -1
  }
}
