import MapFilter
import MapGeometry

/// Joins the steps of a filter with the columns of one table: indices become arrays, literals become typed limits.
///
/// Each distinct text of a column is compared here, once; evaluation then uses only codes.
struct FilterBinding {
  let columns: [Column]
  var geometry: CoordinateBuffer?
  var answers: [SpatialQuestion: RowSet] = [:]

  func bind(_ step: FilterStep) -> BoundStep {
    switch step {
    case .constant(let truth): .constant(truth)
    case .all(let steps): .all(steps.map(bind))
    case .any(let steps): .any(steps.map(bind))
    case .strictAll(let steps): .strictAll(steps.map(bind))
    case .not(let step): .not(bind(step))
    case .compareWithLiteral(let column, let comparison, let value):
      test(columns[column], literalTest(columns[column].storage, comparison, value))
    case .compareColumns(let first, let comparison, let second):
      pair(columns[first], comparison, columns[second])
    case .compareValues(let first, let comparison, let second):
      .compareValues(bind(first), comparison, bind(second))
    case .columnIsIn(let column, let elements):
      test(
        columns[column], membershipTest(columns[column].storage, elements),
        isUnknownElsewhere: elements.hasNull)
    case .valueIsBetween(let value, let lower, let upper, let bounds):
      .valueIsBetween(bind(value), lower: bind(lower), upper: bind(upper), bounds)
    case .valueIsIn(let value, let elements, let others):
      .valueIsIn(bind(value), elements, others: others.map(bind))
    case .isNull(.column(let column)): .isNull(validity: columns[column].validity)
    case .isNull(let value): .isNullValue(bind(value))
    case .like(let column, let pattern):
      test(columns[column], textTest(columns[column].storage) { pattern.matches($0) })
    case .valueIsLike(let text, let pattern): .valueIsLike(bind(text), pattern)
    case .likeOfRows(.column(let text), .column(let pattern), let escape):
      .likeOfColumns(RowTexts(columns[text]), RowPatterns(columns[pattern], escape: escape))
    case .likeOfRows(let text, let pattern, let escape):
      .likeOfRows(bind(text), bind(pattern), escape: escape)
    case .perText(let column, let step): perText(column, step)
    case .spatial(let question): spatial(question)
    case .geometryIsNull: .isNull(validity: rowsWithGeometry)
    case .arrays(let predicate, let first, let second): .arrays(predicate, bind(first), bind(second))
    }
  }

  private func spatial(_ question: SpatialQuestion) -> BoundStep {
    guard let rows = answers[question] else { return .constant(.isUnknown) }
    return .rows(rows, validity: question.isAboutRows ? rowsWithGeometry : nil)
  }

  private var rowsWithGeometry: RowSet? {
    geometry.map { geometry in
      RowSet(
        rowCount: geometry.rowCount, rows: (0..<geometry.rowCount).lazy.filter { !geometry.isEmpty(row: $0) })
    }
  }

  private func bind(_ array: ArrayStep) -> BoundArray {
    switch array {
    case .value(let value): .value(bind(value))
    case .array(let elements): .array(elements.map(bind))
    }
  }

  func bind(_ value: ValueStep) -> BoundValue {
    switch value {
    case .literal(let value): .literal(value)
    case .column(let column): .column(columns[column])
    case .arithmetic(let operation, let first, let second): .arithmetic(operation, bind(first), bind(second))
    case .negative(let value): .negative(bind(value))
    case .call(let function, let arguments): .call(function, arguments.map(bind))
    case .choice(let branches, let otherwise):
      .choice(branches.map { (when: bind($0.when), then: bind($0.then)) }, otherwise: bind(otherwise))
    case .match(let operand, let branches, let otherwise):
      .match(
        bind(operand), branches.map { (when: bind($0.when), then: bind($0.then)) },
        otherwise: bind(otherwise))
    case .perText(let column, let step): perText(column, step)
    }
  }

  /// Creates a test with the column's nulls; unknown for every row if `test` is nil, because the types do not compare.
  private func test(_ column: Column, _ test: ColumnTest?, isUnknownElsewhere: Bool = false) -> BoundStep {
    guard let test else { return .constant(.isUnknown) }
    return .test(test, validity: column.validity, isUnknownElsewhere: isUnknownElsewhere)
  }

