import MapFilter
import MapGeometry

extension Field: CustomStringConvertible {
  /// Name and type, such as `Field(POP, int32)`.
  public var description: String { "Field(\(name), \(fieldType))" }
}

extension FieldDomain: CustomStringConvertible {
  /// The codes with their names, or the range.
  public var description: String {
    switch self {
    case .codedValues(let name, let values):
      "FieldDomain(\(name), \(values.map(\.description).joined(separator: ", ")))"
    case .range(let name, let least, let greatest): "FieldDomain(\(name), \(least) to \(greatest))"
    }
  }
}

extension FieldDomain.CodedValue: CustomStringConvertible {
  /// Code and name, such as `1: open`.
  public var description: String { "\(code): \(name)" }
}

extension FeatureSchema: CustomStringConvertible {
  /// The fields with their types, and the kind of geometry.
  public var description: String {
    let fields = fields.map { "\($0.name) \($0.fieldType)" }
    return "FeatureSchema(\((fields + [geometryKind?.rawValue].compactMap { $0 }).joined(separator: ", ")))"
  }
}

extension Column: CustomStringConvertible {
  /// The number of values, such as `Column(3 values)`.
  public var description: String { "Column(\(count.counted("value")))" }
}

extension FeatureColumns: CustomStringConvertible {
  /// The numbers of rows and columns, such as `FeatureColumns(3 rows, 2 columns)`.
  public var description: String {
    "FeatureColumns(\(rowCount.counted("row")), \(columns.count.counted("column")))"
  }
}

extension InMemorySource: CustomStringConvertible {
  /// The number of rows, such as `InMemorySource(3 rows)`.
  public var description: String { "InMemorySource(\(rowCount.counted("row")))" }
}

extension FeatureRows: CustomStringConvertible {
  /// The number of rows, such as `FeatureRows(3 rows)`.
  public var description: String { "FeatureRows(\(rows.count.counted("row")))" }
}

extension RowSet: CustomStringConvertible {
  /// The number of rows in the set, such as `RowSet(3 rows)`.
  public var description: String { "RowSet(\(count.counted("row")))" }
}
