import MapFeatures
import MapFilter

extension ColumnBuilder {
  /// Returns the field, its values and warnings about losses.
  ///
  /// A text column whose texts all have another type becomes a column of that type, unless `keepsText`.
  ///
  /// - Parameter reading: the decimal sign of delimited text; nil for sources that write numbers as programs do.
  func finished(name: String, keepsText: Bool = false, reading: NumberReading? = nil) -> FinishedColumn {
    typed(name: name, keepsText: keepsText, reading: reading).completed()
  }

  /// Returns what ``finished(name:keepsText:reading:)`` does; many texts still need ``FinishedColumn/completed()``.
  func typed(name: String, keepsText: Bool = false, reading: NumberReading? = nil) -> FinishedColumn {
    let rows = nullCount == 0 ? nil : RowSet(rowCount: count, words: validity)
    var warnings: [String] = []
    if isMixed { warnings.append("field \(name): values of several types were read as text") }
    warnings += DeclaredColumn.roundedWarnings(field: name, roundedCount)
    if overflowCount > 0 {
      warnings.append("field \(name): \(overflowCount) numbers beyond the greatest double were read as null")
    }
    func finish(_ type: FieldType, _ storage: Column.Storage) -> FinishedColumn {
      FinishedColumn(
        field: Field(name: name, type: type), column: Column(storage, validity: rows), warnings: warnings)
    }
    switch kind {
    case .unknown: return finish(.text, .text(codes: Array(repeating: -1, count: count), dictionary: []))
    case .integer: return finish(.int64, .integers(integers))
    case .real: return finish(.float64, .reals(reals))
    // The map SDK has no boolean field; its tables store one as a short integer.
    case .boolean: return finish(.int16, .booleans(booleans))
    case .moment where holdsTimes:
      warnings += DeclaredColumn.zoneWarnings(field: name, withoutZone)
      warnings += DeclaredColumn.cutWarnings(field: name, cutTimes)
      return finish(.date, .instants(moments))
    case .moment: return finish(.dateOnly, .dates(moments.map { Instant(microseconds: $0).date.days }))
    case .text:
      var (texts, codes) = (texts, codes)
      var typed =
        keepsText || isMixed || holdsOtherTexts
        ? nil : TypedTexts(texts, numbers: isUntyped, points: reading?.readsPoints ?? true)
      var (form, doubt, other): (NumberForm?, String?, OtherDecimals?)
      if typed == nil, let reading {
        other = reading.stated.flatMap { OtherDecimals(texts, codes, stated: $0) }
        switch NumberColumn(texts, reading) {
        case .form(let found):
          let plain = found.plain(texts)
          guard let numbers = TypedTexts(plain.texts, numbers: true) else { break }
          codes = codes.map { $0 < 0 ? -1 : plain.codes[Int($0)] }
          (texts, typed, form) = (plain.texts, numbers, found)
        case .doubtful(let sample): doubt = sample
        case nil: break
        }
      }
      guard let typed else {
        var text = finish(.text, .text(codes: codes, dictionary: texts.isLarge ? [] : texts.strings().texts))
        if texts.isLarge { text.texts = (codes, texts) }
        (text.doubt, text.other) = (doubt, other)
        if reading != nil, !isMixed { text.textCause = texts.causeOfText }
        return text
      }
      warnings += DeclaredColumn.roundedWarnings(field: name, typed.roundedIntegers(texts, codes))
      if case .instants = typed {
        let losses = TypedTexts.lossesOfTimes(texts, codes)
        warnings += DeclaredColumn.zoneWarnings(field: name, losses.withoutZone)
        warnings += DeclaredColumn.cutWarnings(field: name, losses.cut)
      }
      var finished = finish(typed.fieldType, typed.storage(codes))
      (finished.form, finished.other) = (form, other)
      return finished
    }
  }
}

/// A column with its final type.
struct FinishedColumn: Sendable {
  let field: Field
  private(set) var column: Column
  let warnings: [String]
  /// The form of numbers in delimited text that are not written as programs write them.
  var form: NumberForm?
  /// A text of a column that may hold numbers, but was read as text.
  var doubt: String?
  /// Why a column of numbers was read as text; nil for other columns.
  var textCause: String?
  /// The numbers with the decimal sign that the caller does not state; nil if none is stated.
  var other: OtherDecimals?
  /// The codes and texts of a column that still needs its dictionary.
  var texts: (codes: [Int32], texts: TextTable)?

  /// Returns the column with its dictionary, which all cores make, so that columns come one after the other.
  func completed() -> FinishedColumn {
    guard let (codes, texts) = texts else { return self }
    var whole = self
    whole.column = Column(.text(codes: codes, dictionary: texts.strings().texts), validity: column.validity)
    whole.texts = nil
    return whole
  }
}
