import MapFeatures
import MapFilter

extension ColumnBuilder {
  /// Returns the field, its values and warnings about losses.
  ///
  /// A text column whose texts all have another type becomes a column of that type, unless `keepsText`.
  func finished(name: String, keepsText: Bool = false) -> FinishedColumn {
    let rows = nullCount == 0 ? nil : RowSet(rowCount: count, words: validity)
    func rounded(_ count: Int) -> String {
      let what = count == 1 ? "whole number beyond 2^53 was" : "whole numbers beyond 2^53 were"
      return "field \(name): \(count) \(what) rounded to \(count == 1 ? "a decimal" : "decimals")"
    }
    var warnings: [String] = []
    if isMixed { warnings.append("field \(name): values of several types were read as text") }
    if roundedCount > 0 { warnings.append(rounded(roundedCount)) }
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
      guard !keepsText, !isMixed, let typed = TypedTexts(texts, numbers: isUntyped) else {
        return finish(.text, .text(codes: codes, dictionary: texts.strings().texts))
      }
      let count = typed.roundedIntegers(texts, codes)
      if count > 0 { warnings.append(rounded(count)) }
      if case .instants = typed {
        let losses = TypedTexts.lossesOfTimes(texts, codes)
        warnings += DeclaredColumn.zoneWarnings(field: name, losses.withoutZone)
        warnings += DeclaredColumn.cutWarnings(field: name, losses.cut)
      }
      return finish(typed.fieldType, typed.storage(codes))
    }
  }
}

/// A column with its final type.
struct FinishedColumn {
  let field: Field
  let column: Column
  let warnings: [String]
}
