package import MapFilter

/// The classes of a unique value renderer by value, which compare as values in filters do.
///
/// Numbers are compared as numbers, texts by code point, and times as instants. A class may write a time as an ISO 8601
/// date, as an RFC 3339 date-time, or in milliseconds since 1970, which contain every instant of the millisecond.
///
/// - Source: ``AttributeValue/ordering(to:)``; milliseconds as in web map JSON.
package struct ValueClasses: Sendable {
  /// The first class of each value of one field, and of each joined text of several fields.
  private var classes: [AttributeValue: Int32] = [:]
  /// The first class of each combination of values of several fields.
  private var classesOfCombinations: [[AttributeValue]: Int32] = [:]
  /// The first class of each number that a document writes as a number; a text field is compared with it as a number.
  private var classesOfNumbers: [AttributeValue: Int32] = [:]
  private let delimiter: String

  /// Creates the classes of a renderer.
  package init(_ renderer: UniqueValueRenderer) {
    delimiter = renderer.delimiter
    for (index, unique) in renderer.uniqueValues.enumerated() {
      for text in unique.values {
        add(text, of: Int32(index), isNumber: unique.numbers.contains(text), renderer)
      }
    }
  }

  private mutating func add(_ text: String, of index: Int32, isNumber: Bool, _ renderer: UniqueValueRenderer)
  {
    guard renderer.fieldNames.count < 2 else {
      if classes[.text(text)] == nil { classes[.text(text)] = index }
      for key in Self.combinations(of: text, renderer) where classesOfCombinations[key] == nil {
        classesOfCombinations[key] = index
      }
      return
    }
    for value in Self.values(of: text) where classes[value] == nil { classes[value] = index }
    if isNumber, let number = DecimalText.number(text)?.key, classesOfNumbers[number] == nil {
      classesOfNumbers[number] = index
    }
  }

  /// Returns the index of the first class that contains the value of the renderer's field or expression; nil for none.
  ///
  /// - Parameter readsNumbers: whether a text is also compared with the numbers of classes, as in filters of documents.
  package func index(of value: AttributeValue, readsNumbers: Bool = true) -> Int32? {
    if case .text(let text) = value {
      let own = classes[value]
      guard readsNumbers, !classesOfNumbers.isEmpty, let number = DecimalText.number(text)?.key,
        let other = classesOfNumbers[number]
      else { return own }
      return min(own ?? other, other)
    }
    // Null has the class of the text "null" only if none is for "<Null>".
    if value == .null, let own = classes[.text("<Null>")] { return own }
    return (value.keys + [.text(value.rendererText(null: "<Null>"))]).compactMap { classes[$0] }.min()
  }

  /// Returns the index of the first class that contains the values of the renderer's fields; nil for none.
  package func index(of values: [AttributeValue]) -> Int32? {
    guard values.count != 1 else { return index(of: values[0]) }
    var found = Self.combinations(values.map(\.keys)).compactMap { classesOfCombinations[$0] }
    for null in values.contains(.null) ? ["<Null>", "null"] : [""] {
      let text = values.map { $0.rendererText(null: null) }.joined(separator: delimiter)
      if let index = classes[.text(text)] { found.append(index) }
    }
    return found.min()
  }

  /// Returns the combinations of values of several fields that a text of a class stands for; none if its parts are not
  /// as many as the fields.
  package static func combinations(of text: String, _ renderer: UniqueValueRenderer) -> [[AttributeValue]] {
    let count = renderer.fieldNames.count
    guard count > 1 else { return values(of: text).map { [$0] } }
    guard !renderer.delimiter.isEmpty else { return [] }
    let parts = text.parts(separatedBy: renderer.delimiter)
    return parts.count == count ? combinations(parts.map(values)) : []
  }

  /// Returns the values that a text of a class stands for, at most one of them for each type of field.
  package static func values(of text: String) -> [AttributeValue] {
    var values = [AttributeValue.text(text)]
    if text == "<Null>" || text == "null" {
      values.append(.null)
    } else if let number = DecimalText.number(text) {
      values.append(number.key)
    } else if let date = CalendarDate(iso8601: text) {
      values += [.date(date), .instant(date.start)]
    } else if let instant = Instant(rfc3339: text) {
      values.append(.instant(instant))
      if instant == instant.date.start { values.append(.date(instant.date)) }
    } else if let truth = ["true": true, "false": false][text.lowercased()] {
      values.append(.boolean(truth))
    }
    return values
  }

  private static func combinations(_ choices: [[AttributeValue]]) -> [[AttributeValue]] {
    choices.reduce([[]]) { found, values in found.flatMap { start in values.map { start + [$0] } } }
  }
}

extension AttributeValue {
  /// The number as an integer where it is one, so that 1 and 1.0 are the same; other values as they are.
  fileprivate var key: AttributeValue {
    if case .real(let value) = self {
      Int64(exactly: value).map(AttributeValue.integer) ?? self
    } else {
      self
    }
  }

  /// The values that a class may list for this one.
  fileprivate var keys: [AttributeValue] {
    switch self {
    case .null, .integer, .text, .duration: [self]
    case .real: [key]
    case .boolean(let value): [self, .integer(value ? 1 : 0)]
    case .date(let value): [self, .integer(Int64(value.days) * 86_400_000)]
    case .instant(let value): [self, .integer(value.wholeMilliseconds)]
    }
  }
}

extension String {
  /// Returns the parts between the occurrences of a separator, which are found by code point.
  package func parts(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = utf8[...]
    while let range = rest.firstRange(of: separator.utf8) {
      parts.append(String(Substring(rest[..<range.lowerBound])))
      rest = rest[range.upperBound...]
    }
    return parts + [String(Substring(rest))]
  }
}
