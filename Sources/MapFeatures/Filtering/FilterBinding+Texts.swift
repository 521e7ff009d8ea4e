import MapFilter

// A condition on one text column is evaluated on a table with one row per distinct text and one for null.

extension FilterBinding {
  func perText(_ column: Int, _ step: FilterStep) -> BoundStep {
    guard case .text(let codes, let dictionary) = columns[column].storage else { return bind(step) }
    let bound = ofTexts(column, dictionary).bind(step)
    var (isTrue, isUnknown) = ([Bool](), [Bool]())
    for block in RowBlock.all(dictionary.count + 1) {
      let truth = bound.truth(in: block)
      for row in 0..<block.rowCount {
        isTrue.append(truth.isTrue[row >> 6] & (1 &<< UInt64(row & 63)) != 0)
        isUnknown.append(truth.isUnknown[row >> 6] & (1 &<< UInt64(row & 63)) != 0)
      }
    }
    // Usually null is unknown and nothing else is: then one pass over the codes is enough.
    if isUnknown.last == true, isUnknown.dropLast().allSatisfy({ !$0 }) {
      return .test(
        .codes(codes, answers: isTrue), validity: columns[column].validity, isUnknownElsewhere: false)
    }
    return .perText(
      isTrue: .codesAndNull(codes, answers: isTrue), isUnknown: .codesAndNull(codes, answers: isUnknown))
  }

  func perText(_ column: Int, _ step: ValueStep) -> BoundValue {
    guard case .text(let codes, let dictionary) = columns[column].storage else { return bind(step) }
    let bound = ofTexts(column, dictionary).bind(step)
    var values: [AttributeValue] = []
    values.reserveCapacity(dictionary.count + 1)
    for block in RowBlock.all(dictionary.count + 1) {
      let part = bound.values(in: block)
      for row in 0..<block.rowCount { values.append(part.value(row)) }
    }
    return .lookup(codes: codes, ValueBlock(settling: values))
  }

  /// Returns a binding whose column holds each distinct text once, then a null; the step reads no other column.
  private func ofTexts(_ column: Int, _ dictionary: [String]) -> FilterBinding {
    var columns = columns
    let count = dictionary.count
    let codes = (0...count).map { $0 < count ? Int32(clamping: $0) : -1 }
    columns[column] = Column(
      .text(codes: codes, dictionary: dictionary), validity: RowSet(rowCount: count + 1, rows: 0..<count))
    return FilterBinding(columns: columns)
  }
}

extension RowBlock {
  /// Returns the blocks of a table with `rowCount` rows.
  static func all(_ rowCount: Int) -> some Sequence<RowBlock> {
    stride(from: 0, to: rowCount, by: rowLimit).lazy.map {
      RowBlock(firstRow: $0, rowCount: min(rowLimit, rowCount - $0))
    }
  }
}
