public import MapFilter
import MapGeometry

/// A filter made ready for tables of one schema: names found, types checked, constants worked out.
///
/// - Cost: making it is linear in the filter. What hangs on one column of text is worked out once for each distinct
///   text; all else row by row, comparisons and arithmetic in typed loops of 64 rows a word, functions value by value.
public struct CompiledFilter: Sendable {
  private let step: FilterStep
  private let columnCount: Int
  /// What the filter asks of geometries, for the table to answer; a question may occur twice.
  public let spatialQuestions: [SpatialQuestion]
  /// Rows that one core takes at once: some 50 µs of a plain comparison.
  private static let pieceSize = 16 * RowBlock.rowLimit

  /// A filter for tables whose columns have these types, in the order of the schema's fields.
  ///
  /// `now` is the moment that the functions of the current time stand for, `places` where the parts of the filter stand
  /// in its text.
  ///
  /// - Throws: ``FilterError`` for names that no field has and types that do not fit.
  public init(
    _ expression: Expression, schema: FeatureSchema, types: [AttributeType?], now: Instant? = nil,
    places: FilterPlaces? = nil, names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    precondition(schema.fields.count == types.count, "as many types as fields")
    let fields = schema.filterFields(types: types, names: names)
    try expression.check(against: fields, places: places)
    step = try FilterCompiler(fields: fields, now: now).filter(expression)
    columnCount = types.count
    spatialQuestions = step.spatialQuestions
  }

  /// A filter for tables of a schema, whose columns have the types that the fields declare.
  ///
  /// - Throws: ``FilterError`` for names that no field has and types that do not fit.
  public init(
    _ expression: Expression, schema: FeatureSchema, now: Instant? = nil, places: FilterPlaces? = nil,
    names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    try self.init(
      expression, schema: schema, types: schema.fields.map(\.fieldType.attributeType), now: now,
      places: places,
      names: names)
  }

  /// A filter for one table, by the types that its columns have.
  ///
  /// - Throws: ``FilterError`` for names that no field has and types that do not fit.
  public init(
    _ expression: Expression, for table: FeatureColumns, now: Instant? = nil, places: FilterPlaces? = nil,
    names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    try self.init(
      expression, schema: table.schema, types: table.columns.map(\.type), now: now, places: places,
      names: names)
  }

  /// The rows for which the filter is true.
  ///
  /// With `candidates`, only those rows are asked for, and stretches of the table without any are skipped.
  /// `answers` are the rows for each of ``spatialQuestions``; one that is missing is unknown.
  public func rows(
    in table: FeatureColumns, among candidates: RowSet? = nil, answers: [SpatialQuestion: RowSet] = [:]
  ) -> RowSet {
    var rows = truth(in: table, among: candidates, answers: answers).isTrue
    if let candidates { rows.formIntersection(candidates) }
    return rows
  }

  /// The rows for which the filter is true, and those for which it is unknown because a value is null.
  ///
  /// Outside `candidates` the answer may be false in either.
  public func truth(
    in table: FeatureColumns, among candidates: RowSet? = nil, answers: [SpatialQuestion: RowSet] = [:]
  ) -> (isTrue: RowSet, isUnknown: RowSet) {
    precondition(table.columns.count == columnCount, "a table of another schema than the filter's")
    precondition(candidates == nil || candidates?.rowCount == table.rowCount, "candidates of another table")
    let bound = FilterBinding(columns: table.columns, geometry: table.geometry, answers: answers).bind(step)
    let pieces = (0..<table.rowCount).pieces(of: Self.pieceSize)
    let parts = concurrentMap(pieces.count) { bound.truth(of: pieces[$0], among: candidates) }
    var (isTrue, isUnknown) = ([UInt64](), [UInt64]())
    for part in parts {
      isTrue += part.isTrue
      isUnknown += part.isUnknown
    }
    return (
      RowSet(rowCount: table.rowCount, words: isTrue), RowSet(rowCount: table.rowCount, words: isUnknown)
    )
  }
}

extension BoundStep {
  /// The answer for each row of a range that starts with a word; false where a block has no candidate.
  fileprivate func truth(of rows: Range<Int>, among candidates: RowSet?) -> TruthWords {
    var result = TruthWords(isTrue: [], isUnknown: [])
    for range in rows.pieces(of: RowBlock.rowLimit) {
      let block = RowBlock(firstRow: range.lowerBound, rowCount: range.count)
      let asked = candidates?.words[block.words]
      let isAsked = asked == nil || asked?.contains { $0 != 0 } == true
      let truth = isAsked ? truth(in: block) : TruthWords(.isFalse, count: block.words.count)
      result.isTrue += truth.isTrue
      result.isUnknown += truth.isUnknown
    }
    return result
  }
}

extension FeatureSchema {
  /// What filters may name, with types in the order of the fields; the geometry comes behind them, where it has a name.
  package func filterFields(types: [AttributeType?], names: FilterNames) -> FilterFields {
    var known = zip(fields, types).map { (name: $0.name, type: $1) }
    if names.includeGeometry, geometryKind != nil { known.append((geometryName, .geometry)) }
    return FilterFields(known, namesHaveCase: names.haveCase)
  }
}

extension FeatureColumns {
  /// What filters may name, with the types that the columns have.
  public func filterFields(names: FilterNames) -> FilterFields {
    schema.filterFields(types: columns.map(\.type), names: names)
  }
}

extension FieldType {
  /// The type that filters see; nil where they cannot use the field.
  public var attributeType: AttributeType? {
    switch self {
    case .int16, .int32, .int64, .oid: .integer
    case .float32, .float64: .real
    case .text, .globalID, .guid, .timeOnly, .xml: .text
    case .date, .timestampOffset: .instant
    case .dateOnly: .date
    case .blob, .geometry, .raster: nil
    }
  }
}
