package import MapFeatures
package import MapModel

/// The ranks of a table's rows by the values of a field: 0 for the most important ones, equal for equal values.
package struct LabelRanks: Sendable {
  /// The rank of each row; the last rank for rows without a value.
  private let ranks: [Int32]

  /// Ranks the rows of a table.
  ///
  /// - Cost: O(n log n).
  /// - Throws: ``RendererFieldError`` when the table lacks the field.
  package init(
    _ priority: FeaturePriority, table: FeatureColumns, rows: RowSet
  ) throws(RendererFieldError) {
    guard let index = table.schema.index(ofField: priority.fieldName) else {
      throw RendererFieldError(
        reader: "the label priority", field: priority.fieldName, available: table.schema.fields.map(\.name))
    }
    let column = table.columns[index]
    func ranked<Value: Comparable>(_ values: [Value]) -> [Int32] {
      var ranks = [Int32](repeating: .max, count: table.rowCount)
      // NaN is no value.
      let known = rows.filter { column.isValid($0) && values[$0] == values[$0] }
      let sorted = known.sorted { a, b in
        priority.largestFirst ? values[a] > values[b] : values[a] < values[b]
      }
      var (rank, last) = (Int32(0), Value?.none)
      for row in sorted {
        if let last, last != values[row] { rank += 1 }
        (ranks[row], last) = (rank, values[row])
      }
      return ranks
    }
    ranks =
      switch column.storage {
      case .integers(let values), .instants(let values): ranked(values)
      case .reals(let values): ranked(values)
      case .dates(let values), .shortIntegers(let values): ranked(values)
      case .booleans, .text: []
      }
  }

  /// Returns the rank of a row; equal for all rows if the field holds neither numbers nor dates.
  package subscript(row: Int32) -> Int32 {
    let row = Int(row)
    return ranks.indices.contains(row) ? ranks[row] : 0
  }
}

/// The importance of a label and of its feature's marker: the priority of the class, and then the rank of the feature.
///
/// Lower values are more important.
struct LabelImportance: Hashable, Comparable {
  /// The priority of the class.
  let priority: Int
  /// The rank of the feature in its class.
  var rank: Int32 = 0

  /// The importance of what no label covers.
  static let highest = LabelImportance(priority: .min)
  /// The importance of features in a layer with labels that have none themselves.
  static let lowest = LabelImportance(priority: .max, rank: .max)

  static func < (a: LabelImportance, b: LabelImportance) -> Bool {
    (a.priority, a.rank) < (b.priority, b.rank)
  }
}
