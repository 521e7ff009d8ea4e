import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// Delimited text whose records are read in blocks of 64: values that are unlike the others, at any row of a block.
@Suite struct CSVBlockTests {
  /// The rows of a table, and what its columns must hold.
  private struct Rows {
    var lines = ["number,text,time,quoted,lon,lat,whole"]
    var values: [[AttributeValue]] = Array(repeating: [], count: 7)
    var places: [(x: Double, y: Double)?] = []

    /// Creates rows of which one has a decimal, words and doubled quotation marks; a share of the values is null.
    init(_ count: Int, other: Int, nulls: Double, _ random: inout SeededGenerator) {
      for row in 0..<count {
        func isNull(_ random: inout SeededGenerator) -> Bool {
          row != other && Double.random(in: 0..<1, using: &random) < nulls
        }
        var fields: [String] = []
        func add(_ column: Int, _ text: String, _ value: AttributeValue, null: Bool) {
          fields.append(null ? "" : text)
          values[column].append(null ? .null : value)
        }
        let whole = Int.random(in: -10_000_000...10_000_000, using: &random)
        let number = row == other ? "0.5" : "\(whole)"
        add(0, number, .real(Double(number) ?? .nan), null: isNull(&random))
        let text = row == other ? "word" : "\(whole)"
        add(1, text, .text(text), null: isNull(&random))
        let time = row == other ? "never" : "2024-02-2\(row % 10) 10:1\(row % 7):00"
        add(2, time, .text(time), null: isNull(&random))
        let quoted = row == other ? "a \"b\"" : row % 3 == 0 ? "" : "kind \(row % 5)"
        let marked = "\"\(quoted.replacing("\"", with: "\"\""))\""
        add(3, marked, .text(quoted), null: isNull(&random))
        let (isNowhere, x, y) = (isNull(&random), Double(whole) / 1e5, Double(row) / 8)
        add(4, "\(x)", .real(x), null: isNowhere)
        add(5, "\(y)", .real(y), null: isNowhere)
        places.append(isNowhere ? nil : (x, y))
        add(6, "\(whole)", .integer(Int64(whole)), null: isNull(&random))
        lines.append(fields.joined(separator: ","))
      }
    }
  }

  @Test("Each value is read at any row of a block, whatever the others are", arguments: [0, 0.03, 0.5])
  func values(nulls: Double) throws {
    var random = SeededGenerator(seed: 64)
    var count = 0
    for size in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
      for other in Set([0, 1, 62, 63, 64, 65, size - 1, size / 2]) where other < size {
        let rows = Rows(size, other: other, nulls: nulls, &random)
        for pieceSize in [1 << 20, 300] {
          let table = try CSVReader.read(
            Array(rows.lines.joined(separator: "\n").utf8), pieceSize: pieceSize)
          try #require(table.rowCount == size)
          for (column, wanted) in zip(table.columns, rows.values) {
            let isNumber = wanted.contains { if case .real = $0 { true } else { false } }
            for (row, value) in wanted.enumerated() {
              var found = column.value(at: row)
              // A column of whole decimals is one of integers, if no other value is a decimal.
              if isNumber, case .integer(let number) = found { found = .real(Double(number)) }
              #expect(found == value, "\(size) \(other) \(row)")
              count += 1
            }
          }
          let geometry = try #require(table.geometry)
          for (row, place) in rows.places.enumerated() {
            let (x, y) = (geometry.x[row], geometry.y[row])
            #expect(place.map { $0 == (x, y) } ?? x.isNaN, "\(size) \(other) \(row)")
          }
        }
      }
    }
    #expect(count > 50_000)
  }
}