  private func literalTest(
    _ storage: Column.Storage, _ comparison: ComparisonOperator, _ value: AttributeValue
  ) -> ColumnTest? {
    switch storage {
    case .integers(let values):
      return LiteralLimit<Int64>(number: value).map { $0.test(comparison).over { .integers(values, $0, $1) } }
    case .reals(let values):
      return LiteralLimit<Double>(number: value).map { $0.test(comparison).over { .reals(values, $0, $1) } }
    case .dates(let values):
      return LiteralLimit<Int32>(moment: value).map { $0.test(comparison).over { .days(values, $0, $1) } }
    case .instants(let values):
      return LiteralLimit<Int64>(moment: value).map { $0.test(comparison).over { .integers(values, $0, $1) } }
    case .booleans(let values):
      guard let whenTrue = AttributeValue.boolean(true).ordering(to: value).map(comparison.accepts),
        let whenFalse = AttributeValue.boolean(false).ordering(to: value).map(comparison.accepts)
      else { return nil }
      return .booleans(values, whenTrue: whenTrue, whenFalse: whenFalse)
    case .text:
      guard case .text(let literal) = value else { return nil }
      return textTest(storage) { comparison.accepts(ValueOrdering(text: $0, literal)) }
    }
  }

  private func membershipTest(_ storage: Column.Storage, _ elements: LiteralSet) -> ColumnTest? {
    switch storage {
    case .integers(let values): .integersAreIn(values, elements.integers)
    case .reals(let values): .realsAreIn(values, elements)
    case .dates(let values): .daysAreIn(values, elements.days)
    case .instants(let values): .integersAreIn(values, elements.instants)
    case .booleans(let values):
      .booleans(values, whenTrue: elements.hasTrue, whenFalse: elements.hasFalse)
    case .text: textTest(storage) { elements.texts.contains(.text($0)) }
    }
  }

  private func textTest(_ storage: Column.Storage, _ test: (String) -> Bool) -> ColumnTest? {
    guard case .text(let codes, let dictionary) = storage else { return nil }
    return .codes(codes, answers: dictionary.map(test))
  }

  private func pair(_ first: Column, _ comparison: ComparisonOperator, _ second: Column) -> BoundStep {
    let pair: ColumnPair
    switch (first.storage, second.storage) {
    case (.integers(let a), .integers(let b)), (.instants(let a), .instants(let b)): pair = .integers(a, b)
    case (.reals(let a), .reals(let b)): pair = .reals(a, b)
    case (.integers(let a), .reals(let b)): pair = .integersReals(a, b)
    case (.booleans(let a), .booleans(let b)): pair = .booleans(a, b)
    case (.dates(let a), .dates(let b)): pair = .days(a, b)
    case (.dates(let a), .instants(let b)): pair = .daysInstants(a, b)
    case (.text(let a, let aTexts), .text(let b, let bTexts)): pair = .texts(a, aTexts, b, bTexts)
    case (.reals, .integers), (.instants, .dates): return self.pair(second, comparison.mirrored, first)
    default: return .constant(.isUnknown)
    }
    let validity =
      if let a = first.validity, let b = second.validity { a.intersection(b) } else {
        first.validity ?? second.validity
      }
    return .comparePair(pair, comparison, validity: validity)
  }
}

extension LiteralTest {
  /// Returns the test over a column; `compare` makes the comparison, if one is still needed.
  func over(_ compare: (ComparisonOperator, Value) -> ColumnTest) -> ColumnTest {
    switch self {
    case .always(let answer): .always(answer)
    case .compare(let comparison, let value): compare(comparison, value)
    }
  }
}

/// The text of each row.
struct RowTexts {
  private let codes: [Int32]
  private let dictionary: [String]

  /// Creates the texts of a text column; for other columns all rows are null.
  init(_ column: Column) {
    if case .text(let codes, let dictionary) = column.storage {
      (self.codes, self.dictionary) = (codes, dictionary)
    } else {
      (codes, dictionary) = (Array(repeating: -1, count: column.count), [])
    }
  }

  /// Returns the index of the row's text among the distinct ones; nil for null.
  func place(_ row: Int) -> Int? { codes[row] < 0 ? nil : Int(codes[row]) }

  subscript(row: Int) -> String? { place(row).map { dictionary[$0] } }

  func map<Result>(_ transform: (String) -> Result) -> [Result] { dictionary.map(transform) }
}

/// The pattern of each row, each distinct one parsed once; a pattern that ends in its escape character is null.
struct RowPatterns {
  private let texts: RowTexts
  private let patterns: [LikePattern?]

  init(_ column: Column, escape: Unicode.Scalar?) {
    texts = RowTexts(column)
    patterns = texts.map { LikePattern($0, escape: escape) }
  }

  subscript(row: Int) -> LikePattern? { texts.place(row).flatMap { patterns[$0] } }
}
