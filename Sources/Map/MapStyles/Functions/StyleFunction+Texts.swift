internal import MapSystem

extension StyleFunction {
  /// Returns texts one after the other.
  static func joined(_ values: [StyleValue], _ separator: String) throws(StyleFault) -> StyleValue {
    var text = ""
    for (index, value) in values.enumerated() {
      if index > 0 { text += separator }
      text += StyleText.text(value)
      guard text.utf8.count <= StyleText.lengthLimit else {
        throw StyleFault("The text is longer than \(StyleText.lengthLimit) bytes.")
      }
    }
    return .string(text)
  }

  /// Returns the parts of a text between separators; its Unicode scalars when the separator is empty.
  static func parts(_ text: String, _ separator: String) throws(StyleFault) -> [StyleValue] {
    if separator.isEmpty { return text.unicodeScalars.map { .string(String($0)) } }
    let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
    var (parts, start, place): ([StyleValue], Int, Int) = ([], 0, 0)
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        parts.append(.string(String(decoding: bytes[start..<place], as: UTF8.self)))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return parts + [.string(String(decoding: bytes[start...], as: UTF8.self))]
  }

  /// Returns an element of an array.
  static func element(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    let (index, elements) = (arguments[0].number ?? .nan, arguments[1].array ?? [])
    let text = StyleText.number(index)
    if index < 0 { throw StyleFault("Array index out of bounds: \(text) < 0.") }
    if index >= Double(elements.count) {
      throw StyleFault("Array index out of bounds: \(text) > \(elements.count - 1).")
    }
    guard let place = Int(exactly: index) else {
      throw StyleFault("Array index must be an integer, but found \(text) instead.")
    }
    return elements[place]
  }

  private static func checkNeedle(_ value: StyleValue) throws(StyleFault) {
    switch value {
    case .boolean, .string, .number, .null: return
    default:
      throw StyleFault(
        "Expected first argument to be of type boolean, string, number or null, but found \(value.type) instead."
      )
    }
  }

  /// Returns whether a text contains another, or an array an element.
  static func contains(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    guard arguments[1].isTrue else { return .boolean(false) }
    try checkNeedle(arguments[0])
    switch arguments[1] {
    case .string(let text):
      return .boolean(place(of: needle(arguments[0]), in: Array(text.utf16), from: 0) != nil)
    case .array(let elements): return .boolean(elements.contains { StyleValue.areSame($0, arguments[0]) })
    default:
      throw StyleFault(
        "Expected second argument to be of type array or string, but found \(arguments[1].type) instead.")
    }
  }

  /// Returns the place of a text in another, or of an element in an array; -1 for none.
  static func index(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    try checkNeedle(arguments[0])
    let start = arguments.count > 2 ? whole(arguments[2].number ?? 0) : 0
    switch arguments[1] {
    case .string(let text):
      let units = Array(text.utf16)
      let from = Swift.min(Swift.max(start, 0), units.count)
      guard let place = place(of: needle(arguments[0]), in: units, from: from) else { return .number(-1) }
      return .number(Double(String(decoding: units[..<place], as: UTF16.self).unicodeScalars.count))
    case .array(let elements):
      let from = start < 0 ? Swift.max(0, elements.count + start) : Swift.min(start, elements.count)
      let place = elements[from...].firstIndex { StyleValue.areSame($0, arguments[0]) }
      return .number(place.map(Double.init) ?? -1)
    default:
      throw StyleFault(
        "Expected second argument to be of type array or string, but found \(arguments[1].type) instead.")
    }
  }

  private static func needle(_ value: StyleValue) -> [UInt16] {
    Array((value.isNull ? "null" : StyleText.text(value)).utf16)
  }

  private static func place(of needle: [UInt16], in units: [UInt16], from start: Int) -> Int? {
    guard !needle.isEmpty else { return start }
    var place = start
    while place + needle.count <= units.count {
      if units[place] == needle[0], units[place..<place + needle.count].elementsEqual(needle) { return place }
      place += 1
    }
    return nil
  }

  /// Returns the whole part of a number within the lengths of arrays; 0 for NaN.
  private static func whole(_ number: Double) -> Int {
    Int(clamping: Swift.max(-1e9, Swift.min(1e9, number)))
  }

  /// Returns a part of a text, by Unicode scalars, or of an array.
  static func part(_ arguments: [StyleValue]) throws(StyleFault) -> StyleValue {
    func range(_ count: Int) -> Range<Int> {
      func place(_ value: StyleValue) -> Int {
        let index = whole(value.number ?? 0)
        return index < 0 ? Swift.max(0, count + index) : Swift.min(index, count)
      }
      let start = place(arguments[1])
      return start..<Swift.max(start, arguments.count > 2 ? place(arguments[2]) : count)
    }
    switch arguments[0] {
    case .string(let text):
      let scalars = Array(text.unicodeScalars)
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[range(scalars.count)])
      return .string(String(part))
    case .array(let elements): return .array(Array(elements[range(elements.count)]))
    default:
      throw StyleFault(
        "Expected first argument to be of type array or string, but found \(arguments[0].type) instead.")
    }
  }

  /// Returns the number of Unicode scalars of a text, or of elements of an array.
  static func count(of value: StyleValue) throws(StyleFault) -> StyleValue {
    switch value {
    case .string(let text): return .number(Double(text.unicodeScalars.count))
    case .array(let elements): return .number(Double(elements.count))
    default:
      throw StyleFault("Expected value to be of type string or array, but found \(value.type) instead.")
    }
  }
}
