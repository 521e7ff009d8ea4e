import MapGeometry
import MapJSON

/// The forms of the numbers in two columns of coordinates that people wrote.
struct CSVCoordinateForms: Sendable {
  private let x: NumberForm
  private let y: NumberForm
  /// The decimal sign of the coordinates; nil if none has any sign.
  let decimal: DecimalSign?
  /// The coordinates with the sign that the caller does not state.
  private let xOther: OtherDecimals?
  private let yOther: OtherDecimals?

  /// Reads two columns, and finds their forms; nil if all coordinates are numbers as programs write them.
  ///
  /// Every value that is a number takes part. A value in another form than those before is found later, when all are read.
  ///
  /// - Parameters:
  ///   - areDegrees: whether a number cannot have groups of three digits, since it is at most 180.
  ///   - stated: the decimal sign that the caller states.
  /// - Throws: The first value that may be two numbers.
  init?(
    columns: (x: Int, y: Int), areDegrees: Bool, stated: DecimalSign?, _ records: CSVRecords
  ) throws(ReadFault) {
    var records = records
    var (xForms, yForms) = (AxisForms(stated), AxisForms(stated))
    while (try? records.next()) == true {
      guard max(columns.x, columns.y) < records.fields.count else { continue }
      xForms.add(records.fields[columns.x], records, .longitude)
      yForms.add(records.fields[columns.y], records, .latitude)
    }
    guard stated != nil || xForms.isUnusual || yForms.isUnusual else { return nil }
    let xForm = xForms.form(areDegrees, stated)
    let yForm = yForms.form(areDegrees, stated)
    // One axis decides about the other, such as 5.334.765 about 691.608.
    let known =
      stated ?? (xForms.sample == nil ? nil : xForm?.decimal) ?? (yForms.sample == nil ? nil : yForm?.decimal)
    x = if let xForm { xForm } else { try xForms.form(known) }
    y = if let yForm { yForm } else { try yForms.form(known) }
    let signs = [xForms.sample == nil ? nil : x.decimal, yForms.sample == nil ? nil : y.decimal]
    let found = Set(signs.compactMap { $0 })
    decimal = found.count == 1 ? found.first : nil
    // Degrees with the other sign are refused.
    (xOther, yOther) = areDegrees ? (nil, nil) : (xForms.other, yForms.other)
  }

  /// The form of the numbers of an axis.
  func form(_ axis: DegreesText.Axis) -> NumberForm { axis == .longitude ? x : y }

  /// The coordinates of an axis with the sign that the caller does not state; nil if none is stated.
  func other(_ axis: DegreesText.Axis) -> OtherDecimals? { axis == .longitude ? xOther : yOther }

  /// Returns the number in a text; nil if it is none in the form of its axis.
  func number(_ bytes: [UInt8], _ range: Range<Int>, _ axis: DegreesText.Axis) throws(ReadFault) -> Double? {
    let (text, form) = (bytes.span.extracting(range), form(axis))
    guard NumberForms(of: text, leadingZeros: true).contains(form) else { return nil }
    let plain = form.plain(text)
    guard let literal = DecimalLiteral(loose: plain, at: 0), literal.end == plain.count else { return nil }
    let value = literal.double(in: plain)
    guard value.isFinite else { throw ReadFault(.geometry(.notFinite), at: range.lowerBound) }
    return value
  }

  /// Whether the first values of two columns are numbers.
  static func startsWithNumbers(x: Int, y: Int, _ records: CSVRecords) -> Bool {
    var records = records
    while (try? records.next()) == true {
      guard max(x, y) < records.fields.count else { return false }
      let values = [x, y].map { records.text(of: records.fields[$0]) }
      if values.contains(where: \.isEmpty) { continue }
      return values.allSatisfy { !NumberForms(of: $0.span, leadingZeros: true).isEmpty }
    }
    return false
  }

  /// Whether all values of two columns with German names can be degrees: angles, or numbers of at most 180 and 90.
  static func areDegrees(x: Int, y: Int, _ records: CSVRecords) -> Bool {
    var records = records
    var hasValues = false
    while (try? records.next()) == true {
      guard max(x, y) < records.fields.count else { return false }
      for (index, axis) in [(x, DegreesText.Axis.longitude), (y, .latitude)] {
        let text = records.text(of: records.fields[index])
        if text.allSatisfy({ $0 <= 0x20 }) { continue }
        hasValues = true
        let forms = NumberForms(of: text.span, leadingZeros: true)
        let numbers = DecimalSign.allCases.compactMap { sign -> Double? in
          let form = NumberForm(decimal: sign, grouping: .none)
          return forms.contains(form) ? Double(String(decoding: form.plain(text.span), as: UTF8.self)) : nil
        }
        let isNumber = numbers.contains { abs($0) <= (axis == .longitude ? 180 : 90) }
        guard isNumber || (try? DegreesText(text.span, axis, isGerman: true)) != nil else { return false }
      }
    }
    return hasValues
  }
}

