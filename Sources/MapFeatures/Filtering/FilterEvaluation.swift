import MapFilter

/// A condition over the columns of one table, evaluated block by block.
indirect enum BoundStep: Sendable {
  case constant(Truth)
  case all([BoundStep])
  case any([BoundStep])
  case strictAll([BoundStep])
  case not(BoundStep)
  /// Null rows are unknown; with `isUnknownElsewhere`, the rows that fail the test are unknown too.
  case test(ColumnTest, validity: RowSet?, isUnknownElsewhere: Bool)
  case comparePair(ColumnPair, ComparisonOperator, validity: RowSet?)
  /// A condition evaluated once per distinct text of a column: one test for true, one for unknown.
  case perText(isTrue: ColumnTest, isUnknown: ColumnTest)
  case compareValues(BoundValue, ComparisonOperator, BoundValue)
  case valueIsBetween(BoundValue, lower: BoundValue, upper: BoundValue, NullBounds)
  case valueIsIn(BoundValue, LiteralSet?, others: [BoundValue])
  case isNull(validity: RowSet?)
  case isNullValue(BoundValue)
  case likeOfColumns(RowTexts, RowPatterns)
  case valueIsLike(BoundValue, LikePattern)
  case likeOfRows(BoundValue, BoundValue, escape: Unicode.Scalar?)
  /// True for these rows, unknown for invalid rows.
  case rows(RowSet, validity: RowSet?)
  case arrays(ArrayPredicate, BoundArray, BoundArray)

  /// Returns the result for each row of a block.
  func truth(in block: RowBlock) -> TruthWords {
    switch self {
    case .constant(let truth): return TruthWords(truth, count: block.words.count)
    case .all(let steps):
      var result = TruthWords(.isTrue, count: block.words.count)
      for step in steps {
        result.formConjunction(step.truth(in: block))
        if result.isFalseEverywhere { break }
      }
      return result
    case .any(let steps):
      var result = TruthWords(.isFalse, count: block.words.count)
      for step in steps {
        result.formDisjunction(step.truth(in: block))
        if result.isTrueEverywhere { break }
      }
      return result
    case .strictAll(let steps):
      var result = TruthWords(.isTrue, count: block.words.count)
      for step in steps { result.formStrictConjunction(step.truth(in: block)) }
      return result
    case .not(let step):
      var result = step.truth(in: block)
      result.negate()
      return result
    case .test(let test, let validity, let isUnknownElsewhere):
      var result = TruthWords(test.bits(in: block), valid: validity, block)
      if isUnknownElsewhere { result.isUnknown = result.isTrue.map { ~$0 } }
      return result
    case .comparePair(let pair, let comparison, let validity):
      return TruthWords(pair.bits(in: block, comparison), valid: validity, block)
    case .perText(let isTrue, let isUnknown):
      return TruthWords(isTrue: isTrue.bits(in: block), isUnknown: isUnknown.bits(in: block))
    case .compareValues(let first, let comparison, let second):
      return second.compares(first.values(in: block), comparison, block)
    case .valueIsBetween(let operand, let lower, let upper, let bounds):
      let values = operand.values(in: block)
      var result = lower.compares(values, .greaterOrEqual, block)
      let other = upper.compares(values, .lessOrEqual, block)
      if bounds == .areSides { result.formConjunction(other) } else { result.formStrictConjunction(other) }
      return result
    case .valueIsIn(let operand, let elements, let others):
      let values = operand.values(in: block)
      var result = elements.map(values.isIn) ?? TruthWords(.isFalse, count: block.words.count)
      for other in others { result.formDisjunction(other.compares(values, .equal, block)) }
      return result
    case .isNull(let validity):
      guard let validity else { return TruthWords(.isFalse, count: block.words.count) }
      return TruthWords(
        isTrue: validity.words[block.words].map { ~$0 },
        isUnknown: Array(repeating: 0, count: block.words.count))
    case .isNullValue(let value):
      let isNull = value.values(in: block).isNull
      return TruthWords(isTrue: isNull, isUnknown: Array(repeating: 0, count: isNull.count))
    case .valueIsLike(let text, let pattern): return text.values(in: block).matches(pattern)
    case .likeOfRows(let text, let pattern, let escape):
      return text.values(in: block).matches(pattern.values(in: block), escape: escape)
    case .rows(let rows, let validity):
      return TruthWords(Array(rows.words[block.words]), valid: validity, block)
    case .arrays(let predicate, let first, let second): return first.truth(predicate, second, block)
    case .likeOfColumns(let texts, let patterns):
      let isUnknown = block.bits { texts[$0] == nil || patterns[$0] == nil }
      let isTrue = block.bits { row in
        if let text = texts[row], let pattern = patterns[row] { pattern.matches(text) } else { false }
      }
      return TruthWords(isTrue: isTrue, isUnknown: isUnknown)
    }
  }
}

