import MapFeatures

extension CSVParser {
  /// Returns warnings about numbers that are not written as programs write them.
  ///
  /// If the caller states the decimal sign, only values with the other sign are reported.
  func numberWarnings(_ finished: [FinishedColumn]) throws -> [String] {
    if numbers.stated != nil { return otherWarnings(finished) }
    var warnings: [String] = []
    var kinds: [(words: String, decimal: DecimalSign, names: [String])] = []
    var noted: Set<String> = []
    func note(_ form: NumberForm?, _ name: String, isInteger: Bool = false) {
      guard let form, form != .asPrograms, noted.insert(name).inserted else { return }
      let words = isInteger ? form.wordsForIntegers : form.words.replacing("a number", with: "numbers")
      if let index = kinds.firstIndex(where: { $0.words == words && $0.decimal == form.decimal }) {
        kinds[index].names.append(name)
      } else {
        kinds.append((words, form.decimal, [name]))
      }
    }
    // Coordinates are always read, so they are named even if their fields are not selected.
    if let read = places.forms, let (x, y) = places.coordinateColumns {
      note(read.form(.longitude), names[x])
      note(read.form(.latitude), names[y])
    }
    for column in finished {
      note(column.form, column.field.name, isInteger: column.field.type == .int64)
    }
    let isOfOneSign = Set(kinds.map(\.decimal)).count == 1
    for (words, decimal, names) in kinds {
      let advice = isOfOneSign ? "; --decimal \(decimal.rawValue) confirms it" : ""
      warnings.append("\(Self.fields(names)): \(words) were read\(advice)")
    }
    for column in finished {
      guard let sample = column.doubt else { continue }
      warnings.append(
        "field \(column.field.name): values such as \"\(sample.prefix(40))\" may be numbers, but were read as text: "
          + "state the decimal sign with --decimal . or --decimal ,")
    }
    if kinds.contains(where: { $0.decimal == .comma }), numbers.shown == nil {
      let names = try Set(finished.filter { $0.form == nil && $0.field.type == .float64 }.map(\.field.name))
        .filter(holdsGroups)
      if !names.isEmpty {
        let sorted = finished.map(\.field.name).filter(names.contains)
        warnings.append(
          "\(Self.fields(sorted)): read with a decimal point, although other fields have decimal commas; if the points "
            + "group digits, write --decimal ,")
      }
    }
    return warnings
  }

  /// Returns a warning for each field that has values with the sign that the caller does not state.
  private func otherWarnings(_ finished: [FinishedColumn]) -> [String] {
    var warnings: [String] = []
    var coordinates: [String] = []
    if let read = places.forms, let (x, y) = places.coordinateColumns {
      coordinates = [names[x], names[y]]
      for (name, axis) in zip(coordinates, [DegreesText.Axis.longitude, .latitude]) {
        if let warning = read.other(axis)?.warning(name, isText: false) { warnings.append(warning) }
      }
    }
    for column in finished where !coordinates.contains(column.field.name) {
      let isText = column.form == nil
      if let warning = column.other?.warning(column.field.name, isText: isText) { warnings.append(warning) }
    }
    return warnings
  }

  private static func fields(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    return "\(names.count == 1 ? "field" : "fields") \(shown)\(rest)"
  }

  /// Whether all numbers of a field may have points between groups of three digits.
  private func holdsGroups(_ name: String) throws -> Bool {
    guard let index = names.firstIndex(of: name) else { return false }
    var records = records
    records.move(to: start)
    let form = NumberForm(decimal: .comma, grouping: .otherSign)
    while (try? records.next()) == true {
      guard index < records.fields.count else { continue }
      let text = records.text(of: records.fields[index])
      if !text.isEmpty, !NumberForms(of: text.span, leadingZeros: false).contains(form) { return false }
    }
    return true
  }
}
