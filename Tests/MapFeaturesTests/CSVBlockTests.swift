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

    /// Creates rows; one has a decimal, words and doubled quotation marks, and a share of the values is null.
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
            for (row, value) in wanted.enumerated() {
              #expect(column.value(at: row) == value, "\(size) \(other) \(row)")
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

  /// The records of a text after its header, read one byte after the other; nil for an error.
  private static func records(_ text: [UInt8]) -> [[AttributeValue]]? {
    var (records, place): ([[AttributeValue]], Int) = ([], 0)
    func isEnd(_ place: Int) -> Bool { place == text.count || [0x2C, 0x0A, 0x0D].contains(text[place]) }
    while true {
      while place < text.count, [0x0A, 0x0D].contains(text[place]) { place += 1 }
      guard place < text.count else { return records }
      var fields: [AttributeValue] = []
      repeat {
        if !fields.isEmpty { place += 1 }
        var field: [UInt8] = []
        if place < text.count, text[place] == 0x22 {
          place += 1
          while true {
            guard place < text.count else { return nil }
            if text[place] == 0x22 {
              guard place + 1 < text.count, text[place + 1] == 0x22 else { break }
              place += 1
            }
            field.append(text[place])
            place += 1
          }
          place += 1
          guard isEnd(place) else { return nil }
          fields.append(.text(String(decoding: field, as: UTF8.self)))
        } else {
          while !isEnd(place) {
            field.append(text[place])
            place += 1
          }
          fields.append(field.isEmpty ? .null : .text(String(decoding: field, as: UTF8.self)))
        }
      } while place < text.count && text[place] == 0x2C
      guard fields.count == 3 else { return nil }
      records.append(fields)
    }
  }

  @Test("Quotation marks, delimiters and line ends are read as by a reader of single bytes")
  func singleBytes() throws {
    var random = SeededGenerator(seed: 640)
    var (good, bad) = (0, 0)
    for _ in 0..<4000 {
      let end = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
      var text = "a,b,c\n"
      for _ in 0..<Int.random(in: 1...70, using: &random) {
        let fields = (0..<3).map { _ in
          switch Int.random(in: 0...9, using: &random) {
          case 0: ""
          case 1: #""""#
          case 2: "x\"y"
          case 3: "\"x,\(end)y\""
          case 4: #""x""y""""#
          case 5: String(repeating: "x", count: Int.random(in: 50...140, using: &random))
          case 6: "\"" + String(repeating: "x,", count: Int.random(in: 30...70, using: &random)) + "\""
          default: "word"
          }
        }
        text += fields.joined(separator: ",") + (Int.random(in: 0...9, using: &random) == 0 ? end + end : end)
      }
      var bytes = Array(text.utf8)
      if Bool.random(using: &random) { bytes.removeLast() }
      if Int.random(in: 0...3, using: &random) == 0 {
        bytes[Int.random(in: 6..<bytes.count, using: &random)] =
          "\",\n\rx".utf8.randomElement(using: &random) ?? 0x22
      }
      let table = try? CSVReader.read(bytes)
      guard let wanted = Self.records(Array(bytes.dropFirst(6))) else {
        #expect(table == nil)
        bad += 1
        continue
      }
      let found = try #require(table)
      try #require(found.rowCount == wanted.count)
      for (row, fields) in wanted.enumerated() {
        #expect(found.columns.map { $0.value(at: row) } == fields)
      }
      good += 1
    }
    #expect(good > 2500 && bad > 300, "\(good) \(bad)")
  }

  @Test("A warning names the line of a record whose first field has a line end")
  func lineOfRecord() throws {
    for fields in ["NaN,1", ",1"] {
      let table = try CSVReader.read(Array("name,lon,lat\n\"a\nb\",\(fields)\n".utf8))
      #expect(
        table.warnings.count == 1 && table.warnings.allSatisfy { $0.contains("line 2") }, "\(table.warnings)")
    }
  }

  @Test("Coordinates in another form than other numbers are read in it, in whatever rows and pieces")
  func forms() throws {
    var options = ReadingOptions()
    (options.delimiter, options.xField, options.yField) = (CSVDelimiter(";"), "e", "n")
    for blanks in [1, 70] {
      let text = "e;n\n691.608;48.25\n" + String(repeating: ";\n", count: blanks) + "1.234.567;48.5\n"
      for pieceSize in [1 << 20, 12] {
        let table = try CSVReader.read(Array(text.utf8), options: options, pieceSize: pieceSize)
        #expect(
          table.geometry?.x.first == 691_608 && table.geometry?.x.last == 1_234_567, "\(blanks) \(pieceSize)")
      }
    }
  }
}
