import MapFeatures
import MapGeometry

/// The numbers of a column that have a decimal sign other than the stated one.
///
/// In some of them, such as `1.234`, the sign may also group digits.
struct OtherDecimals: Hashable, Sendable {
  /// The values that are numbers with one of the signs, counted, with the first of them.
  private struct Values: Hashable {
    var count = 0
    var first = ""

    mutating func add(_ text: Span<UInt8>, times: Int) {
      if count == 0 { first = String(decoding: (0..<min(text.count, 40)).map { text[$0] }, as: UTF8.self) }
      count += times
    }
  }

  private let stated: DecimalSign
  /// Numbers with the other sign only.
  private var foreign = Values()
  /// Numbers with either sign, which are others with groups of digits.
  private var grouped = Values()
  /// Whether a value such as `1.234,5` shows that the other sign groups digits.
  private var showsGroups = false

  /// Creates counts without values.
  init(stated: DecimalSign) { self.stated = stated }

  /// Counts the values of a column; nil if one of them is no number with either sign.
  ///
  /// - Parameter codes: the text of each row; negative without one.
  init?(_ texts: TextTable, _ codes: [Int32], stated: DecimalSign) {
    self.stated = stated
    var rows = Array(repeating: 0, count: texts.count)
    for code in codes where code >= 0 { rows[Int(code)] += 1 }
    let bytes = texts.bytes
    for code in 0..<texts.count where rows[code] > 0 {
      let text = bytes.span.extracting(texts.range(of: code))
      let forms = NumberForms(of: text, leadingZeros: false)
      guard !forms.isEmpty else { return nil }
      add(text, forms, times: rows[code])
    }
  }

  /// Counts a number that is written in some forms.
  mutating func add(_ text: Span<UInt8>, _ forms: NumberForms, times: Int = 1) {
    guard text.contains(stated.other.byte) else { return }
    if forms.intersection(NumberForms(stated)).isEmpty {
      foreign.add(text, times: times)
    } else if forms.contains(NumberForm(decimal: stated.other, grouping: .none)) {
      grouped.add(text, times: times)
    } else {
      showsGroups = true
    }
  }

  /// Returns a warning with the number of values; nil without such values, and for digits that certainly are groups.
  ///
  /// - Parameter isText: whether the field was read as text.
  func warning(_ field: String, isText: Bool) -> String? {
    let (name, advice) = (stated.other.name, "--decimal \(stated.rawValue) states a \(stated.name)")
    if isText, foreign.count > 0 {
      return
        "field \(field): read as text, for \(foreign.count.counted("value")) with a decimal \(name) such as "
        + "\"\(foreign.first)\"; \(advice)"
    }
    guard !isText, grouped.count > 0, !showsGroups else { return nil }
    return "field \(field): \(name)s were read as signs between groups of digits in "
      + "\(grouped.count.counted("value")) such as \"\(grouped.first)\"; \(advice)"
  }
}

extension Span<UInt8> {
  fileprivate func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }
}
