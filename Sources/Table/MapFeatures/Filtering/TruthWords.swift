/// A truth value of three-valued logic.
enum Truth: Sendable {
  case isTrue, isFalse, isUnknown

  init(_ value: Bool?) { self = value.map { $0 ? .isTrue : .isFalse } ?? .isUnknown }
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