/// The forms in which all coordinates of an axis are numbers.
private struct AxisForms {
  private var forms: NumberForms?
  /// Whether a value is not written as programs write numbers.
  private(set) var isUnusual = false
  /// The first number with a point or a comma, and its offset.
  private(set) var sample: (text: String, offset: Int)?
  /// The numbers with the sign that the caller does not state; nil if none is stated.
  private(set) var other: OtherDecimals?

  init(_ stated: DecimalSign?) { other = stated.map { OtherDecimals(stated: $0) } }

  mutating func add(_ field: CSVRecords.FieldPlace, _ records: CSVRecords, _ axis: DegreesText.Axis) {
    let bytes = records.text(of: field)
    var range = bytes.indices
    while let first = range.first, bytes[first] <= 0x20 { range = range.dropFirst() }
    while let last = range.last, bytes[last] <= 0x20 { range = range.dropLast() }
    guard !range.isEmpty else { return }
    let own = NumberForms(of: bytes.span.extracting(range), leadingZeros: true)
    guard !own.isEmpty else {
      do throws(DegreesText.Fault) {
        if try DegreesText(bytes.span.extracting(range), axis) != nil { isUnusual = true }
      } catch { isUnusual = true }
      return
    }
    other?.add(bytes.span.extracting(range), own)
    if !own.contains(.asPrograms) { isUnusual = true }
    if sample == nil, bytes[range].contains(where: { $0 == 0x2E || $0 == 0x2C }) {
      sample = (String(decoding: bytes[range].prefix(40), as: UTF8.self), field.range.lowerBound)
    }
    let all = forms.map { $0.intersection(own) } ?? own
    if !all.isEmpty { forms = all }
  }

  /// Returns the form; nil if the decimal sign is uncertain.
  func form(_ areDegrees: Bool, _ stated: DecimalSign?) -> NumberForm? {
    guard var forms else { return NumberForm(decimal: stated ?? .point, grouping: .none) }
    if let stated {
      forms = forms.intersection(NumberForms(stated))
      let plain = NumberForm(decimal: stated, grouping: .none)
      return areDegrees ? plain : forms.form(stated) ?? plain
    }
    let found = DecimalSign.allCases.compactMap { forms.form($0) }
    guard found.count > 1, sample != nil else { return found.first }
    return areDegrees ? found.first { $0.grouping == .none } : nil
  }

  /// Returns the form with a decimal sign; a number that programs would read has a decimal point without one.
  func form(_ decimal: DecimalSign?) throws(ReadFault) -> NumberForm {
    if let decimal, let form = forms?.form(decimal) { return form }
    if forms?.contains(.asPrograms) ?? true { return .asPrograms }
    let (text, offset) = sample ?? ("", 0)
    throw ReadFault(
      "\"\(text)\" may have a decimal comma or groups of digits: state the decimal sign with --decimal . or --decimal ,",
      at: offset)
  }
}

extension NumberForm {
  /// The form that programs write and read.
  static let asPrograms = NumberForm(decimal: .point, grouping: .none)

  /// The form in words, such as "a number with a decimal comma".
  var words: String {
    switch (decimal, grouping) {
    case (.point, .none): "a number"
    case (.comma, .none): "a number with a decimal comma"
    case (let decimal, let grouping):
      "a number with a decimal \(decimal.name) and \(grouping.name(besides: decimal)) between groups of digits"
    }
  }
}

extension NumberForm {
  /// The form of whole numbers in words, such as "numbers with spaces between groups of digits".
  var wordsForIntegers: String { "numbers with \(grouping.name(besides: decimal)) between groups of digits" }
}

extension NumberForm.Grouping {
  /// The name of the sign in the plural.
  func name(besides decimal: DecimalSign) -> String {
    switch self {
    case .none: "nothing"
    case .otherSign: "\(decimal.other.name)s"
    case .space: "spaces"
    case .apostrophe: "apostrophes"
    }
  }
}