extension BoundValue {
  /// Returns the result of comparing `values` with these values.
  fileprivate func compares(
    _ values: ValueBlock, _ comparison: ComparisonOperator, _ block: RowBlock
  ) -> TruthWords {
    if case .literal(let literal) = self { return values.compared(comparison, with: literal) }
    return ValueBlock.compare(values, comparison, self.values(in: block))
  }
}

/// The truth values of rows as two bitmaps, for true and for unknown.
///
/// A row in neither is false, and no row is in both. Bits past the last row have no meaning.
struct TruthWords: Sendable {
  var isTrue: [UInt64]
  var isUnknown: [UInt64]

  init(isTrue: [UInt64], isUnknown: [UInt64]) { (self.isTrue, self.isUnknown) = (isTrue, isUnknown) }

  /// Creates the results of `rowCount` rows; nil is unknown.
  init(rowCount: Int, _ answer: (Int) -> Bool?) {
    isTrue = Array(repeating: 0, count: (rowCount + 63) / 64)
    isUnknown = isTrue
    for row in 0..<rowCount {
      switch answer(row) {
      case true?: isTrue[row >> 6] |= 1 &<< UInt64(row & 63)
      case nil: isUnknown[row >> 6] |= 1 &<< UInt64(row & 63)
      case false?: break
      }
    }
  }

  init(_ truth: Truth, count: Int) {
    isTrue = Array(repeating: truth == .isTrue ? .max : 0, count: count)
    isUnknown = Array(repeating: truth == .isUnknown ? .max : 0, count: count)
  }

  /// Creates results from bits of valid rows; null rows are unknown.
  init(_ answers: [UInt64], valid validity: RowSet?, _ block: RowBlock) {
    isTrue = answers
    isUnknown = Array(repeating: 0, count: answers.count)
    guard let validity else { return }
    for (word, valid) in validity.words[block.words].enumerated() {
      isTrue[word] &= valid
      isUnknown[word] = ~valid
    }
  }

  var isFalseEverywhere: Bool { isTrue.allSatisfy { $0 == 0 } && isUnknown.allSatisfy { $0 == 0 } }
  var isTrueEverywhere: Bool { isTrue.allSatisfy { $0 == .max } }

  mutating func formConjunction(_ other: TruthWords) {
    for word in isTrue.indices {
      let both = isTrue[word] & other.isTrue[word]
      isUnknown[word] =
        (isTrue[word] | isUnknown[word]) & (other.isTrue[word] | other.isUnknown[word]) & ~both
      isTrue[word] = both
    }
  }

  mutating func formDisjunction(_ other: TruthWords) {
    for word in isTrue.indices {
      isTrue[word] |= other.isTrue[word]
      isUnknown[word] = (isUnknown[word] | other.isUnknown[word]) & ~isTrue[word]
    }
  }

  /// Combines two results; unknown if either is unknown, even if the other is false.
  mutating func formStrictConjunction(_ other: TruthWords) {
    for word in isTrue.indices {
      isTrue[word] &= other.isTrue[word]
      isUnknown[word] |= other.isUnknown[word]
      isTrue[word] &= ~isUnknown[word]
    }
  }

  mutating func negate() {
    for word in isTrue.indices { isTrue[word] = ~(isTrue[word] | isUnknown[word]) }
  }
}
