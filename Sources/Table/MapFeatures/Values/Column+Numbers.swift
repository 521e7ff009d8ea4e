package import MapFilter

extension Column {
  /// Returns the number in a row, for dates the milliseconds since 1970 as in JSON; nil for null and other types.
  package func number(at row: Int) -> Double? { value(at: row).numberOrMilliseconds }

  /// Whether a text of the column writes a number.
  package var writesNumbers: Bool {
    guard case .text(_, let dictionary) = storage else { return false }
    return dictionary.contains { AttributeValue.text($0).readingNumber != .null }
  }

  /// The column with the numbers that its texts write, as CAST reads them, and null for other texts; a column of
  /// another type as it is.
  package var readingNumbers: Column {
    guard case .text(let codes, let dictionary) = storage else { return self }
    let numbers = dictionary.map { AttributeValue.text($0).readingNumber }
    return Column(of: codes.map { $0 < 0 ? .null : numbers[Int($0)] }, attributeType: .real)
  }
}

extension AttributeValue {
  /// The number that a text writes, as CAST reads it, and null for another text; other values as they are.
  package var readingNumber: AttributeValue {
    if case .text = self { CastType.real.value(of: self) } else { self }
  }
}
