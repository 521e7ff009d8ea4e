import Synchronization

/// The rows of a tile's layer by the codes of a property's values.
struct RowsByCode: Sendable {
  /// For each code from -1, the place of its first row; then the number of rows.
  private let starts: [Int]
  private let rows: [Int32]
  /// The places of numbers among the codes; several where a tile writes one number in several ways.
  private let places: [Double: [Int]]

  /// The number of codes, with that of rows without a value.
  var count: Int { starts.count - 1 }

  /// Sorts rows by the codes of their values, or -1 for none.
  ///
  /// - Cost: linear in the rows and codes.
  init(codes: [Int32], values: [StyleValue]) {
    var next = [Int](repeating: 0, count: values.count + 2)
    for code in codes { next[Int(max(code, -1)) + 2] += 1 }
    for index in next.indices.dropFirst() { next[index] += next[index - 1] }
    starts = next
    var rows = [Int32](repeating: 0, count: codes.count)
    for (row, code) in codes.enumerated() {
      let number = Int(max(code, -1)) + 1
      rows[next[number]] = Int32(truncatingIfNeeded: row)
      next[number] += 1
    }
    self.rows = rows
    var places: [Double: [Int]] = [:]
    for (code, value) in values.enumerated() {
      if let number = value.number { places[number, default: []].append(code + 1) }
    }
    self.places = places
  }

  /// The rows with a code, from 0 for those without a value, in ascending order.
  subscript(place: Int) -> ArraySlice<Int32> { rows[starts[place]..<starts[place + 1]] }

  /// Returns the places of the codes with one of some numbers; of all codes for nil.
  func places(of numbers: [Double]?) -> [Int] {
    numbers.map { Set($0).flatMap { places[$0] ?? [] } } ?? Array(0..<count)
  }
}

/// The rows by the values of properties, each found when it is first asked for.
final class RowsByValue: Sendable {
  private let known = Mutex<[String: RowsByCode]>([:])

  func rows(of name: String, codes: [Int32], values: [StyleValue]) -> RowsByCode {
    known.withLock { known in
      if let rows = known[name] { return rows }
      let rows = RowsByCode(codes: codes, values: values)
      known[name] = rows
      return rows
    }
  }
}
