package import MapFilter
import MapGeometry
import MapSystem

/// A filter compiled for tables of one schema: names resolved, types checked, constants evaluated.
///
/// - Cost: compiling is linear in the filter. A condition on one text column is evaluated once per distinct text, all
///   others row by row. Comparisons and arithmetic run in typed loops of 64 rows per word, functions value by value.
package struct CompiledFilter: Sendable {
  private let step: FilterStep
  private let columnCount: Int
  /// The filter's spatial conditions, which the table must evaluate; a condition may occur twice.
  package let spatialQuestions: [SpatialQuestion]
  /// The number of rows that one core evaluates at a time: some 50 µs of a plain comparison.
  private static let pieceSize = 16 * RowBlock.rowLimit

  /// Compiles a filter for tables whose columns have the given types.
  ///
  /// - Parameters:
  ///   - expression: The filter.
  ///   - schema: The schema of the tables.
  ///   - types: The type of each column, in the order of the schema's fields.
  ///   - now: The instant that the functions of the current time return.
  ///   - places: The positions of the filter's parts in its text, for errors.
  ///   - names: The rules for the names of fields.
  /// - Throws: ``FilterError`` for an unknown field or incompatible types.
  package init(
    _ expression: FilterExpression, schema: FeatureSchema, types: [AttributeType?], now: Instant? = nil,
    places: FilterPlaces? = nil, names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    precondition(schema.fields.count == types.count, "as many types as fields")
    let fields = schema.filterFields(types: types, names: names)
    try expression.check(against: fields, places: places)
    step = try FilterCompiler(fields: fields, now: now).filter(expression)
    columnCount = types.count
    spatialQuestions = step.spatialQuestions
  }

  /// Compiles a filter for tables of a schema, whose columns have the declared types of the fields.
  ///
  /// - Throws: ``FilterError`` for an unknown field or incompatible types.
  package init(
    _ expression: FilterExpression, schema: FeatureSchema, now: Instant? = nil, places: FilterPlaces? = nil,
    names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    try self.init(
      expression, schema: schema, types: schema.fields.map(\.fieldType.attributeType), now: now,
      places: places,
      names: names)
  }

  /// Compiles a filter for one table, with the types of its columns.
  ///
  /// - Throws: ``FilterError`` for an unknown field or incompatible types.
  package init(
    _ expression: FilterExpression, for table: FeatureColumns, now: Instant? = nil,
    places: FilterPlaces? = nil,
    names: FilterNames = .ofWhereClauses
  ) throws(FilterError) {
    try self.init(
      expression, schema: table.schema, types: table.columns.map(\.type), now: now, places: places,
      names: names)
  }

  /// Returns the rows for which the filter is true.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - candidates: The rows to evaluate, nil for all; blocks of the table without candidates are skipped.
  ///   - answers: The rows for each of ``spatialQuestions``; a missing answer counts as unknown.
  package func rows(
    in table: FeatureColumns, among candidates: RowSet? = nil, answers: [SpatialQuestion: RowSet] = [:]
  ) -> RowSet {
    var rows = truth(in: table, among: candidates, answers: answers).isTrue
    if let candidates { rows.formIntersection(candidates) }
    return rows
  }

  /// Returns the rows for which the filter is true, and those for which it is unknown because a value is null.
  ///
  /// Outside `candidates`, either result may be false.
  package func truth(
    in table: FeatureColumns, among candidates: RowSet? = nil, answers: [SpatialQuestion: RowSet] = [:]
  ) -> (isTrue: RowSet, isUnknown: RowSet) {
    precondition(table.columns.count == columnCount, "a table of another schema than the filter's")
    precondition(candidates == nil || candidates?.rowCount == table.rowCount, "candidates of another table")
    let bound = FilterBinding(columns: table.columns, geometries: table.geometries, answers: answers).bind(
      step)
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
  /// Returns the result for each row of a range that starts at a word; false for blocks without a candidate.
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
  /// Returns the names that filters may use: the fields with their types, then the geometry if it has a name.
  package func filterFields(types: [AttributeType?], names: FilterNames) -> FilterFields {
    var known = zip(fields, types).map { (name: $0.name, type: $1) }
    if names.includeGeometry, geometryKind != nil { known.append((geometryName, .geometry)) }
    return FilterFields(known, namesHaveCase: names.haveCase)
  }
}

extension FeatureColumns {
  /// Returns the names that filters may use, with the types of the columns.
  package func filterFields(names: FilterNames) -> FilterFields {
    schema.filterFields(types: columns.map(\.type), names: names)
  }
}

extension FieldType {
  /// The type in filters; nil if they cannot use the field.
  package var attributeType: AttributeType? {
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
