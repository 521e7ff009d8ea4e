import MapFeatures

/// The decimal sign of a file's numbers, as far as it is known before its columns are read.
struct NumberReading: Sendable {
  /// The sign that the caller states.
  var stated: DecimalSign?
  /// The sign that the coordinates have; it decides about numbers such as `1,234`.
  var shown: DecimalSign?
  /// Whether a decimal comma would have to be quoted, because the comma delimits fields.
  var isDelimitedByCommas = false

  /// Whether a number with a point is one as programs write it.
  var readsPoints: Bool { (stated ?? shown) != .comma }
}

/// The form of the numbers in a column of texts.
enum NumberColumn {
  /// All texts are numbers in this form.
  case form(NumberForm)
  /// All texts may be numbers in several forms, or in one that another meaning is as likely as; with the first of them.
  case doubtful(String)

  /// Finds the form of all texts; nil if one is no number, or if there are none.
  init?(_ texts: TextTable, _ reading: NumberReading) {
    guard texts.count > 0, let first = Self.forms(of: texts) else { return nil }
    var forms = first
    if let stated = reading.stated { forms = forms.intersection(NumberForms(stated)) }
    let found = DecimalSign.allCases.compactMap { forms.form($0) }
    guard let form = found.first(where: { $0.decimal == reading.shown }) ?? found.first else { return nil }
    let sample = Self.sample(texts)
    let isKnown = reading.stated != nil || form.decimal == reading.shown
    // Without points and commas, both decimal signs give the same numbers.
    if found.count == 2, !isKnown, let sample {
      self = .doubtful(sample)
    } else if form.grouping == .none, form.decimal == .comma, !isKnown, reading.isDelimitedByCommas,
      let sample
    {
      // A list such as "1,5" is quoted, too.
      self = .doubtful(sample)
    } else if form.grouping == .space, reading.stated == nil, sample == nil, Self.haveOneLength(texts) {
      // Numbers of telephones, companies and accounts have spaces, too.
      return nil
    } else {
      self = .form(form)
    }
  }

  private static func forms(of texts: TextTable) -> NumberForms? {
    let bytes = texts.bytes
    var forms: NumberForms?
    for code in 0..<texts.count {
      let own = NumberForms(of: bytes.span.extracting(texts.range(of: code)), leadingZeros: false)
      let all = forms.map { $0.intersection(own) } ?? own
      guard !all.isEmpty else { return nil }
      forms = all
    }
    return forms
  }

  /// Returns the first text with a point or a comma.
  private static func sample(_ texts: TextTable) -> String? {
    let code = (0..<texts.count).first {
      texts.bytes[texts.range(of: $0)].contains { $0 == 0x2E || $0 == 0x2C }
    }
    return code.map(texts.text)
  }

  private static func haveOneLength(_ texts: TextTable) -> Bool {
    (0..<texts.count).allSatisfy { texts.range(of: $0).count == texts.range(of: 0).count }
  }
}

extension NumberForm {
  /// Returns texts in this form as programs write numbers, and the code of each text among them.
  func plain(_ texts: TextTable) -> (texts: TextTable, codes: [Int32]) {
    var (plain, codes) = (TextTable(), [Int32]())
    codes.reserveCapacity(texts.count)
    let bytes = texts.bytes
    for code in 0..<texts.count {
      let number = self.plain(bytes.span.extracting(texts.range(of: code)))
      codes.append(plain.code(of: number, 0..<number.count))
    }
    return (plain, codes)
  }
}
