import MapFilter

// Conditions on values; unknown if one side is null or the two cannot be ordered.

extension ValueBlock {
  /// Compares two blocks row by row.
  static func compare(
    _ first: ValueBlock, _ comparison: ComparisonOperator, _ second: ValueBlock
  ) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: first.count)
    let answers: [UInt64]
    switch (first.values, second.values) {
    case (.integers(let a), .integers(let b)): answers = ColumnPair.integers(a, b).bits(in: block, comparison)
    case (.reals(let a), .reals(let b)): answers = ColumnPair.reals(a, b).bits(in: block, comparison)
    case (.integers(let a), .reals(let b)):
      answers = ColumnPair.integersReals(a, b).bits(in: block, comparison)
    case (.reals(let a), .integers(let b)):
      answers = ColumnPair.integersReals(b, a).bits(in: block, comparison.mirrored)
    default:
      return TruthWords(rowCount: first.count) {
        first.value($0).ordering(to: second.value($0)).map(comparison.accepts)
      }
    }
    var result = TruthWords(isTrue: answers, isUnknown: first.isNull)
    for word in answers.indices {
      result.isUnknown[word] |= second.isNull[word]
      result.isTrue[word] &= ~result.isUnknown[word]
    }
    return result
  }

  /// Compares with a literal, by a limit of the rows' own type, as for columns.
  func compared(_ comparison: ComparisonOperator, with literal: AttributeValue) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: count)
    let test: ColumnTest?
    switch values {
    case .integers(let values):
      test = LiteralLimit<Int64>(number: literal)?.test(comparison).over { .integers(values, $0, $1) }
    case .reals(let values):
      test = LiteralLimit<Double>(number: literal)?.test(comparison).over { .reals(values, $0, $1) }
    case .any(let values):
      return TruthWords(rowCount: count) { values[$0].ordering(to: literal).map(comparison.accepts) }
    }
    guard let test else { return TruthWords(.isUnknown, count: block.words.count) }
    let answers = test.bits(in: block)
    return TruthWords(isTrue: zip(answers, isNull).map { $0 & ~$1 }, isUnknown: isNull)
  }

  /// Tests whether each row equals an element.
  func isIn(_ elements: LiteralSet) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: count)
    let answers =
      switch values {
      case .integers(let values): block.bits { elements.integers.sortedContains(values[$0]) }
      case .reals(let values): block.bits { elements.contains(values[$0]) }
      case .any(let values): block.bits { elements.contains(values[$0]) }
      }
    let isTrue = zip(answers, isNull).map { $0 & ~$1 }
    return TruthWords(isTrue: isTrue, isUnknown: elements.hasNull ? isTrue.map { ~$0 } : isNull)
  }

  /// Tests whether each row is text that matches a pattern.
  func matches(_ pattern: LikePattern) -> TruthWords {
    guard case .any(let values) = values else { return TruthWords(.isUnknown, count: isNull.count) }
    return TruthWords(rowCount: count) { row in
      if case .text(let text) = values[row] { pattern.matches(text) } else { nil }
    }
  }

  /// Tests whether each row is text that matches the pattern of the same row; a pattern that ends in its escape is
  /// null.
  func matches(_ patterns: ValueBlock, escape: Unicode.Scalar?) -> TruthWords {
    guard case .any(let texts) = values, case .any(let patterns) = patterns.values else {
      return TruthWords(.isUnknown, count: isNull.count)
    }
    // Neighbouring rows often have the same pattern.
    var last: (text: AttributeValue, pattern: LikePattern?)?
    return TruthWords(rowCount: count) { row in
      guard case .text(let text) = texts[row], case .text(let pattern) = patterns[row] else { return nil }
      if last?.text != patterns[row] { last = (patterns[row], LikePattern(pattern, escape: escape)) }
      return last?.pattern?.matches(text)
    }
  }
}
