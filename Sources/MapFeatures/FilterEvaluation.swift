import MapFilter

/// A condition over the columns of one table, ready to be asked block by block.
indirect enum BoundStep {
  case constant(Truth)
  case all([BoundStep])
  case any([BoundStep])
  case strictAll([BoundStep])
  case not(BoundStep)
  /// Null rows are unknown; with `isUnknownElsewhere`, so are the rows that fail the test.
  case test(ColumnTest, validity: RowSet?, isUnknownElsewhere: Bool)
  case comparePair(ColumnPair, ComparisonOperator, validity: RowSet?)
  case compareValues(BoundValue, ComparisonOperator, BoundValue)
  case valueIsIn(BoundValue, LiteralSet)
  case isNull(validity: RowSet?)
  case isNullValue(BoundValue)
  case likeOfRows(RowTexts, RowPatterns)

  /// The answer for each row of a block.
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
    case .compareValues(let first, let comparison, .literal(let value)):
      return first.numbers(in: block).compared(comparison, with: value)
    case .compareValues(let first, let comparison, let second):
      return NumberBlock.compare(first.numbers(in: block), comparison, second.numbers(in: block))
    case .valueIsIn(let value, let elements): return value.numbers(in: block).isIn(elements)
    case .isNull(let validity):
      guard let validity else { return TruthWords(.isFalse, count: block.words.count) }
      return TruthWords(
        isTrue: validity.words[block.words].map { ~$0 },
        isUnknown: Array(repeating: 0, count: block.words.count))
    case .isNullValue(let value):
      let isNull = value.numbers(in: block).isNull
      return TruthWords(isTrue: isNull, isUnknown: Array(repeating: 0, count: isNull.count))
    case .likeOfRows(let texts, let patterns):
      let isUnknown = block.bits { texts[$0] == nil || patterns[$0] == nil }
      let isTrue = block.bits { row in
        if let text = texts[row], let pattern = patterns[row] { pattern.matches(text) } else { false }
      }
      return TruthWords(isTrue: isTrue, isUnknown: isUnknown)
    }
  }
}

/// True and unknown as two bitmaps.
///
/// False is neither, and no row is both. Bits past the last row mean nothing.
struct TruthWords {
  var isTrue: [UInt64]
  var isUnknown: [UInt64]

  init(isTrue: [UInt64], isUnknown: [UInt64]) { (self.isTrue, self.isUnknown) = (isTrue, isUnknown) }

  init(_ truth: Truth, count: Int) {
    isTrue = Array(repeating: truth == .isTrue ? .max : 0, count: count)
    isUnknown = Array(repeating: truth == .isUnknown ? .max : 0, count: count)
  }

  /// The answers where rows are valid, unknown where they are null.
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

  /// Unknown where either is, also beside false.
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
