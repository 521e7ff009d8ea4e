import MapFeatures
import MapFilter
import MapModel
import MapState

/// The rows of a table from which classes, colours and sizes are derived: those that a definition expression leaves.
struct StyledRows {
  /// The table.
  let table: FeatureColumns
  /// The indexes of the rows in ascending order; nil for all.
  private let rows: [Int]?

  /// Reads the table of a source, and selects its rows.
  ///
  /// - Throws: `MapStateError` if the source cannot be read or the definition expression does not fit it.
  init(of source: any FeatureSource, _ definition: ParsedFilter) async throws(MapStateError) {
    do {
      guard try definition.read() != nil else {
        (table, rows) = (try await source.whole().columns(), nil)
        return
      }
      var conditions = QueryConditions()
      (conditions.$definitionExpression, conditions.now) = (definition, .now)
      let query = try conditions.query(for: .query)
      let fetched = try await source.fetch(query)
      (table, rows) = (fetched.columns(), Array(try fetched.rows(query)))
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the values of the rows.
  func values(ofColumn index: Int) -> [AttributeValue] { all { table.columns[index].value(at: $0) } }

  /// Returns the numbers of the rows, nil for null; nil for a column of another type.
  func numbers(ofColumn index: Int) -> [Double?]? {
    let column = table.columns[index]
    return switch column.storage {
    case .integers(let values): all { column.isValid($0) ? Double(values[$0]) : nil }
    case .shortIntegers(let values): all { column.isValid($0) ? Double(values[$0]) : nil }
    case .reals(let values): all { column.isValid($0) ? values[$0] : nil }
    default: nil
    }
  }

  /// Returns the least and the greatest whole number of the rows; nil for a field of another type, and without values.
  func wholeRange(ofField name: String) -> ClosedRange<Int64>? {
    guard let index = table.schema.index(ofField: name), let values = table.columns[index].integers else {
      return nil
    }
    let numbers = all { row in table.columns[index].isValid(row) ? values[row] : nil }.compactMap { $0 }
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    return least...greatest
  }

  /// Returns the codes and the texts of the rows, with negative codes for null; nil for a column of another type.
  func texts(ofColumn index: Int) -> (codes: [Int32], dictionary: [String])? {
    guard case .text(let codes, let dictionary) = table.columns[index].storage else { return nil }
    return (rows.map { $0.map { codes[$0] } } ?? codes, dictionary)
  }

  private func all<Value>(_ value: (Int) -> Value) -> [Value] {
    rows?.map(value) ?? (0..<table.rowCount).map(value)
  }
}
