import MapFilter
import MapGeometry

/// Joins the steps of a filter with the columns of one table: indices become arrays, literals become typed limits.
///
/// Each distinct text of a column is compared here, once; evaluation then uses only codes.
struct FilterBinding {
  let columns: [Column]
  var geometries: [CoordinateBuffer] = []
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
    guard let first = geometries.first else { return nil }
    return RowSet(
      rowCount: first.rowCount,
      rows: (0..<first.rowCount).lazy.filter { row in geometries.contains { !$0.isEmpty(row: row) } })
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
    case .shortIntegers(let values):
      return LiteralLimit<Int32>(number: value).map {
        $0.test(comparison).over { .shortIntegers(values, $0, $1) }
      }
    case .reals(let values):
      return LiteralLimit<Double>(number: value).map { $0.test(comparison).over { .reals(values, $0, $1) } }
    case .dates(let values):
      return LiteralLimit<Int32>(moment: value).map {
        $0.test(comparison).over { .shortIntegers(values, $0, $1) }
      }
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
    case .shortIntegers(let values):
      .shortIntegersAreIn(values, elements.integers.compactMap { Int32(exactly: $0) })
    case .reals(let values): .realsAreIn(values, elements)
    case .dates(let values): .shortIntegersAreIn(values, elements.days)
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
    case (.dates(let a), .dates(let b)), (.shortIntegers(let a), .shortIntegers(let b)):
      pair = .shortIntegers(a, b)
    case (.dates(let a), .instants(let b)): pair = .daysInstants(a, b)
    case (.text(let a, let aTexts), .text(let b, let bTexts)): pair = .texts(a, aTexts, b, bTexts)
    case (.reals, .integers), (.instants, .dates): return self.pair(second, comparison.mirrored, first)
    case (.shortIntegers, .integers), (.shortIntegers, .reals):
      return self.pair(first.withLongIntegers, comparison, second)
    case (.integers, .shortIntegers), (.reals, .shortIntegers):
      return self.pair(first, comparison, second.withLongIntegers)
    default: return .constant(.isUnknown)
    }
    let validity =
      if let a = first.validity, let b = second.validity { a.intersection(b) } else {
        first.validity ?? second.validity
      }
    return .comparePair(pair, comparison, validity: validity)
  }

  // MARK: Conditions on one text column, evaluated on a table with one row per distinct text and one for null

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

extension Column {
  /// The column with its integers in 64 bits.
  fileprivate var withLongIntegers: Column { Column(.integers(integers ?? []), validity: validity) }
}

extension RowBlock {
  /// Returns the blocks of a table with `rowCount` rows.
  static func all(_ rowCount: Int) -> some Sequence<RowBlock> {
    stride(from: 0, to: rowCount, by: rowLimit).lazy.map {
      RowBlock(firstRow: $0, rowCount: min(rowLimit, rowCount - $0))
    }
  }
}
